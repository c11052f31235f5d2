/**
 * `npm run settlers -- --players 300 --ticks 5000`: runs an economy of bots, prints prices, volumes
 * and the supply of money, and fails if a market seized up in the last thousand ticks.
 */
import { bestOffer } from '../../cli/bots/moves.ts'
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { capitalOf } from '../../systems/base/model.ts'
import { ASK, BID } from '../../systems/market/state.ts'
import {
  type Economy,
  moneySupply,
  openEconomy,
  STAPLES,
  UNTRADED,
  watchSeizing,
} from './bot-economy.ts'
import { shoppersComplaints } from './shoppers.ts'
import { SAMPLE_TICKS, watchSupply } from './supply-watch.ts'

const { players, ticks, seed, goods, answers, json } = newTool(
  'npm run settlers --',
  'Runs an economy of bots and fails if a market seizes up.',
)
  .option(
    '--players <n>',
    'bots at the five capitals; of each ten, 4 mine, 3 trade and 3 craft',
    wholeFrom(0),
    300,
  )
  .option(
    '--ticks <n>',
    'length of the run; the last fifth, at most 1,000 ticks, is judged',
    wholeFrom(1),
    5_000,
  )
  .option('--seed <n>', 'seed of the world and of the bots', wholeFrom(0), 1)
  .option('--json', 'print the report on supply as JSON, and nothing else')
  .option('--goods', 'print the volume of every good that was traded')
  .option('--answers', 'print what the server answered, by role and command')
  .addHelpText(
    'after',
    `
Exit code 1 if a staple was not traded, a price stood at its clamp throughout, or a manager had no
credits throughout; and if supply breaks a bound of the rules at a sample, taken every
${SAMPLE_TICKS} ticks: an essential good on sale nowhere, or missing for 200 ticks where it is
kept, empty shelves of capitals, no hulls on show, late hulls.`,
  )
  .parse()
  .opts<{
    players: number
    ticks: number
    seed: number
    goods?: true
    answers?: true
    json?: true
  }>()

const WINDOW_TICKS = 1_000
const PROGRESS_TICKS = 500
/** From this many players on all staples are traded; a few miners may all mine other ores. */
const ALL_TRADED_PLAYERS = 100
const WATCH_TICKS = 10
const window = Math.min(WINDOW_TICKS, Math.ceil(ticks / 5))

function table(economy: Economy): string {
  const { world } = economy.driven
  const rows = STAPLES.map((id) => {
    const sum = economy.traded.get(id)
    const prices = [0, 1, 2, 3, 4].map((empire) => {
      const base = capitalOf(world, empire)
      const bid = bestOffer(world, base, itemIndex(id), BID)?.price ?? '-'
      const ask = bestOffer(world, base, itemIndex(id), ASK)?.price ?? '-'
      return `${bid}/${ask}`.padStart(10)
    })
    const mean = sum && sum.units > 0 ? (sum.credits / sum.units).toFixed(1) : '-'
    const cells = [String(sum?.units ?? 0).padStart(9), mean.padStart(8), ...prices]
    return `${id.padEnd(18)}${cells.join(' ')}`
  })
  return [`${'staple'.padEnd(18)}    units     mean  bid/ask at the five capitals`, ...rows].join(
    '\n',
  )
}

const print = (text: string): void => {
  if (!json) console.log(text)
}
const started = performance.now()
const economy = await openEconomy({ seed, players, shops: true })
const { world } = economy.driven
const printProgress = (): void => {
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const units = [...economy.traded.values()].reduce((sum, row) => sum + row.units, 0)
  print(
    `tick ${world.tick}: ${moneySupply(world)} credits in circulation, ${units} units of ` +
      `${economy.traded.size} goods traded (${seconds} s)`,
  )
}

let watch = watchSeizing(economy)
const supply = watchSupply(world, players)
for (let tick = 1; tick <= ticks; tick++) {
  await economy.tick()
  if (tick === ticks - window) watch = watchSeizing(economy)
  if (tick > ticks - window && tick % WATCH_TICKS === 0) watch.sample()
  if (tick % SAMPLE_TICKS === 0) supply.sample()
  if (tick % PROGRESS_TICKS === 0) printProgress()
}
print(table(economy))
if (goods) {
  const volumes = [...economy.traded].sort((a, b) => b[1].credits - a[1].credits)
  for (const [id, { units, credits, lastTick }] of volumes) {
    console.log(`${id.padEnd(28)}${units} units, ${credits} credits, last in tick ${lastTick}`)
  }
}
if (answers) {
  for (const [answer, times] of [...economy.answers].sort())
    console.log(`${answer.padEnd(52)} ${times}`)
}
const report = supply.report()
const hulls = economy.shoppers?.report()
const complaints = [
  ...watch.complaints().filter((text) => players >= ALL_TRADED_PLAYERS || !text.endsWith(UNTRADED)),
  ...report.complaints,
  ...(hulls ? shoppersComplaints(hulls) : []),
]
for (const complaint of complaints) print(`SEIZED: ${complaint}`)
print(
  `exports by tenths of the target ${report.exports.join(' ')}, imports ${report.imports.join(' ')}`,
)
print(
  `at least ${report.shelvesPctLeast} % of what capitals make or keep made was on sale, hulls of ` +
    `tier 1 on show ${report.hullsLeast.join(' ')}, the longest gap ${report.gapLongest} ticks`,
)
print(`commissions ${JSON.stringify(hulls)}`)
for (const [name, credits] of Object.entries(report.credits)) print(`${name.padEnd(28)}${credits}`)
print(
  complaints.length === 0
    ? `nothing seized in the last ${window} ticks; ${economy.driven.hash()}`
    : `${complaints.length} complaints over the last ${window} ticks`,
)
if (json)
  console.log(JSON.stringify({ players, ticks, seed, ...report, hulls, complaints }, undefined, 2))
await economy.driven.close()
process.exitCode = complaints.length === 0 ? 0 : 1
