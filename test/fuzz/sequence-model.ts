/**
 * A model of what three players at one base and the belt next to it own: credits, holds, lockers,
 * places, offers, orders, status, log. It knows those commands whose outcome is exact. Written from
 * travel.md, trade-storage.md, market.md 3 and social.md; it shares no code with the server. Every
 * function returns how the server must answer: `ok`, or the code of the refusal.
 */

export const MODEL_GOODS = ['iron_ore', 'fuel_cell', 'repair_kit'] as const
export type Good = (typeof MODEL_GOODS)[number]
export type Spot = 'station' | 'belt'

export interface Person {
  readonly name: string
  credits: number
  readonly hold: Map<Good, number>
  readonly locker: Map<Good, number>
  spot: Spot
  isDocked: boolean
  status: string
  entries: number
}

export interface Bundle {
  readonly good: Good
  readonly units: number
  readonly credits: number
}

export interface Offer {
  readonly from: number
  readonly to: number
  readonly give: Bundle
  readonly ask: Bundle
  readonly expireTick: number
}

export interface Order {
  readonly owner: number
  readonly good: Good
  units: number
  readonly priceEach: number
}

export interface Model {
  readonly people: readonly Person[]
  /** Space that a hold has, and that a unit takes. */
  readonly holdSpace: number
  readonly sizes: Readonly<Record<Good, number>>
  /** The tick that ran last. */
  tick: number
  /** By the id that the server gave. */
  readonly offers: Map<string, Offer>
  readonly lapsed: Set<string>
  readonly ended: Set<string>
  readonly declines: { readonly from: number; readonly to: number; readonly tick: number }[]
  readonly orders: Map<string, Order>
}

const OFFERS_PER_PAIR = 3
const OFFERS_OUT = 10
const OFFER_TICKS = 30
const DECLINES = 3
const DECLINE_TICKS = 60
const STATUS_CHARACTERS = 100
const LOG_ENTRIES = 20
const FEE_BPS = 100

const unitsIn = (goods: Map<Good, number>, good: Good): number => goods.get(good) ?? 0

function add(goods: Map<Good, number>, good: Good, units: number): void {
  const left = unitsIn(goods, good) + units
  if (left === 0) goods.delete(good)
  else goods.set(good, left)
}

function move(from: Map<Good, number>, to: Map<Good, number>, good: Good, units: number): void {
  add(from, good, -units)
  add(to, good, units)
}

export function spaceUsed({ sizes }: Model, hold: ReadonlyMap<Good, number>): number {
  let used = 0
  for (const [good, units] of hold) used += sizes[good] * units
  return used
}

/* ---- places ---- */

/** Docks the ship for a command that needs a dock, where it can. */
function autoDock(person: Person): boolean {
  if (person.spot === 'station') person.isDocked = true
  return person.isDocked
}

export function dock(person: Person): string {
  if (person.isDocked) return 'already_docked'
  if (person.spot !== 'station') return 'no_base'
  person.isDocked = true
  return 'ok'
}

export function undock(person: Person): string {
  if (!person.isDocked) return 'not_docked'
  person.isDocked = false
  return 'ok'
}

/** Flies to a place; an impossible route is refused before the ship leaves its dock. */
export function travel(person: Person, to: Spot): string {
  if (person.spot === to) return 'already_there'
  person.isDocked = false
  person.spot = to
  return 'ok'
}

/* ---- goods ---- */

export function deposit(person: Person, good: Good, units: number): string {
  if (!autoDock(person)) return 'not_docked'
  if (unitsIn(person.hold, good) < units) return 'insufficient_items'
  move(person.hold, person.locker, good, units)
  return 'ok'
}

export function withdraw(model: Model, person: Person, good: Good, units: number): string {
  if (!autoDock(person)) return 'not_docked'
  if (unitsIn(person.locker, good) < units) return 'insufficient_items'
  const room = model.holdSpace - spaceUsed(model, person.hold)
  if (model.sizes[good] * units > room) return 'no_cargo_space'
  move(person.locker, person.hold, good, units)
  return 'ok'
}

export function jettison(person: Person, good: Good, units: number): string {
  person.isDocked = false
  if (unitsIn(person.hold, good) < units) return 'insufficient_items'
  add(person.hold, good, -units)
  return 'ok'
}

export function giveGoods(model: Model, from: number, to: number, what: Bundle): string {
  const [giver, receiver] = [model.people[from], model.people[to]]
  if (!autoDock(giver)) return 'not_docked'
  if (from === to) return 'invalid_target'
  if (unitsIn(giver.hold, what.good) < what.units) return 'insufficient_items'
  move(giver.hold, receiver.locker, what.good, what.units)
  return 'ok'
}

export function giveCredits(model: Model, from: number, to: number, credits: number): string {
  const [giver, receiver] = [model.people[from], model.people[to]]
  if (!autoDock(giver)) return 'not_docked'
  if (from === to) return 'invalid_target'
  if (giver.credits < credits) return 'no_credits'
  giver.credits -= credits
  receiver.credits += credits
  return 'ok'
}

/* ---- trades ---- */

const areTogether = (a: Person, b: Person): boolean =>
  a !== b && a.spot === b.spot && a.isDocked === b.isDocked

const covers = ({ hold }: Person, { good, units }: Bundle): boolean => unitsIn(hold, good) >= units

