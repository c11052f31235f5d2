/**
 * Instant trades: the requests of buy and sell, their answers, and estimates. Source: market.md
 * sections 4, 5.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { type Details, ERRORS, type Failure, fail, ok } from '../../core/errors.ts'
import { NOTIONAL_CREDITS_MAX } from '../../core/limits.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { answerLater } from '../../core/pending.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { hasService } from '../base/model.ts'
import { isStorageNearlyFull } from '../cargo/model.ts'
import { factionOf } from '../faction/model.ts'
import { bookOf, storeBook } from './book-model.ts'
import { enterCommand, enterRequest } from './entry-rules.ts'
import { buyLimit } from './gift-model.ts'
import { matcher } from './match-kernels.ts'
import {
  deliveryRoom,
  endOf,
  hasRequestRoom,
  listStatusOf,
  orderId,
  playerCode,
  renderFills,
  type Status,
  salesTaxBps,
  sellableUnits,
  statusOf,
} from './model.ts'
import type { RequestResult, TradeXp } from './order-index-state.ts'
import type { DeliverTo } from './rules.ts'
import { ASK, BID, Book, Fill, type FillView, OrderRequest } from './state.ts'

interface InstantOrder {
  readonly player: Eid
  readonly base: Eid
  readonly item: number
  readonly units: number
  readonly deliverTo: DeliverTo
  readonly autoList: boolean
}

const tradeMessage = (verb: string, units: number, item: number, credits: number): string =>
  `${verb} ${units} ${GOODS[item].name} for ${counted(credits, 'credit')}.`

/**
 * Enters a purchase. Refusals: no_storage_service, limit_reached; later item_not_available,
 * no_credits, no_cargo_space.
 */
export function enterBuy(world: World, order: InstantOrder) {
  const { player, base, item, units, deliverTo, autoList } = order
  if (deliverTo === 'storage' && !hasService(world, base, 'storage')) {
    return fail('no_storage_service')
  }
  if (isStorageNearlyFull(world) || !hasRequestRoom(world, 1)) return fail('limit_reached')
  const command = enterCommand(world, {
    player,
    base,
    reply: (at, [done]) => answerLater(at, player, boughtAnswer(at, order, done)),
  })
  const room = deliverTo === 'storage' ? MAX_SAFE : deliveryRoom(world, player, base, item)
  const limit = buyLimit(world, player, { base, item, units })
  const spec = { kind: 'take', side: BID, item, units, limit, autoList, room, deliverTo } as const
  enterRequest(world, command, spec)
  return ok(null)
}

/**
 * Enters a sale, from the hold first and then from storage. Refusals: insufficient_items,
 * limit_reached; later no_buyers, amount_too_large.
 */
export function enterSell(world: World, order: InstantOrder) {
  const { player, base, item, units, autoList } = order
  const have = sellableUnits(world, player, base, item)
  if (have < units) {
    return fail('insufficient_items', { item_id: GOODS[item].id, need: units, have })
  }
  if (!hasRequestRoom(world, 1)) return fail('limit_reached')
  const command = enterCommand(world, {
    player,
    base,
    reply: (at, [done]) => answerLater(at, player, soldAnswer(at, order, done)),
  })
  enterRequest(world, command, { kind: 'take', side: ASK, item, units, autoList, goods: have })
  return ok(null)
}

/** Renders what happened to the units left over by an instant trade. */
function autoListed(world: World, order: InstantOrder, { row }: RequestResult) {
  const { filled, listed, listUnits, listPrice, side, restTax, fee, into } =
    world.read(OrderRequest)
  if (!order.autoList || filled[row] === order.units) return {}
  if (listUnits[row] === 0) return { message: 'The rest was not listed.' }
  const status = listStatusOf(world, row)
  if (status !== 'ok')
    return { message: `The rest was not listed: ${refusalMessage(world, row, status)}` }
  if (listed[row] === 0) return { message: 'The rest was not listed.' }
  const escrow = listed[row] * listPrice[row] + restTax[row]
  return {
    auto_listed: {
      order_id: orderId(world, into[row]),
      price_each: listPrice[row],
      quantity: listed[row],
      ...(side[row] === BID ? { escrow } : {}),
      listing_fee: fee[row],
    },
  }
}

/** Reasons why a purchase ended before all units were bought, by MATCH_ENDS. */
const SHORTFALLS = {
  filled: '',
  book: 'No more is offered here by others at a price that you may pay.',
  credits: 'You cannot afford the next unit.',
  room: 'Your hold has no room for more.',
  bound: 'One purchase can only take so many offers; buy again for the rest.',
} as const

function shortfall(world: World, { units }: InstantOrder, row: Row) {
  const missing = units - world.read(OrderRequest).filled[row]
  if (missing === 0) return {}
  const stopped_by = endOf(world, row)
  return { stopped_by, why: `${missing} were not bought. ${SHORTFALLS[stopped_by]}` }
}

