/**
 * The price levels of a book: a list from best to worst for walking, and a search tree for
 * finding. The tree is a treap whose ranks follow from the row numbers: its shape follows from
 * saved columns, and no player can unbalance it by choosing prices. Kernels run this: columns only.
 */
import { assert } from '../../core/assert.ts'
import { overColumns } from '../../core/columns.ts'
import { ASK, Book, Level, Lot } from './state.ts'

/** Returns the rank of a row in the tree: a permutation of 32 bits, so no two rows are equal. */
function rankOf(row: number): number {
  let h = Math.imul(row ^ (row >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Keeps the tree of prices, ascending on both sides. The caller takes and releases the rows. */
export const priceTree = overColumns((columns) => {
  const { root } = columns.of(Book)
  const { price, lower, higher } = columns.of(Level)

  /** Puts a level in below `parent`, on its upper or lower side; 0: at the root. */
  const attach = (at: number, parent: number, isHigher: boolean, level: number): void => {
    if (parent === 0) root[at] = level
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
    /** Inserts a level of a price that is not there yet. `at` is book × 2 + side. */
    insert(at: number, level: number): void {
      const rank = rankOf(level)
      const wanted = price[level]
      let parent = 0
      let isHigher = false
      let node = root[at]
      while (node !== 0 && rankOf(node) > rank) {
        parent = node
        isHigher = price[node] < wanted
        node = isHigher ? higher[node] : lower[node]
      }
      split(node, level)
      attach(at, parent, isHigher, level)
    },

    remove(at: number, level: number): void {
      const wanted = price[level]
      let parent = 0
      let isHigher = false
      let node = root[at]
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
          attach(at, parent, isHigher, below)
          parent = below
          isHigher = true
          below = higher[below]
        } else {
          attach(at, parent, isHigher, above)
          parent = above
          isHigher = false
          above = lower[above]
        }
      }
      attach(at, parent, isHigher, below === 0 ? above : below)
      lower[level] = 0
      higher[level] = 0
    },
  }
})

export const priceLevels = overColumns((columns) => {
  const { best, root } = columns.of(Book)
  const level = columns.of(Level)
  const { book, side, price, better, worse, lower, higher } = level
  const { first, last, units, stationUnits } = level
  const { level: levelOfLot, next } = columns.of(Lot)
  const tree = priceTree(columns)

  return {
    /** Returns the level of a price; 0 if there is none. `at` is book × 2 + side. O(log levels). */
    find(at: number, wanted: number): number {
      let node = root[at]
      while (node !== 0) {
        const found = price[node]
        if (found === wanted) return node
        node = found < wanted ? higher[node] : lower[node]
      }
      return 0
    },

    /** Makes a row the level of a price that is not there yet. */
    open(row: number, at: number, wanted: number): void {
      const ownSide = at & 1
      let below = 0
      let above = 0
      let node = root[at]
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
      book[row] = at >> 1
      side[row] = ownSide
      price[row] = wanted
      first[row] = 0
      last[row] = 0
      units[row] = 0
      stationUnits[row] = 0
      better[row] = ahead
      worse[row] = behind
      if (behind !== 0) better[behind] = row
      if (ahead === 0) best[at] = row
      else worse[ahead] = row
      tree.insert(at, row)
    },

    /** Takes a level without lots out of its book. */
    drop(row: number): void {
      assert(first[row] === 0, 'a level with lots is dropped')
      assert(units[row] === 0 && stationUnits[row] === 0, 'an empty level counts units')
      const at = book[row] * 2 + side[row]
      const ahead = better[row]
      const behind = worse[row]
      tree.remove(at, row)
      if (ahead === 0) best[at] = behind
      else worse[ahead] = behind
      if (behind !== 0) better[behind] = ahead
    },

    /** Updates references to a level after it was copied from one row to another. */
    move(from: number, to: number): void {
      const at = book[to] * 2 + side[to]
      tree.remove(at, from)
      tree.insert(at, to)
      if (better[to] === 0) best[at] = to
      else worse[better[to]] = to
      if (worse[to] !== 0) better[worse[to]] = to
      for (let lot = first[to]; lot !== 0; lot = next[lot]) levelOfLot[lot] = to
      assert(last[to] !== 0, 'a level without lots is moved')
    },
  }
})
