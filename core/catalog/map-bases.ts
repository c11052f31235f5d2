/** Plans the stations: which systems have one, and its rank, services, tank, guns and stock. */
import type { Draws } from './draws.ts'
import { EMPIRE_IDS } from './empires.ts'
import { jumpsFrom, type Layout } from './map-layout.ts'
import { slugOf } from './map-names.ts'
import { CAPITALS, TRACT_TEXTS } from './map-notable.ts'
import { type StockSite, stockOf } from './map-stock.ts'
import { STATIONS } from './map-text.ts'
import type { EmpireId } from './map-types.ts'
import type { BasePlan, ServiceName } from './types.ts'

const FUEL_MAX_CAPITAL = 50_000
const FUEL_MAX = 20_000
/** Funds of a capital's manager: enough to buy from a thousand miners for hours. Source: ours. */
const STIPEND_TARGET = 9_000_000
/** Reserved by bids for bulk goods: pays for a few full loads before citizens buy. Source: ours. */
const ACCOUNT_PER_LEVEL = 400_000
/** Number of ways in which stations with the same goods may specialise. */
const SALTS = 1_000_000
/** Level of the station next to a capital. */
const NEXT_DOOR_LEVEL = 3
/** Minimum jumps between lawless stations. */
const LAWLESS_GAP = 3

const ALL_SERVICES: readonly ServiceName[] = [
  'refuel',
  'repair',
  'market',
  'storage',
  'missions',
  'crafting',
  'cloning',
  'insurance',
  'salvage_yard',
  'personnel',
  'shipyard',
]

export interface Sites {
  /** The deepest system of each tract. */
  strongholds: number[]
  /** The system of the handwritten place of each tract. */
  notable: number[]
  stations: Set<number>
}

/**
 * Chooses the systems that get a station: capitals, a neighbour of each, strongholds, and then
 * wherever the next dock would be too far.
 */
export function chooseSites(layout: Layout, drawsOf: (system: number) => Draws): Sites {
  const strongholds: number[] = []
  const notable: number[] = []
  for (let tract = 0; tract < TRACT_TEXTS.length; tract++) {
    const inside = layout.tract.flatMap((t, system) => (t === tract ? [system] : []))
    inside.sort((a, b) => layout.depth[b]! - layout.depth[a]! || a - b)
    strongholds.push(inside[0]!)
    const jumps = jumpsFrom(layout.lanes, [inside[0]!])
    notable.push(inside.find((system) => jumps[system]! >= 3) ?? inside[1]!)
  }
  const capitals = EMPIRE_IDS.map((_, system) => system)
  // Newcomers can dock and trade one jump from home. Source: balance.md section 5.
  const nextDoor = capitals.map((capital) => drawsOf(capital).pick(layout.lanes[capital]!))
  const stations = new Set<number>([...capitals, ...strongholds, ...nextDoor])
  const order = layout.owner.map((_, system) => system)
  order.sort((a, b) => layout.depth[a]! - layout.depth[b]! || a - b)
  for (const system of order) {
    if (stations.has(system)) continue
    const jumps = jumpsTo(layout, stations, system)
    const lawless = layout.owner[system]! < 0
    const near = lawless ? LAWLESS_GAP : 2
    if (jumps > near || (!lawless && jumps > 1 && drawsOf(system).chance(55))) stations.add(system)
  }
  return { strongholds, notable, stations }
}

/** Returns the jumps to the nearest of `targets`; the search stops at the first hit. */
function jumpsTo(layout: Layout, targets: ReadonlySet<number>, from: number): number {
  const seen = new Set<number>([from])
  let ring = [from]
  for (let jumps = 0; ring.length > 0; jumps++) {
    const next: number[] = []
    for (const here of ring) {
      if (targets.has(here)) return jumps
      for (const system of layout.lanes[here]!) {
        if (seen.has(system)) continue
        seen.add(system)
        next.push(system)
      }
    }
    ring = next
  }
  return layout.lanes.length
}

