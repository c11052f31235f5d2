/** Loads the chart when an item is first shown; it is a chunk of its own. */
import { type Signal, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { Series } from '../market-model.ts'

type Chart = ComponentType<{ readonly series: Series }>

const chart: Signal<Chart | undefined> = signal(undefined)
const hasFailed = signal(false)

function load(): void {
  import('./market-chart.tsx').then(
    ({ PriceChart }) => {
      chart.value = PriceChart
    },
    () => {
      hasFailed.value = true
    },
  )
}

let isRequested = false

export function LazyChart({ series }: { readonly series: Series }) {
  if (!isRequested) {
    isRequested = true
    load()
  }
  const Shown = chart.value
  if (hasFailed.value) return <p class="muted">The chart did not load; the table has the same.</p>
  return <div class="chart-room">{Shown && <Shown series={series} />}</div>
}
