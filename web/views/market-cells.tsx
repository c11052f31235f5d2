/** Cells that the tables of the exchange share. */
import { formatInt, formatPct } from '../parts/format.ts'

/** A price in credits; 0 is no order. */
export const Price = ({ value }: { readonly value: number }) =>
  value > 0 ? <span class="mono">{formatPrice(value)}</span> : <span class="muted">–</span>

/** Writes small prices with two digits, where they are no whole numbers. */
export const formatPrice = (value: number): string =>
  Number.isInteger(value) || value >= 1_000 ? formatInt(value) : value.toFixed(2)

/** A change in percent with its sign and colour. */
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
