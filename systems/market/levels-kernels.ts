/**
 * The price levels of a book: a list from best to worst for iterating, and a search tree for
 * finding a price. The tree is a treap whose ranks are derived from row numbers: it can be rebuilt
 * from saved columns, and no player can unbalance it by choosing prices. Kernels run this, so it
 * uses columns only.
 */
import { assert } from '../../core/assert.ts'
import { overColumns } from '../../core/columns.ts'
import { ASK, Book, Level, Lot } from './state.ts'

/** Returns the rank of a row in the tree: a permutation of 32 bits, so ranks are unique. */
function rankOf(row: number): number {
  let hash = Math.imul(row ^ (row >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Maintains the tree of prices, ascending on both sides; callers take and release the rows. */
export const priceTree = overColumns((columns) => {
  const { root } = columns.of(Book)
  const { price, lower, higher } = columns.of(Level)

  /** Makes a level the upper or lower child of `parent`, or the root if that is 0. */
  const attach = (bookSide: number, parent: number, isHigher: boolean, level: number): void => {
    if (parent === 0) root[bookSide] = level
    else if (isHigher) higher[parent] = level
    else lower[parent] = level
  }

  /** Splits the tree under `node` at the price of `level`, and makes the halves its children. */
  const split = (node: number, level: number): void => {
    const wanted = price[level]
    let below = 0
    let above = 0
    while (node !== 0) {
      if (price[node] < wanted) {
        if (below === 0) lower[level] = node
        else higher[below] = node
        below = node
        node = higher[node]
      } else {
        if (above === 0) higher[level] = node
        else lower[above] = node
        above = node
        node = lower[node]
      }
    }
    if (below === 0) lower[level] = 0
    else higher[below] = 0
    if (above === 0) higher[level] = 0
    else lower[above] = 0
  }

  return {
    /** Inserts a level with a new price. `bookSide` is book × 2 + side. */
    insert(bookSide: number, level: number): void {
      const rank = rankOf(level)
      const wanted = price[level]
      let parent = 0
      let isHigher = false
      let node = root[bookSide]
      while (node !== 0 && rankOf(node) > rank) {
        parent = node
        isHigher = price[node] < wanted
        node = isHigher ? higher[node] : lower[node]
      }
      split(node, level)
      attach(bookSide, parent, isHigher, level)
    },

    /** Removes a level by merging its two subtrees. */
    remove(bookSide: number, level: number): void {
      const wanted = price[level]
      let parent = 0
      let isHigher = false
      let node = root[bookSide]
      while (node !== level) {
        assert(node !== 0, 'a level is not in its tree')
        parent = node
        isHigher = price[node] < wanted
        node = isHigher ? higher[node] : lower[node]
      }
      let below = lower[level]
      let above = higher[level]
      while (below !== 0 && above !== 0) {
        if (rankOf(below) > rankOf(above)) {
          attach(bookSide, parent, isHigher, below)
          parent = below
          isHigher = true
          below = higher[below]
        } else {
          attach(bookSide, parent, isHigher, above)
          parent = above
          isHigher = false
          above = lower[above]
        }
      }
      attach(bookSide, parent, isHigher, below === 0 ? above : below)
      lower[level] = 0
      higher[level] = 0
    },
  }
})

/** Finds, opens, drops and moves the levels of books. */
export const priceLevels = overColumns((columns) => {
  const { best, root } = columns.of(Book)
  const level = columns.of(Level)
  const { book, side, price, better, worse, lower, higher } = level
  const { first, last, units, stationUnits } = level
  const { level: levelOfLot, next } = columns.of(Lot)
  const tree = priceTree(columns)

  return {
    /** Returns the level with a price; 0 if there is none. O(log levels). */
    find(bookSide: number, wanted: number): number {
      let node = root[bookSide]
      while (node !== 0) {
        const found = price[node]
        if (found === wanted) return node
        node = found < wanted ? higher[node] : lower[node]
      }
      return 0
    },

    /** Makes a row the level of a new price. */
    open(row: number, bookSide: number, wanted: number): void {
      const ownSide = bookSide & 1
      let below = 0
      let above = 0
      let node = root[bookSide]
      while (node !== 0) {
        if (price[node] < wanted) {
          below = node
          node = higher[node]
        } else {
          above = node
          node = lower[node]
        }
      }
      const ahead = ownSide === ASK ? below : above
      const behind = ownSide === ASK ? above : below
      book[row] = bookSide >> 1
      side[row] = ownSide
      price[row] = wanted
      first[row] = 0
      last[row] = 0
      units[row] = 0
      stationUnits[row] = 0
      better[row] = ahead
      worse[row] = behind
      if (behind !== 0) better[behind] = row
      if (ahead === 0) best[bookSide] = row
      else worse[ahead] = row
      tree.insert(bookSide, row)
    },

    /** Removes a level without lots from its book. */
    drop(row: number): void {
      assert(first[row] === 0, 'a level with lots is dropped')
      assert(units[row] === 0 && stationUnits[row] === 0, 'an empty level counts units')
      const bookSide = book[row] * 2 + side[row]
      const ahead = better[row]
      const behind = worse[row]
      tree.remove(bookSide, row)
      if (ahead === 0) best[bookSide] = behind
      else worse[ahead] = behind
      if (behind !== 0) better[behind] = ahead
    },

    /** Updates references to a level after it was copied from one row to another. */
    move(from: number, to: number): void {
      const bookSide = book[to] * 2 + side[to]
      tree.remove(bookSide, from)
      tree.insert(bookSide, to)
      if (better[to] === 0) best[bookSide] = to
      else worse[better[to]] = to
      if (worse[to] !== 0) better[worse[to]] = to
      for (let lot = first[to]; lot !== 0; lot = next[lot]) levelOfLot[lot] = to
      assert(last[to] !== 0, 'a level without lots is moved')
    },
  }
})
