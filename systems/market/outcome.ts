/** What became of a request, by name. Reads the request's row while it stands. */
import type { Row, WorldView } from '../../core/types.ts'
import { MATCH_ENDS, OrderRequest, REQUEST_KINDS, REQUEST_STATUS } from './columns.ts'

export type Status = (typeof REQUEST_STATUS)[number]

export const kindOf = (view: WorldView, row: Row) =>
  REQUEST_KINDS[view.read(OrderRequest).kind[row]]

/** Of a take, a modification, a cancellation. */
export const statusOf = (view: WorldView, row: Row): Status =>
  REQUEST_STATUS[view.read(OrderRequest).status[row]]

/** Of a limit order. */
export const listStatusOf = (view: WorldView, row: Row): Status =>
  REQUEST_STATUS[view.read(OrderRequest).listStatus[row]]

/** True of a request that changed nothing. */
export const isRefused = (view: WorldView, row: Row): boolean =>
  statusOf(view, row) !== 'ok' ||
  (kindOf(view, row) === 'limit' && listStatusOf(view, row) !== 'ok')

export const endOf = (view: WorldView, row: Row) => MATCH_ENDS[view.read(OrderRequest).end[row]]

/** True of a modification that gave an order another price. */
export function isModified(view: WorldView, row: Row): boolean {
  const { price, oldPrice } = view.read(OrderRequest)
  return (
    kindOf(view, row) === 'modify' && statusOf(view, row) === 'ok' && price[row] !== oldPrice[row]
  )
}
