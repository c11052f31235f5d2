/** Invariants of exchanges, sights and feeds. Source: market.md section 11; RELIABILITY 4 (I7). */
import { assert } from '../../core/assert.ts'
import { contentsOf, unitsIn } from '../../core/goods.ts'
import { sampleOf } from '../../core/invariants.ts'
import { balanceOf } from '../../core/ledger.ts'
import { LOTS_PER_ORDER_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { runSteps } from '../../core/steps.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { dockedBase } from '../travel/location-model.ts'
import { bestLevel, booksAt, storeBooksAt } from './book-model.ts'
import { isQuotedInFull } from './manager-rules.ts'
import { isBetter, salesTax } from './match-kernels.ts'
import { CURRENT_QUOTES, FOLLOWERS } from './order-index-state.ts'
import {
  ASK,
  BID,
  Book,
  BY_STATION,
  Exchange,
  Level,
  Lot,
  Managed,
  MarketFeed,
  Order,
  QUOTE_LEVELS,
  type Side,
  Sight,
  Sighting,
} from './state.ts'

/** Checks units, number of lots and tax of an order against its lots. */
function checkOrder(view: WorldView, order: Row): void {
  const { firstLot, lots, remaining, escrowTax, taxBps, side, price } = view.read(Order)
  const { units, nextOfOrder, order: owner, level } = view.read(Lot)
  const { price: levelPrice } = view.read(Level)
  let sum = 0
  let count = 0
  let tax = 0
  for (let lot = firstLot[order]; lot !== 0; lot = nextOfOrder[lot]) {
    assert(
      owner[lot] === order && levelPrice[level[lot]] === price[order],
      `lot ${lot} is misplaced`,
    )
    assert(units[lot] >= 1, `lot ${lot} is empty`)
    sum += units[lot]
    count++
    if (side[order] === BID) tax += salesTax(units[lot] * price[order], taxBps[order])
  }
  assert(sum >= 1 && sum === remaining[order], `order ${order} holds ${sum} units in its lots`)
  assert(count === lots[order] && count <= LOTS_PER_ORDER_MAX, `order ${order} has ${count} lots`)
  assert(escrowTax[order] >= tax, `order ${order} holds less tax than its lots need`)
  assert(side[order] === BID || escrowTax[order] === 0, `ask ${order} holds tax`)
}

/** Checks that the lots of a level are in time order and add up; returns their number. */
function checkLevel(view: WorldView, level: Row): number {
  const columns = view.read(Level)
  const { units, seq, next, previous, order, level: home } = view.read(Lot)
  const { ownerKind } = view.read(Order)
  let players = 0
  let station = 0
  let count = 0
  let before = 0
  for (let lot = columns.first[level]; lot !== 0; lot = next[lot]) {
    assert(home[lot] === level && previous[lot] === before, `lot ${lot} is linked wrongly`)
    assert(before === 0 || seq[before] < seq[lot], `lots of level ${level} are out of order`)
    if (ownerKind[order[lot]] === BY_STATION) station += units[lot]
    else players += units[lot]
    before = lot
    count++
  }
  assert(columns.last[level] === before && before !== 0, `level ${level} ends elsewhere`)
  assert(players === columns.units[level], `level ${level} counts ${columns.units[level]} units`)
  assert(station === columns.stationUnits[level], `level ${level} miscounts the station`)
  return count
}

/** Checks that the prices of a side get worse and that its lots add up. */
function checkSide(view: WorldView, book: Row, side: Side): void {
  const { price, worse, better, book: home, side: levelSide } = view.read(Level)
  let lots = 0
  let before = 0
  for (let level = bestLevel(view, book, side); level !== 0; level = worse[level]) {
    assert(home[level] === book && levelSide[level] === side, `level ${level} is misplaced`)
    assert(better[level] === before, `level ${level} is linked wrongly`)
    assert(
      before === 0 || isBetter(side, price[before], price[level]),
      `prices of book ${book} are out of order`,
    )
    lots += checkLevel(view, level)
    before = level
  }
  assert(lots === view.read(Book).lots[book * 2 + side], `book ${book} counts its lots wrongly`)
}

/** Checks that the best prices do not cross: no two owners would still trade with each other. */
function checkCrossed(view: WorldView, book: Row): void {
  const ask = bestLevel(view, book, ASK)
  const bid = bestLevel(view, book, BID)
  if (ask === 0 || bid === 0) return
  const price = view.read(Level).price
  assert(price[bid] < price[ask], `book ${book} is crossed`)
}

/** Checks a manager's count of its stock, and that its quotes are its own orders and up to date. */
function checkManaged(view: WorldView, row: Row): void {
  const { base, book, stock, orders } = view.read(Managed)
  const { book: home, ownerKind, remaining } = view.read(Order)
  let inAsks = 0
  for (let i = 0; i < QUOTE_LEVELS * 2; i++) {
    const order = orders[row * QUOTE_LEVELS * 2 + i]
    if (order === 0) continue
    assert(
      home[order] === book[row] && ownerKind[order] === BY_STATION,
      `quote ${order} is not the manager’s`,
    )
    if (i < QUOTE_LEVELS) inAsks += remaining[order]
  }
  const item = view.read(Book).item[book[row]]
  const held = unitsIn(view, view.read(Base).stock[base[row]], item)
  assert(held + inAsks === stock[row], `manager ${row} counts ${stock[row]} of ${held + inAsks}`)
  const isCurrent = view.index(CURRENT_QUOTES).stock[row] === stock[row]
  assert(!isCurrent || isQuotedInFull(view, row), `quotes of manager ${row} are out of date`)
}

interface AtRest {
  credits: number
  items: Map<number, number>
}

/** Checks every order with a lot in these books once, and sums up what they hold. */
function sumOrders(view: WorldView, books: readonly Row[]): AtRest {
  const orders = view.read(Order)
  const { item } = view.read(Book)
  const sum: AtRest = { credits: 0, items: new Map() }
  for (const order of ordersIn(view, books)) {
    checkOrder(view, order)
    const [remaining, good] = [orders.remaining[order], item[orders.book[order]]]
    if (orders.side[order] === BID) {
      sum.credits += remaining * orders.price[order] + orders.escrowTax[order]
    } else sum.items.set(good, (sum.items.get(good) ?? 0) + remaining)
  }
  return sum
}

function ordersIn(view: WorldView, books: readonly Row[]): Set<Row> {
  const { worse, first } = view.read(Level)
  const { next, order } = view.read(Lot)
  const found = new Set<Row>()
  for (const book of books) {
    for (const side of [ASK, BID] as const) {
      for (let level = bestLevel(view, book, side); level !== 0; level = worse[level]) {
        for (let lot = first[level]; lot !== 0; lot = next[lot]) found.add(order[lot])
      }
    }
  }
  return found
}

function checkEscrow(view: WorldView, base: Eid, sum: AtRest): void {
  const credits = balanceOf(view, view.read(Exchange).escrow[base])
  assert(credits === sum.credits, `escrow of base ${base} holds ${credits} credits`)
  const held = contentsOf(view, view.read(Base).escrow[base])
  assert(held.length === sum.items.size, `escrow of base ${base} holds other goods`)
  for (const { item, units } of held) {
    assert(sum.items.get(item) === units, `escrow of base ${base} holds ${units} of ${item}`)
  }
}

/** Checks one exchange: its books and its escrow. */
export function checkExchange(view: WorldView, base: Eid): void {
  const books = [...booksAt(view, base), ...storeBooksAt(view, base)]
  for (const book of books) {
    checkSide(view, book, ASK)
    checkSide(view, book, BID)
    checkCrossed(view, book)
  }
  checkEscrow(view, base, sumOrders(view, books))
}

/** Checks a sample of the bases each tick. Costs 6 µs a book. */
export const booksHold: CheckDef = {
  name: 'I7 books are sorted, not crossed and backed by their escrow',
  run(view, full) {
    if (full) runSteps(exchangesHold(view))
  },
  steps: exchangesHold,
}

function* exchangesHold(view: WorldView): Generator<void, void> {
  const { step } = sampleOf(view, Book)
  const isDue = (base: Eid): boolean => base % step === view.tick % step
  const bases = view.read(Base)
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (bases.alive[base] === 0 || !isDue(base)) continue
    checkExchange(view, base)
    yield
  }
  const managed = view.read(Managed)
  for (let row = 1; row <= view.highOf(Managed); row++) {
    if (managed.alive[row] === 1 && isDue(managed.base[row])) checkManaged(view, row)
  }
}

