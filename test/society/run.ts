/**
 * `npm run society -- --players 1000 --ticks 3000`: lets clans of bots live together,
 * restarts their world now and then, and tells what became of them and of the memory.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { openSociety } from './society.ts'

interface Flags {
  readonly players: number
  readonly ticks: number
  readonly seed: number
  readonly workers: number
  readonly restart: number
  readonly answers?: true
}

const { players, ticks, seed, workers, restart, answers } = newTool(
  'npm run society --',
  'Lets clans of bots live together, and tells what became of them and of the memory.',
)
  .option(
    '--players <n>',
    'bots, 25 a clan: a leader, officers, soldiers, workers, drifters',
    wholeFrom(1),
    1_000,
  )
  .option(
    '--ticks <n>',
    'how long they live; memory is compared between a third of it and its end',
    wholeFrom(1),
    3_000,
  )
  .option('--seed <n>', 'of the world and of all that the bots draw', wholeFrom(0), 1)
  .option('--workers <n>', 'kernel threads', wholeFrom(0), 1)
  .option('--restart <ticks>', 'ticks between two restarts of the world', wholeFrom(1), 250)
  .option('--answers', 'print what the server answered, by command')
  .addHelpText(
    'after',
    `
Exit code 1 where memory at the end is more than 1.2 times that after a third; an invariant that
does not hold ends the run at once.`,
  )
  .parse()
  .opts<Flags>()

const GROWTH_MAX = 1.2
const MIB = 2 ** 20
const mark = Math.max(1, Math.trunc(ticks / 3))

/** After a forced collection: what the process holds. */
function memoryMiB(): number {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('run with node --expose-gc')
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MIB
}

const started = performance.now()
const society = await openSociety({ seed, players, workers })
let before = 0
for (let tick = 1; tick <= ticks; tick++) {
  await society.tick()
  if (tick % restart === 0 && tick !== ticks && tick !== mark) {
    await society.restart()
  }
  if (tick === mark) before = memoryMiB()
  if (tick % 100 === 0) {
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const rss = (process.memoryUsage().rss / MIB).toFixed(0)
    console.log(`tick ${tick}: ${society.driven.hash()}, rss ${rss} MiB (${seconds} s)`)
  }
}
const after = memoryMiB()
const told = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
if (answers) console.log(told(society.answers))
console.log(`events: ${told(society.events)}`)
const growth = after / before
console.log(
  `memory after a forced collection: ${before.toFixed(1)} MiB at tick ${mark}, ` +
    `${after.toFixed(1)} MiB at tick ${ticks}: ${growth.toFixed(2)} times`,
)
await society.close()
process.exit(growth > GROWTH_MAX ? 1 : 0)
