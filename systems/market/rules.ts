/**
 * Effects of trading: goods of players into and out of escrow, sales of fuel to stations, feeds,
 * standing for sales, amounts due to others until settlement, and trade volume.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { moveItems } from '../../core/goods.ts'
import { addToSet, removeFromSet } from '../../core/groups.ts'
import { openAccount } from '../../core/ledger.ts'
import { divFloor, MAX_SAFE } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { dayOfTick, dayStartOf, HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Framing, Row, World } from '../../core/types.ts'
import { channelBit, fillFollowers, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { baseName, empireOfBase, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import {
  closeEmptyLocker,
  isNearlyFull,
  lockerOf,
  openLocker,
  storedUnits,
} from '../cargo/model.ts'
import { changeReputation } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { cargoUnits, loadCargo, unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { FUEL, orderLists, quoteFuelSale } from './book-model.ts'
import { followedBase, followersOf, holdRoom } from './model.ts'
import {
  type DeliveredGoods,
  type Dues,
  FOLLOWERS,
  type MakerFill,
  PENDING_SETTLEMENT,
  type TakenGoods,
} from './order-index-state.ts'
import {
  Book,
  BY_STATION,
  Exchange,
  MarketFeed,
  Order,
  TRADED_DAYS,
  TRADED_HOURS,
  TradedDays,
  TradeStanding,
} from './state.ts'
import type { Ring } from './vwap-model.ts'

/* Goods of players */

/** Where bought goods go: into the hold as far as they fit, or all into storage. */
export type DeliverTo = 'cargo' | 'storage'

/**
 * Delivers goods that a player bought: into the hold unless `to` is storage, the rest to the
 * locker.
 */
export function deliver(
  world: World,
  player: Eid,
  goods: { readonly base: Eid; readonly item: number; readonly units: number },
  to: DeliverTo,
): DeliveredGoods {
  const { base, item, units } = goods
  const escrow = world.read(Base).escrow[base]
  const ship = world.read(Player).ship[player]
  const toCargo = to === 'storage' ? 0 : Math.min(units, holdRoom(world, player, item))
  if (toCargo > 0) loadCargo(world, ship, escrow, item, toCargo)
  const toStorage = units - toCargo
  if (toStorage > 0) moveItems(world, escrow, openLocker(world, player, base), item, toStorage)
  return { toCargo, toStorage }
}

/** Moves goods for sale into the exchange's escrow: from the hold first, then from the locker. */
export function takeGoods(
  world: World,
  player: Eid,
  base: Eid,
  item: number,
  units: number,
): TakenGoods {
  const ship = world.read(Player).ship[player]
  const escrow = world.read(Base).escrow[base]
  const fromCargo = Math.min(units, cargoUnits(world, ship, item))
  if (fromCargo > 0) unloadCargo(world, ship, escrow, item, fromCargo)
  const fromStorage = units - fromCargo
  assert(fromStorage <= storedUnits(world, player, base, item), 'goods to sell are missing')
  if (fromStorage > 0) {
    moveItems(world, lockerOf(world, player, base), escrow, item, fromStorage)
    closeEmptyLocker(world, player, base)
  }
  return { fromCargo, fromStorage }
}

/* Fuel */

assert(FUEL >= 0, 'the catalogue has fuel')

/**
 * Sells fuel to a station, from the tank of the player's active ship. Refusals: no_market,
 * issue_item, insufficient_items, no_buyers, service_restricted. Source: market.md section 4,
 * travel.md section 7.
 */
export function sellFuel(world: World, player: Eid, base: Eid, quantity: number) {
  if (!hasService(world, base, 'refuel')) return fail('no_market')
  const barred = serviceRefusal(world, player, base, 'refuel')
  if (barred) return barred
  const ship = world.read(Player).ship[player]
  const { fuel, issueFuel } = world.read(Ship)
  const have = fuel[ship] - issueFuel[ship]
  if (have === 0 && issueFuel[ship] > 0) return fail('issue_item')
  const message = `Your tank has ${have} fuel to give, not ${quantity}; ask for no more.`
  if (have < quantity) return fail('insufficient_items', { need: quantity, have }, message)
  const sale = quoteFuelSale(world, base, quantity)
  if (sale.units === 0) return fail('no_buyers')
  world.write(Ship).fuel[ship] -= sale.units
  world.write(Base).fuel[base] += sale.units
  const summary = `Sold ${sale.units} fuel at ${baseName(world, base)} for ${counted(sale.credits, 'credit')}.`
  const data = { item_id: GOODS[FUEL].id, quantity: sale.units }
  const manager = world.read(Base).manager[base]
  const wallet = walletOf(world, player)
  creditMove(world, player, manager, wallet, sale.credits, 'trading', 'sell', summary, data)
  addStat(world, player, 'credits_earned', sale.credits)
  return ok({
    quantity_sold: sale.units,
    total_earned: sale.credits,
    unsold: quantity - sale.units,
  })
}

