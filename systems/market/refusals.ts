/** Why a request was refused: the kernel's status as an error code with what helps. */
import { GOODS } from '../../core/catalog/index.ts'
import { type Details, ERRORS, type ErrorCode, type Failure, fail } from '../../core/errors.ts'
import { NOTIONAL_CREDITS_MAX } from '../../core/limits.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { BID, Book, OrderRequest } from './columns.ts'
import type { Status } from './outcome.ts'
import { orderId } from './rules.ts'

function codeOf(view: WorldView, row: Row, status: Status): ErrorCode {
  const isFactions = view.read(OrderRequest).faction[row] !== 0
  if (status === 'no_credits' && isFactions) return 'faction_no_credits'
  if (status !== 'nothing_offered') return status as ErrorCode
  return view.read(OrderRequest).side[row] === BID ? 'item_not_available' : 'no_buyers'
}

function detailsOf(view: WorldView, row: Row, status: Status): Details {
  const request = view.read(OrderRequest)
  const item_id = GOODS[view.read(Book).item[request.book[row]]].id
  if (status === 'insufficient_items') return { need: request.need[row], have: request.goods[row] }
  if (status === 'order_not_found') return { order_id: orderId(view, request.order[row]) }
  if (status === 'order_too_large') return { max_value: NOTIONAL_CREDITS_MAX }
  if (status !== 'no_credits') return { item_id }
  const have = request.credits[row]
  if (request.need[row] > 0) return { need: request.need[row], have }
  const rate = request.taxBps[row]
  return { have, price_each: request.best[row], sales_tax_rate_bps: rate }
}

export const sayWhy = (view: WorldView, row: Row, status: Status): string =>
  ERRORS[codeOf(view, row, status)].message

export const refusalOf = (view: WorldView, row: Row, status: Status): Failure =>
  fail(codeOf(view, row, status), detailsOf(view, row, status))
