/**
 * Who is where and what flies, as strangers may count it: nobody under a cloak, in a match, adrift,
 * or off the chart; offline players never. Source: WEB 1.2, 3.
 */
import { assert } from '../../core/assert.ts'
import type { Flights, Presence } from '../../core/public/frame.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { EMPIRE_SHIP, PIRATE, POLICE } from '../npc/model.ts'
import { Npc } from '../npc/state.ts'
import { strangersEye } from '../sensing/model.ts'
import { JUMPING, Location, Poi, TRAVELLING } from '../travel/state.ts'
import { type Charted, systemIndexOf } from './chart-views.ts'

/** Rows looked at between two yields. */
const ROWS_A_STEP = 4_096

/** Longest flight by which groups are formed, ticks; a longer one counts as this long. */
const TICKS_APART = 4_096
/** Places that the number of a group can distinguish: the number stays a safe integer. */
const PLACES_MAX = 16_384

type Flight = readonly [from: number, to: number, depart: number, arrive: number]

/** Ships under way: what groups them, an entry a ship. */
interface Departures {
  readonly keys: number[]
  /** The first of each group whose key does not identify it. */
  readonly long: Map<number, Flight>
}

interface Tally {
  readonly online: Uint32Array
  readonly onlineBySystem: Uint32Array
  readonly pirates: Uint32Array
  readonly empireShips: Uint32Array
  readonly named: number[]
  readonly namedFlying: number[]
  /** Online, and in neither list of names. */
  readonly bound: number[]
  readonly jumps: Departures
  readonly local: Departures
}

/** What is counted, and the columns that say where: they are looked up once. */
interface Counting {
  readonly tick: number
  readonly poiIndexes: Int32Array
  readonly tally: Tally
  readonly sight: ReturnType<typeof strangersEye>
  readonly players: ReturnType<typeof columnsOf>['players']
  readonly npcs: ReturnType<typeof columnsOf>['npcs']
  readonly at: ReturnType<typeof columnsOf>['at']
  readonly systemOf: ReturnType<typeof columnsOf>['systemOf']
}

const columnsOf = (view: WorldView) => ({
  players: view.read(Player),
  npcs: view.read(Npc),
  at: view.read(Location),
  systemOf: view.read(Poi).system,
})

function newTally({ chart }: Charted): Tally {
  const systems = chart.systems.length
  return {
    online: new Uint32Array(chart.pois.length),
    onlineBySystem: new Uint32Array(systems),
    pirates: new Uint32Array(systems),
    empireShips: new Uint32Array(systems),
    named: [],
    namedFlying: [],
    bound: [],
    jumps: { keys: [], long: new Map() },
    local: { keys: [], long: new Map() },
  }
}

/** Where a ship is that strangers cannot count, and of one between systems. */
const NOWHERE = -1
/** Where a ship is that flies from place to place in a system. */
const FLYING = -2

/** Returns the index of a place in the chart; NOWHERE also if it was made after the chart. */
const poiIndexOf = (poiIndexes: Int32Array, poi: Eid): number =>
  poiIndexes[poi] >= 0 ? poiIndexes[poi] : NOWHERE

/**
 * Returns the index of a ship's place in the chart, or FLYING; NOWHERE for one that jumps, is
 * adrift or off the chart, or flies from or to a place off the chart. Counts its flight or jump.
 */
function find({ poiIndexes, tally, at, systemOf, tick }: Counting, ship: Eid): number {
  const state = at.state[ship]
  if (state < TRAVELLING) return at.poi[ship] === 0 ? NOWHERE : poiIndexOf(poiIndexes, at.poi[ship])
  const [fromPoi, toPoi] = [at.fromPoi[ship], at.toPoi[ship]]
  if (state > JUMPING || fromPoi === 0 || toPoi === 0) return NOWHERE
  const [from, to] = [poiIndexOf(poiIndexes, fromPoi), poiIndexOf(poiIndexes, toPoi)]
  if (from === NOWHERE || to === NOWHERE) return NOWHERE
  const [depart, arrive] = [at.departTick[ship], at.arriveTick[ship]]
  if (state === TRAVELLING) {
    countFlight(tally.local, tick, [from, to, depart, arrive])
    return FLYING
  }
  const target = systemIndexOf(systemOf[toPoi])
  countFlight(tally.jumps, tick, [systemIndexOf(at.system[ship]), target, depart, arrive])
  return NOWHERE
}

