/** The tape: recent trades, newest first, with those that the feed has brought since. */

import type { FillStatsBody, FillsBody, TopFillsBody } from '../../core/public/past.ts'
import { useBody } from '../api.ts'
import { marketHref } from '../hrefs.ts'
import { formatInt, formatShort, plural } from '../parts/format.ts'
import { Stateful } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { When } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { recent } from '../stream.ts'
import { ItemLink, Price } from './market-cells.tsx'

const HOURS = 24
const ROWS = 60

type Fill = FillsBody['fills'][number]
type TopFill = TopFillsBody['items'][number]

const stationOf = ({ station_id, station_name }: Fill) =>
  station_id ? (
    <a class="name" href={marketHref(station_id)}>
      {station_name}
    </a>
  ) : (
    <span class="name">{station_name}</span>
  )

const columnsFor = (isOneItem: boolean): readonly Column<Fill>[] => {
  const columns: readonly Column<Fill>[] = [
    { name: 'when', title: 'When', cell: ({ timestamp }) => <When at={timestamp} /> },
    {
      name: 'item',
      title: 'Item',
      cell: ({ item_id, item_name }) =>
        item_id ? <ItemLink id={item_id} name={item_name} /> : <span>{item_name}</span>,
    },
    {
      name: 'quantity',
      title: 'Units',
      isNumber: true,
      cell: ({ quantity }) => formatInt(quantity),
    },
    {
      name: 'price',
      title: 'Price',
      isNumber: true,
      cell: ({ price_each }) => <Price value={price_each} />,
    },
    {
      name: 'total',
      title: 'Total',
      isNumber: true,
      isWide: true,
      cell: ({ total }) => formatShort(total),
    },
    { name: 'station', title: 'Station', isWide: true, cell: stationOf },
    {
      name: 'side',
      title: 'Order',
      isWide: true,
      cell: ({ is_npc, order_type }) => (
        <span class="muted">
          {order_type.replaceAll('_', ' ')}
          {is_npc && ', with the station'}
        </span>
      ),
    },
  ]
  return isOneItem ? columns.filter(({ name }) => name !== 'item') : columns
}

/** Returns the trades of the feed that are newer than the list; the feed has no ids for them. */
function newer(fills: readonly Fill[], isWanted: (fill: Fill) => boolean): Fill[] {
  const newest = Date.parse(fills[0]?.timestamp ?? '') || 0
  const found = recent.value.flatMap((message): Fill[] => {
    if (message.type !== 'exchange_fill' || !message.timestamp) return []
    if (Date.parse(message.timestamp) <= newest) return []
    const { buyer, seller, ...data } = message.data
    const names = { buyer_name: buyer, seller_name: seller, item_id: '', station_id: '' }
    const head = { id: message.id, timestamp: message.timestamp }
    return [{ ...head, ...data, ...names, is_npc: buyer !== '' || seller !== '' }]
  })
  return found.filter(isWanted).reverse()
}

interface FillsProps {
  readonly item?: { readonly id: string; readonly name: string }
}

/** Shows the trades of all items, or of one. */
export function Fills({ item }: FillsProps) {
  const path = hrefOf('/api/market/fills', {
    hours: String(item ? 7 * HOURS : HOURS),
    limit: String(ROWS),
    item: item?.id,
  })
  const body = useBody<FillsBody>(path, 'M')
  return (
    <Stateful
      path={path}
      body={body}
      isEmpty={({ fills }) => fills.length === 0 && newer([], isOf(item)).length === 0}
      empty={item ? 'No trade in the last 7 days.' : 'No trade in the last 24 hours.'}
    >
      {({ fills }) => (
        <Table
          caption="Trades"
          columns={columnsFor(item !== undefined)}
          rows={[...newer(fills, isOf(item)), ...fills].slice(0, ROWS)}
          keyOf={({ id }) => id}
          json={path}
        />
      )}
    </Stateful>
  )
}

const isOf = (item: FillsProps['item']) => (fill: Fill) =>
  item === undefined || fill.item_name === item.name

const TOP: readonly Column<TopFill>[] = [
  {
    name: 'item',
    title: 'Item',
    by: ({ item_name }) => item_name,
    cell: ({ item_id, item_name }) => <ItemLink id={item_id} name={item_name} />,
  },
  {
    name: 'trades',
    title: 'Trades',
    by: ({ trade_count }) => trade_count,
    isNumber: true,
    cell: ({ trade_count }) => formatInt(trade_count),
  },
  {
    name: 'volume',
    title: 'Units',
    by: ({ volume }) => volume,
    isNumber: true,
    cell: ({ volume }) => formatShort(volume),
  },
  {
    name: 'vwap',
    title: 'Price',
    by: ({ vwap }) => vwap,
    isNumber: true,
    cell: ({ vwap }) => <Price value={vwap} />,
  },
]

const STATS_PATH = hrefOf('/api/market/fills/stats', { hours: String(HOURS) })
const TOP_PATH = hrefOf('/api/market/fills/top', { hours: String(HOURS), limit: '20' })

export function Tape() {
  const stats = useBody<FillStatsBody>(STATS_PATH, 'M')
  const top = useBody<TopFillsBody>(TOP_PATH, 'M')
  return (
    <>
      <Stateful path={STATS_PATH} body={stats} skeleton={<p>&nbsp;</p>}>
        {({ total_count, total_volume, npc_fill_count, player_fill_count }) => (
          <p class="muted">
            In 24 hours {plural(total_count, 'trade')} of {plural(total_volume, 'unit')}:{' '}
            {formatInt(player_fill_count)} between players, {formatInt(npc_fill_count)} with
            stations.
          </p>
        )}
      </Stateful>
      <div class="split">
        <Fills />
        <Stateful
          path={TOP_PATH}
          body={top}
          isEmpty={({ items }) => items.length === 0}
          empty="The most traded items of 24 hours will appear here."
        >
          {({ items }) => (
            <Table
              caption="Most traded"
              columns={TOP}
              rows={items}
              keyOf={({ item_id }) => item_id}
              json={TOP_PATH}
            />
          )}
        </Stateful>
      </div>
    </>
  )
}
