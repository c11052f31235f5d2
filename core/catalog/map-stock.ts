/**
 * Plans what a station's manager keeps in stock: the basics everywhere, more with the level, and
 * everything that is mined nearby.
 */
import { hash32, hashText } from '../rng.ts'
import type { Draws } from './draws.ts'
import { ESSENTIALS, essentialsAt, MAKINGS } from './essentials.ts'
import { goodOf, isModule, itemIndex } from './goods.ts'
import { ITEMS } from './items.ts'
import { RECIPES } from './recipes.ts'
import { ORES, SIGNATURES } from './regions.ts'
import type { BasePlan, GoodsPart, ItemCategory, ManagedPlan } from './types.ts'

const STOCK_MAX = 110
/** A capital also keeps its share of the essentials. Source: balance.md section 4. */
const STOCK_MAX_CAPITAL = 160
const STOCK_MIN = 34
const TARGET_MIN = 20
const TARGET_MAX = 4_000
/**
 * Up to this value, specialities are stocked in bulk: enough to fill the largest hold many times.
 * Expensive ones are not: they would make the smallest hold rich. Source: ours.
 */
const BULK_VALUE_MAX = 22
const BULK_TARGET_MAX = 90_000
const BULK_STOCK_CREDITS = 600_000
/**
 * Capitals supply large production lines and buy from them: their stock of crafted goods is this
 * many times the usual one. ours: a line of the highest level uses up the usual stock in a few
 * minutes.
 */
const CAPITAL_TIMES = 10
/** Maximum of that stock [ours]: with less, such lines ran out of parts or buyers in half a day. */
const LARGE_TARGET_MAX = 12_000
/**
 * The same for basics, which no facility makes: at 8,000, the plates and boards supplied in an hour
 * were less than one large line uses, and its margin was gone after half a day. Source: ours.
 */
const LARGE_BASIC_TARGET_MAX = 24_000
/**
 * The same for raw materials: a capital takes the loads of hundreds of miners who dock in one tick;
 * it buys a twentieth of the target per tick and good. Source: ours.
 */
const RAW_TARGET_MAX = 10_000
const RAW_TARGET_MAX_CAPITAL = 75_000
/** Value of the stock of one item per level of the station, credits. */
const STOCK_CREDITS = 30_000
/**
 * The same for raw materials [ours]: at 30,000, a hull of tier 2 sold the common ore of lawless
 * fields at every port it passed, and earned as much as one of tier 3.
 */
const RAW_STOCK_CREDITS = 25_000
/** At capitals [ours]: at 150,000, the ore for the dearest parts was used up in half a day. */
const RAW_STOCK_CREDITS_CAPITAL = 200_000

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

/** More goods at stations of level 3 and up, supplied by players. */
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

/** Categories of crafted goods, of which one port has too much and another too little. */
const TRADED: readonly ItemCategory[] = [
  'refined',
  'component',
  'commodity',
  'food',
  'luxury',
  'medical',
]
/**
 * Maximum value of goods that fill the stock up to its minimum and give each port its own trade.
 * More expensive goods are left to players: a port could hold no more than a handful of them.
 */
const TRADE_VALUE_MAX = 1_000
const TRADE: readonly string[] = ITEMS.filter(
  (row) => TRADED.includes(row.category) && row.base_value <= TRADE_VALUE_MAX,
).map((row) => row.id)

/**
 * Initial stock in percent of the target: of exports, of imports, of essentials at capitals, and of
 * everything else. Source: balance.md sections 4, 5; ours: exports start near the 125 that works
 * keep. At the 130 of section 5, the largest ships lived on the surplus, and poorly afterwards.
 */
const EXPORT_PCT = 126
/** A capital uses its metals itself [ours]: if they were cheaper, the smallest bench got rich. */
const CAPITAL_EXPORT_PCT = 100
const IMPORT_PCT = 40
/** For expensive goods [ours]: at 40, goods of 100 credits made small holds and benches rich. */
const DEAR_IMPORT_PCT = 62
const FOREIGN_ORE_PCT = 30
const ESSENTIAL_PCT = 100
const PLAIN_PCT = 60
/** A capital has plenty of ore and too few workers: refining pays more than mining there. */
const HEAP_PCT = 150
/** Returns the stock down to which a station uses a crafted import, percent of the target. */
export const importPct = (item: string): number =>
  goodOf(item).base_value <= BULK_VALUE_MAX ? IMPORT_PCT : DEAR_IMPORT_PCT

