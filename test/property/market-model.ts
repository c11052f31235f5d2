/**
 * A plain model of one exchange book: arrays and objects, exact integers, written from market.md
 * sections 1-4 alone. The property test runs it next to the real book and compares everything after
 * each operation.
 */
export type ModelSide = 'ask' | 'bid'

export interface ModelOwner {
  credits: bigint
  /** Units held outside the book. */
  items: number
  readonly taxBps: number
}

interface ModelLot {
  units: number
  seq: number
}

export interface ModelOrder {
  readonly owner: number
  readonly side: ModelSide
  price: number
  lots: ModelLot[]
  /** Credits held for sales tax. */
  tax: bigint
}

interface ModelResult {
  code: string
  filled: number
  subtotal: bigint
  tax: bigint
  listed: number
}

export interface MarketModel {
  readonly owners: ModelOwner[]
  readonly feeBps: number
  orders: ModelOrder[]
  taxPaid: bigint
  feesPaid: bigint
  lotSeq: number
}

/** What an owner requests of the book; a price, if any, is passed separately. */
interface ModelRequest {
  readonly owner: number
  readonly side: ModelSide
  readonly units: number
}

interface Step {
  readonly order: ModelOrder
  readonly lot: ModelLot
  readonly units: number
}

const LOTS_PER_ORDER = 50
const ORDERS_PER_OWNER = 200
const NOTIONAL = 4_000_000_000_000_000n

export const createModel = (owners: ModelOwner[], feeBps: number): MarketModel => ({
  owners,
  feeBps,
  orders: [],
  taxPaid: 0n,
  feesPaid: 0n,
  lotSeq: 0,
})

const opposite = (side: ModelSide): ModelSide => (side === 'ask' ? 'bid' : 'ask')
const worth = (units: number, price: number): bigint => BigInt(units) * BigInt(price)
const taxOn = (amount: bigint, bps: number): bigint => (amount * BigInt(bps)) / 10_000n
const feeOn = (amount: bigint, bps: number): bigint => (amount * BigInt(bps) + 9_999n) / 10_000n

const emptyResult = (code: string): ModelResult => ({
  code,
  filled: 0,
  subtotal: 0n,
  tax: 0n,
  listed: 0,
})

export const unitsLeft = (order: ModelOrder): number =>
  order.lots.reduce((sum, lot) => sum + lot.units, 0)

/** Returns the lots of a side as the book sorts them. */
export function sortedLots(model: MarketModel, side: ModelSide) {
  const lots = model.orders
    .filter((order) => order.side === side)
    .flatMap((order) => order.lots.map((lot) => ({ order, lot })))
  const sign = side === 'ask' ? 1 : -1
  return lots.sort((a, b) => sign * (a.order.price - b.order.price) || a.lot.seq - b.lot.seq)
}

export function tradeInstantly(
  model: MarketModel,
  request: ModelRequest,
  autoList: boolean,
): ModelResult {
  const { owner, side, units } = request
  const taker = model.owners[owner]
  if (side === 'ask' && taker.items < units) return emptyResult('insufficient_items')
  const others = sortedLots(model, opposite(side)).filter(({ order }) => order.owner !== owner)
  if (others.length === 0) return emptyResult(side === 'bid' ? 'item_not_available' : 'no_buyers')
  const result = emptyResult('ok')
  let isStopped = false
  for (const { order, lot } of others) {
    const wanted = Math.min(units - result.filled, lot.units)
    const taken = side === 'bid' ? payable(taker, wanted, order.price) : wanted
    if (taken > 0) trade(model, owner, { order, lot, units: taken }, result)
    isStopped = taken < wanted
    if (isStopped || result.filled === units) break
  }
  if (result.filled === 0) return emptyResult('no_credits')
  const left = units - result.filled
  // Owners who cannot pay for more do not list the rest.
  if (!autoList || left === 0 || isStopped) return result
  const price = Math.max(1, Number(result.subtotal / BigInt(result.filled)))
  const rest = placeLimit(model, { owner, side, units: left }, price)
  return { ...result, listed: rest.listed }
}

