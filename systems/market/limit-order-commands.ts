/**
 * Order commands: their rows, requests and answers, and rows of limit orders. Source: market.md
 * sections 1-5.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { LATER } from '../../core/command.ts'
import {
  type ErrorCode,
  type Failure,
  fail,
  invalidFields,
  type Outcome,
  ok,
} from '../../core/errors.ts'
import {
  LIST_ROWS_MAX,
  NOTIONAL_CREDITS_MAX,
  ORDER_UNITS_MAX,
  PRICE_CREDITS_MAX,
} from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { answerLater } from '../../core/pending.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal } from '../account/giving-model.ts'
import { hasService } from '../base/model.ts'
import { isStorageNearlyFull } from '../cargo/model.ts'
import { enterCommand, enterRequest, type RequestSpec } from './entry-rules.ts'
import { giftInOrder } from './gift-model.ts'
import { type RequestError, requestFailure } from './instant-trade-commands.ts'
import { salesTax } from './match-kernels.ts'
import { findTradeableItem, hasRequestRoom, listStatusOf, orderId, sellableUnits } from './model.ts'
import type { RequestResult } from './order-index-state.ts'
import type { DeliverTo } from './rules.ts'
import { ASK, BID, OrderRequest, type Side } from './state.ts'

/*
 * Order commands have one row or a list of rows: each row succeeds or fails on its own, in the
 * order given. Source: market.md sections 0, 1.
 */

/** A row of a command that was not refused at once: its request, and how it is answered. */
interface EnteredRow {
  readonly ok: true
  readonly spec: RequestSpec
  /** What was reserved for a row of a faction. */
  readonly reserved?: Reserved
  answer(world: World, done: RequestResult): Outcome<object, RequestError>
}
/** Makes a row that was not refused at once. */
export const enteredRow = (row: Omit<EnteredRow, 'ok'>): EnteredRow => ({ ok: true, ...row })

/** What is reserved of a treasury and a store for a row. */
export interface Reserved {
  readonly credits: number
  /** Units of the item. */
  readonly goods: number
}

interface OrderCommand<E extends ErrorCode, A extends string> {
  readonly action: A
  readonly player: Eid
  readonly base: Eid
  /** True if the answer is a list, whatever the number of rows. */
  readonly isBulk: boolean
  /** The rows, refused at once or to be entered. */
  readonly rows: readonly (Failure<E> | EnteredRow)[]
}

/**
 * Returns the rows of a command: those of its list, or the single one of its own parameters. `own`
 * are the parameters that a single one needs.
 */
export function requestedRows<R>(
  [list, listed]: readonly [name: string, rows: readonly R[] | undefined],
  single: R | undefined,
  own: Readonly<Record<string, unknown>>,
): Outcome<readonly R[], 'invalid_payload'> {
  if (listed === undefined && single === undefined) {
    const missing = Object.keys(own).filter((name) => own[name] === undefined)
    return invalidFields(
      ...missing.map((field) => ({ field, expected: `given, or ${list} instead` })),
    )
  }
  const rows = listed ?? [single as R]
  if (rows.length < 1 || rows.length > LIST_ROWS_MAX) {
    return invalidFields({ field: list, expected: `a list of 1 to ${LIST_ROWS_MAX} rows` })
  }
  return ok(rows)
}

/** Renders the answer of one row in a list. */
const listEntry = (index: number, outcome: Outcome<object>) =>
  outcome.ok
    ? { index, success: true, ...outcome.result }
    : { index, success: false, error_code: outcome.code, error: outcome.message }

function answerOf<E extends ErrorCode, A extends string>(
  { action, isBulk }: Pick<OrderCommand<E, A>, 'action' | 'isBulk'>,
  outcomes: readonly Outcome<object, E>[],
) {
  if (!isBulk) {
    const [only] = outcomes
    return only.ok ? ok({ action, kind: 'single' as const, ...only.result }) : only
  }
  const succeeded = outcomes.filter((outcome) => outcome.ok).length
  const failed = outcomes.length - succeeded
  return ok({
    action,
    kind: 'bulk' as const,
    mode: 'bulk' as const,
    results: outcomes.map((outcome, index) => listEntry(index, outcome)),
    summary: { total: outcomes.length, succeeded, failed },
  })
}

