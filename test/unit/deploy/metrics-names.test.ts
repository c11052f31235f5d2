/** Dashboard and alerts name only metrics that exist, and the dashboard shows all of them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createRegistry } from '../../../core/registry.ts'
import { metricRows } from '../../../net/metrics.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const rows = metricRows(createRegistry(DOMAINS).gauges)
const names = new Set(
  rows.flatMap(({ name, kind }) =>
    kind === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
)

const expressions = {
  'deploy/grafana.json': (text: string) => [...text.matchAll(/"expr": (".*")/g)].map(String),
  'deploy/alerts.yml': (text: string) => [text],
}
const namedIn = (file: keyof typeof expressions): string[] =>
  expressions[file](readFileSync(file, 'utf8')).flatMap((text) =>
    [...text.matchAll(/\borrery_\w+/g)].map(([name]) => name),
  )

test.each(['deploy/grafana.json', 'deploy/alerts.yml'] as const)(
  '%s names only metrics that exist',
  (file) => {
    const named = namedIn(file)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((name) => !names.has(name))).toEqual([])
  },
)

test('the dashboard shows every metric but those for load runs', () => {
  const shown = new Set(namedIn('deploy/grafana.json').map((name) => name.replace(/_bucket$/, '')))
  const missing = rows.filter(({ group, name }) => group !== 'load' && !shown.has(name))
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('names follow the convention: counters end in _total, durations in seconds, no name twice', () => {
  const broken = rows.filter(
    ({ name, kind }) =>
      (kind === 'counter') !== name.endsWith('_total') ||
      /_(ms|millis|minutes|kib|mib|percent|pct)(_|$)/.test(name) ||
      (kind === 'histogram' && !name.endsWith('_seconds')),
  )
  expect(broken).toEqual([])
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
})