function countFlight({ keys, long }: Departures, tick: number, flight: Flight): void {
  const [from, to, depart, arrive] = flight
  const elapsed = Math.min(Math.max(tick - depart, 0), TICKS_APART - 1)
  const left = Math.min(Math.max(arrive - tick, 0), TICKS_APART - 1)
  const key = ((from * PLACES_MAX + to) * TICKS_APART + elapsed) * TICKS_APART + left
  keys.push(key)
  const isWhole = elapsed === tick - depart && left === arrive - tick
  if (!isWhole && !long.has(key)) long.set(key, flight)
}

function countPlayer(counting: Counting, player: Eid): void {
  const { tally, players, at, sight } = counting
  const { seq, ship: flown } = players
  const ship = flown[player]
  const seen = ship === 0 ? 'nothing' : sight(player)
  const place = seen === 'nothing' ? NOWHERE : find(counting, ship)
  if (place !== NOWHERE) {
    const system = systemIndexOf(at.system[ship])
    tally.onlineBySystem[system]++
    if (place !== FLYING) tally.online[place]++
    if (seen === 'full') {
      if (place === FLYING) tally.namedFlying.push(system, seq[player])
      else tally.named.push(2 * place + (at.base[ship] === 0 ? 0 : 1), seq[player])
      return
    }
  }
  tally.bound.push(seq[player])
}

function countNpc(counting: Counting, npc: Row): void {
  const { tally, npcs, at } = counting
  const kind = npcs.kind[npc]
  const counts =
    kind === PIRATE
      ? tally.pirates
      : kind === EMPIRE_SHIP || kind === POLICE
        ? tally.empireShips
        : undefined
  if (!counts) return
  const ship = npcs.ship[npc]
  if (find(counting, ship) !== NOWHERE) counts[systemIndexOf(at.system[ship])]++
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
    let all = 0
    for (const value of values) all += value[i]
    if (all === 0) continue
    listed.push(i)
    for (const value of values) listed.push(value[i])
  }
  return new Int32Array(listed)
}

/** Returns the flight that a key stands for. */
function flightOf(key: number, tick: number): Flight {
  const left = key % TICKS_APART
  const departed = (key - left) / TICKS_APART
  const elapsed = departed % TICKS_APART
  const places = (departed - elapsed) / TICKS_APART
  const to = places % PLACES_MAX
  return [(places - to) / PLACES_MAX, to, tick - elapsed, tick + left]
}

/** Lists the groups in an order that does not reveal who departed first. */
function listFlights({ keys, long }: Departures, tick: number): Int32Array {
  const sorted = new Float64Array(keys).sort()
  const listed = new Int32Array(5 * sorted.length)
  let at = 0
  for (let i = 0; i < sorted.length; ) {
    const key = sorted[i]
    const first = i
    while (i < sorted.length && sorted[i] === key) i++
    const [from, to, depart, arrive] = long.get(key) ?? flightOf(key, tick)
    listed[at] = from
    listed[at + 1] = to
    listed[at + 2] = depart
    listed[at + 3] = arrive
    listed[at + 4] = i - first
    at += 5
  }
  return listed.slice(0, at)
}

interface Counted {
  readonly presence: Presence
  readonly flights: Flights
  readonly online: number
}

/** Counts players and NPCs; yields between steps. */
export function* countPresence(view: WorldView, charted: Charted): Generator<void, Counted> {
  assert(charted.chart.pois.length <= PLACES_MAX, 'the chart has more places than flights name')
  const tally = newTally(charted)
  const { poiIndexes } = charted
  const counting: Counting = {
    tick: view.tick,
    poiIndexes,
    tally,
    ...columnsOf(view),
    sight: strangersEye(view),
  }
  const [players, npcs] = [view.highOf(Player), view.highOf(Npc)]
  let online = 0
  for (let from = 1; from <= players; from += ROWS_A_STEP) {
    online += countPlayers(counting, from, Math.min(players, from + ROWS_A_STEP - 1))
    yield
  }
  for (let from = 1; from <= npcs; from += ROWS_A_STEP) {
    countNpcs(counting, from, Math.min(npcs, from + ROWS_A_STEP - 1))
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
      named: new Int32Array(tally.named),
      namedFlying: new Int32Array(tally.namedFlying),
      bound: new Int32Array(tally.bound),
      npcs: sparse(tally.pirates, tally.empireShips),
    },
  }
}
