/** Pages of lists that queries answer with: by page number, or by offset. */
import { divCeil } from './math.ts'
import { int, optional, pageSize } from './params.ts'

interface PageBounds {
  /** Rows on a page when the request does not say. */
  readonly default: number
  readonly max: number
}

export interface PageRequest {
  readonly page?: number
  readonly page_size?: number
}

/** Returns one page of a list and its position; a page past the end is empty. */
export function pageOf<T>(rows: readonly T[], request: PageRequest, bounds: PageBounds) {
  const page = request.page ?? 1
  const page_size = Math.min(request.page_size ?? bounds.default, bounds.max)
  return {
    items: rows.slice((page - 1) * page_size, page * page_size),
    page,
    page_size,
    total: rows.length,
    // An empty list has one page.
    total_pages: Math.max(1, divCeil(rows.length, page_size)),
  }
}

export interface OffsetRequest {
  readonly limit?: number
  readonly offset?: number
}

/** Returns the parameters of a list that is read by offset. */
export const offsetParams = (max: number) => ({
  limit: optional(pageSize(max)),
  offset: optional(int('Rows to skip.', { min: 0, example: 0 })),
})

/** Returns the rows requested by `offsetParams`, with the limit and offset that applied. */
export function rowsFrom<T>(rows: readonly T[], request: OffsetRequest, bounds: PageBounds) {
  const limit = Math.min(request.limit ?? bounds.default, bounds.max)
  const offset = request.offset ?? 0
  return { limit, offset, items: rows.slice(offset, offset + limit) }
}
