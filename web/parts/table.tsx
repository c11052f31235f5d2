/**
 * Tables that can be sorted by a click or Enter on a header, with a link to the data as JSON. Rows
 * after the first SHOWN_ROWS are drawn on request.
 */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly name: string
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Returns the sort key; absent: not sortable. Rows with an undefined key come last. */
  readonly by?: (row: Row) => number | string | undefined
  readonly isNumber?: boolean
  /** Whether the column is hidden on narrow screens. */
  readonly isWide?: boolean
}

interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort?: string
  readonly isDescending?: boolean
  /** Path of the body, for "as JSON". */
  readonly json?: string
  readonly isCaptionHidden?: boolean
}

const SHOWN_ROWS = 200

function sorted<Row>(
  rows: readonly Row[],
  by: Column<Row>['by'],
  isDescending: boolean,
): readonly Row[] {
  if (!by) return rows
  const turn = isDescending ? -1 : 1
  return [...rows].sort((a, b) => {
    const left = by(a)
    const right = by(b)
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined)
    }
    return left < right ? -turn : left > right ? turn : 0
  })
}

const classOf = <Row,>({ isNumber, isWide }: Column<Row>): string =>
  [isNumber ? 'num' : '', isWide ? 'wide' : ''].join(' ').trim()

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, json, isCaptionHidden } = props
  const sort = useSignal(props.sort ?? '')
  const isDown = useSignal(props.isDescending ?? false)
  const limit = useSignal(SHOWN_ROWS)
  const by = columns.find(({ name }) => name === sort.value)?.by
  const shown = sorted(rows, by, isDown.value).slice(0, limit.value)
  const turn = (name: string, isNumber = false) => {
    isDown.value = sort.value === name ? !isDown.value : isNumber
    sort.value = name
  }
  const ariaSort = (name: string) =>
    sort.value === name ? (isDown.value ? 'descending' : 'ascending') : undefined
  return (
    <div class="table">
      <table>
        <caption class={isCaptionHidden ? 'hidden' : undefined}>
          {caption}
          {json && <AsJson path={json} />}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={classOf(column)}
                aria-sort={ariaSort(column.name)}
              >
                {column.by ? (
                  <button type="button" onClick={() => turn(column.name, column.isNumber)}>
                    {column.title}
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <button type="button" class="more" onClick={() => (limit.value += SHOWN_ROWS)}>
          {rows.length - shown.length} more rows
        </button>
      )}
    </div>
  )
}

/** Links to the data that is shown, as JSON. */
export function AsJson({ path }: { readonly path: string }) {
  return (
    <a class="json" href={path} target="_blank" rel="noopener">
      as JSON
    </a>
  )
}