/**
 * Gives a faction's row what was reserved for all rows of the command; what a row leaves of it, the
 * kernel carries over to the next.
 */
function withReserved({ spec, reserved }: EnteredRow, rows: readonly EnteredRow[]): RequestSpec {
  if (!reserved) return spec
  let credits = 0
  let goods = 0
  for (const { spec: other, reserved: held } of rows) {
    if (!held) continue
    credits += held.credits
    if (other.item === spec.item && other.bucket === spec.bucket) goods += held.goods
  }
  return { ...spec, credits, goods }
}

/**
 * Enters the rows that were not refused; the answer is sent once they have been processed. Refusal:
 * limit_reached (no more requests fit in this tick).
 */
export function enterRows<E extends ErrorCode, A extends string>(
  world: World,
  command: OrderCommand<E, A>,
) {
  const { player, base, rows } = command
  const entered = rows.filter((row) => row.ok)
  if (entered.length === 0) return answerOf(command, rows as readonly Failure<E>[])
  if (!hasRequestRoom(world, entered.length)) return fail('limit_reached')
  const requests = enterCommand(world, {
    player,
    base,
    reply(at, done) {
      let next = 0
      const outcomes = rows.map((row) => (row.ok ? row.answer(at, done[next++]) : row))
      assert(next === done.length, 'a request was not answered')
      answerLater(at, player, answerOf<ErrorCode, A>(command, outcomes))
    },
  })
  for (const row of entered) enterRequest(world, requests, withReserved(row, entered))
  return LATER
}

/**
 * Enters rows of orders with prices. Those that, together with the rows before them, give away more
 * than the player may are refused: trading_restricted.
 */
export function enterPrices<E extends ErrorCode, A extends string>(
  world: World,
  command: OrderCommand<E, A>,
) {
  const { player, base } = command
  let given = 0
  const rows = command.rows.map((row) => {
    if (!row.ok) return row
    const worth = given + giftInOrder(world, base, row.spec)
    const refused = worth > given ? allowanceRefusal(world, player, worth) : undefined
    if (!refused) given = worth
    return refused ?? row
  })
  return enterRows<E | 'trading_restricted', A>(world, { ...command, rows })
}

/** A player who places an order at a base. */
export interface Trader {
  readonly player: Eid
  readonly base: Eid
}

/** A limit order as a player requests it. */
export interface LimitOrder {
  readonly item_id: string
  readonly quantity: number
  readonly price_each: number
  readonly deliver_to?: DeliverTo
}

/** Checks a price. Refusals: invalid_payload, price_too_high. Source: market.md section 1. */
export function checkPrice(price: number) {
  if (price > PRICE_CREDITS_MAX) return fail('price_too_high', { max: PRICE_CREDITS_MAX })
  return price < 1 ? invalidFields({ field: 'price_each', expected: '1 or more' }) : ok(null)
}

/**
 * Checks price and quantity. Refusals: invalid_payload, price_too_high, order_too_large. Source:
 * market.md section 1.
 */
export function checkSize(price: number, units: number) {
  const priced = checkPrice(price)
  if (!priced.ok) return priced
  if (units < 1) return invalidFields({ field: 'quantity', expected: '1 or more' })
  if (units > ORDER_UNITS_MAX) return fail('order_too_large', { max_quantity: ORDER_UNITS_MAX })
  if (price > divFloor(NOTIONAL_CREDITS_MAX, units)) {
    return fail('order_too_large', { max_value: NOTIONAL_CREDITS_MAX })
  }
  return ok(null)
}

/**
 * Makes a row of a limit order. Refusals at once: no_market, unknown_item, quest_item,
 * not_tradeable, contraband_restricted, invalid_payload, price_too_high, order_too_large,
 * no_storage_service, limit_reached; later no_credits, insufficient_items, listing_limit_reached.
 */
