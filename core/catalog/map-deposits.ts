/**
 * Plans the deposits of belts, fields, clouds and cores: items by region, richness and capacity by
 * rarity.
 */
import type { Draws } from './draws.ts'
import { ITEMS, rarityRank } from './items.ts'
import { ORES } from './regions.ts'
import type { DepositPlan, ExtractedBy, ItemRow, Rarity } from './types.ts'

type Range = readonly [low: number, high: number]

/** Richness by rarity rank. Means: mining.md section 1, common about 42 … legendary about 9. */
const RICHNESS: readonly Range[] = [
  [22, 62],
  [18, 50],
  [13, 35],
  [8, 22],
  [5, 13],
]

/** Units by rarity rank. Source: mining.md section 1. */
const CAPACITY: readonly Range[] = [
  [20_000, 40_000],
  [10_000, 25_000],
  [4_000, 10_000],
  [1_000, 4_000],
  [200, 800],
]

const DEEP_DIVISOR = 10

/**
 * Jumps from a capital up to which fields have been mined for long: uncommon ores are lean there,
 * and nothing rare is left. Beyond, the police level is below 30.
 */
const SAFE_DEPTH = 4
/**
 * Richness by kind, thousandths of the usual: lean near capitals; sparse where there is no law, for
 * ores better than uncommon. ours: lean at 195, with crafters who buy its ore, a starter ship
 * earned more than the band of its tier; much below 172, it would pay for its next hull too late.
 * Sparse at 380, a hull of tier 2 earned more than its band where there is no law.
 */
const RICHNESS_PER_MILLE = { usual: 1_000, lean: 172, sparse: 334, deep: 1_000 } as const

/**
 * Share of the belts with a rare ore where police are few, percent. ours: at 15, a hull of tier 2
 * that dug there earned twice the median of its tier.
 */
const REMOTE_RARE_PCT = 10

const BY_ID = new Map(ITEMS.map((row) => [row.id, row]))

function itemsOf(family: ExtractedBy, rarity: Rarity): readonly string[] {
  const matches = (row: ItemRow) => row.extracted_by === family && row.rarity === rarity
  return ITEMS.filter((row) => matches(row) && row.region_lock === undefined).map((row) => row.id)
}

const EXOTIC_ORES = itemsOf('mining', 'exotic')
export const LEGENDARY_ORES = itemsOf('mining', 'legendary')
const RARE_ORES = itemsOf('mining', 'rare')

interface Layers {
  common: readonly string[]
  uncommon: readonly string[]
  rare: readonly string[]
  exotic: readonly string[]
  legendary: readonly string[]
}

const layersOf = (family: ExtractedBy): Layers => ({
  common: itemsOf(family, 'common'),
  uncommon: itemsOf(family, 'uncommon'),
  rare: itemsOf(family, 'rare'),
  exotic: itemsOf(family, 'exotic'),
  legendary: itemsOf(family, 'legendary'),
})

const LAYERS: Readonly<Record<'ice' | 'gas', Layers>> = {
  ice: layersOf('ice'),
  gas: layersOf('gas'),
}

export interface DepositSite {
  /** Key into ORES: an empire id or 'lawless'. */
  table: string
  lawless: boolean
  depth: number
  draws: Draws
}

/** How a deposit differs from the usual one of its item. */
type Kind = keyof typeof RICHNESS_PER_MILLE

function deposit(item: string, draws: Draws, kind: Kind = 'usual'): DepositPlan {
  const rank = rarityRank(BY_ID.get(item)?.rarity)
  const full = draws.between(...RICHNESS[rank]!)
  const capacity = draws.between(...CAPACITY[rank]!)
  return {
    item,
    richness: Math.trunc((full * RICHNESS_PER_MILLE[kind]) / 1_000),
    capacity: kind === 'deep' ? Math.trunc(capacity / DEEP_DIVISOR) : capacity,
  }
}

/** Adds a deposit unless the place has one of the item already. */
function add(list: DepositPlan[], item: string, draws: Draws, kind: Kind = 'usual'): void {
  if (!list.some((row) => row.item === item)) list.push(deposit(item, draws, kind))
}

