/**
 * Opening and closing books, rebuilding their indexes after a restore, and experience for trading.
 */
import { divFloor, mulDivFloor } from '../../core/math.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { levelOf } from '../skill/model.ts'
import { awardXp } from '../skill/rules.ts'
import { bookKey, bookOf, storeBook } from './book-model.ts'
import { priceTree } from './levels-kernels.ts'
import { BOOKS, STORE_BOOKS, TICK_XP, type TradeXp } from './order-index-state.ts'
import { rebuildOrders } from './rules.ts'
import { ASK, BID, Book, Exchange, Level } from './state.ts'

function indexStore(world: World, row: Row): void {
  const { base, faction, item } = world.read(Book)
  const stores = world.index(STORE_BOOKS)
  const books = stores.get(base[row]) ?? new Map<number, Row>()
  stores.set(base[row], books)
  books.set(bookKey(faction[row], item[row]), row)
}

/** Returns the book of an item in a company store; opens it if there is none. */
export function openStoreBook(world: World, base: Eid, faction: Row, item: number): Row {
  const found = storeBook(world, base, faction, item)
  if (found !== 0) return found
  const row = world.take(Book)
  const book = world.write(Book)
  book.base[row] = base
  book.item[row] = item
  book.faction[row] = faction
  indexStore(world, row)
  return row
}

/** Releases the book of a company store if it has no orders. */
export function closeStoreBook(world: World, row: Row): void {
  const { base, faction, item, best } = world.read(Book)
  if (faction[row] === 0 || best[row * 2 + ASK] !== 0 || best[row * 2 + BID] !== 0) return
  const stores = world.index(STORE_BOOKS)
  const books = stores.get(base[row])
  const key = bookKey(faction[row], item[row])
  if (books?.get(key) !== row) return
  books.delete(key)
  if (books.size === 0) stores.delete(base[row])
  world.release(Book, row)
}

/**
 * Returns the public book of an item; opens it if there is none. A base's books are sorted by item.
 */
export function openBook(world: World, base: Eid, item: number): Row {
  const found = bookOf(world, base, item)
  if (found !== 0) return found
  const row = world.take(Book)
  const book = world.write(Book)
  const exchange = world.write(Exchange)
  book.base[row] = base
  book.item[row] = item
  let before = 0
  let after = exchange.firstBook[base]
  while (after !== 0 && book.item[after] < item) {
    before = after
    after = book.next[after]
  }
  book.next[row] = after
  if (before === 0) exchange.firstBook[base] = row
  else book.next[before] = row
  world.index(BOOKS).set(bookKey(base, item), row)
  return row
}

/** Rebuilds the indexes of books and orders and the trees of levels, after a restore. */
export function rebuildBooks(world: World): void {
  const books = world.index(BOOKS)
  books.clear()
  world.index(STORE_BOOKS).clear()
  const { alive, base, faction, item } = world.read(Book)
  for (let row = 1; row <= world.highOf(Book); row++) {
    if (alive[row] === 0) continue
    if (faction[row] === 0) books.set(bookKey(base[row], item[row]), row)
    else indexStore(world, row)
  }
  world.write(Book).root.fill(0, 0, (world.highOf(Book) + 1) * 2)
  const level = world.read(Level)
  const { insert } = priceTree(world.kernelColumns)
  for (let row = 1; row <= world.highOf(Level); row++) {
    if (level.alive[row] === 1) insert(level.book[row] * 2 + level.side[row], row)
  }
  rebuildOrders(world)
}

/*
 * Experience for trading: summed up by player and tick, with a daily cap on trades with other
 * players.
 */

/**
 * Limit of experience per tick and skill, and credits per point. Source: market.md 6; balance.md 3.
 */
const TICK_XP_MAX = 500
const CREDITS_PER_XP = { trading: 20, smuggling: 100 } as const

/** Value of what a player traded, credits before tax. */
export interface TradeTotals {
  readonly credits: number
  /** The part traded with other players. */
  readonly withPlayers: number
  /** The part that was contraband sold at pirate bases. */
  readonly smuggled: number
}

/** Returns the experience due for a sum of credits, less what was given for it in this tick. */
function rewardDue(
  skill: keyof typeof CREDITS_PER_XP,
  credits: number,
  atLeast: number,
  given: number,
): number {
  const due = divFloor(credits, CREDITS_PER_XP[skill])
  return Math.min(TICK_XP_MAX, Math.max(atLeast, due)) - given
}

/**
 * Awards trading and smuggling experience; all trades of a player in a tick count as one. Source:
 * market.md section 6.
 */
export function awardTradingXp(world: World, player: Eid, traded: TradeTotals): TradeXp {
  const sums = world.index(TICK_XP)
  const sum = sums.get(player) ?? { credits: 0, smuggled: 0, trading: 0, smuggling: 0 }
  sums.set(player, sum)
  sum.credits += traded.credits
  sum.smuggled += traded.smuggled
  const before = levelOf(world, player, 'trading')
  const smugglingBefore = levelOf(world, player, 'smuggling')
  const trading = rewardDue('trading', sum.credits, 1, sum.trading)
  const smuggling = sum.smuggled === 0 ? 0 : rewardDue('smuggling', sum.smuggled, 0, sum.smuggling)
  sum.trading += trading
  sum.smuggling += smuggling
  const share = mulDivFloor(trading, traded.withPlayers, Math.max(1, traded.credits))
  const smuggledShare = mulDivFloor(smuggling, traded.withPlayers, Math.max(1, traded.credits))
  const smuggledXp =
    awardXp(world, player, 'smuggling', smuggledShare, 'trade') +
    awardXp(world, player, 'smuggling', smuggling - smuggledShare)
  const tradingXp =
    awardXp(world, player, 'trading', share, 'trade') +
    awardXp(world, player, 'trading', trading - share)
  const level = levelOf(world, player, 'trading')
  return {
    trading: tradingXp,
    tradingLevel: level,
    levelUp: level > before,
    isSmuggling: traded.smuggled > 0,
    smuggling: smuggledXp,
    smugglingLevelUp: levelOf(world, player, 'smuggling') > smugglingBefore,
  }
}

/** Clears what was traded in the tick. */
export const endTickXp = (world: World): void => world.index(TICK_XP).clear()