export function limitRow(view: WorldView, trader: Trader, side: Side, order: LimitOrder) {
  const { player, base } = trader
  const { quantity: units, price_each: price, deliver_to: deliverTo } = order
  const found = findTradeableItem(view, base, {
    player,
    text: order.item_id,
    selling: side === ASK,
  })
  if (!found.ok) return found
  const sized = checkSize(price, units)
  if (!sized.ok) return sized
  if (deliverTo === 'storage' && !hasService(view, base, 'storage')) {
    return fail('no_storage_service')
  }
  if (isStorageNearlyFull(view)) return fail('limit_reached')
  const item = found.result
  const goods = side === ASK ? sellableUnits(view, player, base, item) : 0
  return enteredRow({
    spec: { kind: 'limit', side, item, units, price, goods, deliverTo },
    answer: (world, done) => limitAnswer(world, { item, units, price, side }, done),
  })
}

interface Placing {
  readonly item: number
  readonly units: number
  readonly price: number
  readonly side: Side
}

function limitAnswer(world: World, placing: Placing, done: RequestResult) {
  const status = listStatusOf(world, done.row)
  if (status !== 'ok') return requestFailure(world, done.row, status)
  const { item, units, price, side } = placing
  const { into, filled, listed, cleared, fee, consolidated } = world.read(OrderRequest)
  const { row, fills } = done
  const left = units - filled[row] - cleared[row] - listed[row]
  return ok({
    item: GOODS[item].name,
    item_id: GOODS[item].id,
    quantity: units,
    price_each: price,
    ...(into[row] === 0 ? {} : { order_id: orderId(world, into[row]) }),
    quantity_filled: filled[row],
    quantity_listed: listed[row],
    ...(left > 0 ? { quantity_not_listed: left } : {}),
    listing_fee: fee[row],
    ...(consolidated[row] === 1 ? { consolidated: true } : {}),
    ...(cleared[row] > 0 ? { self_cleared: cleared[row] } : {}),
    fills,
    ...(side === BID ? boughtFields(world, placing, done) : soldFields(world, done)),
    message: limitOrderMessage(world, placing, row),
  })
}

/** Renders a buyer's credits; `total_escrowed` is the cost of the whole order at its price. */
function boughtFields(
  world: World,
  { units, price }: Placing,
  { row, delivered }: RequestResult,
): object {
  const { subtotal, tax, listed, restTax, taxBps, cleared, filled } = world.read(OrderRequest)
  const worth = units * price
  const total = worth + salesTax(worth, taxBps[row])
  const spent = subtotal[row] + tax[row]
  const remaining = listed[row] * price + restTax[row]
  const refunded = Math.max(0, total - spent - remaining)
  return {
    total_escrowed: total,
    remaining_escrowed: remaining,
    escrow_refunded: refunded,
    total_spent: spent,
    ...(filled[row] > 0
      ? { delivered_to_cargo: delivered.toCargo, delivered_to_storage: delivered.toStorage }
      : {}),
    ...(cleared[row] > 0 ? { self_clear_returned: cleared[row] } : {}),
  }
}

function soldFields(world: World, { row, taken, xp }: RequestResult): object {
  const { subtotal, cleared, clearedCredits } = world.read(OrderRequest)
  return {
    total_earned: subtotal[row],
    from_cargo: taken.fromCargo,
    from_storage: taken.fromStorage,
    ...(cleared[row] > 0
      ? { returned_to_storage: cleared[row], self_clear_refund: clearedCredits[row] }
      : {}),
    ...(xp?.isSmuggling
      ? { smuggling_xp: xp.smuggling, smuggling_level_up: xp.smugglingLevelUp }
      : {}),
  }
}

function limitOrderMessage(world: World, { item, side, price }: Placing, row: number): string {
  const { filled, listed } = world.read(OrderRequest)
  const name = GOODS[item].name
  const parts: string[] = []
  if (filled[row] > 0) parts.push(`${side === BID ? 'Bought' : 'Sold'} ${filled[row]} ${name}.`)
  if (listed[row] > 0) parts.push(`Listed ${listed[row]} ${name} at ${price} each.`)
  if (parts.length === 0) parts.push('Only your own orders matched; nothing was traded.')
  return parts.join(' ')
}
