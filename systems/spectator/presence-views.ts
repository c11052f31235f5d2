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
import { strangerSees } from '../sensing/model.ts'
import { JUMPING, Location, Poi, TRAVELLING } from '../travel/state.ts'
import { type Charted, systemPlace } from './chart-views.ts'

/** Rows looked at between two yields. */
const ROWS_A_STEP = 8_192

/** Ticks of a flight that are told apart; a longer one counts as this long when it is grouped. */
const TICKS_APART = 4_096
/** Places that the number of a group tells apart: the number stays a safe integer. */
const PLACES_MAX = 16_384

/** Ships of one departure. */
interface Group {
  readonly flight: readonly [from: number, to: number, depart: number, arrive: number]
  count: number
}

interface Tally {
  readonly online: Uint32Array
  readonly onlineBySystem: Uint32Array
  readonly pirates: Uint32Array
  readonly empireShips: Uint32Array
  readonly named: number[]
  readonly namedFlying: number[]
  readonly bound: number[]
  readonly jumps: Map<number, Group>
  readonly local: Map<number, Group>
}

/** What is counted, and how it is found in the chart. */
interface Counting {
  readonly view: WorldView
  readonly charted: Charted
  readonly tally: Tally
}

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
    jumps: new Map(),
    local: new Map(),
  }
}

/** Where a ship is, for strangers. */
type Whereabouts =
  | { readonly kind: 'place'; readonly system: number; readonly poi: number }
  | { readonly kind: 'flying'; readonly system: number }
  | { readonly kind: 'jumping' }

/**
 * Returns where a ship is, and counts its flight; undefined adrift and off the chart, which a
 * flight is too that begins or ends there.
 */
function find({ view, charted, tally }: Counting, ship: Eid): Whereabouts | undefined {
  const { poiPlaces } = charted
  const at = view.read(Location)
  const state = at.state[ship]
  const system = systemPlace(at.system[ship])
  if (state < TRAVELLING) {
    const poi = at.poi[ship] === 0 ? -1 : poiPlaces[at.poi[ship]]
    return poi < 0 ? undefined : { kind: 'place', system, poi }
  }
  const [from, to] = [at.fromPoi[ship], at.toPoi[ship]]
  const isCharted = from !== 0 && to !== 0 && poiPlaces[from] >= 0 && poiPlaces[to] >= 0
  if (state > JUMPING || !isCharted) return undefined
  const ticks = [at.departTick[ship], at.arriveTick[ship]] as const
  if (state === TRAVELLING) {
    countFlight(tally.local, view.tick, [poiPlaces[from], poiPlaces[to], ...ticks])
    return { kind: 'flying', system }
  }
  const target = systemPlace(view.read(Poi).system[to])
  countFlight(tally.jumps, view.tick, [system, target, ...ticks])
  return { kind: 'jumping' }
}

function countFlight(groups: Map<number, Group>, tick: number, flight: Group['flight']): void {
  const [from, to, depart, arrive] = flight
  const elapsed = Math.min(Math.max(tick - depart, 0), TICKS_APART - 1)
  const left = Math.min(Math.max(arrive - tick, 0), TICKS_APART - 1)
  const key = ((from * PLACES_MAX + to) * TICKS_APART + elapsed) * TICKS_APART + left
  const group = groups.get(key)
  if (group) group.count++
  else groups.set(key, { flight, count: 1 })
}

function countPlayer(counting: Counting, player: Eid): void {
  const { view, tally } = counting
  const { seq, ship } = view.read(Player)
  tally.bound.push(seq[player])
  const sight = strangerSees(view, player)
  if (sight === 'nothing' || ship[player] === 0) return
  const found = find(counting, ship[player])
  if (!found || found.kind === 'jumping') return
  tally.onlineBySystem[found.system]++
  const isNamed = sight === 'full'
  if (found.kind === 'place') {
    tally.online[found.poi]++
    const docked = view.read(Location).base[ship[player]] === 0 ? 0 : 1
    if (isNamed) tally.named.push(2 * found.poi + docked, seq[player])
  } else if (isNamed) tally.namedFlying.push(found.system, seq[player])
}

function countNpc(counting: Counting, npc: Row): void {
  const { view, tally } = counting
  const { ship, kind } = view.read(Npc)
  const counts =
    kind[npc] === PIRATE
      ? tally.pirates
      : kind[npc] === EMPIRE_SHIP || kind[npc] === POLICE
        ? tally.empireShips
        : undefined
  if (!counts) return
  const found = find(counting, ship[npc])
  if (found && found.kind !== 'jumping') counts[found.system]++
}

/** Lists [index, value …] of the indexes at which some value is not 0. */
function sparse(...values: readonly Uint32Array[]): Int32Array {
  const listed: number[] = []
  for (let i = 0; i < values[0].length; i++) {
    if (values.some((value) => value[i] !== 0)) listed.push(i, ...values.map((value) => value[i]))
  }
  return Int32Array.from(listed)
}

/** Lists the groups in an order that does not tell who departed first. */
function listFlights(groups: ReadonlyMap<number, Group>): Int32Array {
  const sorted = [...groups].sort(([a], [b]) => a - b)
  return Int32Array.from(sorted.flatMap(([, { flight, count }]) => [...flight, count]))
}

/** Counts players and NPCs; yields between steps. */
export function* countPresence(
  view: WorldView,
  charted: Charted,
): Generator<void, { presence: Presence; flights: Flights }> {
  assert(charted.chart.pois.length <= PLACES_MAX, 'the chart has more places than flights name')
  const tally = newTally(charted)
  const counting = { view, charted, tally }
  const players = view.read(Player)
  for (let player = 1; player <= view.highOf(Player); player++) {
    if (players.alive[player] === 1 && players.bound[player] !== 0) countPlayer(counting, player)
    if (player % ROWS_A_STEP === 0) yield
  }
  yield
  const npcs = view.read(Npc)
  for (let npc = 1; npc <= view.highOf(Npc); npc++) {
    if (npcs.alive[npc] === 1 && npcs.ship[npc] !== 0) countNpc(counting, npc)
    if (npc % ROWS_A_STEP === 0) yield
  }
  yield
  return {
    presence: {
      online: sparse(tally.online),
      onlineBySystem: sparse(tally.onlineBySystem),
      named: Int32Array.from(tally.named),
      namedFlying: Int32Array.from(tally.namedFlying),
      bound: Int32Array.from(tally.bound),
      npcs: sparse(tally.pirates, tally.empireShips),
    },
    flights: { jumps: listFlights(tally.jumps), local: listFlights(tally.local) },
  }
}
