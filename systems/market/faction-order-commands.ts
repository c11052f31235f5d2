/**
 * Rows of faction orders: their checks, what they reserve of treasury and stores, and their
 * answers. Source: market.md sections 5, 9, 10.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isStorageNearlyFull } from '../cargo/model.ts'
import { activeFacility, facilityTypeAt } from '../facility/model.ts'
import { factionIdOf, factionTag, treasuryOf } from '../faction/model.ts'
import { findStore, type StorePlace, unitsInStore } from '../faction/store-model.ts'
import { isFuel } from './book-model.ts'
import { requestFailure } from './instant-trade-commands.ts'
import { checkSize, enteredRow, type LimitOrder, type Reserved } from './limit-order-commands.ts'
import { listingFee, salesTax } from './match-kernels.ts'
import {
  factionTaxBps,
  findTradeableItem,
  freeBunkerUnits,
  fuelRefusal,
  listingFeeBps,
  listStatusOf,
  orderId,
} from './model.ts'
import { ENTERED, type RequestResult } from './order-index-state.ts'
import { ASK, BID, Book, Order, OrderRequest, type Side } from './state.ts'

/** A member who acts for their faction at a base. */
interface Member {
  readonly player: Eid
  readonly faction: Row
  readonly base: Eid
}

/** A limit order as a member requests it for their faction. */
export interface FactionOrder extends LimitOrder {
  readonly bucket?: string
  readonly private?: boolean
}

/* Reservations */

const treasuryKey = (faction: Row): string => `treasury ${faction}`
const goodsKey = ({ faction, base, bucket }: StorePlace, item: number): string =>
  `goods ${faction} ${base} ${bucket} ${item}`

const bunkerKey = ({ faction, base }: Member): string => `bunker ${faction} ${base}`

const reservedOf = (view: WorldView, key: string): number =>
  view.index(ENTERED).reserved.get(key) ?? 0

function reserve(world: World, key: string, amount: number): void {
  if (amount > 0) world.index(ENTERED).reserved.set(key, reservedOf(world, key) + amount)
}

/** Returns the credits in a treasury that no order of this tick has reserved. */
function freeCredits(view: WorldView, faction: Row): number {
  return balanceOf(view, treasuryOf(view, faction)) - reservedOf(view, treasuryKey(faction))
}

/** Reserves credits for a row of this tick. Refusal: faction_no_credits. */
function reserveCredits(
  world: World,
  faction: Row,
  need: number,
): Failure<'faction_no_credits'> | undefined {
  const have = freeCredits(world, faction)
  if (have < need) return fail('faction_no_credits', { need, have })
  reserve(world, treasuryKey(faction), need)
  return undefined
}

/** Returns the units in a store that no order of this tick has reserved. */
const freeGoods = (view: WorldView, place: StorePlace, item: number): number =>
  unitsInStore(view, place, item) - reservedOf(view, goodsKey(place, item))

/** Returns the most that an order can cost the treasury: all units at its price, and the fee. */
function maxCost(view: WorldView, member: Member, side: Side, order: FactionOrder): number {
  const { faction, base } = member
  const worth = order.quantity * order.price_each
  const fee = listingFee(worth, listingFeeBps(view, base, { player: 0, faction }))
  return side === ASK ? fee : worth + salesTax(worth, factionTaxBps(view, faction, base)) + fee
}

/** Refuses fuel that the bunker has no room for besides what was ordered in this tick. */
function bunkerRefusal(
  view: WorldView,
  member: Member,
  units: number,
): Failure<'no_faction_storage' | 'storage_full'> | undefined {
  const { faction, base } = member
  const free = freeBunkerUnits(view, faction, base) - reservedOf(view, bunkerKey(member))
  return fuelRefusal(view, member, units, Math.max(0, free))
}

/* Checks */

/** Returns the number of orders that a facility of the faction here allows. */
function ordersAllowed(view: WorldView, { faction, base }: Member, isPrivate: boolean) {
  const service = isPrivate ? 'company_store' : 'faction_market'
  const facility = activeFacility(view, faction, base, service)
  if (facility !== 0) return ok(facilityTypeAt(view, facility).capacity ?? 0)
  return fail(isPrivate ? 'no_company_store' : 'no_faction_market')
}

function checkOrder(view: WorldView, member: Member, side: Side, order: FactionOrder) {
  const { player, faction, base } = member
  const found = findTradeableItem(view, base, {
    player,
    text: order.item_id,
    selling: side === ASK,
  })
  if (!found.ok) return found
  const sized = checkSize(order.price_each, order.quantity)
  if (!sized.ok) return sized
  const allowed = ordersAllowed(view, member, order.private === true)
  if (!allowed.ok) return allowed
  const item = found.result
  if (order.bucket !== undefined && isFuel(item)) return fail('bucket_not_allowed')
  const store = findStore(view, faction, base, order.bucket)
  if (!store.ok) return store
  if (isStorageNearlyFull(view)) return fail('limit_reached')
  return ok({ item, store: store.result, ordersHereMax: allowed.result })
}

