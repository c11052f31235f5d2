/**
 * Counts who is where and what flies, as far as strangers may know: nobody under a cloak, in a
 * match, adrift or off the chart, and no player who is offline. Source: WEB 1.2, 3.
 */
import { assert } from '../../core/assert.ts'
import type { Flights, Presence } from '../../core/public/frame.ts'
import { append, type IntList, newIntList, numbersOf } from '../../core/rows.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { EMPIRE_SHIP, PIRATE, POLICE } from '../npc/model.ts'
import { Npc } from '../npc/state.ts'
import { strangerSightReader } from '../sensing/model.ts'
import { JUMPING, Location, Poi, TRAVELLING } from '../travel/state.ts'
import { type Charted, systemIndexOf } from './chart-views.ts'

/** Rows read between two yields. */
const ROWS_PER_STEP = 4_096

/** Ticks of a flight that the key of a group can distinguish; longer ones are cut to this. */
const FLIGHT_TICKS_MAX = 4_096
/** Places that the key of a group can distinguish, so that the key stays a safe integer. */
const PLACES_MAX = 16_384

type Flight = readonly [from: number, to: number, depart: number, arrive: number]

/** Ships in flight, by the keys that group them: one entry per ship. */
interface Departures {
  readonly keys: number[]
  /** One flight of each group whose key was cut, so that it does not describe the flight. */
  readonly long: Map<number, Flight>
}

interface Tally {
  readonly online: Uint32Array
  readonly onlineBySystem: Uint32Array
  readonly pirates: Uint32Array
  readonly empireShips: Uint32Array
  readonly named: IntList
  readonly namedFlying: IntList
  /** Online, and in neither list of names. */
  readonly bound: IntList
  readonly jumps: Departures
  readonly local: Departures
}

/** The counts of a frame, and the columns they are read from, looked up once. */
interface Counting {
  readonly tick: number
  readonly poiIndexes: Int32Array
  readonly tally: Tally
  readonly sight: ReturnType<typeof strangerSightReader>
  readonly players: ReturnType<typeof columnsOf>['players']
  readonly npcs: ReturnType<typeof columnsOf>['npcs']
  readonly locations: ReturnType<typeof columnsOf>['locations']
  readonly systemOf: ReturnType<typeof columnsOf>['systemOf']
}

const columnsOf = (view: WorldView) => ({
  players: view.read(Player),
  npcs: view.read(Npc),
  locations: view.read(Location),
  systemOf: view.read(Poi).system,
})

/** The lists of names, which keep their memory from frame to frame. */
type NameLists = Pick<Tally, 'named' | 'namedFlying' | 'bound'>

function newTally({ chart }: Charted, lists: NameLists): Tally {
  const systems = chart.systems.length
  for (const list of [lists.named, lists.namedFlying, lists.bound]) list.length = 0
  return {
    online: new Uint32Array(chart.pois.length),
    onlineBySystem: new Uint32Array(systems),
    pirates: new Uint32Array(systems),
    empireShips: new Uint32Array(systems),
    ...lists,
    jumps: { keys: [], long: new Map() },
    local: { keys: [], long: new Map() },
  }
}

/** Place of a ship that strangers cannot count, and of one between systems. */
const NOWHERE = -1
/** Place of a ship that flies from place to place within a system. */
const FLYING = -2

/** Returns the index of a place in the chart; NOWHERE also if it was made after the chart. */
const poiIndexOf = (poiIndexes: Int32Array, poi: Eid): number =>
  poiIndexes[poi] >= 0 ? poiIndexes[poi] : NOWHERE

/**
 * Returns the index of a ship's place in the chart, or FLYING; NOWHERE for one that jumps, is
 * adrift or off the chart, or flies from or to a place off the chart. Counts its flight or jump.
 */
function locate(counting: Counting, ship: Eid): number {
  const { poiIndexes, locations } = counting
  const state = locations.state[ship]
  if (state < TRAVELLING) {
    const poi = locations.poi[ship]
    return poi === 0 ? NOWHERE : poiIndexOf(poiIndexes, poi)
  }
  const fromPoi = locations.fromPoi[ship]
  const toPoi = locations.toPoi[ship]
  if (state > JUMPING || fromPoi === 0 || toPoi === 0) return NOWHERE
  const from = poiIndexOf(poiIndexes, fromPoi)
  const to = poiIndexOf(poiIndexes, toPoi)
  if (from === NOWHERE || to === NOWHERE) return NOWHERE
  const { tally, systemOf } = counting
  if (state === TRAVELLING) {
    countFlight(counting, tally.local, ship, from, to)
    return FLYING
  }
  const system = systemIndexOf(locations.system[ship])
  countFlight(counting, tally.jumps, ship, system, systemIndexOf(systemOf[toPoi]))
  return NOWHERE
}

function countFlight(
  { tick, locations }: Counting,
  { keys, long }: Departures,
  ship: Eid,
  from: number,
  to: number,
): void {
  const depart = locations.departTick[ship]
  const arrive = locations.arriveTick[ship]
  const elapsed = Math.min(Math.max(tick - depart, 0), FLIGHT_TICKS_MAX - 1)
  const left = Math.min(Math.max(arrive - tick, 0), FLIGHT_TICKS_MAX - 1)
  const key = ((from * PLACES_MAX + to) * FLIGHT_TICKS_MAX + elapsed) * FLIGHT_TICKS_MAX + left
  keys.push(key)
  const isExact = elapsed === tick - depart && left === arrive - tick
  if (!isExact && !long.has(key)) long.set(key, [from, to, depart, arrive])
}

