/**
 * One exchange book of the real world beside the plain model: an operation is done in both, then
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
  /** Credits of escrow, treasuries and goods before the first operation: the managers'. */
  readonly escrow: number
  readonly taxes: number
  readonly fees: number
}

export const realSide = (of: ModelSide): Side => (of === 'ask' ? ASK : BID)

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

/** What both answer, in one form: code, units filled and listed, credits of trades and tax. */
const answerText = (
  code: string,
  filled: number,
  listed: number,
  subtotal: number,
  tax: number,
): string => `${code}: ${filled} filled, ${listed} listed, ${subtotal} credits, ${tax} tax`

const REFUSED = [0, 0, 0, 0] as const

function realAnswer(at: Stage, op: Op, order: Row): string {
  const { small, base, item, players } = at
  const { world } = small
  const done = (() => {
    if (op.kind === 'cancel') return cancelOrder(world, order)
    if (op.kind === 'modify') return modifyOrder(world, order, op.price)
    const asked = {
      player: players[op.owner],
      base,
      item,
      units: op.units,
      side: realSide(op.side),
    }
    if (op.kind === 'limit') return placeOrder(world, { ...asked, price: op.price })
    return takeOffers(world, asked, op.autoList)
  })()
  if (!done.ok) return answerText(done.code, ...REFUSED)
  const { filled, listed, subtotal, tax } = done.result
  return answerText('ok', filled, listed, subtotal, tax)
}

function modelAnswer({ model }: Stage, op: Op, order: ModelOrder | undefined): string {
  const done = (() => {
    if (op.kind === 'limit') return placeLimit(model, op, op.price)
    if (op.kind === 'instant') return tradeInstantly(model, op, op.autoList)
    assert(order, 'an order to change')
    if (op.kind === 'modify') return modify(model, order, op.price)
    cancel(model, order)
    return { code: 'ok', filled: 0, listed: 0, subtotal: 0n, tax: 0n }
  })()
  const side = op.kind === 'cancel' ? 'ask' : op.kind === 'modify' ? order?.side : op.side
  if (done.code !== 'ok') return answerText(done.code, ...REFUSED)
  const tax = side === 'bid' ? Number(done.tax) : 0
  return answerText('ok', done.filled, done.listed, Number(done.subtotal), tax)
}

/** Does an operation in both; returns what both answered. */
export function perform(at: Stage, op: Op): string {
  const { small, model } = at
  const picked =
    op.kind === 'modify' || op.kind === 'cancel'
      ? model.orders[op.pick % Math.max(1, model.orders.length)]
      : undefined
  if ((op.kind === 'modify' || op.kind === 'cancel') && !picked) return 'nothing to change'
  const row = picked ? realOrder(at, picked) : 0
  const real = realAnswer(at, op, row)
  const modelled = modelAnswer(at, op, picked)
  assert(real === modelled, `${JSON.stringify(op)}: ${real}; the model: ${modelled}`)
  settle.run?.(small.world)
  small.world.recycle()
  small.world.outbox = emptyOutbox()
  return real
}

/** Returns the real order behind one of the model: of several at one price, the equally old one. */
function realOrder({ small, model, players, item, base }: Stage, order: ModelOrder): Row {
  const { world } = small
  const { side, price, book } = world.read(Order)
  const like = (one: ModelOrder): boolean =>
    one.owner === order.owner && one.side === order.side && one.price === order.price
  const place = model.orders.filter(like).indexOf(order)
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

/** Lots of a side from the best: owner, price and units. */
function realBook(at: Stage, of: ModelSide): string {
  const { world } = at.small
  const { first, worse, price } = world.read(Level)
  const lots = world.read(Lot)
  const { player } = world.read(Order)
  const book = bookOf(world, at.base, at.item)
  let found = ''
  if (book === 0) return found
  for (let level = bestLevel(world, book, realSide(of)); level !== 0; level = worse[level]) {
    for (let lot = first[level]; lot !== 0; lot = lots.next[lot]) {
      const who = at.players.indexOf(player[lots.order[lot]])
      found += `${who}: ${lots.units[lot]} at ${price[level]}\n`
    }
  }
  return found
}

const modelBook = (at: Stage, of: ModelSide): string =>
  sortedLots(at.model, of)
    .map(({ order, lot }) => `${order.owner}: ${lot.units} at ${order.price}\n`)
    .join('')

function same(real: number | string, modelled: number | string, what: string): void {
  assert(real === modelled, `${what}: ${real}, the model has ${modelled}`)
}

/** Checks the equations of market.md section 11, and compares everything with the model. */
export function compare(at: Stage): void {
  const { small, model, base, item, players } = at
  const { world } = small
  for (const [i, player] of players.entries()) {
    const { credits, items } = model.owners[i]
    same(balanceOf(world, walletOf(world, player)), Number(credits), `wallet ${i}`)
    same(sellableUnits(world, player, base, item), items, `goods of ${i}`)
  }
  for (const of of ['ask', 'bid'] as const) same(realBook(at, of), modelBook(at, of), of)
  let escrow = 0n
  let onOffer = 0
  for (const order of model.orders) {
    const resting = unitsLeft(order)
    if (order.side === 'ask') onOffer += resting
    else escrow += BigInt(resting) * BigInt(order.price) + order.tax
  }
  const { escrow: accounts } = world.read(Exchange)
  same(balanceOf(world, accounts[base]) - at.escrow, Number(escrow), 'escrow')
  same(unitsIn(world, world.read(Base).escrow[base], item), onOffer, 'goods on offer')
  const treasury = empireTreasury(world, empireOfBase(world, base))
  same(balanceOf(world, treasury) - at.taxes, Number(model.taxPaid), 'taxes')
  const fees = balanceOf(world, world.read(Base).treasury[base]) - at.fees
  same(fees, Number(model.feesPaid), 'fees')
}
