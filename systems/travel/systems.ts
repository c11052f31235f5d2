/**
 * The chart of a new world, invariants of positions, and arrivals: ships due at this tick are
 * placed, then their pilots are answered. Source: travel.md section 10.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRE_IDS, type PoiPlan, type SystemPlan } from '../../core/catalog/index.ts'
import { ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { Account } from '../../core/ledger.ts'
import { ONLINE_PLAYERS_MAX } from '../../core/limits.ts'
import { isqrt } from '../../core/math.ts'
import { raise } from '../../core/occurrence.ts'
import type { Static } from '../../core/params.ts'
import { answerLater, pendingOf } from '../../core/pending.ts'
import type { CheckDef, GaugeDef } from '../../core/registry.ts'
import { counted, say } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { alertArrival } from '../combat/notice-rules.ts'
import { PlayerCombat } from '../combat/state.ts'
import { completeCallsAt } from '../distress/rules.ts'
import { Caller, Signal } from '../distress/state.ts'
import { inspectCargo } from '../law/customs-rules.ts'
import { enforceLaw } from '../law/rules.ts'
import { CriminalRecord, Warrant } from '../law/state.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { Mission } from '../mission/state.ts'
import { Note } from '../note/state.ts'
import { piratesHere } from '../npc/model.ts'
import { Posting } from '../posting/state.ts'
import { type Gathering, gatheringAt } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { awardFullPowerXp, awardPilotingXp, awardXp, XP_WRITES } from '../skill/rules.ts'
import { TaxLedger } from '../tax/state.ts'
import { isMouth } from '../wormhole/model.ts'
import { completeTransit } from '../wormhole/rules.ts'
import {
  galaxyPlan,
  isOnMap,
  isUnlisted,
  neighboursOf,
  poiId,
  poiName,
  scheduledArrivals,
  systemId,
  systemName,
} from './model.ts'
import { onlinePlayer, showTo } from './nearby-views.ts'
import { takeArrivals } from './occupants-rules.ts'
import { arrive, PLACE_WRITES, visit } from './rules.ts'
import { driftEnded, type jumpedResult } from './schemas.ts'
import {
  AT_POI,
  arrived,
  DOCKED_STATE,
  DRIFTING,
  DRIFTS,
  JUMPING,
  Lane,
  Location,
  POI_TYPES,
  Poi,
  StarSystem,
  TRAVELLING,
  UNDER_WAY,
} from './state.ts'

/* Genesis */

/**
 * Fills the chart from the galaxy plan: system i of the plan is row i+1, and places follow in plan
 * order from row 1. Bases and deposits follow in their domains.
 */
export function makeChart(world: World): void {
  const { systems } = galaxyPlan(world)
  for (const plan of systems) makeSystem(world, plan)
  for (const [index, plan] of systems.entries()) {
    makeLanes(world, index + 1, plan)
    makePlaces(world, index + 1, plan)
  }
}

function makeSystem(world: World, plan: SystemPlan): void {
  const row = world.take(StarSystem)
  const system = world.write(StarSystem)
  world.setText(StarSystem, 'id', row, plan.id)
  world.setText(StarSystem, 'name', row, plan.name)
  world.setText(StarSystem, 'description', row, plan.description)
  system.empire[row] = plan.empire === null ? 0 : EMPIRE_IDS.indexOf(plan.empire) + 1
  system.police[row] = plan.police_level
  system.stronghold[row] = plan.is_stronghold ? 1 : 0
  system.x[row] = plan.x
  system.y[row] = plan.y
}

function makeLanes(world: World, row: Eid, plan: SystemPlan): void {
  const system = world.write(StarSystem)
  const lane = world.write(Lane)
  system.laneCount[row] = plan.lanes.length
  for (const [i, neighbour] of plan.lanes.entries()) {
    const taken = world.take(Lane)
    if (i === 0) system.firstLane[row] = taken
    assert(taken === system.firstLane[row] + i, 'lanes of a system are consecutive rows')
    const to = neighbour + 1
    const dx = system.x[row] - system.x[to]
    const dy = system.y[row] - system.y[to]
    lane.to[taken] = to
    lane.distance[taken] = isqrt(dx * dx + dy * dy)
  }
}

