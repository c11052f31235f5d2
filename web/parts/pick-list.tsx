/** A list below a field that keeps the focus: arrow keys select, Enter or a click chooses a row. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** Moves the selection by an arrow key, with wrap-around; returns whether the key was one. */
export function walk(event: KeyboardEvent, at: Signal<number>, count: number): boolean {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || count === 0) return false
  at.value = (at.value + by + count) % count
  return true
}

/** Returns the id of a row, for `aria-activedescendant` of the field. */
export const pickId = (list: string, index: number): string => `${list}-${index}`

interface PickListProps<Row> {
  readonly id: string
  readonly label: string
  readonly rows: readonly Row[]
  readonly at: number
  readonly keyOf: (row: Row) => string
  readonly choose: (row: Row) => void
  readonly press: (event: KeyboardEvent) => void
  readonly children: (row: Row) => ComponentChildren
}

export function PickList<Row>(props: PickListProps<Row>) {
  const { id, label, rows, at, keyOf, choose, press, children } = props
  return (
    <div id={id} role="listbox" aria-label={label}>
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        <div
          key={keyOf(row)}
          id={pickId(id, index)}
          role="option"
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(row)}
          onKeyDown={press}
        >
          {children(row)}
        </div>
      ))}
    </div>
  )
}
