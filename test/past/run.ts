/**
 * `npm run past -- --bots 300 --ticks 2160`: runs a world of bots for six hours of ticks, then
 * compares replayed answers with those given live. Exit code 1 where they differ or are slow.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { createProgress } from '../../cli/progress.ts'
import { withDatabase } from '../databases.ts'
import { runPast } from './past.ts'

interface Flags {
  readonly bots: number
  readonly ticks: number
  readonly seed: number
  readonly asks: number
  readonly forks: number
  readonly ahead: number
}

/** Limit for a replay to any tick of a world of 300 bots, on a machine with no other load. */
const REPLAY_MS_MAX = 10_000

const flags = newTool(
  'npm run past --',
  'Runs bots for hours of ticks, then replays recorded queries at past ticks and makes forks.',
)
  .option('--bots <n>', 'bots in the world', wholeFrom(1), 300)
  .option('--ticks <n>', 'length of the run, at 10 s a tick', wholeFrom(20), 2_160)
  .option('--seed <n>', 'seed of the world and of all random draws', wholeFrom(0), 1)
  .option(
    '--asks <n>',
    'queries at random past ticks; 0 only lists the snapshots',
    wholeFrom(0),
    20,
  )
  .option('--forks <n>', 'forks that replay the journal', wholeFrom(0), 5)
  .option('--ahead <n>', 'ticks that a fork runs with bots of its own', wholeFrom(0), 2_000)
  .parse()
  .opts<Flags>()

const progress = createProgress()
const found = await withDatabase((database) =>
  runPast({
    ...flags,
    database,
    say(text) {
      progress.end()
      console.log(text)
    },
    onProgress: (tick, ticks) => progress.progress('ticks lived', tick, ticks),
  }),
)
progress.end()
const { broken, slowest, answers, forks } = found
const isSlow = slowest.ms > REPLAY_MS_MAX
for (const difference of broken) console.log(`BROKEN: ${difference}`)
if (isSlow) console.log(`SLOW: a replay took ${slowest.ms} ms, above ${REPLAY_MS_MAX}`)
console.log(
  `${answers} replayed answers, the slowest after ${slowest.ms} ms (${slowest.cpuMs} ms on a ` +
    `processor); ${forks} forks; ${broken.length} differences`,
)
process.exit(broken.length > 0 || isSlow ? 1 : 0)
