/**
 * What a station's manager keeps: the basics everywhere, more with the level, and all that is dug
 * nearby.
 */
import type { Draws } from './draws.ts'
import { goodOf, isModule, itemIndex } from './goods.ts'
import { ITEMS } from './items.ts'
import { RECIPES } from './recipes.ts'
import { ORES } from './regions.ts'
import { SHIP_CLASSES } from './ships.ts'
import type { BasePlan, ItemCategory, ManagedPlan } from './types.ts'

const STOCK_MAX = 80
/** A capital takes whatever its smelters could make, too. */
const STOCK_MAX_CAPITAL = 110
const STOCK_MIN = 34
const TARGET_MIN = 20
const TARGET_MAX = 4_000
/**
 * What is dug: a capital takes the loads of hundreds of miners who land in one tick, a twentieth of
 * the target a tick and good. Source: ours.
 */
const RAW_TARGET_MAX = 10_000
const RAW_TARGET_MAX_CAPITAL = 50_000
/** Places kept for goods that are not made of what is dug here. */
const SHELF_OF_STRANGERS = 6
/** Credits of stock of one item, a level of the station. */
const STOCK_CREDITS = 30_000
const RAW_STOCK_CREDITS_CAPITAL = 100_000

/** Kept full by the station's own suppliers. */
const BASICS: readonly string[] = [
  'fuel_cell',
  'repair_kit',
  'hull_patch',
  'shield_cell',
  'rations',
  'purified_water',
  'medical_supplies',
  'cargo_container',
  'mining_laser_i',
  'autocannon_rounds',
  'steel_plate',
  'circuit_board',
]

/** More basics at stations of level 2 and up. */
const LEVEL_TWO: readonly string[] = [
  'blaster_i',
  'pulse_laser_i',
  'autocannon_i',
  'shield_booster_i',
  'armor_plate_i',
  'cargo_expander_i',
  'scanner_i',
  'survey_scanner_i',
  'fuel_tank_i',
  'mining_laser_ii',
]

/** From here on stock comes from players. */
const LEVEL_THREE: readonly string[] = [
  'premium_fuel_cell',
  'advanced_repair_kit',
  'mining_laser_iii',
  'deep_core_extractor_i',
  'tow_rig_basic',
  'salvager_i',
  'light_drone_bay',
  'mining_drone',
  'thruster_i',
  'missile_rack_i',
  'seeker_missiles',
]

const LEVEL_FOUR: readonly string[] = [
  'military_fuel_cell',
  'shield_booster_ii',
  'pulse_laser_ii',
  'railgun_i',
  'rail_slugs',
  'refueling_pump',
  'repair_arm',
  'cloak_i',
  'combat_drone',
]

const LEVEL_FIVE: readonly string[] = [
  'strip_miner_i',
  'mining_laser_iv',
  'ice_harvester_ii',
  'gas_harvester_ii',
  'survey_scanner_ii',
  'warp_stabilizer',
]

const STEPS: readonly (readonly string[])[] = [[], LEVEL_TWO, LEVEL_THREE, LEVEL_FOUR, LEVEL_FIVE]

/** Made goods, which one port has too much of and another too little. */
const TRADED: readonly ItemCategory[] = [
  'refined',
  'component',
  'commodity',
  'food',
  'luxury',
  'medical',
]
/**
 * What fills the shelves up to the minimum and gives each port its own trade. Dear goods are left
 * to the players: a port could hold no more of them than a handful.
 */
const TRADE_VALUE_MAX = 1_000
const TRADE: readonly string[] = ITEMS.filter(
  (row) =>
    (TRADED.includes(row.category) || row.category === 'salvage') &&
    row.base_value <= TRADE_VALUE_MAX,
).map((row) => row.id)

/** First stock in percent of the target. Source: ours. */
const PLENTY_PCT = 130
const WANT_PCT = 25
/** A capital has ore in heaps and too few hands: whoever works it up earns more than who digs. */
const HEAP_PCT = 145

/** By raw good: what the smelters next to its deposits turn it into. */
const SMELTED: ReadonlyMap<string, readonly string[]> = smeltedByRaw()

function smeltedByRaw(): Map<string, string[]> {
  const made = new Map<string, string[]>()
  for (const row of RECIPES) {
    if (row.category !== 'refining' || row.fuel_output) continue
    for (const { item_id } of row.inputs) {
      const list = made.get(item_id) ?? []
      list.push(row.outputs[0]!.item_id)
      made.set(item_id, list)
    }
  }
  return made
}

