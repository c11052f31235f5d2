/**
 * Compares one order book of the real world with the plain model: each operation runs in both, then
 * everything is compared. Source: market.md sections 4, 11.
 */
import { assert } from '../../core/assert.ts'
import { GOODS } from '../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row } from '../../core/types.ts'
import { emptyOutbox } from '../../core/world.ts'
import { walletOf } from '../../systems/account/model.ts'
import { EMPIRES_WIDTH, Player } from '../../systems/account/state.ts'
import { empireOfBase, empireTreasury } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { openLocker } from '../../systems/cargo/model.ts'
import { bestLevel, bookOf, ordersOf } from '../../systems/market/book-model.ts'
import { listingFeeBps, salesTaxBps, sellableUnits } from '../../systems/market/model.ts'
import { ASK, BID, Exchange, Level, Lot, Order, type Side } from '../../systems/market/state.ts'
import { settle } from '../../systems/market/systems.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { cancelOrder, modifyOrder, placeOrder, takeOffers } from '../exchange.ts'
import { type SmallWorld, smallWorld } from '../small-world.ts'
import {
  cancel,
  createModel,
  type MarketModel,
  type ModelOrder,
  type ModelOwner,
  type ModelSide,
  modify,
  placeLimit,
  sortedLots,
  tradeInstantly,
  unitsLeft,
} from './market-model.ts'

/** Different origins, so different sales taxes; the last one loses their citizenship. */
const ORIGINS = ['solarian', 'voidborn', 'crimson', 'nebula', 'solarian', 'solarian'] as const
export const OWNERS = ORIGINS.length

export interface Means {
  readonly credits: number
  readonly items: number
}

export type Op =
  | { kind: 'limit'; owner: number; side: ModelSide; price: number; units: number }
  | { kind: 'instant'; owner: number; side: ModelSide; units: number; autoList: boolean }
  | { kind: 'modify'; pick: number; price: number }
  | { kind: 'cancel'; pick: number }

interface Stage {
  readonly small: SmallWorld
  readonly base: Eid
  readonly item: number
  readonly players: readonly Eid[]
  readonly model: MarketModel
  /** Credits in escrow, taxes and fees before the first operation: those of the managers. */
  readonly escrow: number
  readonly taxes: number
  readonly fees: number
}

export const realSide = (side: ModelSide): Side => (side === 'ask' ? ASK : BID)

/** Makes six traders of equal means at one base, and an empty order book. */
export async function openStage(means: Means): Promise<Stage> {
  const small = await smallWorld()
  const { world } = small
  const players = ORIGINS.map((origin, i) => small.join(`Trader ${i}`, origin))
  const base = dockedBase(world, players[0])
  const item = GOODS.findIndex((_, index) => bookOf(world, base, index) === 0)
  const last = players[5]
  world.write(Player).citizenSinceMs.fill(0, last * EMPIRES_WIDTH, (last + 1) * EMPIRES_WIDTH)
  const owners = players.map((player): ModelOwner => {
    const wallet = walletOf(world, player)
    post(world, wallet, namedAccount('starting_grant'), balanceOf(world, wallet))
    post(world, namedAccount('starting_grant'), wallet, means.credits)
    moveItems(world, namedContainer('supply'), openLocker(world, player, base), item, means.items)
    return {
      credits: BigInt(means.credits),
      items: means.items,
      taxBps: salesTaxBps(world, player, base),
    }
  })
  return {
    small,
    base,
    item,
    players,
    model: createModel(owners, listingFeeBps(world, base)),
    escrow: balanceOf(world, world.read(Exchange).escrow[base]),
    taxes: balanceOf(world, empireTreasury(world, empireOfBase(world, base))),
    fees: balanceOf(world, world.read(Base).treasury[base]),
  }
}

/** Returns an answer of either as text: code, units filled and listed, credits of trades, tax. */
const answerText = (
  code: string,
  filled: number,
  listed: number,
  subtotal: number,
  tax: number,
): string => `${code}: ${filled} filled, ${listed} listed, ${subtotal} credits, ${tax} tax`

const REFUSED = [0, 0, 0, 0] as const

function realAnswer(stage: Stage, op: Op, order: Row): string {
  const { small, base, item, players } = stage
  const { world } = small
  const outcome = (() => {
    if (op.kind === 'cancel') return cancelOrder(world, order)
    if (op.kind === 'modify') return modifyOrder(world, order, op.price)
    const request = {
      player: players[op.owner],
      base,
      item,
      units: op.units,
      side: realSide(op.side),
    }
    if (op.kind === 'limit') return placeOrder(world, { ...request, price: op.price })
    return takeOffers(world, request, op.autoList)
  })()
  if (!outcome.ok) return answerText(outcome.code, ...REFUSED)
  const { filled, listed, subtotal, tax } = outcome.result
  return answerText('ok', filled, listed, subtotal, tax)
}

