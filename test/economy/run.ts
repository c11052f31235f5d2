/**
 * `npm run settlers -- --players 300 --ticks 5000`: lets an economy of bots live, prints prices,
 * volumes and the supply of money, and fails where it has seized over its last thousand ticks.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import { capitalOf } from '../../systems/base/model.ts'
import { ASK, BID } from '../../systems/market/state.ts'
import { type Economy, moneySupply, openEconomy, STAPLES, watchSeizing } from './bot-economy.ts'
import { bestOffer } from './moves.ts'

const { players, ticks, seed, goods, answers } = newTool(
  'npm run settlers --',
  'Lets an economy of bots live and fails where a market seizes up.',
)
  .option(
    '--players <n>',
    'bots at the five capitals: of ten 4 mine, 3 trade, 3 craft',
    wholeFrom(1),
    300,
  )
  .option(
    '--ticks <n>',
    'how long they live; the last fifth, at most 1,000 ticks, is judged',
    wholeFrom(1),
    5_000,
  )
  .option('--seed <n>', 'of the world and of all that the bots draw', wholeFrom(0), 1)
  .option('--goods', 'print the volume of every good that was traded')
  .option('--answers', 'print what the server answered, by role and command')
  .addHelpText(
    'after',
    `
Exit code 1 where a staple was not traded, a price stood at its clamp throughout, or a manager had
no credits throughout.`,
  )
  .parse()
  .opts<{ players: number; ticks: number; seed: number; goods?: true; answers?: true }>()

const WINDOW_TICKS = 1_000
const SAY_EVERY = 500
const LOOK_EVERY = 10
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

const started = performance.now()
const economy = await openEconomy({ seed, players })
const { world } = economy.driven
const say = (): void => {
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const units = [...economy.traded.values()].reduce((sum, row) => sum + row.units, 0)
  console.log(
    `tick ${world.tick}: ${moneySupply(world)} credits in circulation, ${units} units of ` +
      `${economy.traded.size} goods traded (${seconds} s)`,
  )
}

let watch = watchSeizing(economy)
for (let tick = 1; tick <= ticks; tick++) {
  await economy.tick()
  if (tick === ticks - window) watch = watchSeizing(economy)
  if (tick > ticks - window && tick % LOOK_EVERY === 0) watch.look()
  if (tick % SAY_EVERY === 0) say()
}
console.log(table(economy))
if (goods) {
  const volumes = [...economy.traded].sort((a, b) => b[1].credits - a[1].credits)
  for (const [id, { units, credits, lastTick }] of volumes) {
    console.log(`${id.padEnd(28)}${units} units, ${credits} credits, last in tick ${lastTick}`)
  }
}
if (answers) {
  for (const [what, times] of [...economy.answers].sort())
    console.log(`${what.padEnd(52)} ${times}`)
}
const complaints = watch.complaints()
for (const complaint of complaints) console.log(`SEIZED: ${complaint}`)
console.log(
  complaints.length === 0
    ? `nothing seized in the last ${window} ticks; ${economy.driven.hash()}`
    : `${complaints.length} complaints over the last ${window} ticks`,
)
await economy.driven.close()
process.exitCode = complaints.length === 0 ? 0 : 1