/** Returns how many goods a station exports and imports. Source: balance.md section 5. */
const exportsOf = (level: number): number => 5 + level
const importsOf = (level: number): number => 8 + 2 * level
const SPARE_PLACES = 8
const SPECIALITY = hashText('map.speciality')

/** What the smelters next to the deposits of each raw material make of it. */
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

const IS_ESSENTIAL: ReadonlySet<string> = new Set(ESSENTIALS)

export interface StockSite {
  level: number
  kind: BasePlan['kind']
  /** Key into ORES. */
  table: string
  capital: boolean
  /** Items of the deposits this station serves, in a fixed order. */
  local: readonly string[]
  /** What stations one jump away keep, if they were planned before this one. */
  near: readonly ManagedPlan[]
  /** What stations a few jumps away keep, with which this one trades. */
  partners: readonly ManagedPlan[]
  /** Makes the specialities of stations differ. */
  salt: number
  draws: Draws
}

/**
 * Returns what a station keeps, up to its maximum: raw materials from nearby come first, trade
 * goods last.
 */
export function stockOf(site: StockSite): ManagedPlan[] {
  const max = site.capital ? STOCK_MAX_CAPITAL : STOCK_MAX
  const wanted = new Set<string>(BASICS)
  for (const item of site.local) wanted.add(item)
  for (const item of harvesters(site.local)) wanted.add(item)
  if (site.capital) for (const item of ORES[site.table]!.common) wanted.add(item)
  if (site.kind === 'pirate') for (const item of CONTRABAND) wanted.add(item)
  wanted.add('salvage_metal')
  wanted.add('salvage_components')
  if (site.capital) {
    for (const item of essentialsAt(site.table)) wanted.add(item)
    for (const item of foreignOres(site.table)) wanted.add(item)
  }
  for (let level = 2; level <= site.level; level++) {
    for (const item of STEPS[level - 1]!) if (wanted.size < max) wanted.add(item)
  }
  const smelted = smeltedHere(site)
  // Room for imports, with spares for what neighbours rule out.
  const importRoom = importsOf(site.level) + SPARE_PLACES
  const room = site.capital
    ? max
    : Math.max(STOCK_MIN, wanted.size + importRoom + exportsOf(site.level))
  for (const item of smelted) {
    if (wanted.size < Math.min(max, room) - importRoom) wanted.add(item)
  }
  for (const item of partnerGoods(site, 'export').slice(0, importsOf(site.level))) {
    if (wanted.size < Math.min(max, room)) wanted.add(item)
  }
  for (let i = 0; i < 200 && wanted.size < Math.min(max, room); i++) {
    wanted.add(site.draws.pick(TRADE))
  }
  const parts = specialities([...wanted], site, smelted)
  return [...wanted].map((item) => managed(item, parts.get(item) ?? 'plain', site))
}

/** Returns what the facilities of the place make of the raw materials around it. */
function smeltedHere(site: StockSite): Set<string> {
  const raw = [...site.local, ...(site.capital ? ORES[site.table]!.common : [])]
  return new Set(raw.flatMap((item) => SMELTED.get(item) ?? []))
}

/**
 * Returns the ores that only one empire has and that `table` does not name: capitals of other
 * empires want them.
 */
const foreignOres = (table: string): readonly string[] =>
  SIGNATURES.filter(({ empire }) => empire !== table).map(({ item }) => item)

const isTraded = (item: string): boolean => {
  const row = goodOf(item)
  return !isModule(row) && TRADED.includes(row.category) && !BASICS.includes(item)
}

/** Returns a function that ranks items, in an order that differs by station. */
const rankBy =
  (salt: number) =>
  (item: string): number =>
    hash32(salt, SPECIALITY, itemIndex(item))

/**
 * Returns what stations a few jumps away export or import, in an order that differs by station.
 */
function partnerGoods({ partners, salt }: StockSite, part: GoodsPart): string[] {
  const rank = rankBy(salt)
  const goods = partners.filter((row) => row.part === part).map(({ item }) => item)
  return [...new Set(goods)].filter(isTraded).sort((a, b) => rank(a) - rank(b))
}

/**
 * Returns the exports of a station, its metals first, and its imports: none that a neighbour
 * exports or imports as well. Strongholds have neither. Source: balance.md section 5.
 */