/** Returns the side on which an operation trades; undefined if it does not trade. */
function sideOf(op: Op, order: ModelOrder | undefined): ModelSide | undefined {
  if (op.kind === 'modify') return order?.side
  return op.kind === 'cancel' ? undefined : op.side
}

function modelAnswer({ model }: Stage, op: Op, order: ModelOrder | undefined): string {
  const outcome = (() => {
    if (op.kind === 'limit') return placeLimit(model, op, op.price)
    if (op.kind === 'instant') return tradeInstantly(model, op, op.autoList)
    assert(order, 'an order to change')
    if (op.kind === 'modify') return modify(model, order, op.price)
    cancel(model, order)
    return { code: 'ok', filled: 0, listed: 0, subtotal: 0n, tax: 0n }
  })()
  if (outcome.code !== 'ok') return answerText(outcome.code, ...REFUSED)
  const tax = sideOf(op, order) === 'bid' ? Number(outcome.tax) : 0
  return answerText('ok', outcome.filled, outcome.listed, Number(outcome.subtotal), tax)
}

/** Runs an operation in both; returns what both answered. */
export function perform(stage: Stage, op: Op): string {
  const { small, model } = stage
  const picked =
    op.kind === 'modify' || op.kind === 'cancel'
      ? model.orders[op.pick % Math.max(1, model.orders.length)]
      : undefined
  if ((op.kind === 'modify' || op.kind === 'cancel') && !picked) return 'nothing to change'
  const row = picked ? realOrder(stage, picked) : 0
  const real = realAnswer(stage, op, row)
  const modelled = modelAnswer(stage, op, picked)
  assert(real === modelled, `${JSON.stringify(op)}: ${real}; the model: ${modelled}`)
  settle.run?.(small.world)
  small.world.recycle()
  small.world.outbox = emptyOutbox()
  return real
}

/** Returns the real order of a model order: among several at one price, that of the same age. */
function realOrder({ small, model, players, item, base }: Stage, order: ModelOrder): Row {
  const { world } = small
  const { side, price, book } = world.read(Order)
  const isAlike = (other: ModelOrder): boolean =>
    other.owner === order.owner && other.side === order.side && other.price === order.price
  const place = model.orders.filter(isAlike).indexOf(order)
  const home = bookOf(world, base, item)
  const rows = ordersOf(world, players[order.owner])
    .filter(
      (row) =>
        book[row] === home && side[row] === realSide(order.side) && price[row] === order.price,
    )
    .reverse()
  assert(rows[place], 'the order of the model rests in the real book')
  return rows[place]
}

/** Lists the lots of a side, the best first: owner, units and price. */
function realBook(stage: Stage, side: ModelSide): string {
  const { world } = stage.small
  const { first, worse, price } = world.read(Level)
  const lots = world.read(Lot)
  const { player } = world.read(Order)
  const book = bookOf(world, stage.base, stage.item)
  let found = ''
  if (book === 0) return found
  for (let level = bestLevel(world, book, realSide(side)); level !== 0; level = worse[level]) {
    for (let lot = first[level]; lot !== 0; lot = lots.next[lot]) {
      const owner = stage.players.indexOf(player[lots.order[lot]])
      found += `${owner}: ${lots.units[lot]} at ${price[level]}\n`
    }
  }
  return found
}

const modelBook = (stage: Stage, side: ModelSide): string =>
  sortedLots(stage.model, side)
    .map(({ order, lot }) => `${order.owner}: ${lot.units} at ${order.price}\n`)
    .join('')

function expectSame(real: number | string, modelled: number | string, what: string): void {
  assert(real === modelled, `${what}: ${real}, the model has ${modelled}`)
}

/** Checks the equations of market.md section 11, and compares everything with the model. */
export function compare(stage: Stage): void {
  const { small, model, base, item, players } = stage
  const { world } = small
  for (const [i, player] of players.entries()) {
    const { credits, items } = model.owners[i]
    expectSame(balanceOf(world, walletOf(world, player)), Number(credits), `wallet ${i}`)
    expectSame(sellableUnits(world, player, base, item), items, `goods of ${i}`)
  }
  for (const side of ['ask', 'bid'] as const) {
    expectSame(realBook(stage, side), modelBook(stage, side), side)
  }
  let escrow = 0n
  let onOffer = 0
  for (const order of model.orders) {
    const resting = unitsLeft(order)
    if (order.side === 'ask') onOffer += resting
    else escrow += BigInt(resting) * BigInt(order.price) + order.tax
  }
  const { escrow: accounts } = world.read(Exchange)
  expectSame(balanceOf(world, accounts[base]) - stage.escrow, Number(escrow), 'escrow')
  expectSame(unitsIn(world, world.read(Base).escrow[base], item), onOffer, 'goods on offer')
  const treasury = empireTreasury(world, empireOfBase(world, base))
  expectSame(balanceOf(world, treasury) - stage.taxes, Number(model.taxPaid), 'taxes')
  const fees = balanceOf(world, world.read(Base).treasury[base]) - stage.fees
  expectSame(fees, Number(model.feesPaid), 'fees')
}