function countOffers(model: Model, isCounted: (offer: Offer) => boolean): number {
  return [...model.offers.values()].filter(isCounted).length
}

/** Adds an offer under the id that the server made, if it made one. */
export function offer(model: Model, made: Omit<Offer, 'expireTick'>, id: string): string {
  const { from, to, give, ask } = made
  const [giver, taker] = [model.people[from], model.people[to]]
  if (!areTogether(giver, taker)) return 'invalid_target'
  if (give.units + give.credits + ask.units + ask.credits === 0) return 'empty_trade'
  if (!covers(giver, give)) return 'insufficient_items'
  if (giver.credits < give.credits) return 'no_credits'
  if (countOffers(model, (open) => open.from === from && open.to === to) >= OFFERS_PER_PAIR)
    return 'limit_reached'
  if (countOffers(model, (open) => open.from === from) >= OFFERS_OUT) return 'limit_reached'
  const declined = model.declines.filter(
    (decline) =>
      decline.from === from && decline.to === to && decline.tick + DECLINE_TICKS > model.tick,
  )
  if (declined.length >= DECLINES) return 'rate_limited'
  model.offers.set(id, { ...made, expireTick: model.tick + OFFER_TICKS })
  return 'ok'
}

function find(model: Model, id: string, role: 'from' | 'to', player: number): Offer | string {
  const found = model.offers.get(id)
  if (found) return found[role] === player ? found : 'not_your_trade'
  return model.lapsed.has(id) ? 'trade_expired' : 'trade_not_found'
}

function end(model: Model, id: string): void {
  model.offers.delete(id)
  model.ended.add(id)
}

/** Tells whether a hold lacks the room to give one bundle and get another. */
function lacksRoom(model: Model, person: Person, gives: Bundle, gets: Bundle): boolean {
  const { sizes, holdSpace } = model
  const change = sizes[gets.good] * gets.units - sizes[gives.good] * gives.units
  return spaceUsed(model, person.hold) + change > holdSpace
}

export function accept(model: Model, player: number, id: string): string {
  const found = find(model, id, 'to', player)
  if (typeof found === 'string') return found
  const { give, ask } = found
  const [giver, taker] = [model.people[found.from], model.people[player]]
  if (!areTogether(giver, taker)) return 'location_changed'
  if (!covers(giver, give)) {
    end(model, id)
    return 'offerer_insufficient_items'
  }
  if (giver.credits < give.credits) {
    end(model, id)
    return 'offerer_insufficient_credits'
  }
  if (!covers(taker, ask)) return 'insufficient_items'
  if (taker.credits < ask.credits) return 'no_credits'
  if (lacksRoom(model, taker, ask, give)) return 'target_no_space'
  if (lacksRoom(model, giver, give, ask)) return 'offerer_no_space'
  move(giver.hold, taker.hold, give.good, give.units)
  move(taker.hold, giver.hold, ask.good, ask.units)
  giver.credits += ask.credits - give.credits
  taker.credits += give.credits - ask.credits
  end(model, id)
  return 'ok'
}

export function decline(model: Model, player: number, id: string): string {
  const found = find(model, id, 'to', player)
  if (typeof found === 'string') return found
  end(model, id)
  model.declines.push({ from: found.from, to: player, tick: model.tick })
  return 'ok'
}

export function cancel(model: Model, player: number, id: string): string {
  const found = find(model, id, 'from', player)
  if (typeof found === 'string') return found
  end(model, id)
  return 'ok'
}

/** Applies what happens at the end of a tick. */
export function passTick(model: Model): void {
  for (const [id, { expireTick }] of model.offers) {
    if (expireTick > model.tick) continue
    model.offers.delete(id)
    model.lapsed.add(id)
  }
}

/* ---- orders: at prices nobody pays ---- */

/**
 * Places a sell order: goods come from the hold first, then from the locker. An order of the same
 * good and price takes the new units in, under its own id.
 */
export function sellOrder(model: Model, order: Order, id: string): string {
  const person = model.people[order.owner]
  const { good, units, priceEach } = order
  if (!autoDock(person)) return 'not_docked'
  const held = Math.min(units, unitsIn(person.hold, good))
  if (unitsIn(person.locker, good) < units - held) return 'insufficient_items'
  const fee = Math.ceil((units * priceEach * FEE_BPS) / 10_000)
  if (person.credits < fee) return 'no_credits'
  person.credits -= fee
  add(person.hold, good, -held)
  add(person.locker, good, held - units)
  const known = model.orders.get(id)
  if (known) known.units += units
  else model.orders.set(id, { ...order })
  return 'ok'
}

export function cancelOrder(model: Model, player: number, id: string): string {
  const person = model.people[player]
  if (!autoDock(person)) return 'not_docked'
  const order = model.orders.get(id)
  if (!order) return 'order_not_found'
  if (order.owner !== player) return 'not_your_order'
  add(person.locker, order.good, order.units)
  model.orders.delete(id)
  return 'ok'
}

/* ---- words ---- */

export function setStatus(person: Person, text: string): string {
  if (text.length > STATUS_CHARACTERS) return 'too_long'
  person.status = text.trim()
  return 'ok'
}

/** Adds a log entry; a full log loses its oldest. */
export function logEntry(person: Person): string {
  person.entries = Math.min(LOG_ENTRIES, person.entries + 1)
  return 'ok'
}
