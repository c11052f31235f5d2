/** The order book of an item at a station: its price levels, and the depth curve. */

import { useSignal } from '@preact/signals'
import type { DepthBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { marketHref } from '../hrefs.ts'
import { type Curve, curveOf, ladderOf, type Rung } from '../market-model.ts'
import { formatInt, formatShort } from '../parts/format.ts'
import { Empty, Skeleton, Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { formatPrice, Price } from './market-cells.tsx'

const LEVELS = 10
const LEVELS_MAX = 50

export function Book({ station, item }: { readonly station: string; readonly item: string }) {
  const path = `/api/market/depth/${encodeURIComponent(station)}/${encodeURIComponent(item)}`
  const body = useBody<DepthBody>(path, 'T')
  return (
    <section class="panel book" aria-label="Order book">
      <Stateful path={path} body={body} skeleton={<Skeleton rows={2 * LEVELS} />}>
        {(data) => <Depth data={data} path={path} />}
      </Stateful>
    </section>
  )
}

function Depth({ data, path }: { readonly data: DepthBody; readonly path: string }) {
  const levels = useSignal(LEVELS)
  const ladder = ladderOf(data, levels.value)
  const curve = curveOf(data)
  const isLong = Math.max(data.bids.length, data.asks.length) > LEVELS
  return (
    <>
      <header>
        <h2>
          Book at{' '}
          <a class="name" href={marketHref(data.base_id)}>
            {data.base_name}
          </a>
        </h2>
        <AsJson path={path} />
      </header>
      {curve ? <DepthCurve curve={curve} /> : <Empty>No open order at this station.</Empty>}
      {curve && (
        <table class="ladder">
          <caption class="hidden">Levels: asks, the spread, bids; the best in the middle</caption>
          <thead>
            <tr>
              <th scope="col">Side</th>
              <th scope="col" class="num">
                Price
              </th>
              <th scope="col" class="num">
                Units
              </th>
              <th scope="col" class="num">
                Up to here
              </th>
            </tr>
          </thead>
          <tbody>
            <Rungs side="ask" rungs={ladder.asks} />
            <tr class="spread">
              <td colSpan={4}>
                {ladder.spread > 0 ? (
                  <>
                    spread <Price value={ladder.spread} />, middle{' '}
                    <span class="mono">{formatPrice(ladder.middle)}</span>
                  </>
                ) : (
                  `no ${ladder.asks.length === 0 ? 'ask' : 'bid'}`
                )}
              </td>
            </tr>
            <Rungs side="bid" rungs={ladder.bids} />
          </tbody>
        </table>
      )}
      {isLong && (
        <button
          type="button"
          class="more"
          onClick={() => {
            levels.value = levels.value === LEVELS ? LEVELS_MAX : LEVELS
          }}
        >
          {levels.value === LEVELS ? 'All levels' : `${LEVELS} levels`}
        </button>
      )}
    </>
  )
}

function Rungs({ side, rungs }: { readonly side: 'bid' | 'ask'; readonly rungs: readonly Rung[] }) {
  return (
    <>
      {rungs.map(({ price, quantity, cumulative, share }) => (
        <tr key={`${side}${price}`} class={side}>
          <td>{side}</td>
          <td class="num mono">{formatInt(price)}</td>
          <td class="num">
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect x={100 - 100 * share} y="0" width={100 * share} height="10" />
            </svg>
            <span>{formatInt(quantity)}</span>
          </td>
          <td class="num muted">{formatShort(cumulative)}</td>
        </tr>
      ))}
    </>
  )
}

const WIDTH = 1_000
const HEIGHT = 100

/** Returns the path of one side's area in the depth curve. */
function outlineOf(steps: Curve['bids'], curve: Curve, edge: number): string {
  if (steps.length === 0) return ''
  const x = (price: number) => ((price - curve.low) / (curve.high - curve.low)) * WIDTH
  const y = (quantity: number) => HEIGHT - (quantity / curve.most) * (HEIGHT - 4)
  const points = steps.map(
    ([price, quantity]) => `${x(price).toFixed(1)} ${y(quantity).toFixed(1)}`,
  )
  const last = steps[steps.length - 1]
  return `M${points.join('L')}L${edge} ${y(last[1]).toFixed(1)}V${HEIGHT}H${x(steps[0][0])}Z`
}

function DepthCurve({ curve }: { readonly curve: Curve }) {
  const bids = curve.bids.at(-1)?.[1] ?? 0
  const asks = curve.asks.at(-1)?.[1] ?? 0
  const label =
    `Depth: ${formatInt(bids)} units wanted down to ${formatPrice(curve.low)}, ` +
    `${formatInt(asks)} offered up to ${formatPrice(curve.high)}.`
  return (
    <figure class="depth">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <path class="bid" d={outlineOf(curve.bids, curve, 0)} />
        <path class="ask" d={outlineOf(curve.asks, curve, WIDTH)} />
      </svg>
      <figcaption class="muted">
        <span class="mono">{formatPrice(Math.max(0, Math.round(curve.low)))}</span>
        <span>
          <b class="good">{formatShort(bids)} wanted</b> ·{' '}
          <b class="bad">{formatShort(asks)} offered</b>
        </span>
        <span class="mono">{formatPrice(Math.round(curve.high))}</span>
      </figcaption>
    </figure>
  )
}