export interface BaseSite {
  name: string
  system: string
  region: number
  table: string
  empire: EmpireId | null
  /** Index into CAPITALS, or -1. */
  capital: number
  /** Tract of a stronghold, or -1. */
  stronghold: number
  depth: number
  local: readonly string[]
  near: StockSite['near']
  partners: StockSite['partners']
  draws: Draws
}

/** Plans a station from its site. */
export function buildBase(site: BaseSite): BasePlan {
  const capital = site.capital >= 0
  const kind = site.empire !== null ? 'empire' : site.stronghold >= 0 ? 'pirate' : 'independent'
  const level = levelOf(site, kind)
  const yard = shipyardTier(site, kind, level)
  const [description, story] = textsOf(site)
  const { table, local, near, partners, draws } = site
  const salt = draws.below(SALTS)
  const stock: StockSite = { level, kind, table, capital, local, near, partners, salt, draws }
  return {
    id: slugOf(site.name),
    name: site.name,
    description,
    story,
    empire: site.empire,
    kind,
    capital,
    level,
    services: servicesOf(kind, level, yard),
    fuel_max: capital ? FUEL_MAX_CAPITAL : FUEL_MAX,
    shipyard_tier: yard,
    ...defences(kind, level),
    account_target: capital ? STIPEND_TARGET : ACCOUNT_PER_LEVEL * level,
    pirate_rep_required: kind === 'pirate' ? 10 : 0,
    managed: stockOf(stock),
  }
}

function levelOf(site: BaseSite, kind: BasePlan['kind']): number {
  if (site.capital >= 0) return 5
  if (kind === 'pirate') return 4
  if (kind === 'independent') return site.draws.between(1, 2)
  if (site.depth === 1) return NEXT_DOOR_LEVEL
  const level = 4 - Math.trunc(site.depth / 2) + (site.draws.chance(25) ? 1 : 0)
  return Math.min(4, Math.max(2, level))
}

function shipyardTier(site: BaseSite, kind: BasePlan['kind'], level: number): number {
  if (site.capital >= 0) return 5
  if (kind === 'pirate') return 3
  if (kind === 'independent') return site.draws.chance(30) ? 1 : 0
  return level >= 4 ? 4 : level === 3 ? 3 : site.draws.chance(40) ? 2 : 0
}

function servicesOf(kind: BasePlan['kind'], level: number, yard: number): ServiceName[] {
  const absent: ServiceName[] = []
  if (yard === 0) absent.push('shipyard')
  if (level < 3) absent.push('insurance')
  if (kind === 'pirate') absent.push('insurance')
  if (level < 2) absent.push('cloning', 'personnel', 'crafting')
  if (kind === 'empire' && level < 3) absent.push('salvage_yard')
  return ALL_SERVICES.filter((service) => !absent.includes(service))
}

type Defences = Pick<BasePlan, 'hull' | 'shield' | 'armor' | 'weapon_damage' | 'weapon_reach'>

/** Strongholds: combat.md section 13; the rest is ours. */
function defences(kind: BasePlan['kind'], level: number): Defences {
  if (kind === 'pirate') {
    return { hull: 120_000, shield: 30_000, armor: 30, weapon_damage: 300, weapon_reach: 3 }
  }
  return {
    hull: 40_000 * level,
    shield: 12_000 * level,
    armor: 10 + 6 * level,
    weapon_damage: 60 * level,
    weapon_reach: 3,
  }
}

function textsOf(site: BaseSite): readonly [string, string] {
  if (site.capital >= 0) {
    const { stationText, story } = CAPITALS[site.capital]!
    return [stationText, story]
  }
  if (site.stronghold >= 0) {
    const { stationText, story } = TRACT_TEXTS[site.stronghold]!
    return [stationText, story]
  }
  const [description, story] = site.draws.pick(STATIONS[site.region]!)
  const lore = story.replaceAll('{name}', site.name).replaceAll('{system}', site.system)
  return [description, lore]
}