const CONTRABAND: readonly string[] = ITEMS.filter((row) => row.category === 'contraband').map(
  (row) => row.id,
)

/** Highest tier of hulls whose parts a capital keeps for its yard; others are brought there. */
const YARD_PARTS_TIER = 1
const YARD_PARTS: readonly string[] = [
  ...new Set(
    SHIP_CLASSES.filter(({ hidden, tier }) => !hidden && tier <= YARD_PARTS_TIER).flatMap(
      ({ build_materials }) => build_materials.map(({ item_id }) => item_id),
    ),
  ),
]

export interface StockSite {
  level: number
  kind: BasePlan['kind']
  /** Key into ORES. */
  table: string
  capital: boolean
  /** Items of the deposits this station serves, in a fixed order. */
  local: readonly string[]
  draws: Draws
}

/** The list never passes its most: what is dug nearby comes first, trade goods give way. */
export function stockOf(site: StockSite): ManagedPlan[] {
  const most = site.capital ? STOCK_MAX_CAPITAL : STOCK_MAX
  const wanted = new Set<string>(BASICS)
  for (const item of site.local) wanted.add(item)
  for (const item of harvesters(site.local)) wanted.add(item)
  if (site.capital) for (const item of ORES[site.table]!.common) wanted.add(item)
  if (site.kind === 'pirate') for (const item of CONTRABAND) wanted.add(item)
  wanted.add('salvage_metal')
  wanted.add('salvage_components')
  if (site.capital) for (const item of YARD_PARTS) wanted.add(item)
  for (let level = 2; level <= site.level; level++) {
    for (const item of STEPS[level - 1]!) if (wanted.size < most) wanted.add(item)
  }
  const smelted = smeltedHere(site)
  const room = site.capital ? most : Math.max(STOCK_MIN, wanted.size + 2 + 2 * site.level)
  for (const item of smelted) {
    if (wanted.size < Math.min(most, room) - SHELF_OF_STRANGERS) wanted.add(item)
  }
  for (let i = 0; i < 200 && wanted.size < Math.min(most, room); i++) {
    wanted.add(site.draws.pick(TRADE))
  }
  return [...wanted].map((item) => managed(item, site, smelted))
}

/** What the works of the place make of what is dug around it. */
function smeltedHere(site: StockSite): Set<string> {
  const raw = [...site.local, ...(site.capital ? ORES[site.table]!.common : [])]
  return new Set(raw.flatMap((item) => SMELTED.get(item) ?? []))
}

/**
 * Percent of the target that lies there on the first day. A capital eats more than it makes; what a
 * smaller port makes, besides its metals, follows from the place of the good in the list.
 */
function firstStockPct(item: string, site: StockSite, smelted: ReadonlySet<string>): number {
  const row = goodOf(item)
  if (!isModule(row) && row.extracted_by && site.capital) return HEAP_PCT
  if (isModule(row) || !TRADED.includes(row.category) || BASICS.includes(item)) return 100
  if (site.capital) return WANT_PCT
  if (smelted.has(item)) return PLENTY_PCT
  if (row.category === 'refined') return WANT_PCT
  return (itemIndex(item) + site.level) % 2 === 0 ? PLENTY_PCT : WANT_PCT
}

/** The tool for each family that is found here. */
function harvesters(local: readonly string[]): string[] {
  const tools: string[] = []
  for (const id of local) {
    const row = goodOf(id)
    if (isModule(row)) continue
    if (row.extracted_by === 'ice') tools.push('ice_harvester_i')
    if (row.extracted_by === 'gas') tools.push('gas_harvester_i')
  }
  return tools
}

function managed(item: string, site: StockSite, smelted: ReadonlySet<string>): ManagedPlan {
  const target = targetOf(item, site)
  return {
    item,
    target,
    stock: Math.trunc((target * firstStockPct(item, site, smelted)) / 100),
    supply: BASICS.includes(item) || LEVEL_TWO.includes(item) || item.endsWith('_harvester_i'),
  }
}

function targetOf(item: string, { level, capital }: StockSite): number {
  const row = goodOf(item)
  const isRaw = !isModule(row) && row.extracted_by !== undefined
  const most = isRaw ? (capital ? RAW_TARGET_MAX_CAPITAL : RAW_TARGET_MAX) : TARGET_MAX
  const credits = level * (isRaw && capital ? RAW_STOCK_CREDITS_CAPITAL : STOCK_CREDITS)
  const share = isModule(row) ? Math.trunc(credits / 4) : credits
  return Math.min(most, Math.max(TARGET_MIN, Math.trunc(share / row.base_value)))
}
