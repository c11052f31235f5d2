/**
 * Wire forms of the map as a viewer sees it: the chart, systems, places, flights, the sections
 * `location` and `queue`. What may be seen is decided in sensing/model.ts.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { ONLINE_PLAYERS_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import { pendingOf } from '../../core/pending.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Bound, Player } from '../account/state.ts'
import { bandPrice, baseId, baseName, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { renderLocationResources, renderPoiResources } from '../mining/views.ts'
import { npcLists } from '../npc/listing-model.ts'
import { gatheringAt, seePlayer, seesPoi, sensesSignature } from '../sensing/model.ts'
import { driftPosition } from './flight-model.ts'
import { coordinateAt } from './kernels.ts'
import {
  dockedBase,
  isDrifting,
  isUnderWay,
  poiOf,
  shipOf,
  systemOf,
  vesselOf,
} from './location-model.ts'
import {
  neighboursOf,
  poiId,
  poiName,
  poisOf,
  poiType,
  systemId,
  systemName,
  visitedBy,
} from './model.ts'
import { LISTED_PLACES } from './nearby-state.ts'
import { renderCrowd, sharedEntry, showTo } from './nearby-views.ts'
import type {
  locationSection,
  mapSystemSchema,
  placeSchema,
  poiSchema,
  queueSection,
  systemSchema,
} from './schemas.ts'
import {
  CHART,
  type Charted,
  Course,
  JUMPING,
  Location,
  Poi,
  StarSystem,
  TRAVELLING,
} from './state.ts'

/* Places */

/** Milli-AU per AU, milli-GU per GU. */
const MILLI = 1_000
const pointOf = (x: number, y: number) => ({ x: x / MILLI, y: y / MILLI })

/** Returns the wire text of a police level. Source: travel.md section 1. */
export function securityStatus(police: number): string {
  if (police >= 100) return 'max'
  if (police >= 60) return 'high'
  if (police >= 20) return 'medium'
  return police >= 1 ? 'low' : 'lawless'
}

/** Renders a place in a list, or the current one. */
export function renderPlace(view: WorldView, poi: Eid): Static<typeof placeSchema> {
  const row = view.read(Poi)
  const base = row.base[poi]
  const kind = view.texts.get(row.class[poi])
  const { fuel, fuelMax } = view.read(Base)
  const sellsFuel = hasService(view, base, 'refuel')
  return {
    id: poiId(view, poi),
    name: poiName(view, poi),
    type: poiType(view, poi),
    ...(kind === '' ? {} : { class: kind }),
    position: pointOf(row.x[poi], row.y[poi]),
    has_base: base !== 0,
    ...(base === 0 ? {} : { base_id: baseId(view, base), base_name: baseName(view, base) }),
    online: gatheringAt(view, poi).online.length,
    fuel_reserve: base === 0 ? 0 : fuel[base],
    ...(base === 0 ? {} : { fuel_capacity: fuelMax[base] }),
    ...(sellsFuel ? { fuel_price: bandPrice(view, base) } : {}),
  }
}

function empireOfSystem(view: WorldView, system: Eid): string | undefined {
  const empire = view.read(StarSystem).empire[system]
  return empire === 0 ? undefined : EMPIRES[empire - 1].id
}

/** Renders a place as `renderPlace` does, once for all viewers: for queries, while no command runs. */
export const listedPlace = (view: WorldView, poi: Eid): Static<typeof placeSchema> =>
  sharedEntry(view, LISTED_PLACES, poi, renderPlace) as Static<typeof placeSchema>

/**
 * Renders a system with the places the viewer knows; viewer 0 is the public. `place` renders each.
 */
export function renderSystem(
  view: WorldView,
  viewer: Eid,
  system: Eid,
  place = renderPlace,
): Static<typeof systemSchema> {
  const row = view.read(StarSystem)
  const empire = empireOfSystem(view, system)
  return {
    id: systemId(view, system),
    name: systemName(view, system),
    description: view.texts.get(row.description[system]),
    ...(empire === undefined ? {} : { empire }),
    police_level: row.police[system],
    security_status: securityStatus(row.police[system]),
    is_stronghold: row.stronghold[system] === 1,
    position: { x: row.x[system], y: row.y[system] },
    connections: neighboursOf(view, system).map(({ to, distance }) => ({
      system_id: systemId(view, to),
      name: systemName(view, to),
      distance,
    })),
    pois: poisOf(view, system)
      .filter((poi) => seesPoi(view, viewer, poi))
      .map((poi) => place(view, poi)),
  }
}

