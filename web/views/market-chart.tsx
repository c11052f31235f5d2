/** Charts of price and volume by day, one below the other with one crosshair. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { INKS, type Ink } from '../canvas/inks.ts'
import type { Series } from '../market-model.ts'
import { formatInt, formatShort } from '../parts/format.ts'
import { theme } from '../settings.ts'
import { formatPrice } from './market-cells.tsx'

const PRICE_HEIGHT = 180
const VOLUME_HEIGHT = 120
const AXIS_WIDTH = 64
const DAYS_HEIGHT = 40
/** The same in both charts, so that their days are aligned. */
const PADDING: uPlot.Padding = [8, 14, 0, 0]
const FONT = '12px ui-sans-serif, system-ui, sans-serif'

const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: 'UTC' })

const axesOf = (ink: Ink, format: (value: number) => string, hasDays: boolean): uPlot.Axis[] => {
  const shared = { stroke: ink.muted, font: FONT, grid: { stroke: ink.line, width: 1 } }
  return [
    { ...shared, show: hasDays, size: DAYS_HEIGHT, ticks: { show: false } },
    {
      ...shared,
      size: AXIS_WIDTH,
      ticks: { show: false },
      values: (_: uPlot, values: number[]) => values.map(format),
    },
  ]
}

interface Plan {
  readonly ink: Ink
  readonly width: number
  readonly isThin: boolean
  /** Receives the index of the day at the crosshair; undefined: none. */
  readonly onPoint: (at: number | undefined) => void
}

function optionsOf({ ink, width, onPoint }: Plan, height: number): Omit<uPlot.Options, 'series'> {
  return {
    width,
    height,
    padding: PADDING,
    legend: { show: false },
    cursor: {
      sync: { key: 'market' },
      drag: { x: false, y: false },
      points: { size: 7, fill: ink.accent },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  }
}

/** Returns the options of the price chart. */
function priceOptions(plan: Plan): uPlot.Options {
  const { ink, isThin } = plan
  return {
    ...optionsOf(plan, PRICE_HEIGHT),
    scales: { y: { range: (_, low, high) => padded(low, high) } },
    axes: axesOf(ink, formatPrice, false),
    series: [
      {},
      {
        stroke: ink.accent,
        width: 2,
        fill: `${ink.accent}22`,
        points: { show: isThin ? true : undefined, size: 7, fill: ink.accent },
        ...(isThin ? { paths: () => null } : {}),
      },
    ],
  }
}

function padded(low: number, high: number): [number, number] {
  const room = Math.max((high - low) * 0.12, high * 0.02, 0.5)
  return [Math.max(0, low - room), high + room]
}

function volumeOptions(plan: Plan): uPlot.Options {
  const { ink } = plan
  return {
    ...optionsOf(plan, VOLUME_HEIGHT),
    scales: { y: { range: (_, __, high) => [0, Math.max(1, high * 1.1)] } },
    axes: axesOf(ink, formatShort, true),
    series: [
      {},
      {
        stroke: ink.muted,
        fill: `${ink.muted}66`,
        width: 1,
        paths: uPlot.paths.bars?.({ size: [0.7, 24] }),
        points: { show: false },
      },
    ],
  }
}

export function PriceChart({ series }: { readonly series: Series }) {
  const box = useRef<HTMLDivElement>(null)
  const at = useSignal<number | undefined>(undefined)
  const { days, prices, volumes, isThin } = series
  const look = theme.value
  useEffect(() => {
    const place = box.current
    if (!place) return
    const onPoint = (point: number | undefined) => {
      at.value = point
    }
    const plan = { ink: INKS[look], width: place.clientWidth, isThin, onPoint }
    const charts = [
      new uPlot(priceOptions(plan), [[...days], [...prices]], place),
      new uPlot(volumeOptions(plan), [[...days], [...volumes]], place),
    ]
    const watcher = new ResizeObserver(() => {
      for (const chart of charts) chart.setSize({ width: place.clientWidth, height: chart.height })
    })
    watcher.observe(place)
    return () => {
      watcher.disconnect()
      for (const chart of charts) chart.destroy()
    }
  }, [series, look])
  // Another range may have fewer days than the one under the crosshair.
  const point = at.value !== undefined && at.value < days.length ? at.value : undefined
  const price = point === undefined ? undefined : prices[point]
  return (
    <>
      <p class="point muted">
        {point === undefined
          ? 'Mean price of the day, and units traded'
          : `${day.format(days[point] * 1000)}: ${
              price == null
                ? 'no trade'
                : `${formatPrice(price)}, ${formatInt(volumes[point] ?? 0)} units`
            }`}
      </p>
      <div
        ref={box}
        class="charts"
        role="img"
        aria-label={`Chart of ${days.length} days; the table below has the same.`}
      />
    </>
  )
}
