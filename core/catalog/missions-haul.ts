/** Trade missions to other systems: goods that somebody there has paid for and not received. */
import { giver, hauls } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

const FACTOR = giver('Emeric Dolan', 'Freight Factor')
const MEDIC = giver('Dr. Hesper Anwick', 'Station Surgeon')
const PURSER = giver('Leonie Strand', 'Purser')
const YARD = giver('Kasimir Oake', 'Yardmaster')
const TEACHER = giver('Maud Ferrier', 'Schoolmistress, Ring Two')
const FOREMAN = giver('Bryn Tallow', 'Dock Foreman')
const WIDOW = giver('Petra Lund', 'Chandler')

export const HAUL_MISSIONS: readonly MissionRow[] = hauls([
  [
    'parts_down_the_line',
    'Parts Down the Line',
    FACTOR,
    3,
    [[['machine_parts', 20]], 'near'],
    [
      'A pump is out two stations over and the only spares in the region are on our exchange.',
      'Buy them, carry them, be thanked. It is the whole of commerce, really.',
      'The pump will keep. It is the people drinking behind it that I think of.',
      'They telegraphed: it turns. They used an exclamation mark and paid for it.',
    ],
  ],
  [
    'grain_to_the_edge',
    'Grain to the Edge',
    FACTOR,
    3,
    [[['grain_meal', 40]], 'near'],
    [
      'A neighbour of ours has ovens and no meal. A silly way to be hungry.',
      'Forty sacks. Keep them dry, and do not let anything hatch.',
      'I shall ask a slower ship, and they shall have a longer evening.',
      'They have sent us a loaf by way of receipt. I have entered it as paid.',
    ],
  ],
  [
    'tools_for_the_claim',
    'Tools for the Claim',
    FACTOR,
    4,
    [[['power_tools', 12]], 'far'],
    [
      'A claim far out has struck something and broken everything. They need tools, quickly.',
      'They pay on arrival, in good coin, with dirty hands. The best sort of client.',
      'They will dig with spoons till someone comes. I have seen it. It is slow.',
      'They sent a splinter of what they found. I am not telling you what it is worth.',
    ],
  ],
  [
    'medicine_over_the_border',
    'Medicine Over the Border',
    MEDIC,
    5,
    [
      [
        ['antibiotics', 20],
        ['vaccine_batch', 8],
      ],
      'far',
    ],
    [
      'A colleague across the border has a ward of coughing children and a broken supply line.',
      'Customs will want to look at it. Let them look. Then do not let them keep it.',
      'I will write and tell her to boil things. She knows. It is not enough.',
      'She writes that the ward is down to two, and those two are mostly showing off.',
    ],
  ],
  [
    'silk_for_the_season',
    'Silk for the Season',
    PURSER,
    5,
    [[['silk_gown', 8]], 'capital'],
    [
      'The season opens in the capital and a certain house has nothing to wear. Eight gowns.',
      'Hang them, never fold. A crease there is remembered for a generation.',
      'Then somebody shall attend a ball in velvet. In this heat. Their funeral.',
      'A triumph. Two duels, one engagement. They have asked for your name; I declined.',
    ],
  ],
  [
    'harvest_wine',
    'The Harvest Barrels',
    PURSER,
    5,
    [[['sunlit_wine', 10]], 'far'],
    [
      'A buyer at the far end of the lanes will pay foolishly for this year’s wine.',
      'No sudden turns. The wine does not mind, but the label says it does.',
      'A pity. I would have to drink the margin myself.',
      'He tasted, he wept, he paid. In that order, thank goodness.',
    ],
  ],
  [
    'glass_for_the_dome',
    'Glass for the Dome',
    YARD,
    4,
    [[['window_units', 10]], 'near'],
    [
      'A garden dome nearby cracked its crown. They have a tarpaulin over it. Over vacuum.',
      'Ten panes, on edge, with straw. If you hear singing, that is glass about to go.',
      'I will send them more tarpaulin and my regards.',
      'Set and sealed. They say the first dawn through it looked like forgiveness.',
    ],
  ],
  [
    'news_from_the_centre',
    'Yesterday’s News',
    PURSER,
    4,
    [[['news_bundle', 12]], 'far'],
    [
      'There are places where the news arrives by ship or not at all. Take them a bundle.',
      'They read it aloud in the canteen, adverts included. Mind the order of the pages.',
      'They shall have to go on believing last month. It was a better month.',
      'They cheered an election that was annulled on Tuesday. I did not have the heart.',
    ],
  ],
  [
    'instruments_for_a_band',
    'Eleven Players, Four Horns',
    TEACHER,
    4,
    [[['musical_instruments', 10]], 'near'],
    [
      'A mining station has formed a band. They lack only instruments, and I lack only peace.',
      'Brass if you can. I want them to hear each other over the drills.',
      'They are practising on pipes. Live ones. Somebody will find the steam.',
      'They played your ship out of dock. I am assured it was meant as a march.',
    ],
  ],
  [
    'circuit_shortage',
    'The Board Shortage',
    FACTOR,
    5,
    [[['circuit_board', 25]], 'capital'],
    [
      'Every foundry in the capital wants boards and every one swears it wants them least.',
      'Bring them to the dock, name no names, and watch who runs.',
      'Then I shall let them go on bluffing each other. It is good for their character.',
      'Sold before you had the hatch open. I hardly had time to look reluctant.',
    ],
  ],
  [
    'charges_for_the_deep',
    'Charges for the Deep Shaft',
    FOREMAN,
    4,
    [[['mining_charges', 40]], 'near'],
    [
      'A shaft is stuck on a seam of something rude. They want charges, and so would I.',
      'Not near the engine, not near the galley, and not near your bunk.',
      'They will try it with picks, and language.',
      'One bang, one cheer, one very large hole. A credit to the profession.',
    ],
  ],
  [
    'furniture_for_newlyweds',
    'A Table and Two Chairs',
    WIDOW,
    3,
    [[['furniture_kit', 5]], 'near'],
    [
      'My niece has married a prospector and sleeps on crates. Take her something with legs.',
      'There is always one screw missing. I have put a spare in the envelope.',
      'Crates, then. It lasted thirty years for me and my Anders.',
      'She says it wobbles. I told her: so does everything, dear, hold the other end.',
    ],
  ],
  [
    'carpets_for_the_barracks',
    'Carpets for the Barracks',
    YARD,
    4,
    [[['carpet', 8]], 'far'],
    [
      'A garrison has asked for carpets. I queried it. They repeated it, with feeling.',
      'Roll them, tie them, and do not salute anybody until I have been paid.',
      'Then four hundred men go on being heard by each other, all night.',
      'Delivered and laid. The sergeant took his boots off. Grown men looked away.',
    ],
  ],
])