function makePlaces(world: World, row: Eid, plan: SystemPlan): void {
  const system = world.write(StarSystem)
  assert(plan.entry_poi < plan.pois.length, `system ${plan.id} has no place to arrive at`)
  system.poiCount[row] = plan.pois.length
  for (const [i, place] of plan.pois.entries()) {
    const poi = makePlace(world, row, place)
    if (i === 0) system.firstPoi[row] = poi
    assert(poi === system.firstPoi[row] + i, 'places of a system are consecutive rows')
  }
  system.entryPoi[row] = system.firstPoi[row] + plan.entry_poi
}

function makePlace(world: World, system: Eid, plan: PoiPlan): Eid {
  const row = world.take(Poi)
  const poi = world.write(Poi)
  world.setText(Poi, 'id', row, plan.id)
  world.setText(Poi, 'name', row, plan.name)
  world.setText(Poi, 'description', row, plan.description)
  world.setText(Poi, 'class', row, plan.class ?? '')
  poi.type[row] = POI_TYPES.indexOf(plan.type)
  poi.system[row] = system
  poi.x[row] = plan.x
  poi.y[row] = plan.y
  poi.hidden[row] = plan.hidden ? 1 : 0
  poi.difficulty[row] = plan.difficulty
  return row
}

/* Invariants */

export const positionsAreSound: CheckDef = {
  name: 'I9 positions: state, place, base and flight of each ship agree',
  run(view, full) {
    if (!full) return
    const { alive, state } = view.read(Location)
    let underWay = 0
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || !isOnMap(view, ship)) continue
      checkPosition(view, ship)
      if (state[ship] >= TRAVELLING) underWay++
    }
    const counted = view.index(UNDER_WAY).ships
    assert(counted === underWay, `${counted} ships are counted under way, not ${underWay}`)
    for (const _ of scheduledArrivals(view)) underWay--
    assert(underWay === 0, `${underWay} ships under way have no scheduled arrival`)
  },
}

function checkPosition(view: WorldView, ship: number): void {
  const location = view.read(Location)
  const [state, inSystem] = [location.state[ship], location.system[ship]]
  const [base, poi, toPoi] = [location.base[ship], location.poi[ship], location.toPoi[ship]]
  const [departTick, arriveTick] = [location.departTick[ship], location.arriveTick[ship]]
  const { system } = view.read(Poi)
  if (state >= TRAVELLING) {
    const isAdrift = state === DRIFTING
    const isWithin = system[toPoi] === inSystem
    assert(isAdrift || isWithin === (state === TRAVELLING), `ship ${ship} is in a wrong state`)
    const key = String(view.read(Ship).seq[ship])
    assert(isAdrift === view.records(DRIFTS).has(key), `ship ${ship} has a wrong drift record`)
    assert(poi === 0 && base === 0, `ship ${ship} is under way and at a place`)
    assert(departTick < arriveTick, `ship ${ship} arrives before it leaves`)
    assert(arriveTick > view.tick, `ship ${ship} is overdue`)
    return
  }
  assert(system[poi] === inSystem, `ship ${ship} is in another system than its place`)
  assert(arriveTick === 0 && toPoi === 0, `ship ${ship} has a flight left over`)
  if (state === AT_POI) assert(base === 0, `ship ${ship} is docked in space`)
  const isThere = state !== DOCKED_STATE || view.read(Base).poi[base] === poi
  assert(isThere, `ship ${ship} is docked elsewhere`)
}

