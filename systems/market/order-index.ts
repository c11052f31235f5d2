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
  const { player, faction, bucket, book, side, price, taxBps, ...order } = columns.of(Order)
  const { number, remaining } = order
  const request = columns.of(OrderRequest)
  const { slots: words } = columns.of(OrderPlace)
  const slots = rowSlots(words)
  const keyOf = (row: number, at: number): number =>
    hash32(player[row] || faction[row], book[row], side[row], at)

  /** The player whose order a request would be; 0: a faction's or a manager's. */
  const ownerOf = (asked: number): number =>
    request.faction[asked] === 0 ? request.player[asked] : 0

  /** True if units of a request at a price may join an order. */
  const takes = (row: number, asked: number, at: number): boolean =>
    remaining[row] > 0 &&
    player[row] === ownerOf(asked) &&
    faction[row] === request.faction[asked] &&
    bucket[row] === request.bucket[asked] &&
    book[row] === request.book[asked] &&
    side[row] === request.side[asked] &&
    price[row] === at &&
    taxBps[row] === request.taxBps[asked]

  return {
    takes,

    /** The newest order that units of a request at a price may join; 0 none. */
    find(asked: number, at: number): number {
      const owner = ownerOf(asked) || request.faction[asked]
      const key = hash32(owner, request.book[asked], request.side[asked], at)
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
