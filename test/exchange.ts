/**
 * Requests to an exchange without commands and ticks: entered, worked out by the kernel and settled
 * at once on this thread.
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

/** What became of a request. */
interface Worked {
  readonly order: Row
  readonly filled: number
  readonly subtotal: number
  readonly tax: number
  readonly listed: number
  readonly fee: number
  /** Credits in escrow for what came to rest, tax included. */
  readonly escrowed: number
  readonly consolidated: boolean
}

function work(world: World, { player, base }: { player: Eid; base: Eid }, asked: RequestSpec) {
  let worked: Outcome<Worked> | undefined
  const command = enterCommand(world, {
    player,
    base,
    reply: (at, [done]) => {
      worked = resultOf(at, done, asked)
    },
  })
  enterRequest(world, command, asked)
  tradeNow(world)
  assert(worked, 'a request was not answered')
  return worked
}

function resultOf(
  world: World,
  { row }: RequestResult,
  { kind, side }: RequestSpec,
): Outcome<Worked> {
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
): Outcome<Worked> {
  const { price, units } = order
  const sized = checkSize(price, units)
  return sized.ok
    ? work(world, order, { kind: 'limit', goods: goodsOf(world, order), ...order })
    : sized
}

/** Buys or sells at any price. */
export function takeOffers(world: World, order: TestOrder, autoList = false): Outcome<Worked> {
  const { player, base, item } = order
  const room = deliveryRoom(world, player, base, item)
  const goods = goodsOf(world, order)
  if (order.side === ASK && goods < order.units) return fail('insufficient_items')
  return work(world, order, { kind: 'take', goods, room, autoList, ...order })
}

const heading = (world: World, order: Row) => {
  const { book, side, player } = world.read(Order)
  const { base, item } = world.read(Book)
  const at = { player: player[order], base: base[book[order]] }
  return { at, head: { order, side: side[order] as Side, item: item[book[order]], units: 0 } }
}

export function cancelOrder(world: World, order: Row): Outcome<Worked> {
  const { at, head } = heading(world, order)
  return work(world, at, { kind: 'cancel', ...head })
}

export function modifyOrder(world: World, order: Row, price: number): Outcome<Worked> {
  const { at, head } = heading(world, order)
  return work(world, at, { kind: 'modify', ...head, price })
}