export const listsAreComplete: CheckDef = {
  name: 'I9 lists: every ship on the map is in exactly one list',
  run(view, full) {
    if (!full) return
    const { alive, state, system: inSystem, poi: atPoi, nextHere } = view.read(Location)
    const listed = new Uint8Array(view.highOf(Ship) + 1)
    const walk = (first: number, belongs: (ship: number) => boolean): void => {
      for (let ship = first; ship !== 0; ship = nextHere[ship]) {
        assert(listed[ship] === 0, `ship ${ship} is listed twice`)
        assert(alive[ship] === 1 && belongs(ship), `ship ${ship} is listed where it is not`)
        listed[ship] = 1
      }
    }
    for (let poi = 1; poi <= view.highOf(Poi); poi++)
      walk(view.read(Poi).firstShip[poi], (ship) => atPoi[ship] === poi)
    for (let system = 1; system <= view.highOf(StarSystem); system++) {
      const first = view.read(StarSystem).firstTraveller[system]
      walk(first, (ship) => state[ship] === TRAVELLING && inSystem[ship] === system)
    }
    for (let ship = 1; ship <= view.highOf(Ship); ship++) {
      if (alive[ship] === 0 || !isOnMap(view, ship) || state[ship] >= JUMPING) continue
      assert(isUnlisted(view, ship) !== (listed[ship] === 1), `ship ${ship} is in no list`)
    }
  },
}

export const shipsUnderWay: GaugeDef = {
  name: 'ships_under_way',
  help: 'Ships under way: to another place, on a lane, or adrift.',
  read: (view) => view.index(UNDER_WAY).ships,
}

/* Arrivals */

const NAVIGATION_XP = { travel: 3, jump: 15 } as const
const FIRST_VISIT_XP = 50
/** Commands that an arrival answers. */
const FLIGHT_COMMANDS: ReadonlySet<string> = new Set(['travel', 'jump'])

/** A flight that ended in this tick. */
interface Arrival {
  readonly ship: Eid
  readonly player: Eid
  /** Whether it came from another system, by lane or adrift. */
  readonly isJump: boolean
  /** Whether it was a drift, whose command was answered at departure. */
  readonly isDrift: boolean
  readonly fromSystem: Eid
  /** Ticks under way. */
  readonly ticks: number
}

export const arrivals: SystemDef = {
  name: 'travel.arrive',
  phase: 'arrive',
  writes: [
    ...PLACE_WRITES,
    ...PACKAGE_WRITES,
    ...XP_WRITES,
    Account,
    Caller,
    CriminalRecord,
    Mission,
    Note,
    PlayerCombat,
    Posting,
    Signal,
    TaxLedger,
    Warrant,
  ],
  run(world) {
    const ended: Arrival[] = []
    for (const ship of takeArrivals(world)) {
      const { state, system, departTick } = world.read(Location)
      const isJump = state[ship] >= JUMPING
      const isDrift = state[ship] === DRIFTING
      const fromSystem = system[ship]
      const ticks = world.tick - departTick[ship]
      arrive(world, ship)
      const player = world.read(Ship).owner[ship]
      if (player !== 0 && world.read(Player).ship[player] === ship) {
        ended.push({ ship, player, isJump, isDrift, fromSystem, ticks })
        raise(world, arrived, { player, poi: world.read(Location).poi[ship] })
      }
    }
    answerArrivals(world, ended)
  },
}

/** The gathering at a place, and its members as the public sees them: shared by all arrivals. */
interface Scene {
  readonly gathering: Gathering
  readonly entries: Map<Eid, ReturnType<typeof onlinePlayer>>
}

/** Returns whether a player ordered the flight: those who follow a leader did not. */
const awaitsArrival = (world: World, player: Eid): boolean =>
  FLIGHT_COMMANDS.has(pendingOf(world, player)?.command ?? '')

/** Answers all pilots once all ships are in place; sorts each place's gathering only once. */
function answerArrivals(world: World, ended: readonly Arrival[]): void {
  const scenes = new Map<Eid, Scene>()
  for (const arrival of ended) {
    const poi = world.read(Location).poi[arrival.ship]
    const scene = scenes.get(poi) ?? { gathering: gatheringAt(world, poi), entries: new Map() }
    scenes.set(poi, scene)
    const { player } = arrival
    const meeting = meetingOf(world, player, scene)
    const result = arrival.isJump
      ? afterJump(world, arrival, poi, meeting)
      : afterTravel(world, arrival, poi, meeting)
    completeCallsAt(world, player, poi)
    if (arrival.isDrift) {
      const payload = { command: 'jump', tick: world.tick, result: result as JumpedResult }
      emit(world, driftEnded, payload, toPlayer(player))
    } else if (awaitsArrival(world, player)) answerLater(world, player, ok(result))
  }
}

