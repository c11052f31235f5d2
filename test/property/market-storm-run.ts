/**
 * The storm of orders at full count: `node dist/test/property/market-storm-run.js --count 1000000
 * --seed 1`. Ends with an assertion when an invariant breaks.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { runStorm } from './market-storm.ts'

const options = newTool(
  'node dist/test/property/market-storm-run.js',
  'Sends a storm of orders through the market; ends when an invariant breaks.',
)
  .option('--count <n>', 'operations', wholeFrom(1), 1_000_000)
  .option('--seed <n>', 'seed of all random draws', wholeFrom(0), 1)
  .option('--workers <n>', 'kernel threads', wholeFrom(0), 0)
  .parse()
  .opts<{ count: number; seed: number; workers: number }>()
const storm = await runStorm(options)
for (const [answer, times] of [...storm.answers].sort()) {
  console.log(`${answer.padEnd(44)} ${times}`)
}
console.log(`${storm.rows} operations in ${storm.ticks} ticks, all invariants held; ${storm.hash}`)
