/** The market of one station: its bests, item by item. */
import { useMemo, useRef } from 'preact/hooks'
import type { StationMarketBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { formatId, formatPct, formatShort, plural } from '../parts/format.ts'
import { Empty, Stateful } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip } from '../parts/tabs.tsx'
import { changeQuery, query } from '../router.ts'
import type { ViewProps } from '../view-rows.ts'
import { ItemLink, Price } from './market-cells.tsx'

type Quote = StationMarketBody['items'][number]

const columnsFor = (station: string): readonly Column<Quote>[] => [
  {
    name: 'item',
    title: 'Item',
    by: ({ item_name }) => item_name,
    cell: ({ item_id, item_name }) => <ItemLink id={item_id} name={item_name} station={station} />,
  },
  {
    name: 'category',
    title: 'Category',
    by: ({ category }) => category,
    isWide: true,
    cell: ({ category }) => <span class="muted">{formatId(category)}</span>,
  },
  {
    name: 'base',
    title: 'Base value',
    by: ({ base_value }) => base_value || undefined,
    isNumber: true,
    isWide: true,
    cell: ({ base_value }) => <Price value={base_value} />,
  },
  {
    name: 'bid',
    title: 'Best bid',
    by: ({ best_bid }) => best_bid || undefined,
    isNumber: true,
    cell: ({ best_bid }) => <Price value={best_bid} />,
  },
  {
    name: 'wanted',
    title: 'Wanted',
    by: ({ bid_quantity }) => bid_quantity || undefined,
    isNumber: true,
    isWide: true,
    cell: ({ bid_quantity }) => formatShort(bid_quantity),
  },
  {
    name: 'ask',
    title: 'Best ask',
    by: ({ best_ask }) => best_ask || undefined,
    isNumber: true,
    cell: ({ best_ask }) => <Price value={best_ask} />,
  },
  {
    name: 'offered',
    title: 'Offered',
    by: ({ ask_quantity }) => ask_quantity || undefined,
    isNumber: true,
    isWide: true,
    cell: ({ ask_quantity }) => formatShort(ask_quantity),
  },
  {
    name: 'spread',
    title: 'Spread',
    by: ({ spread_pct, best_bid, best_ask }) =>
      best_bid > 0 && best_ask > 0 ? spread_pct : undefined,
    isNumber: true,
    isWide: true,
    cell: ({ spread_pct, best_bid, best_ask }) =>
      best_bid > 0 && best_ask > 0 ? formatPct(spread_pct) : <span class="muted">–</span>,
  },
]

export function StationMarketView({ params }: ViewProps) {
  const path = `/api/market/station/${encodeURIComponent(params.station)}`
  const body = useBody<StationMarketBody>(path, 'T')
  const field = useRef<HTMLInputElement>(null)
  const keys = useMemo(
    (): readonly KeyRow[] => [
      { key: 'f', about: 'filter items', run: () => field.current?.focus() },
    ],
    [],
  )
  useKeys(keys)
  return (
    <div class="view">
      <Stateful path={path} body={body} gone="No market by this name stands on the chart.">
        {(data) => <StationMarket data={data} path={path} field={field} />}
      </Stateful>
    </div>
  )
}

interface StationMarketProps {
  readonly data: StationMarketBody
  readonly path: string
  readonly field: { current: HTMLInputElement | null }
}

function StationMarket({ data, path, field }: StationMarketProps) {
  const { q = '', category = '' } = query.value
  const text = q.trim().toLowerCase()
  const rows = data.items.filter(
    (row) =>
      (category === '' || row.category === category) && row.item_name.toLowerCase().includes(text),
  )
  return (
    <>
      <header>
        <h1>
          Market of{' '}
          <a class="name" href={`/stations/${encodeURIComponent(data.base_id)}`}>
            {data.base_name}
          </a>
        </h1>
        <Chip>{data.empire_name || 'independent'}</Chip>
        <a class="json" href="/market">
          all stations
        </a>
      </header>
      {data.items.length === 0 ? (
        <Empty>No open order. The first will stand here in the tick it is placed.</Empty>
      ) : (
        <>
          <search class="filters">
            <input
              ref={field}
              type="search"
              value={q}
              maxLength={64}
              placeholder="Filter items"
              aria-label="Filter items by name"
              aria-keyshortcuts="f"
              onInput={(event) => changeQuery({ q: event.currentTarget.value || undefined })}
            />
            <label>
              <span class="hidden">Category</span>
              <select
                value={category}
                onChange={(event) =>
                  changeQuery({ category: event.currentTarget.value || undefined })
                }
              >
                <option value="">All categories</option>
                {data.categories.map((one) => (
                  <option key={one} value={one}>
                    {formatId(one)}
                  </option>
                ))}
              </select>
            </label>
          </search>
          {rows.length === 0 ? (
            <Empty>No item is like this. Change the filters to see others.</Empty>
          ) : (
            <Table
              caption={plural(rows.length, 'item')}
              columns={columnsFor(data.base_id)}
              rows={rows}
              keyOf={({ item_id }) => item_id}
              json={path}
            />
          )}
        </>
      )}
    </>
  )
}