/** Checks that sights count the players who remember them. */
export const sightsHold: CheckDef = {
  name: 'sights of exchanges: the players who remember each are counted',
  run(view, full) {
    if (!full) return
    const { alive, sight } = view.read(Sighting)
    const holders = new Uint32Array(view.highOf(Sight) + 1)
    for (let row = 1; row <= view.highOf(Sighting); row++) {
      if (alive[row] === 1) holders[sight[row]]++
    }
    const sights = view.read(Sight)
    for (let row = 1; row <= view.highOf(Sight); row++) {
      if (sights.alive[row] === 0) continue
      assert(holders[row] === sights.holders[row], `sight ${row} is miscounted`)
      assert(holders[row] + sights.keepers[row] > 0, `sight ${row} is held by nobody`)
    }
  },
}

/** Checks that the followers of each exchange are docked there. */
export const followersHold: CheckDef = {
  name: 'market feeds: those who follow an exchange are known there, and docked there after a tick',
  run(view, full) {
    if (!full) return
    const { base, channel } = view.read(MarketFeed)
    for (const [home, followers] of view.index(FOLLOWERS)) {
      for (const player of followers) {
        assert(base[player] === home && channel[player] !== 0, `player ${player} follows elsewhere`)
        assert(dockedBase(view, player) === home, `player ${player} follows without being docked`)
      }
    }
  },
}
