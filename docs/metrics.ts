/** docs/metrics.md: all metrics, from their table and from the gauges of domains. */
import type { Registry } from '../core/registry.ts'
import { metricRows } from '../net/metrics.ts'

const GROUPS = {
  ticks: 'Ticks',
  players: 'Players and commands',
  spectators: 'Spectators',
  journal: 'Journal and snapshots',
  economy: 'World and economy',
  cluster: 'Several processes (not with `ROLE=all`)',
  process: 'Process',
  load: 'Only the last tick, for load runs',
} as const

/** Returns docs/metrics.md. */
export function metricsDocument({ gauges }: Registry, note: string): string {
  const rows = metricRows(gauges)
  const parts = Object.entries(GROUPS).map(([group, title]) => {
    const lines = rows
      .filter((row) => row.group === group)
      .map(({ name, kind, labels, help }) => {
        const shown = labels.length === 0 ? name : `${name}{${labels.join(',')}}`
        return `| \`${shown}\` | ${kind} | ${help} |`
      })
    return [`## ${title}`, '', '| Metric | Kind | Meaning |', '|---|---|---|', ...lines].join('\n')
  })
  const about =
    'The metrics of `/metrics`, in addition to those of Node (`process_…`, `nodejs_…`). ' +
    '[Operations](operations.md) describes how to collect them.'
  return `${['# Metrics', note, about, ...parts].join('\n\n')}\n`
}
