/**
 * The intel map of an account: its players, and what they and their factions know. Lists hold only
 * what at least one of the players can read with a command. Source: WEB 1.4.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { INTEL_MAP_ROWS_MAX } from '../../core/limits.ts'
import type { IntelAgent, IntelMap } from '../../core/public/intel-map.ts'
import { isoTime, tickTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isBound, playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId } from '../base/model.ts'
import { factionIdOf, factionName, factionOf, factionTag } from '../faction/model.ts'
import { revealedTo, seesPoi } from '../sensing/model.ts'
import { shipClassOf, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, poiOf, shipOf, systemOf, vesselOf } from '../travel/location-model.ts'
import { poiId, systemId, visitedBy } from '../travel/model.ts'
import { DRIFTING, Location, Poi, StarSystem, TRAVELLING } from '../travel/state.ts'
import { entranceSystem, exitSystem, knownPaths } from '../wormhole/model.ts'
import { Wormhole } from '../wormhole/state.ts'
import { systemsOf } from './model.ts'
import { type IntelSource, sourcesOf } from './sources-model.ts'
import { holdsAny, type KnownSystem, knownPois, knownSystems, submittedNote } from './views.ts'

/* Players */

/** Renders the flight of the ship a player is in; nothing while it is at a POI. */
function renderTransit(view: WorldView, player: Eid): Pick<IntelAgent, 'in_transit'> {
  const ship = vesselOf(view, player)
  const { state, system, fromPoi, toPoi, departTick, arriveTick } = view.read(Location)
  if (ship === 0 || state[ship] < TRAVELLING) return {}
  const ticks = { start_tick: departTick[ship], arrival_tick: arriveTick[ship] }
  if (state[ship] === TRAVELLING) {
    const [from, to] = [fromPoi[ship], toPoi[ship]].map((poi) => poiId(view, poi))
    return { in_transit: { type: 'travel', from, to, ...ticks } }
  }
  const from = systemId(view, system[ship])
  if (state[ship] === DRIFTING) return { in_transit: { type: 'drift', from, to: '', ...ticks } }
  const to = systemId(view, view.read(Poi).system[toPoi[ship]])
  return { in_transit: { type: 'jump', from, to, ...ticks } }
}

/** Renders the active ship of a player; empty for one who rides with another or is ashore. */
function renderShip(view: WorldView, player: Eid) {
  const ship = shipOf(view, player)
  if (ship === 0) return { ship_class: '', ship_name: '', fuel: 0, max_fuel: 0 }
  const { fuel, fuelMax } = view.read(Ship)
  return {
    ship_class: shipClassOf(view, ship).id,
    ship_name: shipName(view, ship),
    fuel: fuel[ship],
    max_fuel: fuelMax[ship],
  }
}

export const renderFaction = (view: WorldView, faction: Row) =>
  faction === 0
    ? {}
    : {
        faction_id: factionIdOf(view, faction),
        faction_tag: factionTag(view, faction),
        faction_name: factionName(view, faction),
      }

function renderAgent(view: WorldView, player: Eid): IntelAgent {
  const { empire, anonymous, cloaked, createdMs, lastLoginMs, lastCommandMs } = view.read(Player)
  const [poi, base] = [poiOf(view, player), dockedBase(view, player)]
  return {
    id: playerId(view, player),
    username: usernameOf(view, player),
    empire: EMPIRES[empire[player]].id,
    hidden: anonymous[player] === 1,
    online: isBound(view, player),
    cloaked: cloaked[player] === 1,
    system: systemId(view, systemOf(view, player)),
    last_active_at: isoTime(
      Math.max(createdMs[player], lastLoginMs[player], lastCommandMs[player]),
    ),
    ...renderShip(view, player),
    ...renderFaction(view, factionOf(view, player)),
    ...(poi === 0 ? {} : { poi: poiId(view, poi) }),
    ...(base === 0 ? {} : { docked_at: baseId(view, base) }),
    ...renderTransit(view, player),
  }
}

/* Knowledge of the players themselves */

/** Returns the systems that at least one of the players has visited, in their order. */
function exploredBy(view: WorldView, players: readonly Eid[]): Row[] {
  const visited = players.map((player) => visitedBy(view, player))
  const { seq } = view.read(StarSystem)
  return systemsOf(view).filter((system) => visited.some((seen) => seq[system] in seen))
}

/** Returns the hidden POIs revealed to at least one of the players, in their order. */
export const revealedPlaces = (view: WorldView, players: readonly Eid[]): Row[] =>
  [...new Set(players.flatMap((player) => revealedTo(view, player)))]
    .map((number) => view.rowOf(Poi, number))
    .filter((poi) => poi !== 0)
    .sort((a, b) => a - b)

