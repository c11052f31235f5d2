/** Links to the pages of a list; the page number is in the address, as in the API. */
import { hrefOf, path, query } from '../router.ts'
import { formatInt } from './format.ts'

interface PagerProps {
  /** The page in the address; it may be after the last. */
  readonly page: number
  readonly pages: number
  /** Number of the first page. */
  readonly first: 0 | 1
}

export function Pager({ page, pages, first }: PagerProps) {
  // From a page after the last there must be a way back, even if there is only one.
  if (pages < 2 && page === first) return null
  const href = (to: number) =>
    hrefOf(path.value, { ...query.value, page: to === first ? undefined : String(to) })
  const last = first + Math.max(1, pages) - 1
  return (
    <nav class="filters" aria-label="Pages">
      {page > first && <a href={href(Math.min(page - 1, last))}>Previous</a>}
      <span class="muted">
        Page {formatInt(page - first + 1)} of {formatInt(last - first + 1)}
      </span>
      {page < last && <a href={href(page + 1)}>Next</a>}
    </nav>
  )
}

/** Returns the page number in the address, or the first page. */
export function pageIn(text: string | undefined, first: 0 | 1): number {
  const page = Number(text)
  return text !== undefined && Number.isSafeInteger(page) && page >= first ? page : first
}
