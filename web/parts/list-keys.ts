/** Keys of lists: j and k move the focus from row to row, Enter follows the focused link. */
import { useMemo } from 'preact/hooks'
import { type KeyRow, useKeys } from '../keys.ts'

/** The attribute of the link of a row. */
const ROW = '[data-row]'

function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(`main ${ROW}`)]
  const index = rows.indexOf(document.activeElement as HTMLElement)
  const next = index < 0 ? (by > 0 ? 0 : rows.length - 1) : index + by
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus()
}

const NONE: readonly KeyRow[] = []

/** Adds the keys of a list, and further ones of the view. */
export function useListKeys(more: readonly KeyRow[] = NONE): void {
  const rows = useMemo(
    () => [
      { key: 'j', about: 'next row', run: () => step(1) },
      { key: 'k', about: 'previous row', run: () => step(-1) },
      ...more,
    ],
    [more],
  )
  useKeys(rows)
}