/** Renders a place with its deposits, as the viewer's ship sees them. */
export function renderPoi(view: WorldView, viewer: Eid, poi: Eid): Static<typeof poiSchema> {
  const row = view.read(Poi)
  const base = row.base[poi]
  const kind = view.texts.get(row.class[poi])
  return {
    id: poiId(view, poi),
    system_id: systemId(view, row.system[poi]),
    type: poiType(view, poi),
    name: poiName(view, poi),
    description: view.texts.get(row.description[poi]),
    ...(kind === '' ? {} : { class: kind }),
    ...(row.hidden[poi] === 1 ? { hidden: true } : {}),
    position: pointOf(row.x[poi], row.y[poi]),
    resources: renderPoiResources(view, shipOf(view, viewer), poi),
    ...(base === 0 ? {} : { base_id: baseId(view, base) }),
  }
}

/* The chart as a whole */

/** Returns the unchanging parts of all chart entries, by row - 1. */
function chartEntries(view: WorldView): readonly Charted[] {
  const entries = view.index(CHART)
  for (let row = entries.length + 1; row <= view.highOf(StarSystem); row++) {
    entries.push(renderCharted(view, row))
  }
  return entries
}

function renderCharted(view: WorldView, system: Eid): Charted {
  const { description, stronghold, police, x, y } = view.read(StarSystem)
  const empire = empireOfSystem(view, system)
  return {
    system_id: systemId(view, system),
    name: systemName(view, system),
    description: view.texts.get(description[system]),
    ...(empire === undefined ? {} : { empire }),
    is_stronghold: stronghold[system] === 1,
    police_level: police[system],
    position: { x: x[system], y: y[system] },
    connections: neighboursOf(view, system).map(({ to }) => systemId(view, to)),
  }
}

/** Counts the players online in each system, by row, whom the public sees. O(players online). */
function onlineBySystem(view: WorldView): Uint32Array {
  const counts = new Uint32Array(view.highOf(StarSystem) + 1)
  for (const player of view.byId(Player, [Bound])) {
    if (seePlayer(view, 0, player) !== 'nothing') counts[systemOf(view, player)]++
  }
  return counts
}

/** Renders short entries of systems, as the viewer has charted them. */
export function renderChart(
  view: WorldView,
  viewer: Eid,
  systems: readonly Eid[],
): Static<typeof mapSystemSchema>[] {
  const online = onlineBySystem(view)
  const visited = visitedBy(view, viewer)
  const { seq } = view.read(StarSystem)
  const fixed = chartEntries(view)
  return systems.map((system) => {
    const first = visited[String(seq[system])]
    const { system_id, ...charted } = fixed[system - 1]
    // A literal that began with the spread would take five times as long.
    return {
      system_id,
      ...charted,
      online: online[system],
      poi_count: poisOf(view, system).filter((poi) => seesPoi(view, viewer, poi)).length,
      visited: first !== undefined,
      visited_at: first === undefined ? '' : isoTime(first),
    }
  })
}

export const allSystems = (view: WorldView): Eid[] =>
  Array.from({ length: view.highOf(StarSystem) }, (_, i) => i + 1)

/* Under way */

/** Renders a flight for queries. */
export function renderTransit(view: WorldView, ship: Eid) {
  const location = view.read(Location)
  const ticksLeft = Math.max(0, location.arriveTick[ship] - view.tick)
  if (isDrifting(view, ship)) {
    return {
      isJump: true,
      from_system: systemName(view, location.system[ship]),
      to_system: '',
      from_poi: '',
      to_poi: '',
      in_transit: true,
      transit_type: 'drift',
      ticks_remaining: ticksLeft,
      message: voidMessage(view, ship),
    }
  }
  const isJump = location.state[ship] === JUMPING
  const target = view.read(Poi).system[location.toPoi[ship]]
  const name = isJump ? systemName(view, target) : poiName(view, location.toPoi[ship])
  return {
    isJump,
    from_system: systemName(view, location.system[ship]),
    to_system: systemName(view, target),
    from_poi: poiName(view, location.fromPoi[ship]),
    to_poi: poiName(view, location.toPoi[ship]),
    in_transit: true,
    transit_type: isJump ? 'jump' : 'travel',
    ticks_remaining: ticksLeft,
    message: `Under way to ${name}: ${counted(ticksLeft, 'tick')} left.`,
  }
}

/* Sections of the v2 state */

