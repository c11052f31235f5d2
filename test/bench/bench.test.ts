/**
 * Runs every benchmark at a tiny size: its variants compute the same, and all its lines are
 * reported. They run in this process, since times mean nothing at this size and a process of their
 * own would cost a start.
 */
import { describe, expect, test } from 'vitest'
import { BENCH_NAMES, loadBench } from '../../bench/list.ts'
import { resultRows, table } from '../../bench/report.ts'
import { inOwnProcess, runBench, type Sampler } from '../../bench/runner.ts'
import { NO_SCALES } from '../../bench/scale.ts'
import { soaked } from '../soak-mode.ts'

/** Benchmarks that mostly wait for other processes, and therefore run concurrently. */
const LIVE = ['archive', 'sockets', 'market-feed', 'live-players', 'live-world']
const LIVE_HERE = soaked(['archive'], LIVE)
/** Benchmarks that need their own process: streams of orders are made once an isolate. */
const ALONE = ['books']

const inThisProcess: Sampler = (def, size, variant) => def.run(size, variant)

async function runTiny(name: string): Promise<void> {
  const def = await loadBench(name)
  const report = await runBench(def, 'tiny', 1, ALONE.includes(name) ? inOwnProcess : inThisProcess)
  const rows = resultRows(def, report, NO_SCALES)
  console.log(table(rows).join('\n'))
  expect(report.hash).not.toBe('')
  expect(rows.length).toBeGreaterThanOrEqual(def.lines.length)
  for (const { value, ratio } of rows) {
    expect(value).toBeGreaterThan(0)
    if (ratio !== null) expect(ratio).toBeGreaterThan(0)
  }
}

for (const name of BENCH_NAMES.filter((benchName) => !LIVE.includes(benchName))) {
  test(`${name} reports all its lines`, () => runTiny(name), 120_000)
}

describe.concurrent('live', () => {
  test.each(LIVE_HERE)('%s reports all its lines', (name) => runTiny(name), 180_000)
})
