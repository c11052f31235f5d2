/**
 * Seasons: events in a region that last a day or two, and change what its stations use, make and
 * pay for. Source: ours: a galaxy in which nothing ever happens is a price list.
 */
import { deepFreeze } from './freeze.ts'
import { itemIndex } from './goods.ts'

/** Number of seasons at the same time, each in a round of its own. */
export const SEASONS_AT_ONCE = 3
/** Ticks of a round, of the season within it, and of the step to which its start is rounded. */
export const SEASON_ROUND_TICKS = 25_920
export const SEASON_TICKS = 12_960
export const SEASON_STEP_TICKS = 360

export interface SeasonRow {
  readonly id: string
  readonly title: string
  /** Text of the news; `{region}` is the region. */
  readonly news: string
  /** Goods that residents use more of, and how much per cycle, in 1/10,000 of the target stock. */
  readonly uses: readonly string[]
  readonly usedBps: number
  /** Goods that come in from outside, and how much per cycle. */
  readonly grows: readonly string[]
  readonly grownBps: number
  /** Percent of the usual number of travellers, and of the usual bounty on pirates. */
  readonly travellersPct: number
  readonly bountyPct: number
}

type Line = Pick<SeasonRow, 'id' | 'title' | 'news'> & Partial<SeasonRow>

const season = (line: Line): SeasonRow => ({
  uses: [],
  usedBps: 150,
  grows: [],
  grownBps: 100,
  travellersPct: 100,
  bountyPct: 100,
  ...line,
})

const SEASON_LINES: readonly Line[] = [
  {
    id: 'ore_rush',
    title: 'Ore Rush',
    news:
      'Every smelter in {region} has lit its second furnace. They take iron, copper and titanium ' +
      'by the hold, and they do not haggle about the dirt.',
    uses: ['iron_ore', 'copper_ore', 'titanium_ore', 'drill_bits', 'mining_charges'],
    usedBps: 200,
  },
  {
    id: 'grey_cough',
    title: 'The Grey Cough',
    news:
      'The grey cough is going from deck to deck in {region}. Quarantine flags are up; medicine of ' +
      'every kind is wanted before dignity.',
    uses: ['antibiotics', 'medical_supplies', 'vaccine_batch', 'quarantine_tent', 'painkillers'],
    usedBps: 250,
    travellersPct: 60,
  },
  {
    id: 'pirate_king',
    title: 'The Pirate King',
    news:
      'Somebody out past the lights of {region} has put on a crown, and the crews follow it. Bounty ' +
      'offices pay half as much again; gunners buy what is left.',
    uses: ['autocannon_rounds', 'rail_slugs', 'seeker_missiles', 'repair_kit', 'shield_cell'],
    usedBps: 200,
    bountyPct: 150,
  },
  {
    id: 'great_harvest',
    title: 'The Great Harvest',
    news:
      'The decks of {region} have never grown so much. Grain stands in the corridors; whoever has a ' +
      'hold can have it cheap, and whoever has a cannery wants tins.',
    grows: ['grain_meal', 'fresh_produce', 'bread', 'cooking_oil', 'noodles'],
    grownBps: 200,
    uses: ['biscuit_tin', 'fertilizer', 'livestock_embryos'],
  },
  {
    id: 'lantern_feast',
    title: 'The Feast of Lanterns',
    news:
      'For a few nights nobody in {region} works who can dance. They want cake, wine and music, and ' +
      'half the galaxy wants to come.',
    uses: ['festival_cake', 'sunlit_wine', 'chocolate', 'musical_instruments', 'lamp_kit'],
    usedBps: 250,
    travellersPct: 160,
  },
  {
    id: 'pilgrimage',
    title: 'The Long Pilgrimage',
    news:
      'Pilgrims are on the move through {region}, with a bundle each and no return fare. They ride in ' +
      'any berth, and eat whatever there is.',
    uses: ['rations', 'field_meal', 'blankets', 'boots'],
    travellersPct: 220,
  },
  {
    id: 'yard_boom',
    title: 'The Yard Boom',
    news:
      'The yards of {region} have sold every hull they will build this year. Frames, plating and ' +
      'wiring go off the dock before they touch it.',
    uses: ['hull_frame', 'hull_plating', 'wiring_harness', 'thruster_assembly', 'steel_plate'],
    usedBps: 200,
  },
  {
    id: 'dry_tanks',
    title: 'Dry Tanks',
    news:
      'A refinery in {region} has burned, and the tanks behind it are dry. Fuel cells are counted ' +
      'like coins.',
    uses: ['fuel_cell', 'premium_fuel_cell', 'jerry_can', 'hydrogen_gas', 'liquid_hydrogen'],
    usedBps: 250,
  },
  {
    id: 'ice_comet',
    title: 'The White Visitor',
    news:
      'A comet has come apart over {region}. Ice rains on the collectors faster than anybody can sell ' +
      'it, and every cooler is full.',
    grows: ['water_ice', 'purified_water', 'methane_ice', 'liquid_oxygen'],
    grownBps: 250,
    uses: ['insulation_rolls', 'water_tank'],
  },
  {
    id: 'blackout',
    title: 'The Blackout',
    news:
      'A flare has written its name across the switchboards of {region}. Until they are rebuilt, ' +
      'circuits, cells and cable are worth carrying a long way.',
    uses: ['circuit_board', 'power_cell', 'cable_drum', 'relay_bank', 'copper_wire'],
    usedBps: 250,
    travellersPct: 80,
  },
]

export const SEASONS: readonly SeasonRow[] = deepFreeze(SEASON_LINES.map(season))

/** Returns what is wrong with the seasons, in words. */
export function seasonFaults(rows: readonly SeasonRow[] = SEASONS): string[] {
  return rows.flatMap((row) =>
    [...row.uses, ...row.grows]
      .filter((item) => itemIndex(item) < 0)
      .map((item) => `${row.id} names the unknown item ${item}`),
  )
}
