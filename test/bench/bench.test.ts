/** Every benchmark runs, tiny: its variants compute the same, and all its lines are there. */
import { expect, test } from 'vitest'
import { BENCH_NAMES, loadBench } from '../../bench/list.ts'
import { resultRows, table } from '../../bench/report.ts'
import { runBench } from '../../bench/runner.ts'
import { NO_SCALES } from '../../bench/triad.bench.ts'

for (const name of BENCH_NAMES) {
  test(`${name} measures what it says`, async () => {
    const def = await loadBench(name)
    const report = await runBench(def, 'tiny', 1)
    const rows = resultRows(def, report, NO_SCALES)
    console.log(table(rows).join('\n'))
    expect(report.hash).not.toBe('')
    expect(rows.length).toBeGreaterThanOrEqual(def.lines.length)
    for (const { value, ratio } of rows) {
      expect(value).toBeGreaterThan(0)
      if (ratio !== null) expect(ratio).toBeGreaterThan(0)
    }
  }, 120_000)
}
