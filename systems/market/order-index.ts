/**
 * The index of orders by owner and place in the books: where a further order of the same kind is to
 * join one that stands.
 */
import { overColumns } from '../../core/columns.ts'
import { hash32 } from '../../core/rng.ts'
import { rowSlots } from '../../core/slots.ts'
import { Order, OrderPlace, OrderRequest } from './columns.ts'

/** Kernels look up here; an order that was used up in this tick is still found. */
export const ordersByPlace = overColumns((columns) => {
  const { player, book, side, price, taxBps, number, remaining } = columns.of(Order)
  const request = columns.of(OrderRequest)
  const { slots: words } = columns.of(OrderPlace)
  const slots = rowSlots(words)
  const keyOf = (row: number, at: number): number => hash32(player[row], book[row], side[row], at)

  /** True if units of a request at a price may join an order. */
  const takes = (row: number, asked: number, at: number): boolean =>
    remaining[row] > 0 &&
    player[row] === request.player[asked] &&
    book[row] === request.book[asked] &&
    side[row] === request.side[asked] &&
    price[row] === at &&
    taxBps[row] === request.taxBps[asked]

  return {
    takes,

    /** The newest order that units of a request at a price may join; 0 none. */
    find(asked: number, at: number): number {
      const key = hash32(request.player[asked], request.book[asked], request.side[asked], at)
      let found = 0
      for (let slot = slots.start(key); words[slot * 2] !== 0; slot = slots.after(slot)) {
        const row = words[slot * 2]
        if (words[slot * 2 + 1] !== key || !takes(row, asked, at)) continue
        if (found === 0 || number[row] > number[found]) found = row
      }
      return found
    },
    /** `at` is the price it has at that point of the tick, or had when it was put in. */
    put: (row: number, at: number): void => slots.put(keyOf(row, at), row),
    remove: (row: number, at: number): void => slots.remove(keyOf(row, at), row),
    clear: slots.clear,
  }
})
