/** What a run of spectators says of its bounds: that they hold only where they were measured. */
import { expect, test } from 'vitest'
import type { ServerFigures } from '../../bench/server-figures.ts'
import { describeRun } from '../../bench/watching.ts'

type Cpu = ServerFigures['cpu']

const cpuOf = (main: number): Cpu => [
  { atMs: 0, main: 0, world: 0, all: 0 },
  { atMs: 1_000, main, world: 0.1, all: 0.5 },
]

function judge(change: { cpu?: Cpu; bytes?: number[]; bodyMs?: number[]; ticks?: number } = {}) {
  const { cpu = cpuOf(0.1), ...counted } = change
  const run = {
    ...{ wanted: 10, opened: 10, closed: 0, refused: 0, ticks: 5, missed: 0, twice: 0, resets: 0 },
    ...{ bytes: [10, 11], bodyMs: [1, 2], ...counted },
  }
  const server: ServerFigures = {
    ...{ ticks: new Map(), loopMs: [], blockMs: [], rssMiB: 1, rss: [], seenMs: new Map() },
    ...{ cpu, stop: () => {} },
  }
  const part = { server, queryMs: [] }
  return describeRun(run, { tickMs: 1_000, without: part, with: part }).isSound
}

test('the bounds hold where all of them were measured, and only there', () => {
  expect(judge()).toBe(true)
  expect(judge({ cpu: [] })).toBe(false)
  expect(judge({ ticks: 0 })).toBe(false)
  expect(judge({ bytes: [] })).toBe(false)
  expect(judge({ bodyMs: [] })).toBe(false)
})
