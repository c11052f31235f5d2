/**
 * Rows of modify_order and cancel_order and their answers, and the market feed. Source: market.md
 * section 5.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { immediate } from '../../core/command.ts'
import { seqOfWireId } from '../../core/entity.ts'
import { fail, ok } from '../../core/errors.ts'
import { emitList } from '../../core/event.ts'
import { LEVELS_SHOWN_MAX } from '../../core/limits.ts'
import { list, NO_PARAMS, named, opt, type Static, strings } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { subscriptionRefusal } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { factionOf, permissionRefusal } from '../faction/model.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { booksAt, isFuel, orderByNumber, ordersOf } from './book-model.ts'
import { reserveModification } from './faction-order-commands.ts'
import { requestFailure } from './instant-trade-commands.ts'
import { checkPrice, enteredRow, type Trader } from './limit-order-commands.ts'
import {
  categoryOf,
  followedBases,
  followersOf,
  isHiddenFromFeeds,
  isModified,
  isTradeable,
  lacksMarket,
  orderId,
  statusOf,
} from './model.ts'
import type { RequestResult } from './order-index-state.ts'
import { follow, removeLeavers, unfollow } from './rules.ts'
import { bookSchema, marketUpdate } from './schemas.ts'
import { ASK, BID, Book, MarketFeed, Order, OrderRequest, type Side } from './state.ts'
import { depthOf, isEmptyBook } from './views.ts'

/*
 * The market feed: a snapshot of an exchange on subscription, then the changes of each tick, which
 * are rendered once for all followers of a base. Source: market.md section 6.
 */

/** Followers get the same update, so no units are marked as their own. */
const NO_OWN_UNITS: ReadonlyMap<string, number> = new Map()

function renderBook(view: WorldView, book: Row): Static<typeof bookSchema> {
  const item = view.read(Book).item[book]
  const good = GOODS[item]
  const levels = (side: Side) => depthOf(view, book, side, NO_OWN_UNITS, LEVELS_SHOWN_MAX).levels
  return {
    item_id: good.id,
    item_name: good.name,
    category: categoryOf(item),
    buy_orders: levels(BID),
    sell_orders: levels(ASK),
  }
}

/** Returns whether a feed shows a book: neither fuel nor contraband. Source: market.md 6. */
function isShown(view: WorldView, base: Eid, book: Row): boolean {
  const item = view.read(Book).item[book]
  return isTradeable(item) && !isFuel(item) && !isHiddenFromFeeds(view, base, item)
}

export const subscribeMarket = immediate({
  name: 'subscribe_market',
  v2: { tool: 'game_market', action: 'subscribe_market' },
  summary: 'Follow the exchange here: get all of it now, then changes by market_update.',
  category: 'trading',
  needs: [DOCKED],
  params: NO_PARAMS,
  result: named('SubscribeMarketResponse', {
    ...strings('action', 'base_id', 'base_name'),
    items: list(bookSchema),
    ...opt(strings('message')),
  }),
  errors: ['no_market', 'restarting'],
  run(world, player) {
    const { framing } = world.running
    const refusal = subscriptionRefusal(world, player, framing)
    if (refusal) return refusal
    const base = dockedBase(world, player)
    if (lacksMarket(world, base)) return fail('no_market')
    follow(world, player, base, framing)
    const name = baseName(world, base)
    const books = booksAt(world, base).filter(
      (book) => isShown(world, base, book) && !isEmptyBook(world, book),
    )
    return ok({
      action: 'subscribe_market',
      base_id: baseId(world, base),
      base_name: name,
      items: books.map((book) => renderBook(world, book)),
      message: `You now follow the market of ${name} until you undock.`,
    })
  },
})

export const unsubscribeMarket = immediate({
  name: 'unsubscribe_market',
  v2: { tool: 'game_market', action: 'unsubscribe_market' },
  summary: 'Stop following an exchange.',
  category: 'trading',
  needs: [],
  params: NO_PARAMS,
  result: named('UnsubscribeMarketResponse', strings('action', 'message')),
  errors: [],
  run(world, player) {
    const message = unfollow(world, player)
      ? 'You no longer follow a market.'
      : 'You were not following a market.'
    return ok({ action: 'unsubscribe_market', message })
  },
})

function notifyBase(world: World, base: Eid): void {
  const rows = followersOf(world, base)
  if (rows.length === 0) return
  const { changedTick } = world.read(Book)
  const books = booksAt(world, base).filter(
    (book) => changedTick[book] === world.tick && isShown(world, base, book),
  )
  if (books.length === 0) return
  const payload = {
    base_id: baseId(world, base),
    base_name: baseName(world, base),
    tick: world.tick,
  }
  const { item } = world.read(Book)
  const list = {
    name: 'items',
    about: payload.base_id,
    keys: books.map((book) => GOODS[item[book]].id),
    entry: (place: number) => renderBook(world, books[place]),
  } as const
  emitList(world, marketUpdate, payload, list, { kind: 'players', rows })
}

/** Sends followers the changes of the tick; runs after all systems that change an exchange. */
export const notifyFollowers: SystemDef = {
  name: 'market.tell',
  phase: 'settle',
  writes: [MarketFeed],
  run(world) {
    for (const base of followedBases(world)) {
      removeLeavers(world, base)
      notifyBase(world, base)
    }
  },
}

/** Order ids that mean all orders of the player at the base. */
const ALL = new Set(['all', '*'])
/** Returns whether an order id means all orders of the player at the base. */
export const meansAll = (id: string): boolean => ALL.has(id.toLowerCase())