function boughtAnswer(world: World, order: InstantOrder, done: RequestResult) {
  const { item, units } = order
  const status = statusOf(world, done.row)
  if (status !== 'ok') return requestFailure(world, done.row, status)
  const { filled, subtotal, tax } = world.read(OrderRequest)
  const bought = filled[done.row]
  const cost = subtotal[done.row] + tax[done.row]
  const { message, ...listed } = autoListed(world, order, done)
  const { why, ...stopped } = shortfall(world, order, done.row)
  const taxPart = tax[done.row] === 0 ? undefined : `This includes ${tax[done.row]} sales tax.`
  const parts = [tradeMessage('Bought', bought, item, cost), taxPart, why, message]
  return ok({
    action: 'buy',
    item: GOODS[item].name,
    item_id: GOODS[item].id,
    fills: done.fills,
    quantity: bought,
    total_cost: cost,
    unfilled: units - bought,
    delivered_to_cargo: done.delivered.toCargo,
    delivered_to_storage: done.delivered.toStorage,
    xp_gained: done.xp?.trading ?? 0,
    level_up: done.xp?.levelUp ?? false,
    ...stopped,
    ...listed,
    message: parts.filter((part) => part !== undefined).join(' '),
  })
}

function soldAnswer(world: World, order: InstantOrder, done: RequestResult) {
  const { item, units } = order
  const status = statusOf(world, done.row)
  if (status !== 'ok') return requestFailure(world, done.row, status)
  const { filled, subtotal } = world.read(OrderRequest)
  const sold = filled[done.row]
  const { message, ...listed } = autoListed(world, order, done)
  const sale = tradeMessage('Sold', sold, item, subtotal[done.row])
  return ok({
    action: 'sell',
    item: GOODS[item].name,
    item_id: GOODS[item].id,
    fills: done.fills,
    quantity_sold: sold,
    total_earned: subtotal[done.row],
    unsold: units - sold,
    xp_gained: done.xp?.trading ?? 0,
    level_up: done.xp?.levelUp ?? false,
    skill_level: done.xp?.tradingLevel ?? 0,
    ...smugglingFields(done.xp),
    ...listed,
    message: message === undefined ? sale : `${sale} ${message}`,
  })
}

const smugglingFields = (xp: TradeXp | undefined) =>
  xp?.isSmuggling ? { smuggling_xp: xp.smuggling, smuggling_level_up: xp.smugglingLevelUp } : {}

interface Estimate {
  readonly available: number
  readonly fills: FillView[]
  readonly subtotal: number
  readonly tax: number
  readonly bps: number
  readonly unfilled: number
}

/** The request row that estimates are computed in: no command uses it between ticks. */
const ESTIMATE_ROW = 1

/**
 * Estimates what this many units would cost now, without own asks and up to the price at which the
 * player may buy. The player's credits and room are not considered.
 */
export function estimateBuy(
  view: WorldView,
  player: Eid,
  base: Eid,
  item: number,
  units: number,
): Estimate {
  const bps = salesTaxBps(view, player, base)
  const row = ESTIMATE_ROW
  const request = view.kernelColumns.of(OrderRequest)
  const match = matcher(view.kernelColumns)
  const book = bookOf(view, base, item)
  const faction = factionOf(view, player)
  const other = faction === 0 ? 0 : storeBook(view, base, faction, item)
  const estimate = (wanted: number) => {
    for (const column of Object.values(request)) column[row] = 0
    request.side[row] = BID
    request.limit[row] = buyLimit(view, player, { base, item, units })
    request.base[row] = base
    request.book[row] = book
    request.otherBook[row] = other
    request.owner[row] = playerCode(player)
    request.taxBps[row] = bps
    request.credits[row] = MAX_SAFE
    request.room[row] = MAX_SAFE
    request.firstFill[row] = 1
    request.fillsEnd[row] = rowsOf(Fill, view.maxEntities) + 1
    if (book !== 0 || other !== 0) match(row, wanted, 0)
    return request.filled[row]
  }
  const available = estimate(MAX_SAFE)
  const filled = estimate(units)
  return {
    available,
    fills: renderFills(view, row),
    subtotal: request.subtotal[row],
    tax: request.tax[row],
    bps,
    unfilled: units - filled,
  }
}

type RefusedStatus = Exclude<Status, 'ok'>

/** Errors of a request that the kernel refuses. */
export type RequestError =
  | Exclude<RefusedStatus, 'nothing_offered'>
  | 'faction_no_credits'
  | 'item_not_available'
  | 'no_buyers'

/* Refusals: the kernel's status as an error code with its details. */

function codeOf(view: WorldView, row: Row, status: RefusedStatus): RequestError {
  const isOfFaction = view.read(OrderRequest).faction[row] !== 0
  if (status === 'no_credits' && isOfFaction) return 'faction_no_credits'
  if (status !== 'nothing_offered') return status
  return view.read(OrderRequest).side[row] === BID ? 'item_not_available' : 'no_buyers'
}

function detailsOf(view: WorldView, row: Row, status: RefusedStatus): Details {
  const request = view.read(OrderRequest)
  const item_id = GOODS[view.read(Book).item[request.book[row]]].id
  if (status === 'insufficient_items')
    return { item_id, need: request.need[row], have: request.goods[row] }
  if (status === 'order_not_found') return { order_id: orderId(view, request.order[row]) }
  if (status === 'order_too_large') return { max_value: NOTIONAL_CREDITS_MAX }
  if (status !== 'no_credits') return { item_id }
  const have = request.credits[row]
  if (request.need[row] > 0) return { need: request.need[row], have }
  const rate = request.taxBps[row]
  return { have, price_each: request.best[row], sales_tax_rate_bps: rate }
}

const refusalMessage = (view: WorldView, row: Row, status: RefusedStatus): string =>
  ERRORS[codeOf(view, row, status)].message

/** Returns the failure for a request that the kernel refused. */
export const requestFailure = (
  view: WorldView,
  row: Row,
  status: RefusedStatus,
): Failure<RequestError> => fail(codeOf(view, row, status), detailsOf(view, row, status))
