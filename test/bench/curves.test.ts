/** Cost curves: one point of each curve, the table, and the chart. */
import { expect, test } from 'vitest'
import { toSvg } from '../../bench/chart.ts'
import { replaceTable, tableOf } from '../../bench/curve-table.ts'
import { BENCH_NAMES, loadBench } from '../../bench/list.ts'
import { runChild } from '../../bench/runner.ts'

for (const name of BENCH_NAMES) {
  test(`${name} measures a point of its cost curve, if it has one`, async () => {
    const { curve } = await loadBench(name)
    if (curve === undefined) return
    // Streams of orders are made once an isolate; the others do not need the start of a process.
    const inChild = (): Promise<number> => runChild([name, 'curve', '1000', '1'])
    const ms = name === 'books' ? await inChild() : await curve(1_000, 1)
    expect(ms).toBeGreaterThan(0)
  }, 60_000)
}

const MEASURED = [
  { name: 'movement', rows: 1_000, threads: 1, ms: 0.002 },
  { name: 'movement', rows: 10_000, threads: 1, ms: 0.02 },
  { name: 'books', rows: 1_000, threads: 2, ms: 0.5 },
]

test('the table has a row per pass and thread count, with gaps where nothing was measured', () => {
  expect(tableOf(MEASURED)).toEqual([
    '| Pass     | Threads | 1,000                | 10,000              |',
    '| -------- | ------- | -------------------- | ------------------- |',
    '| movement | 1       | 0.00200 ms (2.00 ns) | 0.0200 ms (2.00 ns) |',
    '| books    | 2       | 0.500 ms (500 ns)    |                     |',
  ])
})

test('replaceTable changes only what is between the marks of a page', () => {
  const page = 'a\n<!-- curves: written by bench/curves.ts -->\nold\n<!-- end of curves -->\nb\n'
  const once = replaceTable(page, ['new'])
  expect(once).toContain('new')
  expect(once).not.toContain('old')
  expect(once.startsWith('a\n')).toBe(true)
  expect(once.endsWith('<!-- end of curves -->\nb\n')).toBe(true)
  expect(replaceTable(once, ['new'])).toBe(once)
  expect(() => replaceTable('no marks', [])).toThrow('does not contain the marks')
})

test('the chart draws every point within its frame, and larger values higher', () => {
  const svg = toSvg({
    title: 'a < b',
    xLabel: 'rows',
    yLabel: 'ms',
    curves: [
      {
        name: 'one',
        color: 0,
        dashed: false,
        points: [
          [1_000, 0.1],
          [1_000_000, 90],
        ],
      },
      { name: 'two', color: 1, dashed: true, points: [[1_000, 1]] },
    ],
  })
  const circles = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)]
  expect(circles).toHaveLength(3)
  const [first, second] = circles.map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
  expect(first.x).toBeLessThan(second.x)
  expect(first.y).toBeGreaterThan(second.y)
  for (const [, x, y] of circles) {
    expect(Number(x)).toBeGreaterThanOrEqual(70)
    expect(Number(y)).toBeLessThanOrEqual(430)
  }
  expect(svg).toContain('a &lt; b')
})