function specialities(
  wanted: readonly string[],
  site: StockSite,
  smelted: ReadonlySet<string>,
): Map<string, GoodsPart> {
  const { kind, level, near, salt, capital, table } = site
  const parts = new Map<string, GoodsPart>()
  if (kind === 'pirate') return parts
  const rank = rankBy(salt)
  const bySalt = wanted.filter(isTraded).sort((a, b) => rank(a) - rank(b))
  const isNear = (item: string, part: GoodsPart) =>
    near.some((row) => row.item === item && row.part === part)
  const bought = new Set(partnerGoods(site, 'import'))
  const sold = new Set(partnerGoods(site, 'export'))
  const isMadeHere = (item: string) =>
    MAKINGS.get(item)?.recipe.inputs.every(({ item_id }) => wanted.includes(item_id)) ?? false
  const exportScore = (item: string) =>
    2 * Number(smelted.has(item)) + 2 * Number(isMadeHere(item)) + Number(bought.has(item))
  // Capitals leave to crafters what can be made from their stock.
  const isLeftToCrafters = (item: string) =>
    capital && !smelted.has(item) && goodOf(item).base_value > BULK_VALUE_MAX && isMadeHere(item)
  const made = bySalt.filter((item) => !isNear(item, 'import'))
  made.sort((a, b) => exportScore(b) - exportScore(a))
  for (const item of made.slice(0, exportsOf(level))) parts.set(item, 'export')
  const others = bySalt.filter((item) => !parts.has(item) && !isNear(item, 'export'))
  // What it could smelt itself is imported last, as are essentials, which it keeps anyway.
  const importPenalty = (item: string) =>
    Number(smelted.has(item)) +
    Number(IS_ESSENTIAL.has(item) && !isLeftToCrafters(item)) -
    2 * Number(sold.has(item)) -
    Number(isLeftToCrafters(item))
  others.sort((a, b) => importPenalty(a) - importPenalty(b))
  for (const item of others.slice(0, importsOf(level))) parts.set(item, 'import')
  if (capital) for (const item of foreignOres(table)) parts.set(item, 'import')
  return parts
}

/** Returns the initial stock in percent of the target. */
function firstStockPct(
  item: string,
  part: GoodsPart,
  { capital, table, local }: StockSite,
): number {
  const row = goodOf(item)
  const isRaw = !isModule(row) && row.extracted_by !== undefined
  if (part === 'import') return isRaw ? FOREIGN_ORE_PCT : importPct(item)
  if (part === 'export') return capital ? CAPITAL_EXPORT_PCT : EXPORT_PCT
  if (isModule(row) || BASICS.includes(item)) return ESSENTIAL_PCT
  if (isRaw && capital) {
    const isDugHere = local.includes(item) || ORES[table]!.common.includes(item)
    return isDugHere ? HEAP_PCT : ESSENTIAL_PCT
  }
  if (!TRADED.includes(row.category)) return ESSENTIAL_PCT
  return capital && IS_ESSENTIAL.has(item) ? ESSENTIAL_PCT : PLAIN_PCT
}

/** Returns the mining module for each family of deposits that is found here. */
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

function managed(item: string, part: GoodsPart, site: StockSite): ManagedPlan {
  const target = targetOf(item, part, site)
  return {
    item,
    target,
    stock: Math.trunc((target * firstStockPct(item, part, site)) / 100),
    supply: BASICS.includes(item) || LEVEL_TWO.includes(item) || item.endsWith('_harvester_i'),
    part,
    value_pct: 100,
  }
}

function targetOf(item: string, part: GoodsPart, { level, capital }: StockSite): number {
  const row = goodOf(item)
  const value = row.base_value
  const isRaw = !isModule(row) && row.extracted_by !== undefined
  if (part !== 'plain' && !isRaw && value <= BULK_VALUE_MAX) {
    return Math.min(BULK_TARGET_MAX, Math.trunc((level * BULK_STOCK_CREDITS) / value))
  }
  const rawMax = capital ? RAW_TARGET_MAX_CAPITAL : RAW_TARGET_MAX
  const rawCredits = capital ? RAW_STOCK_CREDITS_CAPITAL : RAW_STOCK_CREDITS
  const credits = level * (isRaw ? rawCredits : STOCK_CREDITS)
  const isLarge = capital && !isModule(row) && TRADED.includes(row.category)
  const times = isLarge ? CAPITAL_TIMES : 1
  const share = isModule(row) ? Math.trunc(credits / 4) : credits * times
  const largeMax = BASICS.includes(item) ? LARGE_BASIC_TARGET_MAX : LARGE_TARGET_MAX
  const max = isRaw ? rawMax : isLarge ? largeMax : TARGET_MAX
  return Math.min(max, Math.max(TARGET_MIN, Math.trunc(share / value)))
}
