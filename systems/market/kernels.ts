/**
 * The kernel of the exchanges: processes the requests of a base in their order. It writes books,
 * levels, lots and orders of its bases, requests and their fills; new rows are staged. The world
 * thread moves credits and goods and answers afterwards. Source: market.md sections 4, 10.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { kernel } from '../../core/system.ts'
import { ordersByPlace } from './order-index-state.ts'
import { requests } from './requests-kernels.ts'
import { Book, OrderRequest, REQUEST_KINDS } from './state.ts'

export const kernelsFile = import.meta.url

const KIND = {
  take: REQUEST_KINDS.indexOf('take'),
  limit: REQUEST_KINDS.indexOf('limit'),
  modify: REQUEST_KINDS.indexOf('modify'),
  cancel: REQUEST_KINDS.indexOf('cancel'),
} as const

/**
 * Makes `carry(rows, first, i)`, which copies to a request what earlier requests of its command,
 * from `first` on, have left: credits, goods and counts, and the order that they opened if the
 * request can add its units to it.
 */
function carryOver(columns: KernelColumns) {
  const { takes } = ordersByPlace(columns)
  const { item, faction: storeOf } = columns.of(Book)
  const { credits, goods, ordersHere, orders, into, book, ...request } = columns.of(OrderRequest)
  const { bucket, faction } = request

  return (rows: Uint32Array, first: number, i: number): void => {
    const row = rows[i]
    const [home, held] = [book[row], bucket[row]]
    for (let j = first; j < i; j++) {
      const earlier = rows[j]
      if (faction[earlier] !== faction[row]) continue
      const there = book[earlier]
      credits[row] = credits[earlier]
      orders[row] = orders[earlier]
      if (storeOf[there] === storeOf[home]) ordersHere[row] = ordersHere[earlier]
      if (item[there] === item[home] && bucket[earlier] === held) goods[row] = goods[earlier]
      if (there !== home) continue
      if (takes(into[earlier], row, request.price[row])) into[row] = into[earlier]
    }
  }
}

/** Processes the requests of one part, which are those of one base, command by command. */
export const trade = kernel((columns) => {
  const request = columns.of(OrderRequest)
  const { take, place, modify, cancel } = requests(columns)
  const carry = carryOver(columns)
  const { kind, command, firstFill, fills, fillsEnd, fillsMax, listUnits, listPrice } = request

  const process = (row: number, tick: number): void => {
    const kindOfRequest = kind[row]
    if (kindOfRequest === KIND.limit) {
      listUnits[row] = request.units[row]
      listPrice[row] = request.price[row]
    } else if (kindOfRequest === KIND.take) take(row, tick)
    else if (kindOfRequest === KIND.modify) modify(row, tick)
    else cancel(row, tick)
    if (listUnits[row] > 0) place(row, tick)
  }

  return (rows, from, to, env) => {
    let nextFill = firstFill[rows[from]]
    const end = fillsEnd[rows[from]]
    let first = from
    let commandEnd = end
    for (let i = from; i < to; i++) {
      const row = rows[i]
      if (i === from || command[row] !== command[rows[first]]) {
        first = i
        commandEnd = Math.min(end, nextFill + fillsMax[row])
      } else carry(rows, first, i)
      firstFill[row] = nextFill
      fillsEnd[row] = commandEnd
      process(row, env.tick)
      nextFill += fills[row]
    }
  }
})