/*
 * Feeds of exchanges: a player follows at most one. A feed ends when the player undocks or the last
 * of the channels that requested it is lost. Source: market.md section 6.
 */

/** Makes a player follow the exchange of a base instead of any other. */
export function follow(world: World, player: Eid, base: Eid, framing: Framing): void {
  if (followedBase(world, player) !== base) unfollow(world, player)
  const feed = world.write(MarketFeed)
  feed.base[player] = base
  feed.channel[player] |= channelBit(framing)
  addToSet(world.index(FOLLOWERS), base, player)
}

/** Ends a player's feed; returns false if they followed none. */
export function unfollow(world: World, player: Eid): boolean {
  const base = followedBase(world, player)
  if (base === 0) return false
  removeFromSet(world.index(FOLLOWERS), base, player)
  const feed = world.write(MarketFeed)
  feed.base[player] = 0
  feed.channel[player] = 0
  return true
}

/** Ends a player's feed if only the lost channels (bits of BOUND) requested it. */
export function endFeed(world: World, player: Eid, channels: number): void {
  const { channel } = world.read(MarketFeed)
  const left = channel[player] & ~channels
  if (left === channel[player]) return
  if (left === 0) unfollow(world, player)
  else world.write(MarketFeed).channel[player] = left
}

/** Ends the feeds of players who have undocked. */
export function removeLeavers(world: World, base: Eid): void {
  for (const player of followersOf(world, base)) {
    if (dockedBase(world, player) !== base) unfollow(world, player)
  }
}

/** Rebuilds the index from the column, after a restore. */
export function rebuildFollowers(world: World): void {
  fillFollowers(world, world.index(FOLLOWERS), world.read(MarketFeed).base)
}

/* Exchanges and the lists of orders */

/** Opens the exchange of a base that has none. */
export function openExchange(world: World, base: Eid): void {
  world.write(Exchange).escrow[base] = openAccount(world)
}

/** Rebuilds the indexes from the table, after a restore. */
export function rebuildOrders(world: World): void {
  const lists = orderLists(world.kernelColumns)
  const { alive, ownerKind } = world.read(Order)
  lists.clear()
  for (let row = 1; row <= world.highOf(Order); row++) {
    if (alive[row] === 1 && ownerKind[row] !== BY_STATION) lists.index(row)
  }
}

/* Standing with an empire that is gained by sales at its bases, up to a daily cap. */

const STANDING_MAX = 100

/** Returns the standing gained today in an entry of `gained`; starts a new day if necessary. */
function gainedToday(world: World, player: Eid, entry: number): number {
  const { dayStartTick, gained } = world.write(TradeStanding)
  const day = dayStartOf(world.tick)
  if (dayStartTick[player] !== day) {
    dayStartTick[player] = day
    gained.fill(0, player * EMPIRES_WIDTH, (player + 1) * EMPIRES_WIDTH)
  }
  return gained[entry]
}

/** A sale of a player. */
interface Sale {
  readonly base: Eid
  readonly item: number
  /** Price times units, credits. */
  readonly subtotal: number
}

/** Raises the seller's standing with the empire of the base. Source: market.md section 6. */
export function awardStanding(world: World, player: Eid, { base, item, subtotal }: Sale): void {
  const empire = empireOfBase(world, base)
  if (empire < 0) return
  const { rep_trade_fill_cap, rep_trade_fill_divisor } = EMPIRES[empire].policy
  assert(rep_trade_fill_divisor >= 1, 'the divisor of standing is below 1')
  const entry = player * EMPIRES_WIDTH + empire
  const { reputation } = world.read(Player)
  const points = Math.min(
    divFloor(subtotal, rep_trade_fill_divisor),
    rep_trade_fill_cap - gainedToday(world, player, entry),
    STANDING_MAX - reputation[entry],
  )
  if (points <= 0) return
  world.write(TradeStanding).gained[entry] += points
  changeReputation(world, player, empire, points)
  const what = `${GOODS[item].name} sold at ${baseName(world, base)}`
  const summary = `Standing with ${EMPIRES[empire].name} rose by ${points}: ${what}.`
  const data = { empire_id: EMPIRES[empire].id, change: points, reputation: reputation[entry] }
  logAction(world, player, 'reputation', 'gained', summary, data)
}

