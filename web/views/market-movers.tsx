/** Changes of prices and volumes on the exchange, and profitable trips. */

import type { MoversBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { marketHref } from '../hrefs.ts'
import { formatInt, formatPct, formatShort, plural } from '../parts/format.ts'
import { Empty, Stateful } from '../parts/state.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { When } from '../parts/time.tsx'
import { Change, formatPrice, ItemLink, Price } from './market-cells.tsx'

const PATH = '/api/market/movers'

type Mover = MoversBody['price_gainers'][number]
type Trip = MoversBody['arbitrage'][number]

const itemColumn: Column<Mover> = {
  name: 'item',
  title: 'Item',
  by: ({ item_name }) => item_name,
  cell: ({ item_id, item_name }) => <ItemLink id={item_id} name={item_name} />,
}
const volumeColumn: Column<Mover> = {
  name: 'volume',
  title: 'Volume',
  by: ({ recent_volume }) => recent_volume,
  isNumber: true,
  cell: ({ recent_volume }) => formatShort(recent_volume),
}
const PRICES: readonly Column<Mover>[] = [
  itemColumn,
  {
    name: 'price',
    title: 'Price',
    by: ({ recent_vwap }) => recent_vwap,
    isNumber: true,
    cell: ({ recent_vwap }) => <Price value={recent_vwap} />,
  },
  {
    name: 'change',
    title: 'Change',
    by: ({ price_change_pct }) => price_change_pct,
    isNumber: true,
    cell: ({ price_change_pct }) => <Change pct={price_change_pct} />,
  },
  volumeColumn,
]
const VOLUMES: readonly Column<Mover>[] = [
  itemColumn,
  {
    name: 'ratio',
    title: 'Increase',
    by: ({ surge_ratio }) => surge_ratio,
    isNumber: true,
    cell: ({ surge_ratio }) => (surge_ratio > 0 ? `${surge_ratio.toFixed(1)} ×` : 'new'),
  },
  volumeColumn,
]

const LISTS = [
  ['price_gainers', 'Rising prices', PRICES, 'No price has risen.'],
  ['price_losers', 'Falling prices', PRICES, 'No price has fallen.'],
  ['volume_surges', 'More traded', VOLUMES, 'Nothing is traded more than before.'],
  ['new_demand', 'Newly traded', VOLUMES, 'Nothing is traded that was not before.'],
] as const

export function Movers() {
  const body = useBody<MoversBody>(PATH, 'M')
  return (
    <Stateful path={PATH} body={body}>
      {(data) => (
        <>
          <p class="muted">
            The last {plural(data.recent_hours, 'hour')} against the{' '}
            {plural(data.baseline_hours, 'hour')} before, as of <When at={data.generated_at} />.
          </p>
          <div class="four">
            {LISTS.map(([list, title, columns, empty]) => (
              <section key={list}>
                {data[list].length === 0 ? (
                  <>
                    <h2>{title}</h2>
                    <Empty>{empty}</Empty>
                  </>
                ) : (
                  <Table
                    caption={title}
                    columns={columns}
                    rows={data[list]}
                    keyOf={({ item_id }) => item_id}
                    json={PATH}
                  />
                )}
              </section>
            ))}
          </div>
        </>
      )}
    </Stateful>
  )
}

/* Arbitrage */

interface EndProps {
  readonly base?: string
  readonly name: string
  readonly empire: string
  readonly price: number
}

/** Shows one end of a trip: the price, and the station's market if it is known. */
function End({ base, name, empire, price }: EndProps) {
  return (
    <span class="end-of-trip">
      <b class="mono">{formatPrice(price)}</b>
      {base ? (
        <a class="name" href={marketHref(base)}>
          {name}
        </a>
      ) : (
        <span>{empire}</span>
      )}
    </span>
  )
}

const TRIPS: readonly Column<Trip>[] = [
  {
    name: 'item',
    title: 'Item',
    by: ({ item_name }) => item_name,
    cell: ({ item_id, item_name }) => <ItemLink id={item_id} name={item_name} />,
  },
  {
    name: 'buy',
    title: 'Buy at',
    by: ({ buy_price }) => buy_price,
    cell: (trip) => (
      <End
        name={trip.buy_base_name ?? ''}
        empire={trip.buy_empire_name}
        price={trip.buy_price}
        {...(trip.buy_base ? { base: trip.buy_base } : {})}
      />
    ),
  },
  {
    name: 'sell',
    title: 'Sell at',
    by: ({ sell_price }) => sell_price,
    cell: (trip) => (
      <End
        name={trip.sell_base_name ?? ''}
        empire={trip.sell_empire_name}
        price={trip.sell_price}
        {...(trip.sell_base ? { base: trip.sell_base } : {})}
      />
    ),
  },
  {
    name: 'margin',
    title: 'Margin',
    by: ({ margin }) => margin,
    isNumber: true,
    cell: ({ margin, margin_pct }) => (
      <>
        <b class="good">+{formatInt(margin)}</b>{' '}
        <span class="muted wide-only">{formatPct(margin_pct)}</span>
      </>
    ),
  },
  {
    name: 'depth',
    title: 'Units',
    by: ({ depth }) => depth,
    isNumber: true,
    isWide: true,
    cell: ({ depth }) => formatInt(depth),
  },
  {
    name: 'sum',
    title: 'Total',
    by: ({ margin, depth }) => margin * depth,
    isNumber: true,
    isWide: true,
    cell: ({ margin, depth }) => formatShort(margin * depth),
  },
]

export function Arbitrage() {
  const body = useBody<MoversBody>(PATH, 'M')
  return (
    <Stateful
      path={PATH}
      body={body}
      isEmpty={({ arbitrage }) => arbitrage.length === 0}
      empty="No item has a bid above an ask elsewhere. The list is updated every 60 ticks."
    >
      {({ arbitrage, generated_at }) => (
        <>
          <p class="muted">
            Before taxes, fees and fuel, as of <When at={generated_at} />.
          </p>
          <Table
            caption="Profitable trips"
            columns={TRIPS}
            rows={arbitrage}
            keyOf={(trip) =>
              [
                trip.item_id,
                trip.buy_base,
                trip.buy_empire,
                trip.sell_base,
                trip.sell_empire,
              ].join()
            }
            sort="sum"
            isDescending
            json={PATH}
          />
        </>
      )}
    </Stateful>
  )
}
