/** Every benchmark runs, tiny: it computes the same in each variant, and its result is printed. */
import { expect, test } from 'vitest'
import { BENCHES } from '../../bench/list.ts'
import { describeBench, runBench } from '../../bench/runner.ts'

for (const def of BENCHES) {
  test(`${def.name} measures what it says`, async () => {
    const report = await runBench(def, 'tiny', 1)
    console.log(describeBench(report).join('\n'))
    expect(report.hash).not.toBe('')
    for (const { median } of Object.values(report.ratios)) expect(median).toBeGreaterThan(0)
  }, 120_000)
}
