/**
 * A pilot of a career: they see by queries alone, act by mutations, and note the prices they have
 * seen. Policies are generators that yield an order, or nothing to let a tick pass, and receive the
 * answer.
 */
import { goodOf } from '../../../core/catalog/index.ts'
import type { Dice } from '../../../core/dice.ts'
import type { Eid } from '../../../core/types.ts'
import type { Cell } from './bands.ts'
import { type Chart, LAWFUL_POLICE, type Port, UNREACHED } from './chart.ts'

type Params = Record<string, unknown>
type ActOutcome<R> = { ok: true; result: R } | { ok: false; code: string }

export interface Order {
  readonly command: string
  readonly params: Params
}

/** A piece of a policy: it yields orders and receives their answers. */
export type Deed<T = void> = Generator<Order | undefined, T, ActOutcome<unknown> | undefined>

interface Level {
  readonly price_each: number
  readonly quantity: number
}

export interface Price {
  readonly bid: number
  readonly bidUnits: number
  readonly ask: number
  readonly askUnits: number
  /** Levels of each side, the best first. */
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

export interface Pilot {
  readonly player: Eid
  readonly cell: Cell
  /** Base id. */
  readonly home: string
  readonly chart: Chart
  readonly dice: Dice
  /** Whether they keep to policed systems. */
  readonly lawful: boolean
  /** Prices by base and good, as last seen, and when. */
  readonly prices: Map<string, { tick: number; goods: Map<string, Price> }>
  /** The best bid seen anywhere, by good. */
  readonly bids: Map<string, number>
  tick(): number
  /** Runs a query or an immediate command; undefined when it was refused. */
  ask<R>(command: string, params?: Params): R | undefined
}

export type Policy = (me: Pilot) => Deed

/* Acting */

export function* wait(ticks: number): Deed {
  for (let i = 0; i < ticks; i++) yield undefined
}

/** Gives an order and returns its answer; leaves a battle first if one is in the way. */
export function* act<R = unknown>(
  me: Pilot,
  command: string,
  params: Params = {},
): Deed<ActOutcome<R>> {
  for (;;) {
    const outcome = (yield { command, params }) as ActOutcome<R>
    if (outcome.ok || (outcome.code !== 'in_combat' && outcome.code !== 'in_transit'))
      return outcome
    if (outcome.code === 'in_combat') yield* breakOff(me)
    else yield* wait(1)
  }
}

export const inBattle = (me: Pilot): boolean =>
  me.ask<{ is_participant: boolean }>('get_battle_status')?.is_participant === true

/** Flees, with the order renewed: an order holds for a few ticks only. */
export function* breakOff(me: Pilot): Deed {
  do {
    me.ask('battle', { action: 'stance', stance: 'flee' })
    yield* wait(1)
  } while (inBattle(me))
}

const IDLE_TICKS = 10

/** Lets some ticks pass; runs `whenAttacked` if a battle begins meanwhile. */
function* idle(me: Pilot, whenAttacked: (me: Pilot) => Deed): Deed {
  for (let i = 0; i < IDLE_TICKS; i++) {
    yield* wait(1)
    if (inBattle(me)) return yield* whenAttacked(me)
  }
}

/**
 * Repeats a round forever, and idles after a round that took no time. An attacked pilot flees by
 * default.
 */
export function* forever(
  me: Pilot,
  round: () => Deed,
  whenAttacked: (me: Pilot) => Deed = breakOff,
): Deed {
  for (;;) {
    const before = me.tick()
    yield* round()
    if (me.tick() === before) yield* idle(me, whenAttacked)
  }
}

/* Looking */

export interface Status {
  readonly player: {
    readonly credits: number
    readonly current_system: string
    readonly current_poi: string
    readonly docked_at_base?: string
    readonly towing_wreck_id?: string
  }
  readonly ship: ShipFigures
}

interface ShipFigures {
  readonly hull: number
  readonly max_hull: number
  readonly fuel: number
  readonly max_fuel: number
  readonly cargo_used: number
  readonly cargo_capacity: number
  readonly speed: number
  readonly personnel?: {
    readonly fit_crew: number
    readonly injured_crew: number
    readonly crew_capacity?: number
    readonly minimum_crew?: number
  }
}

export function status(me: Pilot): Status {
  const seen = me.ask<Status>('get_status')
  if (!seen) throw new Error('get_status was refused')
  return seen
}

export const dockedAt = (me: Pilot): string => status(me).player.docked_at_base ?? ''
export const hereOf = (me: Pilot): number => me.chart.systemOf(status(me).player.current_system)
export const roomOf = ({ cargo_capacity, cargo_used }: ShipFigures): number =>
  cargo_capacity - cargo_used

interface Held {
  readonly item_id: string
  readonly quantity: number
}

export const holdOf = (me: Pilot): readonly Held[] =>
  me.ask<{ cargo: Held[] }>('get_cargo')?.cargo ?? []

/** Returns the goods in storage at the base where the pilot is docked. */
export const storedOf = (me: Pilot): readonly Held[] =>
  me.ask<{ items: Held[] }>('view_storage')?.items ?? []

interface MarketRow {
  readonly item_id: string
  readonly best_buy: number
  readonly best_sell: number
  readonly buy_orders: readonly Level[]
  readonly sell_orders: readonly Level[]
}

const units = (orders: readonly Level[]): number =>
  orders.reduce((sum, { quantity }) => sum + quantity, 0)

/** Reads the exchange of the base where the pilot is docked, and notes its prices. */
export function readMarket(me: Pilot): ReadonlyMap<string, Price> {
  const market = me.ask<{ base_id: string; items: MarketRow[] }>('view_market')
  const goods = new Map<string, Price>()
  if (!market) return goods
  for (const row of market.items) {
    const [bid, ask] = [row.best_buy, row.best_sell]
    const [bidUnits, askUnits] = [units(row.buy_orders), units(row.sell_orders)]
    const depth = { bids: row.buy_orders, asks: row.sell_orders }
    goods.set(row.item_id, { bid, bidUnits, ask, askUnits, ...depth })
    me.bids.set(row.item_id, Math.max(bid, me.bids.get(row.item_id) ?? 0))
  }
  me.prices.set(market.base_id, { tick: me.tick(), goods })
  return goods
}

/* Flying */

const PUMP_JUMPS = 25
/** Jumps of fuel kept for flights within systems, and for a pump that is dry. */
const RESERVE_JUMPS = 5
const UNDOCK_AND_ENTRY_TICKS = 3
const JUMP_TICKS_BASE = 7

/** Estimates the ticks from dock to dock. */
export const flightTicks = (me: Pilot, speed: number, from: number, to: number): number =>
  me.chart.jumps(from, to, me.lawful) * Math.max(1, JUMP_TICKS_BASE - speed) +
  UNDOCK_AND_ENTRY_TICKS

/** Tells whether there is a way from home to a system; ways lead in both directions. */
const isReached = (me: Pilot, system: number): boolean =>
  me.chart.jumps(me.chart.systemOf(me.home), system, me.lawful) < UNREACHED

/** Tells whether the pilot can fly to a base, and back from there. */
export function isInReach(me: Pilot, base: string): boolean {
  const port = me.chart.ports.get(base)
  return port !== undefined && isReached(me, port.system)
}

/** What is near where, by chart: it never changes, and pilots ask for it all the time. */
const NEAR = new WeakMap<Chart, Map<string, readonly unknown[]>>()

/** Returns a list that depends on the chart and the key alone; makes it at the first call. */
function onChart<T>(chart: Chart, key: string, make: () => readonly T[]): readonly T[] {
  const known = NEAR.get(chart) ?? new Map<string, readonly unknown[]>()
  NEAR.set(chart, known)
  const list = known.get(key) ?? make()
  known.set(key, list)
  return list as readonly T[]
}

/** Returns the ports with a service within this many jumps of a system, the nearest first. */
export function portsNear(
  me: Pilot,
  from: number,
  jumpsMax: number,
  service = 'market',
): readonly Port[] {
  const { chart, lawful, home } = me
  const jumpsTo = (port: Port): number => chart.jumps(from, port.system, lawful)
  return onChart(chart, `${service} ${from} ${jumpsMax} ${lawful} ${home}`, () =>
    [...chart.ports.values()]
      .filter(({ base }) => base.services.some((name) => name === service))
      .filter((port) => jumpsTo(port) <= jumpsMax && isReached(me, port.system))
      .sort((a, b) => jumpsTo(a) - jumpsTo(b) || (a.base.id < b.base.id ? -1 : 1)),
  )
}

/** Returns systems within a number of jumps, nearest first. */
export function systemsNear(me: Pilot, from: number, jumpsMax: number): readonly number[] {
  const { chart, lawful } = me
  return onChart(chart, `${from} ${jumpsMax} ${lawful}`, () =>
    [...chart.systems.keys()]
      .filter((system) => chart.jumps(from, system, lawful) <= jumpsMax)
      .sort((a, b) => chart.jumps(from, a, lawful) - chart.jumps(from, b, lawful) || a - b),
  )
}

export const isLawful = (me: Pilot, system: number): boolean =>
  me.chart.systems[system].police_level >= LAWFUL_POLICE

/** Burns a fuel cell from the hold, or waits: for a tank that ran empty in space. */
function* refuelInSpace(me: Pilot): Deed {
  const outcome = yield* act(me, 'refuel')
  if (!outcome.ok) yield* wait(IDLE_TICKS)
}

/** Jumps to a system; false if a jump is refused. */
export function* jumpTo(me: Pilot, system: number): Deed<boolean> {
  for (let here = hereOf(me); here !== system; here = hereOf(me)) {
    const next = me.chart.next(here, system, me.lawful)
    const outcome = yield* act(me, 'jump', { target_system: me.chart.systems[next].id })
    if (outcome.ok) continue
    if (outcome.code !== 'no_fuel') return false
    yield* refuelInSpace(me)
  }
  return true
}

/** Flies to a place of any system. */
export function* flyTo(me: Pilot, place: string): Deed<boolean> {
  if (status(me).player.current_poi === place) return true
  if (!(yield* jumpTo(me, me.chart.systemOf(place)))) return false
  if (status(me).player.current_poi === place) return true
  const outcome = yield* act(me, 'travel', { target_poi: place })
  if (!outcome.ok && outcome.code === 'no_fuel') yield* refuelInSpace(me)
  return outcome.ok
}

/** Tells whether the tank lasts to a system, and from there to a pump. */
export function hasFuelFor(me: Pilot, system: number): boolean {
  const target_system = me.chart.systems[system].id
  const route = me.ask<{ fuel_per_jump: number }>('find_route', { target_system })
  const [pump] = portsNear(me, system, PUMP_JUMPS, 'refuel')
  if (!route || !pump) return false
  const there = me.chart.jumps(hereOf(me), system, me.lawful)
  const jumps = there + me.chart.jumps(system, pump.system, me.lawful) + RESERVE_JUMPS
  return status(me).ship.fuel >= jumps * route.fuel_per_jump
}

/** Flies to the next pump and fills the tank. */
export function* fillUp(me: Pilot): Deed {
  const [pump] = portsNear(me, hereOf(me), PUMP_JUMPS, 'refuel')
  if (!pump || !(yield* land(me, pump))) return
  const { fuel, max_fuel } = status(me).ship
  if (fuel < max_fuel) yield* act(me, 'refuel')
}

const FUEL_LOW_PCT = 90
const HULL_LOW_PCT = 70

function isLow(me: Pilot): boolean {
  const { fuel, max_fuel } = status(me).ship
  return fuel * 100 < max_fuel * FUEL_LOW_PCT
}

function* land(me: Pilot, { base, place }: Port): Deed<boolean> {
  if (dockedAt(me) === base.id) return true
  if (!(yield* flyTo(me, place.id))) return false
  const outcome = yield* act(me, 'dock')
  return outcome.ok || outcome.code === 'already_docked'
}

/** Treats injured people, and hires replacements for lost ones. */
function* manShip(me: Pilot): Deed {
  const { personnel } = status(me).ship
  if (!personnel) return
  const { fit_crew, injured_crew, crew_capacity = 0 } = personnel
  if (injured_crew > 0) yield* act(me, 'treat_personnel', { crew: injured_crew })
  const crew = crew_capacity - fit_crew - injured_crew
  if (crew > 0) yield* act(me, 'recruit_personnel', { crew })
}

/** Flies to a base, by way of a pump if need be, docks, refuels, repairs and hires crew. */
export function* dockAt(me: Pilot, base: string): Deed<boolean> {
  const port = me.chart.ports.get(base)
  if (!port || !isReached(me, port.system)) return false
  if (dockedAt(me) !== base) {
    if (!hasFuelFor(me, port.system)) {
      yield* fillUp(me)
      // The pump was dry: the pilot does not set out on what is left.
      if (isLow(me) && !hasFuelFor(me, port.system)) return false
    }
    if (!(yield* land(me, port))) return false
  }
  const { services } = port.base
  if (services.includes('refuel') && isLow(me)) yield* act(me, 'refuel')
  const { hull, max_hull } = status(me).ship
  const isWorn = hull * 100 < max_hull * HULL_LOW_PCT
  if (services.includes('repair') && isWorn) yield* act(me, 'repair')
  if (services.includes('personnel')) yield* manShip(me)
  return true
}

/* Selling */

/** A seller keeps goods that bring less than this percent of their value. */
const FLOOR_PCT = 50

/** Sells what the exchange here takes at a fair price. */
export function* sellHold(me: Pilot, keep: ReadonlySet<string> = new Set()): Deed {
  readMarket(me)
  for (const { item_id, quantity } of holdOf(me)) {
    if (keep.has(item_id)) continue
    const base = dockedAt(me)
    const price = me.prices.get(base)?.goods.get(item_id)
    if (!price || price.bid * 100 < goodOf(item_id).base_value * FLOOR_PCT) continue
    yield* act(me, 'sell', { item_id, quantity: Math.min(quantity, price.bidUnits) })
  }
  readMarket(me)
}

/* Missions */

interface Task {
  readonly mission_id: string
  readonly type: string
  readonly percent_complete?: number
  readonly objectives?: readonly { readonly system_id?: string; readonly completed?: boolean }[]
}

export const activeTasks = (me: Pilot): readonly Task[] =>
  me.ask<{ missions: Task[] }>('get_active_missions')?.missions ?? []

/** Hands in finished missions, and accepts those of a kind from the board here. */
export function* takeTasks(me: Pilot, kind: string): Deed {
  for (const { mission_id, percent_complete = 0 } of activeTasks(me)) {
    if (percent_complete >= 100) yield* act(me, 'complete_mission', { mission_id })
  }
  for (const { mission_id, type } of me.ask<{ missions: Task[] }>('get_missions')?.missions ?? []) {
    if (type === kind) yield* act(me, 'accept_mission', { mission_id })
  }
}
