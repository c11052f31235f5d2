/** Recipes for luxuries: gifts, clothes and art. */
import type { RecipeRow } from './industry-types.ts'
import { recipes } from './recipe-row.ts'

const LUXURIES = recipes('luxury', [
  [
    'carve_heliodor',
    'Carve Heliodor',
    '4 heliodor_lens 1 hand_tools > 1 carved_heliodor',
    'The magistrates are dead, so nobody complains about the chin.',
  ],
  [
    'cast_silence_bells',
    'Cast Silence Bells',
    '3 umbral_film 4 bronze_fitting 1 silver_contact > 1 silence_bell',
    'Poured at midnight, and struck once to hear that it cannot be heard.',
  ],
  [
    'forge_duelling_blades',
    'Forge Duelling Blades',
    '4 oathiron_billet 1 vanadium_steel > 1 duelling_blade',
    'Quenched in wine if the buyer insists.',
  ],
  [
    'weave_ledger_silk',
    'Weave Ledger Silk',
    '4 textiles 3 opaline_facet 1 silver_contact > 1 ledger_silk',
    'The figures are audited before the weft goes in.',
  ],
  [
    'build_drift_fiddles',
    'Build Drift Fiddles',
    '3 driftglass_pane 2 copper_wire 2 carbon_fiber > 1 drift_fiddle',
    'Strung with what is left of the tow.',
  ],
  [
    'restore_relics',
    'Restore Relics',
    '3 rare_salvage 1 data_cores > 1 ancient_relic',
    'Put back together by people who do not know what it was.',
  ],
  [
    'cast_holograms',
    'Cast Holograms',
    '1 data_cores 1 lithium_cell > 1 art_hologram',
    'The subject must hold still for as long as it will be looked at.',
  ],
  [
    'set_jewellery',
    'Set Jewellery',
    '1 gold_foil 1 opaline_inlay > 1 gold_jewelry',
    'Set by lamplight, with the door locked.',
  ],
  [
    'cut_signets',
    'Cut Signets',
    '1 gold_wire 1 heliodor_lens > 1 signet_ring',
    'Cut in mirror writing by somebody left-handed.',
  ],
  [
    'raise_silver',
    'Raise Silver',
    '3 silver_contact 1 cookware > 1 silver_service',
    'Raised with hammers that touch nothing else.',
  ],
  [
    'assemble_chronometers',
    'Assemble Chronometers',
    '1 vanadium_spring 1 gold_wire 1 chrome_bearing > 1 pocket_chronometer',
    'Regulated for a week in six positions.',
  ],
  [
    'fire_porcelain',
    'Fire Porcelain',
    '6 ceramic_tile 1 opaline_inlay > 1 porcelain_set',
    'Fired twice; the second time it sings.',
  ],
  [
    'blend_perfume',
    'Blend Perfume',
    '1 amber_extract 1 industrial_solvent > 2 perfume',
    'Blended by a nose on a salary.',
  ],
  [
    'sew_gowns',
    'Sew Gowns',
    '3 textiles 1 silver_paste > 1 silk_gown',
    'Fitted eleven times, worn once.',
  ],
  [
    'tailor_coats',
    'Tailor Coats',
    '2 umbral_cloth 1 opaline_inlay > 1 tailored_coat',
    'Cut by eye, by the one that still works.',
  ],
  [
    'knot_carpets',
    'Knot Carpets',
    '4 textiles 1 ink_and_paint > 1 carpet',
    'Knotted by families, who argue in the pattern.',
  ],
  [
    'paint_canvases',
    'Paint Canvases',
    '1 ink_and_paint 1 cooking_oil 1 textiles > 1 oil_painting',
    'Painted by daylight that has to be hired.',
  ],
  [
    'cast_busts',
    'Cast Busts',
    '4 bronze_fitting > 1 bronze_bust',
    'Cast from wax, and the wax from life, and life from memory.',
  ],
  [
    'carve_chess_sets',
    'Carve Chess Sets',
    '2 heliodor_glass 1 umbral_cloth > 1 chess_set',
    'Each knight takes a day and a swear word.',
  ],
  [
    'build_gaming_tables',
    'Build Gaming Tables',
    '1 furniture_kit 1 opaline_inlay > 1 gaming_table',
    'Levelled with three spirits, one of them gin.',
  ],
  [
    'pin_music_boxes',
    'Pin Music Boxes',
    '1 vanadium_spring 1 bronze_fitting > 1 music_box',
    'Each pin is a note; each box has one wrong.',
  ],
  [
    'seal_echo_lockets',
    'Seal Echo Lockets',
    '1 echo_glass 1 gold_wire > 1 echo_locket',
    'The buyer speaks once. There is no second take.',
  ],
  [
    'mount_night_lamps',
    'Mount Night Lamps',
    '1 brightvein_filament 1 glass_pane > 1 night_lamp',
    'Assembled by people in dark glasses.',
  ],
  [
    'blow_aurora_globes',
    'Blow Aurora Globes',
    '1 aurora_coil 2 glass_pane > 1 aurora_globe',
    'Closed while the curtain is folded.',
  ],
  [
    'set_firstlight',
    'Set Firstlight',
    '1 firstlight_prism 1 gold_foil > 1 firstlight_ring',
    'Nobody speaks while it is set, and few after.',
  ],
  [
    'build_orreries',
    'Build Orreries',
    '2 manganese_bronze 1 gold_wire 2 chrome_bearing > 1 star_orrery',
    'Geared from the middle outward, like the real one.',
  ],
  [
    'mount_trophies',
    'Mount Trophies',
    '1 bone_lattice 1 furniture_kit > 1 hunting_trophy',
    'Wired into the pose in which it nearly won.',
  ],
  [
    'tan_hide',
    'Tan Hide',
    '2 raw_hide 1 salt_brick > 1 drifter_leather',
    'Tanned in brine, stretched on the hull for a week.',
  ],
  [
    'milk_glow_sacs',
    'Milk Glow Sacs',
    '1 glow_sac 1 industrial_solvent > 3 glow_ink',
    'Milked gently, over a bowl, by its own light.',
  ],
  [
    'press_incense',
    'Press Incense',
    '1 spore_cluster 1 carbon_ore > 2 spore_incense',
    'Pressed with the fan on and the door open.',
  ],
  [
    'blow_ichor_glass',
    'Blow Ichor Glass',
    '1 leviathan_ichor 2 glass_pane > 1 ichor_glass',
    'It blows back.',
  ],
  [
    'seal_reliquaries',
    'Seal Reliquaries',
    '1 apex_heart 1 silver_contact > 1 heart_reliquary',
    'Closed on the last beat, which is a matter of ear.',
  ],
])

export const LUXURY_RECIPES: readonly RecipeRow[] = [...LUXURIES]
