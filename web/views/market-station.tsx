/** The market of one station: the best bid and ask of each item. */

import { useMemo, useRef } from 'preact/hooks'
import type { StationMarketBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { stationHref } from '../hrefs.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { formatId, plural } from '../parts/format.ts'
import { Empty, Stateful } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip } from '../parts/tabs.tsx'
import { changeQuery, query } from '../router.ts'
import type { ViewProps } from '../view-rows.ts'
import {
  categoryColumn,
  ItemLink,
  priceColumn,
  spreadColumn,
  unitsColumn,
} from './market-cells.tsx'

type Quote = StationMarketBody['items'][number]

const columnsFor = (station: string): readonly Column<Quote>[] => [
  {
    name: 'item',
    title: 'Item',
    by: ({ item_name }) => item_name,
    cell: ({ item_id, item_name }) => <ItemLink id={item_id} name={item_name} station={station} />,
  },
  categoryColumn,
  { ...priceColumn('base', 'Base value', ({ base_value }) => base_value), isWide: true },
  priceColumn('bid', 'Best bid', ({ best_bid }) => best_bid),
  unitsColumn('wanted', 'Wanted', ({ bid_quantity }) => bid_quantity),
  priceColumn('ask', 'Best ask', ({ best_ask }) => best_ask),
  unitsColumn('offered', 'Offered', ({ ask_quantity }) => ask_quantity),
  spreadColumn,
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
      <Stateful path={path} body={body} gone="No market with this name is on the map.">
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
          <a class="name" href={stationHref(data.base_id)}>
            {data.base_name}
          </a>
        </h1>
        <Chip>{data.empire_name || 'independent'}</Chip>
        <a class="json" href="/market">
          all stations
        </a>
      </header>
      {data.items.length === 0 ? (
        <Empty>No open order. The first will appear here in the tick it is placed.</Empty>
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
            <Empty>No item matches. Change the filters to see others.</Empty>
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