/** Returns the most units up to `wanted` that an owner can pay with tax, found by bisection. */
function payable({ credits, taxBps }: ModelOwner, wanted: number, price: number): number {
  let [low, high] = [0, wanted]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const subtotal = worth(middle, price)
    if (subtotal + taxOn(subtotal, taxBps) <= credits) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the newest order of an owner at a side and price. */
const orderAt = (model: MarketModel, { owner, side }: ModelRequest, price: number) =>
  model.orders.findLast(
    (order) => order.owner === owner && order.side === side && order.price === price,
  )

export function placeLimit(model: MarketModel, request: ModelRequest, price: number): ModelResult {
  const { owner, units } = request
  if (worth(units, price) > NOTIONAL) return emptyResult('order_too_large')
  const steps = stepsUpTo(model, request, price)
  let rest = units - steps.reduce((sum, step) => sum + step.units, 0)
  const existing = orderAt(model, request, price)
  const open = model.orders.filter((order) => order.owner === owner).length
  if (rest > 0 && !existing && open >= ORDERS_PER_OWNER) {
    if (steps.length === 0) return emptyResult('listing_limit_reached')
    rest = 0
  }
  if (rest > 0 && existing && worth(unitsLeft(existing) + rest, price) > NOTIONAL) {
    return emptyResult('order_too_large')
  }
  const held = escrowOf(model, request, price, rest, existing)
  const goods = steps.reduce((sum, step) => sum + step.units, rest)
  const refused = refusalOf(model, { ...request, units: goods }, steps, held)
  if (refused) return emptyResult(refused)
  const result = emptyResult('ok')
  for (const step of steps) {
    if (step.order.owner === owner) netOut(model, step)
    else trade(model, owner, step, result)
  }
  if (rest > 0) restOrder(model, { ...request, units: rest }, price, held)
  return { ...result, listed: rest }
}

export function cancel(model: MarketModel, order: ModelOrder): void {
  const owner = model.owners[order.owner]
  if (order.side === 'ask') owner.items += unitsLeft(order)
  else owner.credits += worth(unitsLeft(order), order.price) + order.tax
  model.orders = model.orders.filter((other) => other !== order)
}

/**
 * Changes the price of an order: it leaves the book and trades as a new order would; the rest joins
 * the end of the queue as a single lot. The fee is due on what rests at a higher value than before.
 */
export function modify(model: MarketModel, order: ModelOrder, price: number): ModelResult {
  const { side, owner } = order
  const units = unitsLeft(order)
  const trader = model.owners[owner]
  if (price === order.price) return emptyResult('ok')
  if (worth(units, price) > NOTIONAL) return emptyResult('order_too_large')
  const steps = stepsUpTo(model, { owner, side, units }, price)
  const rest = units - steps.reduce((sum, step) => sum + step.units, 0)
  const before = worth(units, order.price)
  const after = worth(rest, price)
  const fee = feeOn(after > before ? after - before : 0n, model.feeBps)
  const tax = side === 'bid' ? taxOn(after, trader.taxBps) : 0n
  const traded = costOf(model, { owner, side, units }, steps)
  const freed = side === 'bid' ? before + order.tax : 0n
  const need = side === 'bid' ? traded + after + tax + fee - freed : fee - traded
  if (need > trader.credits) return emptyResult('no_credits')
  order.lots = []
  order.tax = 0n
  trader.credits += freed
  if (side === 'ask') trader.items += units
  const result = emptyResult('ok')
  for (const step of steps) {
    if (step.order.owner === owner) netOut(model, step)
    else trade(model, owner, step, result)
  }
  trader.credits -= fee + (side === 'bid' ? after + tax : 0n)
  model.feesPaid += fee
  if (side === 'ask') trader.items -= rest
  if (rest === 0) model.orders = model.orders.filter((other) => other !== order)
  else {
    order.price = price
    order.tax = tax
    order.lots = [{ units: rest, seq: ++model.lotSeq }]
  }
  return { ...result, listed: rest }
}

/** Returns the lots that a limit order meets, own ones included. */
function stepsUpTo(model: MarketModel, request: ModelRequest, price: number): Step[] {
  const steps: Step[] = []
  let left = request.units
  for (const { order, lot } of sortedLots(model, opposite(request.side))) {
    const crosses = request.side === 'bid' ? order.price <= price : order.price >= price
    if (left === 0 || !crosses) break
    const units = Math.min(left, lot.units)
    steps.push({ order, lot, units })
    left -= units
  }
  return steps
}

interface Escrow {
  readonly credits: bigint
  readonly tax: bigint
  readonly fee: bigint
}

/** Returns the cost of resting: the fee, and for a buyer price and tax, the tax lot by lot. */
function escrowOf(
  model: MarketModel,
  request: ModelRequest,
  price: number,
  rest: number,
  existing: ModelOrder | undefined,
): Escrow {
  const fee = feeOn(worth(rest, price), model.feeBps)
  if (request.side === 'ask' || rest === 0) return { credits: 0n, tax: 0n, fee }
  const bps = model.owners[request.owner].taxBps
  const grows = existing !== undefined && existing.lots.length >= LOTS_PER_ORDER
  const newest = grows ? existing.lots[existing.lots.length - 1].units : 0
  const tax = taxOn(worth(newest + rest, price), bps) - taxOn(worth(newest, price), bps)
  return { credits: worth(rest, price), tax, fee }
}

/** Returns what the trades cost a buyer with tax, or bring a seller. */
function costOf(model: MarketModel, request: ModelRequest, steps: readonly Step[]): bigint {
  const { taxBps } = model.owners[request.owner]
  let traded = 0n
  for (const { order, units } of steps) {
    if (order.owner === request.owner) continue
    const subtotal = worth(units, order.price)
    traded += subtotal + (request.side === 'bid' ? taxOn(subtotal, taxBps) : 0n)
  }
  return traded
}

function refusalOf(
  model: MarketModel,
  request: ModelRequest,
  steps: readonly Step[],
  held: Escrow,
): string | undefined {
  const taker = model.owners[request.owner]
  const traded = costOf(model, request, steps)
  if (request.side === 'bid') {
    return traded + held.credits + held.tax + held.fee > taker.credits ? 'no_credits' : undefined
  }
  if (taker.items < request.units) return 'insufficient_items'
  return held.fee > taker.credits + traded ? 'no_credits' : undefined
}

function restOrder(model: MarketModel, request: ModelRequest, price: number, held: Escrow): void {
  const { owner, side, units } = request
  let order = orderAt(model, request, price)
  if (!order) {
    order = { owner, side, price, lots: [], tax: 0n }
    model.orders.push(order)
  }
  const seq = ++model.lotSeq
  if (order.lots.length < LOTS_PER_ORDER) order.lots.push({ units, seq })
  else {
    const newest = order.lots[order.lots.length - 1]
    newest.units += units
    newest.seq = seq
  }
  order.tax += held.tax
  model.owners[owner].credits -= held.credits + held.tax + held.fee
  if (side === 'ask') model.owners[owner].items -= units
  model.feesPaid += held.fee
}

function trade(model: MarketModel, taker: number, step: Step, result: ModelResult): void {
  const { order, units } = step
  const buys = order.side === 'ask'
  const buyer = model.owners[buys ? taker : order.owner]
  const seller = model.owners[buys ? order.owner : taker]
  const subtotal = worth(units, order.price)
  const tax = taxOn(subtotal, buyer.taxBps)
  seller.credits += subtotal
  buyer.items += units
  if (buys) {
    buyer.credits -= subtotal + tax
    result.tax += tax
  } else {
    seller.items -= units
    order.tax -= tax
  }
  model.taxPaid += tax
  result.filled += units
  result.subtotal += subtotal
  shrink(model, step)
}

/** Nets out a lot of the same owner: no trade, no tax. */
function netOut(model: MarketModel, step: Step): void {
  const { order, lot, units } = step
  const owner = model.owners[order.owner]
  if (order.side === 'ask') owner.items += units
  else {
    const before = taxOn(worth(lot.units, order.price), owner.taxBps)
    const after = taxOn(worth(lot.units - units, order.price), owner.taxBps)
    order.tax -= before - after
    owner.credits += worth(units, order.price) + before - after
  }
  shrink(model, step)
}

function shrink(model: MarketModel, step: Step): void {
  const { order, lot, units } = step
  lot.units -= units
  if (lot.units > 0) return
  order.lots = order.lots.filter((other) => other !== lot)
  if (order.lots.length > 0) return
  model.owners[order.owner].credits += order.tax
  model.orders = model.orders.filter((other) => other !== order)
}