/**
 * Makes a row of a faction's limit order; its maximum cost is reserved until the requests of the
 * tick have been processed. Refusals at once: no_market, unknown_item, quest_item, not_tradeable,
 * contraband_restricted, invalid_payload, price_too_high, order_too_large, no_faction_market,
 * no_company_store, bucket_not_allowed, no_faction_storage, bucket_not_found, limit_reached,
 * insufficient_items, storage_full (fuel), faction_no_credits; later order_too_large,
 * listing_limit_reached.
 */
export function factionRow(world: World, member: Member, side: Side, order: FactionOrder) {
  const checked = checkOrder(world, member, side, order)
  if (!checked.ok) return checked
  const { item, store, ordersHereMax } = checked.result
  const { quantity: units, price_each: price } = order
  if (side === ASK) {
    const have = freeGoods(world, store, item)
    if (have < units) {
      return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
    }
  }
  const pumped = side === BID && isFuel(item) ? units : 0
  const full = pumped > 0 ? bunkerRefusal(world, member, pumped) : undefined
  if (full) return full
  const credits = maxCost(world, member, side, order)
  const refused = reserveCredits(world, member.faction, credits)
  if (refused) return refused
  const goods = side === ASK ? units : 0
  reserve(world, goodsKey(store, item), goods)
  reserve(world, bunkerKey(member), pumped)
  return enteredRow({
    reserved: { credits, goods },
    spec: {
      kind: 'limit',
      side,
      item,
      units,
      price,
      deliverTo: 'storage',
      ordersHereMax,
      faction: member.faction,
      bucket: store.bucket,
      isPrivate: order.private === true,
    },
    answer: (at, done) => limitAnswer(at, member, { side, item, order }, done),
  })
}

/**
 * Reserves what a new price of a faction's order may cost, including the fee for the increase in
 * value. Refusal: faction_no_credits.
 */
export function reserveModification(
  world: World,
  { faction, base }: Member,
  row: Row,
  price: number,
): Outcome<Reserved, 'faction_no_credits'> {
  const { remaining, price: oldPrice, side, escrowTax } = world.read(Order)
  const oldWorth = remaining[row] * oldPrice[row]
  const worth = remaining[row] * price
  const increase = Math.max(0, worth - oldWorth)
  const fee = listingFee(increase, listingFeeBps(world, base, { player: 0, faction }))
  const tax = salesTax(worth, factionTaxBps(world, faction, base))
  const escrow = side[row] === BID ? Math.max(0, worth + tax - oldWorth - escrowTax[row]) : 0
  const refused = reserveCredits(world, faction, escrow + fee)
  return refused ?? ok({ credits: escrow + fee, goods: 0 })
}

/* Answers */

interface Placing {
  readonly side: Side
  readonly item: number
  readonly order: FactionOrder
}

function limitAnswer(
  world: World,
  { faction }: Member,
  { side, item, order }: Placing,
  { row }: RequestResult,
) {
  const status = listStatusOf(world, row)
  if (status !== 'ok') return requestFailure(world, row, status)
  const { into, filled, listed, fee, consolidated, subtotal } = world.read(OrderRequest)
  const { id, name } = GOODS[item]
  return ok({
    faction_id: factionIdOf(world, faction),
    faction_tag: factionTag(world, faction),
    item: name,
    item_id: id,
    quantity: order.quantity,
    price_each: order.price_each,
    order_id: into[row] === 0 ? '' : orderId(world, into[row]),
    ...(order.bucket === undefined ? {} : { bucket: order.bucket }),
    quantity_filled: filled[row],
    quantity_listed: listed[row],
    listing_fee: fee[row],
    ...(consolidated[row] === 1 ? { consolidated: true } : {}),
    ...(side === BID ? boughtFields(world, order, row) : { total_earned: subtotal[row] }),
    message: orderMessage(world, { side, item, order }, row),
  })
}

function boughtFields(world: World, { quantity, price_each }: FactionOrder, row: Row): object {
  const { subtotal, tax, listed, restTax, taxBps } = world.read(OrderRequest)
  const worth = quantity * price_each
  const total = worth + salesTax(worth, taxBps[row])
  const spent = subtotal[row] + tax[row]
  const held = listed[row] * price_each + restTax[row]
  return {
    total_escrowed: total,
    escrow_refunded: Math.max(0, total - spent - held),
    total_spent: spent,
  }
}

function orderMessage(world: World, { side, item, order }: Placing, row: Row): string {
  const { filled, listed, book } = world.read(OrderRequest)
  const name = GOODS[item].name
  const isPrivate = world.read(Book).faction[book[row]] !== 0
  const where = isPrivate ? ' in the company store' : ''
  const parts: string[] = []
  if (filled[row] > 0) parts.push(`${side === BID ? 'Bought' : 'Sold'} ${filled[row]} ${name}.`)
  if (listed[row] > 0) {
    parts.push(`Listed ${listed[row]} ${name} at ${order.price_each} each${where}.`)
  }
  if (parts.length === 0) parts.push('Only orders of the faction matched; nothing was traded.')
  return parts.join(' ')
}
