/**
 * Sends requests to an exchange without commands and ticks: the kernel works them out on this
 * thread, and they are settled at once.
 */
import { assert } from '../core/assert.ts'
import { fail, type Outcome, ok } from '../core/errors.ts'
import type { Eid, Row, World } from '../core/types.ts'
import { tradeNow } from '../systems/market/adopt-rules.ts'
import { enterCommand, enterRequest, type RequestSpec } from '../systems/market/entry-rules.ts'
import { requestFailure } from '../systems/market/instant-trade-commands.ts'
import { checkSize } from '../systems/market/limit-order-commands.ts'
import { deliveryRoom, listStatusOf, sellableUnits, statusOf } from '../systems/market/model.ts'
import type { RequestResult } from '../systems/market/order-index-state.ts'
import type { DeliverTo } from '../systems/market/rules.ts'
import { ASK, BID, Book, Order, OrderRequest, type Side } from '../systems/market/state.ts'

interface TestOrder {
  readonly player: Eid
  readonly base: Eid
  readonly item: number
  readonly side: Side
  readonly units: number
  readonly deliverTo?: DeliverTo
}

/** The result of a request. */
interface Traded {
  readonly order: Row
  readonly filled: number
  readonly subtotal: number
  readonly tax: number
  readonly listed: number
  readonly fee: number
  /** Credits in escrow for the part that rests as an order, tax included. */
  readonly escrowed: number
  readonly consolidated: boolean
}

function runRequest(world: World, { player, base }: { player: Eid; base: Eid }, spec: RequestSpec) {
  let outcome: Outcome<Traded> | undefined
  const command = enterCommand(world, {
    player,
    base,
    reply: (settledWorld, [result]) => {
      outcome = resultOf(settledWorld, result, spec)
    },
  })
  enterRequest(world, command, spec)
  tradeNow(world)
  assert(outcome, 'a request was not answered')
  return outcome
}

function resultOf(
  world: World,
  { row }: RequestResult,
  { kind, side }: RequestSpec,
): Outcome<Traded> {
  const status = kind === 'limit' ? listStatusOf(world, row) : statusOf(world, row)
  if (status !== 'ok') return requestFailure(world, row, status)
  const request = world.read(OrderRequest)
  const rest = request.listed[row] * request.listPrice[row] + request.restTax[row]
  return ok({
    order: request.into[row],
    filled: request.filled[row],
    subtotal: request.subtotal[row],
    tax: request.tax[row],
    listed: request.listed[row],
    fee: request.fee[row],
    escrowed: side === BID ? rest : 0,
    consolidated: request.consolidated[row] === 1,
  })
}

const goodsOf = (world: World, { player, base, item, side }: TestOrder): number =>
  side === ASK ? sellableUnits(world, player, base, item) : 0

export function placeOrder(
  world: World,
  order: TestOrder & { readonly price: number },
): Outcome<Traded> {
  const { price, units } = order
  const sized = checkSize(price, units)
  return sized.ok
    ? runRequest(world, order, { kind: 'limit', goods: goodsOf(world, order), ...order })
    : sized
}

/** Buys or sells at any price. */
export function takeOffers(world: World, order: TestOrder, autoList = false): Outcome<Traded> {
  const { player, base, item } = order
  const room = deliveryRoom(world, player, base, item)
  const goods = goodsOf(world, order)
  if (order.side === ASK && goods < order.units) return fail('insufficient_items')
  return runRequest(world, order, { kind: 'take', goods, room, autoList, ...order })
}

/** Returns who owns an order and where, and the parts of a request about it. */
const describeOrder = (world: World, order: Row) => {
  const { book, side, player } = world.read(Order)
  const { base, item } = world.read(Book)
  const owner = { player: player[order], base: base[book[order]] }
  const spec = { order, side: side[order] as Side, item: item[book[order]], units: 0 }
  return { owner, spec }
}

export function cancelOrder(world: World, order: Row): Outcome<Traded> {
  const { owner, spec } = describeOrder(world, order)
  return runRequest(world, owner, { kind: 'cancel', ...spec })
}

export function modifyOrder(world: World, order: Row, price: number): Outcome<Traded> {
  const { owner, spec } = describeOrder(world, order)
  return runRequest(world, owner, { kind: 'modify', ...spec, price })
}
