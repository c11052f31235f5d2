/**
 * `npm run society -- --players 1000 --ticks 3000`: lets clans of bots live together, restarts
 * their world now and then, and reports on their incomes and on memory.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import { giniOf, moneyOf } from '../economy/money.ts'
import { openSociety } from './society.ts'

interface Flags {
  readonly players: number
  readonly ticks: number
  readonly seed: number
  readonly workers: number
  readonly restart: number
  readonly answers?: true
  readonly json?: true
}

const { players, ticks, seed, workers, restart, answers, json } = newTool(
  'npm run society --',
  'Lets clans of bots live together, and reports on their incomes and on memory.',
)
  .option(
    '--players <n>',
    'bots, 25 a clan: a leader, officers, soldiers, workers, drifters',
    wholeFrom(1),
    1_000,
  )
  .option(
    '--ticks <n>',
    'length of the run; memory after a third of it is compared with memory at its end',
    wholeFrom(1),
    3_000,
  )
  .option('--seed <n>', 'seed of the world and of the bots', wholeFrom(0), 1)
  .option('--workers <n>', 'kernel threads', wholeFrom(0), 1)
  .option('--restart <ticks>', 'ticks between two restarts of the world', wholeFrom(1), 250)
  .option('--answers', 'print what the server answered, by command')
  .option('--json', 'print the results alone, as JSON')
  .addHelpText(
    'after',
    `
Exit code 1 where memory at the end is more than 1.2 times that after a third, or where the incomes
of workers who were online for more than six hours are too unequal; an invariant that does not hold
ends the run at once.`,
  )
  .parse()
  .opts<Flags>()

const GROWTH_MAX = 1.2
const MIB = 2 ** 20
const firstThird = Math.max(1, Math.trunc(ticks / 3))

/** Returns the memory that the process holds after a forced collection. */
function memoryMiB(): number {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('run with node --expose-gc')
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MIB
}

const say = (line: string): void => {
  if (!json) console.log(line)
}

/** Source: balance.md section 11. */
const GINI_MAX = 0.55
const HOURS_MIN = 6
/** The calling whose incomes are compared: the others fight, lead or drift, and earn little. */
const EARNERS = 'worker'

/**
 * Returns the Gini coefficient of what workers earned an hour online; undefined if nobody was
 * online for long enough.
 */
function giniNow(): number | undefined {
  const hourly = society
    .incomes()
    .filter(({ calling, ticks: online }) => calling === EARNERS && online > HOURS_MIN * HOUR_TICKS)
    .map(({ credits, ticks: online }) => (credits * HOUR_TICKS) / online)
  return hourly.length === 0 ? undefined : Math.round(giniOf(hourly) * 1_000) / 1_000
}

const started = performance.now()
const society = await openSociety({ seed, players, workers })
const firstMoney = moneyOf(society.driven.world)
let memoryBefore = 0
for (let tick = 1; tick <= ticks; tick++) {
  await society.tick()
  if (tick % restart === 0 && tick !== ticks && tick !== firstThird) {
    await society.restart()
  }
  if (tick === firstThird) memoryBefore = memoryMiB()
  if (tick % 100 === 0) {
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const rss = (process.memoryUsage().rss / MIB).toFixed(0)
    say(`tick ${tick}: ${society.driven.hash()}, rss ${rss} MiB (${seconds} s)`)
  }
}
const memoryAfter = memoryMiB()
const textOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
if (answers) say(textOf(society.answers))
say(`events: ${textOf(society.events)}`)
const growth = memoryAfter / memoryBefore
say(
  `memory after a forced collection: ${memoryBefore.toFixed(1)} MiB at tick ${firstThird}, ` +
    `${memoryAfter.toFixed(1)} MiB at tick ${ticks}: ${growth.toFixed(2)} times`,
)
const { players: m1, supply: m2, perMille: g } = moneyOf(society.driven.world)
const gini = giniNow()
say(
  `M1 ${m1}, M2 ${m2} after ${firstMoney.supply} at the start, g ${g}, ` +
    `Gini of income ${gini ?? `unknown: nobody was online for ${HOURS_MIN} hours`}`,
)
const isFair = gini === undefined || gini <= GINI_MAX
if (!isFair) say(`OUT OF BOUNDS: incomes differ by ${gini}, above ${GINI_MAX}`)
if (json) {
  const memory = { before: memoryBefore, after: memoryAfter, growth }
  console.log(JSON.stringify({ players, ticks, seed, m1, m2, g, gini, memory }, undefined, 1))
}
await society.close()
process.exit(growth > GROWTH_MAX || !isFair ? 1 : 0)
