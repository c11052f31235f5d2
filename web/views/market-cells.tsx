/** Cells and columns shared by the tables of the exchange. */
import { itemHref } from '../hrefs.ts'
import { formatId, formatInt, formatPct, formatShort } from '../parts/format.ts'
import type { Column } from '../parts/table.tsx'
import { hrefOf } from '../router.ts'

/** Shows a price in credits; 0 means that there is no order. */
export const Price = ({ value }: { readonly value: number }) =>
  value > 0 ? <span class="mono">{formatPrice(value)}</span> : <span class="muted">–</span>

/** Formats a price; small ones have two decimals unless they are whole. */
export const formatPrice = (value: number): string =>
  Number.isInteger(value) || value >= 1_000 ? formatInt(value) : value.toFixed(2)

/** Shows a change in percent with sign and colour. */
export const Change = ({ pct }: { readonly pct: number }) => (
  <span class={pct > 0 ? 'good' : pct < 0 ? 'bad' : 'muted'}>{formatPct(pct, true)}</span>
)

export const ItemLink = (props: { id: string; name: string; station?: string }) => {
  const { id, name, station } = props
  return (
    <a class="name" href={hrefOf(itemHref(id), { station })}>
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

/** Returns a column of amounts where 0 means none: those rows are sorted last. */
const amountColumn = <Row,>(
  name: string,
  title: string,
  numberOf: (row: Row) => number,
  cell: Column<Row>['cell'],
): Column<Row> => ({ name, title, by: (row) => numberOf(row) || undefined, isNumber: true, cell })

export const priceColumn = <Row,>(
  name: string,
  title: string,
  numberOf: (row: Row) => number,
): Column<Row> => amountColumn(name, title, numberOf, (row) => <Price value={numberOf(row)} />)

export const unitsColumn = <Row,>(
  name: string,
  title: string,
  numberOf: (row: Row) => number,
): Column<Row> => ({
  ...amountColumn(name, title, numberOf, (row) => formatShort(numberOf(row))),
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