/** Returns the open wormholes that at least one of the players knows, in their order. */
const pathsKnownBy = (view: WorldView, players: readonly Eid[]): Row[] =>
  [...new Set(players.flatMap((player) => knownPaths(view, player)))].sort((a, b) => a - b)

/**
 * Renders a wormhole; its exit only if one of the players sees it, as knowing the entrance is not
 * enough.
 */
function renderPath(
  view: WorldView,
  players: readonly Eid[],
  path: Row,
): IntelMap['known_wormholes'][number] {
  const { entrance, exit, endTick } = view.read(Wormhole)
  const isExitSeen = players.some((player) => seesPoi(view, player, exit[path]))
  return {
    id: idOf(view, Wormhole, path),
    entry_system: systemId(view, entranceSystem(view, path)),
    entry_poi: poiId(view, entrance[path]),
    exit_system: systemId(view, exitSystem(view, path)),
    exit_poi: isExitSeen ? poiId(view, exit[path]) : '',
    expires_at: tickTime(view, endTick[path]),
  }
}

/* Intelligence of their factions */

/** Renders the faction of the players with which an ally shares its intelligence. */
export const renderVia = (view: WorldView, { via }: IntelSource) =>
  via === 0 ? {} : { via_ally_of: factionTag(view, via) }

/**
 * Returns a function that lists the known POIs of an entry. Entries without charted hidden POIs
 * share one list per system.
 */
function createPlacesLister(view: WorldView): (entry: KnownSystem) => readonly Row[] {
  const placesBySystem = new Map<Row, readonly Row[]>()
  return (entry) => {
    if (entry.note?.hidden.length) return knownPois(view, entry)
    const places = placesBySystem.get(entry.system) ?? knownPois(view, entry)
    placesBySystem.set(entry.system, places)
    return places
  }
}

/** Returns how many POIs of a system are known, and whether any is known to have deposits. */
function summaryOf(
  view: WorldView,
  entry: KnownSystem,
  placesOf: (entry: KnownSystem) => readonly Row[],
): { readonly places: number; readonly hasResources: boolean } {
  const note = submittedNote(entry)
  return {
    places: entry.note?.pois ?? placesOf(entry).length,
    hasResources: note ? (note.finds ?? []).length > 0 : holdsAny(view, entry, placesOf(entry)),
  }
}

function renderFactionIntel(
  view: WorldView,
  sources: readonly IntelSource[],
): IntelMap['faction_intel'] {
  const known = sources.map(({ faction }) => knownSystems(view, faction))
  const placesOf = createPlacesLister(view)
  const systems = new Map<Row, IntelMap['faction_intel']['systems'][string]>()
  for (const [i, entries] of known.entries()) {
    const from = factionIdOf(view, sources[i].faction)
    for (const entry of entries) {
      const unknown = { sources: [], latest_tick: 0, poi_count: 0, has_resources: false }
      const summary = systems.get(entry.system) ?? unknown
      const { places, hasResources } = summaryOf(view, entry, placesOf)
      const tick = entry.isLive ? view.tick : (entry.note?.tick ?? 0)
      summary.sources.push(from)
      summary.latest_tick = Math.max(summary.latest_tick, tick)
      summary.poi_count = Math.max(summary.poi_count, places)
      summary.has_resources ||= hasResources
      systems.set(entry.system, summary)
    }
  }
  return {
    sources: sources.map((source, i) => ({
      faction_id: factionIdOf(view, source.faction),
      tag: factionTag(view, source.faction),
      name: factionName(view, source.faction),
      intel_level: source.level,
      system_count: known[i].length,
      ...renderVia(view, source),
    })),
    systems: Object.fromEntries(
      [...systems].map(([system, summary]) => [systemId(view, system), summary]),
    ),
  }
}

/** Renders the map of the players of one account. */
export function renderIntelMap(view: WorldView, players: readonly Eid[]): IntelMap {
  const { sources, truncated } = sourcesOf(view, players)
  const lists = [
    exploredBy(view, players),
    revealedPlaces(view, players),
    pathsKnownBy(view, players),
  ]
  const [explored, revealed, paths] = lists.map((rows) => rows.slice(0, INTEL_MAP_ROWS_MAX))
  return {
    generated_at: isoTime(view.wallMs),
    current_tick: view.tick,
    truncated: truncated || lists.some((rows) => rows.length > INTEL_MAP_ROWS_MAX),
    agents: players.map((player) => renderAgent(view, player)),
    explored_systems: explored.map((system) => systemId(view, system)),
    revealed_pois: revealed.map((poi) => poiId(view, poi)),
    known_wormholes: paths.map((path) => renderPath(view, players, path)),
    faction_intel: renderFactionIntel(view, sources),
  }
}