/**
 * Finds an open order of the player or their faction at the base. Refusals: order_not_found (also
 * for an order at another base), not_your_order, no_permission (for an order of the faction if the
 * player may not manage its treasury).
 */
function ownOrder(world: World, { player, base }: Trader, id: string) {
  const number = seqOfWireId(world.seed, 'order', id)
  const row = number === 0 ? 0 : orderByNumber(world, number)
  const order = world.read(Order)
  if (row === 0 || world.read(Book).base[order.book[row]] !== base) {
    return fail('order_not_found', { order_id: id })
  }
  if (order.player[row] === player) return ok(row)
  const faction = order.faction[row]
  if (faction === 0 || factionOf(world, player) !== faction) {
    return fail('not_your_order', { order_id: id })
  }
  return permissionRefusal(world, player, 'manage_treasury') ?? ok(row)
}

/** Returns all orders of the player at the base, oldest first. */
export function ownOrdersAt(world: World, { player, base }: Trader): Row[] {
  const { book } = world.read(Order)
  const { base: baseOf } = world.read(Book)
  return ordersOf(world, player)
    .filter((row) => baseOf[book[row]] === base)
    .reverse()
}

const orderFields = (world: World, row: Row) => {
  const { book, side, faction, bucket } = world.read(Order)
  const fields = { order: row, side: side[row] as Side, item: world.read(Book).item[book[row]] }
  return faction[row] === 0 ? fields : { ...fields, faction: faction[row], bucket: bucket[row] }
}

/**
 * Makes a row of a modification. Refusals at once: invalid_payload, price_too_high, no_market,
 * service_restricted, order_not_found, not_your_order, no_permission, faction_no_credits; later
 * order_not_found, order_too_large, no_credits.
 */
export function modifyRow(world: World, trader: Trader, id: string, price: number) {
  const priced = checkPrice(price)
  if (!priced.ok) return priced
  // A new price may trade at once, so it needs what a new order needs.
  if (lacksMarket(world, trader.base)) return fail('no_market')
  const barred = serviceRefusal(world, trader.player, trader.base, 'market')
  if (barred) return barred
  const found = ownOrder(world, trader, id)
  if (!found.ok) return found
  const row = found.result
  const reserved = reserveFor(world, trader, row, price)
  if (reserved && !reserved.ok) return reserved
  const order_id = orderId(world, row)
  return enteredRow({
    ...(reserved ? { reserved: reserved.result } : {}),
    spec: { kind: 'modify', ...orderFields(world, row), units: 0, price, deliverTo: 'storage' },
    answer: (at, done) => modifiedAnswer(at, order_id, done),
  })
}

/** Reserves what a faction's order may cost at a new price; undefined for a player's order. */
function reserveFor(world: World, { player, base }: Trader, row: Row, price: number) {
  const faction = world.read(Order).faction[row]
  if (faction === 0) return undefined
  return reserveModification(world, { player, faction, base }, row, price)
}

function modifiedAnswer(world: World, order_id: string, { row }: RequestResult) {
  const status = statusOf(world, row)
  if (status !== 'ok') return requestFailure(world, row, status)
  const { oldPrice, price, fee } = world.read(OrderRequest)
  return ok({
    order_id,
    old_price: oldPrice[row],
    new_price: price[row],
    listing_fee: fee[row],
    message: modifiedMessage(world, row),
  })
}

function modifiedMessage(world: World, row: Row): string {
  const { price, filled, returnedUnits, listed } = world.read(OrderRequest)
  if (!isModified(world, row)) return 'The order has this price already.'
  const parts = [`The price is now ${price[row]}.`]
  if (filled[row] > 0) parts.push(`${counted(filled[row], 'unit')} traded at once.`)
  if (returnedUnits[row] > 0)
    parts.push(`Removed from the book: ${counted(returnedUnits[row], 'unit')}.`)
  if (listed[row] === 0) parts.push('No units of the order are left.')
  return parts.join(' ')
}

/** Makes a row of a cancellation. Refusals: order_not_found, not_your_order, no_permission. */
export function cancelRow(world: World, trader: Trader, id: string) {
  const found = ownOrder(world, trader, id)
  return found.ok ? cancelOrderRow(world, found.result) : found
}

/** Makes a row that cancels an order which the player may cancel. */
export function cancelOrderRow(world: World, row: Row) {
  const order_id = orderId(world, row)
  const fields = orderFields(world, row)
  return enteredRow({
    spec: { kind: 'cancel', ...fields, units: 0 },
    answer: (at, done) => cancelledAnswer(at, order_id, fields.item, done),
  })
}

function cancelledAnswer(world: World, order_id: string, item: number, { row }: RequestResult) {
  const status = statusOf(world, row)
  if (status !== 'ok') return requestFailure(world, row, status)
  const { returnedUnits, returnedCredits, side, faction } = world.read(OrderRequest)
  const isOfFaction = faction[row] !== 0
  const to = isOfFaction ? 'the store of the faction here' : 'your storage here'
  const { id: item_id, name: item_name } = GOODS[item]
  const units = returnedUnits[row]
  const credits = returnedCredits[row]
  return ok({
    order_id,
    ...(side[row] === ASK
      ? {
          returned_items: { item_id, item_name, quantity: units },
          delivered_to: isOfFaction ? 'faction' : 'storage',
        }
      : { returned_credits: credits }),
    ...(isOfFaction ? { faction_order: true } : {}),
    message:
      side[row] === BID
        ? `Cancelled the order; ${counted(credits, 'credit')} returned.`
        : `Cancelled the order; ${units} ${item_name} moved to ${to}.`,
  })
}
