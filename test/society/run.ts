/**
 * `npm run society -- --players 1000 --ticks 3000`: lets clans of bots live together,
 * restarts their world now and then, and tells what became of them and of the memory.
 */
import { parseArgs } from 'node:util'
import { openSociety } from './society.ts'

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '1000' },
    ticks: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    restart: { type: 'string', default: '250' },
    answers: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`npm run society -- [options]

--players 1000   bots, 25 a clan: a leader, officers, soldiers, workers, drifters
--ticks 3000     how long they live; memory is compared between a third of it and its end
--seed 1         of the world and of all that the bots draw
--workers 1      kernel threads
--restart 250    ticks between two restarts of the world
--answers        print what the server answered, by command, and what it told

Exit code 1 where memory at the end is more than 1.2 times that after a third; an invariant that
does not hold ends the run at once.`)
  process.exit(0)
}

const GROWTH_MAX = 1.2
const MIB = 2 ** 20
const ticks = Number(values.ticks)
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
const society = await openSociety({
  seed: Number(values.seed),
  players: Number(values.players),
  workers: Number(values.workers),
})
let before = 0
for (let tick = 1; tick <= ticks; tick++) {
  await society.tick()
  if (tick % Number(values.restart) === 0 && tick !== ticks && tick !== mark) {
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
if (values.answers) console.log(told(society.answers))
console.log(`events: ${told(society.events)}`)
const growth = after / before
console.log(
  `memory after a forced collection: ${before.toFixed(1)} MiB at tick ${mark}, ` +
    `${after.toFixed(1)} MiB at tick ${ticks}: ${growth.toFixed(2)} times`,
)
await society.close()
process.exit(growth > GROWTH_MAX ? 1 : 0)