/** Renders the players whom a player meets. */
function meetingOf(world: World, player: Eid, { gathering, entries }: Scene) {
  const shown = showTo(gathering, player, ONLINE_PLAYERS_MAX)
  const entryOf = (other: Eid) => {
    if (!entries.has(other)) entries.set(other, onlinePlayer(world, other))
    return entries.get(other)
  }
  return {
    online_players: shown.players.flatMap((other) => entryOf(other) ?? []),
    online_players_count: shown.count,
    online_players_truncated: shown.truncated,
    offline_collapsed: shown.offlineCollapsed,
  }
}

type Meeting = ReturnType<typeof meetingOf>
type JumpedResult = Static<typeof jumpedResult>

/** Awards the XP of flying a hull. Source: balance.md section 3. */
function awardPiloting(world: World, { player, ship, ticks, isDrift }: Arrival): number {
  awardFullPowerXp(world, player, ticks)
  return awardPilotingXp(world, player, { ship, ticks, isIdle: isDrift })
}

function afterTravel(world: World, arrival: Arrival, poi: Eid, meeting: Meeting): object {
  const { player } = arrival
  const navigation = awardXp(world, player, 'navigation', NAVIGATION_XP.travel)
  const piloting = awardPiloting(world, arrival)
  const name = poiName(world, poi)
  const pirates = piratesHere(world, poi).length
  const warning =
    pirates === 0 ? '' : say` ${counted(pirates, 'pirate')} here: {get_nearby} lists them.`
  const id = poiId(world, poi)
  logAction(world, player, 'navigation', 'arrived', `Arrived at ${name}.`, { poi_id: id })
  return {
    action: 'arrived',
    poi: name,
    poi_id: id,
    ...meeting,
    xp_gained: {
      ...(navigation > 0 ? { navigation } : {}),
      ...(piloting > 0 ? { piloting } : {}),
    },
    ...(pirates > 0 && { pirate_count: pirates }),
    message: `Arrived at ${name}.${warning}`,
  }
}

function howArrived(view: WorldView, { isDrift }: Arrival, poi: Eid): string {
  if (isDrift) return 'Came out of the void in'
  return isMouth(view, poi) ? 'Came through a wormhole to' : 'Jumped to'
}

function afterJump(world: World, arrival: Arrival, poi: Eid, meeting: Meeting): object {
  const { player, fromSystem } = arrival
  const system = world.read(Poi).system[poi]
  alertArrival(world, player)
  enforceLaw(world, player, system)
  inspectCargo(world, player, system)
  const isFirst = visit(world, player, system)
  recordProgress(world, player, 'visit_system', { key: system })
  const lane = neighboursOf(world, fromSystem).find(({ to }) => to === system)
  if (!arrival.isDrift) addStat(world, player, 'jumps_completed', 1)
  addStat(world, player, 'distance_traveled', lane?.distance ?? 0)
  const navigation = awardXp(world, player, 'navigation', NAVIGATION_XP.jump)
  const piloting = awardPiloting(world, arrival)
  if (isMouth(world, poi)) completeTransit(world, player, poi)
  const exploration = isFirst ? awardXp(world, player, 'exploration', FIRST_VISIT_XP) : 0
  const name = systemName(world, system)
  const data = {
    system_id: systemId(world, system),
    from_system_id: systemId(world, fromSystem),
    first_visit: isFirst,
  }
  const message = `${howArrived(world, arrival, poi)} ${name}.`
  logAction(world, player, 'navigation', 'jumped', message, data)
  return {
    action: arrival.isDrift ? 'pathfinder_arrival' : 'jumped',
    from_system: systemName(world, fromSystem),
    system: name,
    system_name: name,
    system_id: systemId(world, system),
    poi: poiName(world, poi),
    poi_id: poiId(world, poi),
    online_players: meeting.online_players,
    online_players_count: meeting.online_players_count,
    police_level: world.read(StarSystem).police[system],
    navigation_xp: navigation,
    piloting_xp: piloting,
    ...(isFirst ? { exploration_xp: exploration } : {}),
    message: `Arrived in ${name}.`,
  }
}
