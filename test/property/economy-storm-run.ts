/**
 * The random economy at full count: `node dist/test/property/economy-storm-run.js --count 1000000
 * --seed 1`. Ends with an assertion when an invariant breaks.
 */
import { listOf, newTool, wholeFrom } from '../../cli/command-line.ts'
import { runEconomyStorm } from './economy-storm.ts'

interface Flags {
  readonly count: number
  readonly seed: number
  readonly workers: number[]
  readonly restart: number
  readonly answers?: true
}

const { count, seed, workers, restart, answers } = newTool(
  'node dist/test/property/economy-storm-run.js',
  'Runs a random economy with restarts; ends when an invariant breaks.',
)
  .option('--count <n>', 'operations', wholeFrom(1), 1_000_000)
  .option('--seed <n>', 'seed of all random draws', wholeFrom(0), 1)
  .option('--workers <list>', 'numbers of kernel threads', listOf(wholeFrom(0)), [0, 1, 2, 4])
  .option('--restart <ticks>', 'ticks between two restarts', wholeFrom(1), 100)
  .option('--answers', 'print the answers by command and code')
  .parse()
  .opts<Flags>()
const PROGRESS_TICKS = 200
const storm = await runEconomyStorm({
  seed,
  count,
  workers,
  restartEvery: restart,
  onTick(ticks, operations) {
    if (ticks % PROGRESS_TICKS === 0) console.log(`tick ${ticks}: ${operations} operations`)
  },
})
if (answers) {
  for (const [answer, times] of [...storm.answers].sort()) {
    console.log(`${answer.padEnd(52)} ${times}`)
  }
}
console.log(
  `${storm.operations} operations in ${storm.ticks} ticks with ${storm.restarts} restarts on ` +
    `${workers} threads, all invariants held after every tick; ${storm.hash}`,
)