export function renderLocation(view: WorldView, player: Eid): Static<typeof locationSection> {
  const ship = vesselOf(view, player)
  const base = dockedBase(view, player)
  const system = systemOf(view, player)
  const empire = empireOfSystem(view, system)
  const head = {
    system_id: systemId(view, system),
    system_name: systemName(view, system),
    ...(empire === undefined ? {} : { empire }),
    security_status: securityStatus(view.read(StarSystem).police[system]),
    connections: neighboursOf(view, system).map(({ to }) => systemId(view, to)),
    docked_at: base === 0 ? null : baseId(view, base),
    in_transit: isUnderWay(view, ship),
  }
  if (!head.in_transit) return renderScene(view, player, ship, head)
  return Object.assign(head, renderFlight(view, ship))
}

const voidMessage = (view: WorldView, ship: Eid): string =>
  `Adrift off the lanes on bearing ${(driftPosition(view, ship).bearing / 10).toFixed(1)}.`

/** Renders where a ship adrift is, GU; its pilot does not know where it will drop out. */
function renderDrift(view: WorldView, ship: Eid): Static<typeof locationSection> {
  const { x, y, bearing } = driftPosition(view, ship)
  const { arriveTick, departTick } = view.read(Location)
  return {
    transit_type: 'drift',
    transit_arrival_tick: arriveTick[ship],
    transit_ticks_elapsed: Math.max(0, view.tick - departTick[ship]),
    transit_x: x / MILLI,
    transit_y: y / MILLI,
    transit_bearing: bearing / 10,
    void_message: voidMessage(view, ship),
    resources: [],
    ...NOBODY_NEAR,
  }
}

function renderFlight(view: WorldView, ship: Eid): Static<typeof locationSection> {
  if (isDrifting(view, ship)) return renderDrift(view, ship)
  const location = view.read(Location)
  const to = location.toPoi[ship]
  const system = view.read(Poi).system[to]
  return {
    transit_type: location.state[ship] === JUMPING ? 'jump' : 'travel',
    transit_dest_system_id: systemId(view, system),
    transit_dest_system_name: systemName(view, system),
    transit_dest_poi_id: poiId(view, to),
    transit_dest_poi_name: poiName(view, to),
    transit_arrival_tick: location.arriveTick[ship],
    transit_ticks_elapsed: Math.max(0, view.tick - location.departTick[ship]),
    ...(location.state[ship] === TRAVELLING ? renderPosition(view, ship) : {}),
    resources: [],
    ...NOBODY_NEAR,
  }
}

/** Renders where a ship that travels is, AU. */
function renderPosition(view: WorldView, ship: Eid) {
  const { x, y, wayX, wayY } = view.read(Course)
  const elapsed = view.tick - view.read(Location).departTick[ship]
  return {
    transit_x: coordinateAt(x[ship], wayX[ship], elapsed) / MILLI,
    transit_y: coordinateAt(y[ship], wayY[ship], elapsed) / MILLI,
  }
}

/** Renders what is at a place, after the head of the section: one literal, as spreads are slow. */
function renderScene(
  view: WorldView,
  player: Eid,
  ship: Eid,
  head: Static<typeof locationSection>,
): Static<typeof locationSection> {
  const { system_id, system_name, empire, security_status } = head
  const { connections, docked_at, in_transit } = head
  const poi = poiOf(view, player)
  const gathering = gatheringAt(view, poi)
  const shown = showTo(gathering, player, ONLINE_PLAYERS_MAX)
  const npcs = npcLists(view, poi)
  const scene: Static<typeof locationSection> = {
    system_id,
    system_name,
    ...(empire === undefined ? {} : { empire }),
    security_status,
    connections,
    docked_at,
    in_transit,
    poi_id: poiId(view, poi),
    poi_name: poiName(view, poi),
    poi_type: poiType(view, poi),
    resources: renderLocationResources(view, ship, poi),
    nearby_players: renderCrowd(view, player, shown.players),
    nearby_player_count: shown.count,
    nearby_pirates: npcs.pirates,
    nearby_pirate_count: npcs.pirate_count,
    nearby_empire_npcs: npcs.empire_npcs,
    nearby_empire_npc_count: npcs.empire_npc_count,
  }
  if (shown.offlineCollapsed > 0) scene.offline_collapsed = shown.offlineCollapsed
  if (sensesSignature(view, player, gathering.cloaked)) scene.unknown_signature = true
  return scene
}

/** The fields about who is near, for a ship under way. */
const NOBODY_NEAR = {
  nearby_players: [],
  nearby_player_count: 0,
  nearby_pirates: [],
  nearby_pirate_count: 0,
  nearby_empire_npcs: [],
  nearby_empire_npc_count: 0,
}

export const renderQueue = (view: WorldView, player: Eid): Static<typeof queueSection> => ({
  has_pending: pendingOf(view, player) !== undefined,
})