function countPlayer(counting: Counting, player: Eid): void {
  const { tally, players, locations, sight } = counting
  const number = players.seq[player]
  const ship = players.ship[player]
  const seen = ship === 0 ? 'nothing' : sight(player)
  const place = seen === 'nothing' ? NOWHERE : locate(counting, ship)
  if (place === NOWHERE) {
    append(tally.bound, number)
    return
  }
  const system = systemIndexOf(locations.system[ship])
  tally.onlineBySystem[system]++
  if (place !== FLYING) tally.online[place]++
  if (seen !== 'full') {
    append(tally.bound, number)
    return
  }
  const list = place === FLYING ? tally.namedFlying : tally.named
  append(list, place === FLYING ? system : 2 * place + (locations.base[ship] === 0 ? 0 : 1))
  append(list, number)
}

function countNpc(counting: Counting, npc: Row): void {
  const { tally, npcs, locations } = counting
  const kind = npcs.kind[npc]
  const counts =
    kind === PIRATE
      ? tally.pirates
      : kind === EMPIRE_SHIP || kind === POLICE
        ? tally.empireShips
        : undefined
  if (!counts) return
  const ship = npcs.ship[npc]
  if (locate(counting, ship) !== NOWHERE) counts[systemIndexOf(locations.system[ship])]++
}

/* Blocks of rows are plain functions: loops of a generator are compiled late. */

/** Counts the players of a block of rows; returns how many of them are online. */
function countPlayers(counting: Counting, from: Row, to: Row): number {
  const { alive, bound } = counting.players
  let online = 0
  for (let player = from; player <= to; player++) {
    if (bound[player] === 0 || alive[player] === 0) continue
    countPlayer(counting, player)
    online++
  }
  return online
}

function countNpcs(counting: Counting, from: Row, to: Row): void {
  const { alive, ship } = counting.npcs
  for (let npc = from; npc <= to; npc++) {
    if (alive[npc] === 1 && ship[npc] !== 0) countNpc(counting, npc)
  }
}

/** Lists [index, value …] of the indexes at which some value is not 0. */
function sparse(...values: readonly Uint32Array[]): Int32Array {
  const listed: number[] = []
  for (let i = 0; i < values[0].length; i++) {
    let sum = 0
    for (const value of values) sum += value[i]
    if (sum === 0) continue
    listed.push(i)
    for (const value of values) listed.push(value[i])
  }
  return new Int32Array(listed)
}

/** Returns the flight that a key describes. */
function flightOf(key: number, tick: number): Flight {
  const left = key % FLIGHT_TICKS_MAX
  const departed = (key - left) / FLIGHT_TICKS_MAX
  const elapsed = departed % FLIGHT_TICKS_MAX
  const places = (departed - elapsed) / FLIGHT_TICKS_MAX
  const to = places % PLACES_MAX
  return [(places - to) / PLACES_MAX, to, tick - elapsed, tick + left]
}

/** Lists the groups in an order that does not reveal who departed first. */
function listFlights({ keys, long }: Departures, tick: number): Int32Array {
  const sorted = new Float64Array(keys).sort()
  const listed = new Int32Array(5 * sorted.length)
  let offset = 0
  for (let i = 0; i < sorted.length; ) {
    const key = sorted[i]
    const first = i
    while (i < sorted.length && sorted[i] === key) i++
    const [from, to, depart, arrive] = long.get(key) ?? flightOf(key, tick)
    listed[offset] = from
    listed[offset + 1] = to
    listed[offset + 2] = depart
    listed[offset + 3] = arrive
    listed[offset + 4] = i - first
    offset += 5
  }
  return listed.slice(0, offset)
}

interface Counted {
  readonly presence: Presence
  readonly flights: Flights
  readonly online: number
}

function* countPresence(
  view: WorldView,
  charted: Charted,
  lists: NameLists,
): Generator<void, Counted> {
  assert(charted.chart.pois.length <= PLACES_MAX, 'the chart has too many places for flight keys')
  const tally = newTally(charted, lists)
  const { poiIndexes } = charted
  const counting: Counting = {
    tick: view.tick,
    poiIndexes,
    tally,
    ...columnsOf(view),
    sight: strangerSightReader(view),
  }
  const [players, npcs] = [view.highOf(Player), view.highOf(Npc)]
  let online = 0
  for (let from = 1; from <= players; from += ROWS_PER_STEP) {
    online += countPlayers(counting, from, Math.min(players, from + ROWS_PER_STEP - 1))
    yield
  }
  for (let from = 1; from <= npcs; from += ROWS_PER_STEP) {
    countNpcs(counting, from, Math.min(npcs, from + ROWS_PER_STEP - 1))
    yield
  }
  const [jumps, local] = [tally.jumps, tally.local].map((list) => listFlights(list, view.tick))
  yield
  return {
    online,
    flights: { jumps, local },
    presence: {
      online: sparse(tally.online),
      onlineBySystem: sparse(tally.onlineBySystem),
      named: numbersOf(tally.named),
      namedFlying: numbersOf(tally.namedFlying),
      bound: numbersOf(tally.bound),
      npcs: sparse(tally.pirates, tally.empireShips),
    },
  }
}

/** Creates a function that counts players and NPCs; it yields between steps. */
export function createPresence(): (view: WorldView, charted: Charted) => Generator<void, Counted> {
  const lists = { named: newIntList(), namedFlying: newIntList(), bound: newIntList() }
  return (view, charted) => countPresence(view, charted, lists)
}