/* Amounts due from the trades of a tick, until phase settle */

/** Returns the entry that collects the fills of an order at a price. */
export function makerFill(
  world: World,
  orderNumber: number,
  head: Omit<MakerFill, 'units' | 'withPlayers' | 'related' | 'tax' | 'refund'>,
): MakerFill {
  const { fills } = world.index(PENDING_SETTLEMENT)
  const key = `${orderNumber}@${head.price}`
  const found = fills.get(key)
  if (found) return found
  const made = { ...head, units: 0, withPlayers: 0, related: 0, tax: 0, refund: 0 }
  fills.set(key, made)
  return made
}

function duesOf(world: World, base: Eid): Dues {
  const { dues } = world.index(PENDING_SETTLEMENT)
  const found = dues.get(base)
  if (found) return found
  const made = { tax: 0, fee: 0 }
  dues.set(base, made)
  return made
}

/** Adds sales tax in the exchange's escrow that is due to the base's empire. */
export function addTax(world: World, base: Eid, credits: number): void {
  if (credits === 0) return
  assert(empireOfBase(world, base) >= 0, 'sales tax in lawless space')
  duesOf(world, base).tax += credits
}

/**
 * Adds a listing fee in the exchange's escrow that is due to the station; at pirate bases it is
 * destroyed instead.
 */
export function addFee(world: World, base: Eid, credits: number): void {
  if (credits > 0) duesOf(world, base).fee += credits
}

/* Trade volume by hour and day */

/** Credits above which a trade is not counted, since it says nothing about the price. */
export const NOTIONAL_MAX = 1_000_000_000_000

/** Maximum of a u16 column. */
const FILLS_COUNTED_MAX = 0xffff

/** A type with writable columns instead of readonly ones. */
type Written<R> = { [K in keyof R]: R[K] extends number ? number : { [index: number]: number } }

/** Adds a trade to the entry `now` of a ring. Sums are limited to 2^53-1. */
function addTo(ring: Written<Ring>, row: Row, now: number, units: number, credits: number): void {
  const { last, width } = ring
  const first = row * width
  // Clear the entries since the last trade, at most all of them.
  for (let entry = Math.max(last[row] + 1, now - width + 1); entry <= now; entry++) {
    ring.units[first + (entry % width)] = 0
    ring.credits[first + (entry % width)] = 0
    ring.fills[first + (entry % width)] = 0
  }
  last[row] = now
  const index = first + (now % width)
  ring.units[index] = Math.min(MAX_SAFE, ring.units[index] + units)
  ring.credits[index] = Math.min(MAX_SAFE, ring.credits[index] + credits)
  ring.fills[index] = Math.min(FILLS_COUNTED_MAX, ring.fills[index] + 1)
}

/** Returns the TradedDays row of a book, made with its first trade; 0 if the table is full. */
function daysFor(world: World, book: Row): Row {
  const { days } = world.write(Book)
  if (days[book] === 0 && !isNearlyFull(world, TradedDays)) {
    days[book] = world.take(TradedDays)
    world.write(TradedDays).book[days[book]] = book
  }
  return days[book]
}

/** Counts a trade between unrelated parties in the volume of its book. */
export function recordTrade(world: World, book: Row, units: number, credits: number): void {
  if (credits > NOTIONAL_MAX) return
  const { hour, hourUnits, hourCredits, hourFills } = world.write(Book)
  const inHour = { units: hourUnits, credits: hourCredits, fills: hourFills }
  const hours = { last: hour, ...inHour, width: TRADED_HOURS }
  addTo(hours, book, divFloor(world.tick, HOUR_TICKS), units, credits)
  const row = daysFor(world, book)
  if (row === 0) return
  const { day, dayUnits, dayCredits, dayFills } = world.write(TradedDays)
  const inDay = { units: dayUnits, credits: dayCredits, fills: dayFills }
  const days = { last: day, ...inDay, width: TRADED_DAYS }
  addTo(days, row, dayOfTick(world.tick), units, credits)
}
