/** An item: its price history, the stations that trade it, and the order book of one of them. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { VwapHistoryBody } from '../../core/public/past.ts'
import type { ItemMarketBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { type Day, nextRange, RANGES, rangeName, seriesOf, summaryOf } from '../market-model.ts'
import { formatId, formatInt, formatShort, plural } from '../parts/format.ts'
import { Empty, Skeleton, Stateful } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Chip, Tabs } from '../parts/tabs.tsx'
import { changeQuery, hrefOf, query } from '../router.ts'
import type { ViewProps } from '../view-rows.ts'
import { Book } from './market-book.tsx'
import {
  Change,
  formatPrice,
  Price,
  priceColumn,
  spreadColumn,
  unitsColumn,
} from './market-cells.tsx'
import { LazyChart } from './market-lazy.tsx'
import { Fills } from './market-tape.tsx'

type Offer = ItemMarketBody['stations'][number]

function daysNow(): number {
  const days = Number(query.value.days ?? RANGES[0])
  return RANGES.find((range) => range === days) ?? RANGES[0]
}

export function ItemView({ params }: ViewProps) {
  const path = `/api/market/item/${encodeURIComponent(params.id)}`
  const body = useBody<ItemMarketBody>(path, 'T')
  const keys = useMemo(
    (): readonly KeyRow[] => [
      {
        key: 'r',
        about: 'next range of days',
        run: () => changeQuery({ days: String(nextRange(daysNow())) }),
      },
    ],
    [],
  )
  useKeys(keys)
  return (
    <div class="view">
      <Stateful
        path={path}
        body={body}
        gone="The catalogue has no item by this name."
        skeleton={<Skeleton rows={14} />}
      >
        {(data) => <Item data={data} path={path} />}
      </Stateful>
    </div>
  )
}

/** Returns the station whose book is shown: that of the address, else the one with most volume. */
function chosenOf({ stations }: ItemMarketBody): Offer | undefined {
  const requested = stations.find(({ base_id }) => base_id === query.value.station)
  const open = stations.filter(({ best_bid, best_ask }) => best_bid > 0 || best_ask > 0)
  const busiest = [...open].sort(
    (a, b) =>
      b.volume_24h - a.volume_24h ||
      b.bid_quantity + b.ask_quantity - (a.bid_quantity + a.ask_quantity),
  )
  return requested ?? busiest[0] ?? stations[0]
}

function Item({ data, path }: { readonly data: ItemMarketBody; readonly path: string }) {
  const { item_id, item_name, category, base_value, stations } = data
  const chosen = chosenOf(data)
  return (
    <>
      <header>
        <h1 class="name">{item_name}</h1>
        <Chip>{formatId(category)}</Chip>
        <span class="muted">
          base value <Price value={base_value} />
        </span>
        <a class="json" href="/market">
          all items
        </a>
      </header>
      <History id={item_id} />
      <div class="split book-split">
        <Offers stations={stations} chosen={chosen} path={path} />
        {chosen && <Book station={chosen.base_id} item={item_id} />}
        <div>
          <Fills item={{ id: item_id, name: item_name }} />
        </div>
      </div>
    </>
  )
}

/* History */

function History({ id }: { readonly id: string }) {
  const days = daysNow()
  const path = hrefOf(`/api/market/vwap-history/${encodeURIComponent(id)}`, {
    days: String(days),
  })
  const body = useBody<VwapHistoryBody>(path, 'M')
  return (
    <section class="history" aria-label="Price and volume by day">
      <Tabs
        label="Range"
        value={String(days)}
        choices={RANGES.map((range) => ({ value: String(range), title: rangeName(range) }))}
        onChoose={(value) => changeQuery({ days: value === String(RANGES[0]) ? undefined : value })}
      />
      <Stateful
        path={path}
        body={body}
        isEmpty={({ history }) => history.length === 0}
        empty={
          days === 0
            ? 'No trade yet, up to the last full hour. The first day with one will appear here.'
            : `No trade in ${rangeName(days)}, up to the last full hour.`
        }
        skeleton={<div class="chart-room" />}
      >
        {({ history }) => <Days history={history} path={path} />}
      </Stateful>
    </section>
  )
}

function Days({ history, path }: { readonly history: readonly Day[]; readonly path: string }) {
  const series = useMemo(() => seriesOf(history), [history])
  const summary = summaryOf(history)
  const isOpen = useSignal(false)
  return (
    <>
      {summary && (
        <p class="sum">
          <b class="big mono">{formatPrice(summary.last)}</b> <Change pct={summary.changePct} />
          <span class="muted">
            {' '}
            · from {formatPrice(summary.low)} to {formatPrice(summary.high)} ·{' '}
            {plural(summary.volume, 'unit')} in {plural(summary.fills, 'trade')} on{' '}
            {plural(history.length, 'day')}
            {series.isThin && ' · too few days for a line'}
          </span>
        </p>
      )}
      <LazyChart series={series} />
      <details
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>The days as a table</summary>
        {isOpen.value && (
          <Table
            caption="Days"
            columns={DAYS}
            rows={[...history].reverse()}
            keyOf={({ date }) => date}
            json={path}
          />
        )}
      </details>
    </>
  )
}

const DAYS: readonly Column<Day>[] = [
  { name: 'date', title: 'Day', by: ({ date }) => date, cell: ({ date }) => date },
  {
    name: 'vwap',
    title: 'Mean price',
    by: ({ vwap }) => vwap,
    isNumber: true,
    cell: ({ vwap }) => <Price value={vwap} />,
  },
  {
    name: 'volume',
    title: 'Units',
    by: ({ volume }) => volume,
    isNumber: true,
    cell: ({ volume }) => formatInt(volume),
  },
  {
    name: 'notional',
    title: 'Credits',
    by: ({ notional }) => notional,
    isNumber: true,
    isWide: true,
    cell: ({ notional }) => formatShort(notional),
  },
  {
    name: 'trades',
    title: 'Trades',
    by: ({ fill_count }) => fill_count,
    isNumber: true,
    cell: ({ fill_count }) => formatInt(fill_count),
  },
]

/* Stations that trade it */

interface OffersProps {
  readonly stations: readonly Offer[]
  readonly chosen: Offer | undefined
  readonly path: string
}

const offerColumns = (chosen: Offer | undefined): readonly Column<Offer>[] => [
  {
    name: 'station',
    title: 'Station',
    by: ({ base_name }) => base_name,
    cell: ({ base_id, base_name }) => (
      <button
        type="button"
        class="link name"
        aria-pressed={base_id === chosen?.base_id}
        onClick={() => changeQuery({ station: base_id })}
      >
        {base_name}
      </button>
    ),
  },
  priceColumn('bid', 'Best bid', ({ best_bid }) => best_bid),
  priceColumn('ask', 'Best ask', ({ best_ask }) => best_ask),
  spreadColumn,
  { ...priceColumn('day', 'Price of 24 h', ({ vwap_24h }) => vwap_24h), isWide: true },
  unitsColumn('volume', 'Units of 24 h', ({ volume_24h }) => volume_24h),
]

function Offers({ stations, chosen, path }: OffersProps) {
  if (stations.length === 0) {
    return <Empty>No open order at any station. The first will appear here at once.</Empty>
  }
  return (
    <Table
      caption="Stations"
      sort="volume"
      isDescending
      columns={offerColumns(chosen)}
      rows={stations}
      keyOf={({ base_id }) => base_id}
      json={path}
    />
  )
}
