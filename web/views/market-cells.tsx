/** Cells and columns that the tables of the exchange share. */
import { formatId, formatInt, formatPct, formatShort } from '../parts/format.ts'
import type { Column } from '../parts/table.tsx'

/** Shows a price in credits; 0 is no order. */
export const Price = ({ value }: { readonly value: number }) =>
  value > 0 ? <span class="mono">{formatPrice(value)}</span> : <span class="muted">–</span>

/** Writes small prices with two digits, where they are not whole. */
export const formatPrice = (value: number): string =>
  Number.isInteger(value) || value >= 1_000 ? formatInt(value) : value.toFixed(2)

/** Shows a change in percent with its sign and colour. */
export const Change = ({ pct }: { readonly pct: number }) => (
  <span class={pct > 0 ? 'good' : pct < 0 ? 'bad' : 'muted'}>{formatPct(pct, true)}</span>
)

export const ItemLink = (props: { id: string; name: string; station?: string }) => {
  const { id, name, station } = props
  const at = station ? `?station=${encodeURIComponent(station)}` : ''
  return (
    <a class="name" href={`/market/item/${encodeURIComponent(id)}${at}`}>
      {name}
    </a>
  )
}

/* Columns */

export const categoryColumn: Column<{ readonly category: string }> = {
  name: 'category',
  title: 'Category',
  by: ({ category }) => category,
  isWide: true,
  cell: ({ category }) => <span class="muted">{formatId(category)}</span>,
}

/** Returns the numbers of which 0 is none: sorted, those without one come last. */
const amountColumn = <Row,>(
  name: string,
  title: string,
  of: (row: Row) => number,
  cell: Column<Row>['cell'],
): Column<Row> => ({ name, title, by: (row) => of(row) || undefined, isNumber: true, cell })

export const priceColumn = <Row,>(
  name: string,
  title: string,
  of: (row: Row) => number,
): Column<Row> => amountColumn(name, title, of, (row) => <Price value={of(row)} />)

export const unitsColumn = <Row,>(
  name: string,
  title: string,
  of: (row: Row) => number,
): Column<Row> => ({
  ...amountColumn(name, title, of, (row) => formatShort(of(row))),
  isWide: true,
})

interface Spread {
  readonly best_bid: number
  readonly best_ask: number
  readonly spread_pct: number
}

const hasBoth = ({ best_bid, best_ask }: Spread): boolean => best_bid > 0 && best_ask > 0

export const spreadColumn: Column<Spread> = {
  name: 'spread',
  title: 'Spread',
  by: (quote) => (hasBoth(quote) ? quote.spread_pct : undefined),
  isNumber: true,
  isWide: true,
  cell: (quote) => (hasBoth(quote) ? formatPct(quote.spread_pct) : <span class="muted">–</span>),
}
