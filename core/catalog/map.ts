/**
 * The galaxy: one pure function from a seed to systems, places, deposits and stations. It runs
 * once when a world is made; changing it changes new worlds only, a saved world keeps the map it
 * was made with.
 */
import { type Draws, drawsFor } from './draws.ts'
import { EMPIRE_IDS } from './empires.ts'
import { type BaseSite, buildBase, chooseSites, type Sites } from './map-bases.ts'
import { empireAt, jumpsFrom, type Layout, layOut } from './map-layout.ts'
import { type NameBook, nameStation, nameSystem, openNameBook, slugOf } from './map-names.ts'
import { CAPITALS, TRACT_TEXTS } from './map-notable.ts'
import { buildPois } from './map-pois.ts'
import { priceField } from './map-prices.ts'
import { SYSTEM_FEATURES, SYSTEM_OPENINGS } from './map-text.ts'
import { policeAt } from './police.ts'
import { REGIONS } from './regions.ts'
import type { GalaxyPlan, PoiPlan, SystemPlan } from './types.ts'

/** A station buys what is mined within this many jumps, and what no other station is nearer to. */
const MARKET_JUMPS = 2
/** Jumps to the farthest station whose goods affect which goods a station has. */
const PARTNER_JUMPS_MAX = 4

interface Draft {
  seed: number
  layout: Layout
  sites: Sites
  names: string[]
  book: NameBook
}

/** Generates the whole galaxy of a seed. */
export function generateGalaxy(seed: number): GalaxyPlan {
  const layout = layOut(seed)
  const sites = chooseSites(layout, (system) => drawsFor(seed, 'map.sites', system))
  const book = openNameBook()
  const draft: Draft = { seed, layout, sites, names: [], book }
  draft.names = nameSystems(draft)
  const systems = draft.names.map((_, system) => buildSystem(draft, system))
  addBases(draft, systems)
  const empires = EMPIRE_IDS.map((empire, capital) => {
    const start = systems[capital]!.pois.findIndex((poi) => poi.base !== undefined)
    const base = systems[capital]!.pois[start]!.base!
    return { empire, capital_system: capital, start_poi: start, start_base: base.id }
  })
  return { seed, systems, empires }
}

const regionOf = (layout: Layout, system: number): number =>
  layout.owner[system]! >= 0 ? layout.owner[system]! : EMPIRE_IDS.length + layout.tract[system]!

/** Names the systems: handwritten names first, so that no generated one takes their id. */
function nameSystems({ seed, layout, sites, book }: Draft): string[] {
  const fixed = new Map<number, string>()
  for (const [system, text] of CAPITALS.entries()) fixed.set(system, text.system)
  for (const [tract, system] of sites.strongholds.entries()) {
    fixed.set(system, TRACT_TEXTS[tract]!.stronghold)
  }
  for (const text of CAPITALS) {
    book.take(text.system)
    book.take(text.station)
  }
  for (const text of TRACT_TEXTS) {
    book.take(text.stronghold)
    book.take(text.station)
  }
  return layout.x.map((_, system) => {
    const draws = drawsFor(seed, 'map.names', system)
    return fixed.get(system) ?? nameSystem(regionOf(layout, system), draws, book)
  })
}

function buildSystem({ seed, layout, sites, names }: Draft, system: number): SystemPlan {
  const draws = drawsFor(seed, 'map.system', system)
  const empire = empireAt(layout.owner[system]!)
  const depth = layout.depth[system]!
  const tract = layout.tract[system]!
  const name = names[system]!
  const stronghold = sites.strongholds.indexOf(system)
  const notable = sites.notable.includes(system)
  const pois = buildPois({
    id: slugOf(name),
    name,
    capital: system < EMPIRE_IDS.length ? system : -1,
    tract,
    notable,
    station: sites.stations.has(system),
    arena: system < EMPIRE_IDS.length || stronghold >= 0,
    table: empire ?? 'lawless',
    lawless: empire === null,
    depth,
    draws,
  })
  return {
    id: slugOf(name),
    name,
    description: describe(system, regionOf(layout, system), stronghold, pois, draws),
    region: REGIONS[regionOf(layout, system)]!.id,
    empire,
    police_level: empire === null ? 0 : policeAt(depth),
    is_stronghold: stronghold >= 0,
    x: layout.x[system]!,
    y: layout.y[system]!,
    depth,
    lanes: layout.lanes[system]!,
    entry_poi: 0,
    pois,
  }
}