const isSafe = ({ lawless, depth }: DepositSite): boolean => !lawless && depth <= SAFE_DEPTH

/**
 * Returns the unlimited common ores for beginners: the two most typical of the empire. They are
 * poorer than other belts [ours], since they never run out and are next to where the ore is sold.
 */
export function starterBelt(table: string, draws: Draws): DepositPlan[] {
  const { common, uncommon } = ORES[table]!
  return [
    { item: common[0]!, richness: 19, capacity: -1 },
    { item: common[1]!, richness: 16, capacity: -1 },
    deposit(common[2]!, draws),
    deposit(uncommon[0]!, draws, 'lean'),
  ]
}

/** Returns the deposits of an asteroid belt. */
export function beltDeposits(site: DepositSite): DepositPlan[] {
  const { table, lawless, draws } = site
  const ores = ORES[table]!
  const kind = isSafe(site) ? 'lean' : 'usual'
  const list: DepositPlan[] = []
  add(list, draws.pick(ores.common), draws)
  if (!lawless) add(list, draws.pick(ores.common), draws)
  if (draws.chance(lawless ? 85 : 55)) add(list, draws.pick(ores.uncommon), draws, kind)
  if (draws.chance(lawless ? 45 : 20)) add(list, draws.pick(ores.uncommon), draws, kind)
  const rarePct = lawless ? 45 : isSafe(site) ? 0 : REMOTE_RARE_PCT
  if (draws.chance(rarePct)) add(list, draws.pick(ores.rare), draws, lawless ? 'sparse' : 'usual')
  if (lawless && draws.chance(10)) add(list, draws.pick(EXOTIC_ORES), draws, 'sparse')
  return list
}

/**
 * Returns the deposits of a single large asteroid: plenty of one ore. If that is rare or lean,
 * there is common ore as well.
 */
export function rockDeposits(site: DepositSite): DepositPlan[] {
  const { table, lawless, draws } = site
  const ores = ORES[table]!
  const list: DepositPlan[] = []
  const isLean = isSafe(site)
  const isRare = lawless && draws.chance(40)
  const main = isRare ? ores.rare : ores.uncommon
  add(list, draws.pick(main), draws, isLean ? 'lean' : isRare ? 'sparse' : 'usual')
  if (isLean || isRare || draws.chance(30)) add(list, draws.pick(ores.common), draws)
  return list
}

/** Returns the deposits of an ice field or a gas cloud. */
export function cloudDeposits(
  family: 'ice' | 'gas',
  { lawless, depth, draws }: DepositSite,
): DepositPlan[] {
  const layers = LAYERS[family]
  const list: DepositPlan[] = []
  add(list, layers.common[0]!, draws)
  add(list, draws.pick(layers.common), draws)
  if (draws.chance(lawless ? 65 : 45)) add(list, draws.pick(layers.uncommon), draws)
  if (draws.chance(lawless ? 35 : depth >= 3 ? 10 : 0)) add(list, draws.pick(layers.rare), draws)
  if (lawless && draws.chance(8)) add(list, draws.pick(layers.exotic), draws)
  return list
}

/**
 * Returns the deposits of a deep core, hard and small: only rare ores and better. `prize`: a
 * legendary item that must be among them.
 */
export function deepCoreDeposits(draws: Draws, prize?: string): DepositPlan[] {
  const list: DepositPlan[] = []
  add(list, draws.pick(RARE_ORES), draws, 'deep')
  add(list, draws.pick(RARE_ORES), draws, 'deep')
  if (draws.chance(65)) add(list, draws.pick(EXOTIC_ORES), draws, 'deep')
  if (prize !== undefined) add(list, prize, draws, 'deep')
  else if (draws.chance(15)) add(list, draws.pick(LEGENDARY_ORES), draws, 'deep')
  return list
}

/** Returns the deposits of a hidden ice or gas pocket. */
export function pocketDeposits(family: 'ice' | 'gas', draws: Draws, prize: boolean): DepositPlan[] {
  const layers = LAYERS[family]
  const list: DepositPlan[] = []
  add(list, draws.pick(layers.rare), draws)
  add(list, draws.pick(layers.exotic), draws)
  if (prize) add(list, draws.pick(layers.legendary), draws)
  return list
}
