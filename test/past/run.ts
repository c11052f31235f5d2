/**
 * `npm run past -- --bots 300 --ticks 2160`: a world of bots, six hours of ticks run fast, and its
 * past held against what was answered then. Exit code 1 where it is another.
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

/** Any tick of a world of 300 bots, on a machine that has nothing else to do. */
const REPLAY_MS_MAX = 10_000

const flags = newTool(
  'npm run past --',
  'Lets bots live for hours of ticks, then asks their past what it was asked then, and forks it.',
)
  .option('--bots <n>', 'who live in the world', wholeFrom(1), 300)
  .option('--ticks <n>', 'how long, at 10 s a tick', wholeFrom(20), 2_160)
  .option('--seed <n>', 'of the world and of all that is drawn', wholeFrom(0), 1)
  .option(
    '--asks <n>',
    'random ticks that are asked; 0: only what is kept is shown',
    wholeFrom(0),
    20,
  )
  .option('--forks <n>', 'forks with the inputs of the journal', wholeFrom(0), 5)
  .option('--ahead <n>', 'ticks of a fork with bots of its own', wholeFrom(0), 2_000)
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
for (const one of broken) console.log(`BROKEN: ${one}`)
if (isSlow) console.log(`SLOW: a replay took ${slowest.ms} ms, above ${REPLAY_MS_MAX}`)
console.log(
  `${answers} answers of the past, the slowest after ${slowest.ms} ms (${slowest.cpuMs} ms on a ` +
    `processor); ${forks} forks; ${broken.length} promises broken`,
)
process.exit(broken.length > 0 || isSlow ? 1 : 0)