function describe(
  system: number,
  region: number,
  stronghold: number,
  pois: readonly PoiPlan[],
  draws: Draws,
): string {
  if (system < CAPITALS.length) return CAPITALS[system]!.description
  if (stronghold >= 0) return TRACT_TEXTS[stronghold]!.strongholdText
  return `${draws.pick(SYSTEM_OPENINGS[region]!)} ${draws.pick(SYSTEM_FEATURES[featureOf(pois)])}`
}

function featureOf(pois: readonly PoiPlan[]): keyof typeof SYSTEM_FEATURES {
  const shown = pois.filter((poi) => !poi.hidden)
  if (shown.some((poi) => poi.type === 'station')) return 'station'
  if (shown.some((poi) => poi.class === 'ice_field')) return 'ice'
  if (shown.some((poi) => poi.type === 'gas_cloud')) return 'gas'
  return shown.some((poi) => poi.type === 'asteroid_belt') ? 'belt' : 'empty'
}

function addBases(draft: Draft, systems: readonly SystemPlan[]): void {
  const { layout, sites, seed } = draft
  const served = servedItems(layout, sites, systems)
  const pctOf = priceField(layout, systems)
  for (const [system, plan] of systems.entries()) {
    const poi = plan.pois.find((row) => row.type === 'station')
    if (poi === undefined) continue
    const draws = drawsFor(seed, 'map.base', system)
    const stronghold = sites.strongholds.indexOf(system)
    const site: BaseSite = {
      name: stationName(draft, system, stronghold, draws),
      system: plan.name,
      region: regionOf(layout, system),
      table: plan.empire ?? 'lawless',
      empire: plan.empire,
      capital: system < EMPIRE_IDS.length ? system : -1,
      stronghold,
      depth: plan.depth,
      local: served.get(system)!,
      near: layout.lanes[system]!.flatMap((next) => stockedIn(systems[next]!)),
      partners: partnersOf(layout, sites, system).flatMap((next) => stockedIn(systems[next]!)),
      draws,
    }
    const base = buildBase(site)
    const managed = base.managed.map((row) => ({ ...row, value_pct: pctOf(row.item, system) }))
    poi.base = { ...base, managed }
    if (poi.name === '') {
      poi.name = `${site.name} Approach`
      poi.description = poi.base.description
    }
  }
}

/** Returns the systems whose stations trade with this one: not neighbours, and not too far. */
function partnersOf({ lanes }: Layout, { stations }: Sites, system: number): number[] {
  const jumps = jumpsFrom(lanes, [system])
  const isPartner = (next: number) => jumps[next]! >= 2 && jumps[next]! <= PARTNER_JUMPS_MAX
  return [...stations].filter(isPartner).sort((a, b) => a - b)
}

/** Returns what the station of a system keeps, if it is planned already. */
const stockedIn = ({ pois }: SystemPlan) => pois.flatMap(({ base }) => base?.managed ?? [])

function stationName(draft: Draft, system: number, stronghold: number, draws: Draws): string {
  if (system < EMPIRE_IDS.length) return CAPITALS[system]!.station
  if (stronghold >= 0) return TRACT_TEXTS[stronghold]!.station
  return nameStation(regionOf(draft.layout, system), draft.names[system]!, draws, draft.book)
}

/** Returns the items of the deposits that each station serves, by its system, in a fixed order. */
function servedItems(
  { lanes }: Layout,
  { stations }: Sites,
  systems: readonly SystemPlan[],
): Map<number, string[]> {
  const order = [...stations].sort((a, b) => a - b)
  const nearest = systems.map(() => ({ station: -1, jumps: Number.MAX_SAFE_INTEGER }))
  const served = new Map<number, string[]>(order.map((station) => [station, []]))
  const add = (station: number, system: number) => {
    const list = served.get(station)!
    for (const poi of systems[system]!.pois) {
      for (const { item } of poi.deposits) if (!list.includes(item)) list.push(item)
    }
  }
  for (const station of order) {
    const jumps = jumpsFrom(lanes, [station])
    for (let system = 0; system < systems.length; system++) {
      if (jumps[system]! <= MARKET_JUMPS) add(station, system)
      if (jumps[system]! < nearest[system]!.jumps) {
        nearest[system] = { station, jumps: jumps[system]! }
      }
    }
  }
  for (const [system, { station }] of nearest.entries()) add(station, system)
  return served
}
