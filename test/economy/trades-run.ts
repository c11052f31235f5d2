/**
 * `npm run trades`: prints the best loads of traders of every tier, by the order books of three
 * ticks, and what pays a newcomer. Source: balance.md sections 2, 5, 11.
 */
import { listOf, newTool, wholeFrom } from '../../cli/command-line.ts'
import { EMPIRE_IDS } from '../../core/catalog/index.ts'
import { openEconomy } from './bot-economy.ts'
import { MEDIANS } from './careers/bands.ts'
import { gradeOf, median } from './careers/verdict.ts'
import { bestLoads, idleRounds, JUMPS_MAX, joinTraders, LOAD_BANDS, type Trader } from './loads.ts'
import { newcomerOf } from './newcomer.ts'
import { findTrades } from './trades.ts'

const TRADES_MIN = 10

interface Flags {
  readonly seed: number
  readonly players: number
  readonly ticks: number[]
  readonly credits: number
  readonly top: number
  readonly json?: true
}

const { seed, players, ticks, credits, top, json } = newTool(
  'npm run trades --',
  'Lists the best loads of traders by tier and jumps, and what pays a newcomer.',
)
  .option('--seed <n>', 'seed of the world', wholeFrom(0), 1)
  .option('--players <n>', 'settlers who live in the world', wholeFrom(0), 40)
  .option(
    '--ticks <list>',
    'ticks whose order books are read',
    listOf(wholeFrom(0)),
    [0, 2_160, 8_640],
  )
  .option(
    '--credits <n>',
    'credits of a newcomer, after the first loads of ore',
    wholeFrom(0),
    2_000,
  )
  .option('--top <n>', 'ways to print for a newcomer of an empire', wholeFrom(0), 5)
  .option('--json', 'print what was found as JSON alone')
  .addHelpText(
    'after',
    `
Exit code 1 where the best load of a tier, at whatever jumps, leaves its band (the median of
the five empires), where goods bought and sold at one exchange pay, or where fewer than
${TRADES_MIN} ways pay a newcomer more than the start belt.`,
  )
  .parse()
  .opts<Flags>()

const complaints: string[] = []
const report: object[] = []
const print = (line: string): void => {
  if (!json) console.log(line)
}
const radii = Array.from({ length: JUMPS_MAX }, (_, index) => index + 1)

/** Finds each empire's best load for each number of jumps, and judges the median of the empires. */
function judgeTier(tick: number, tier: number, traders: readonly Trader[]): void {
  const loads = traders.map(bestLoads)
  const band = LOAD_BANDS[tier]
  const byJumps = radii.map((jumps) =>
    median(loads.map((rows) => rows.find((row) => row.jumps === jumps)?.profit ?? 0)),
  )
  const best = Math.max(...byJumps)
  const verdict = gradeOf(best, band)
  const shown = byJumps.map((profit) => String(profit).padStart(7)).join('')
  print(`tick ${String(tick).padEnd(6)}T${tier}${shown}   ${band.join('-')} ${verdict}`)
  const [bestLoad] = loads.flat().sort((a, b) => b.profit - a.profit)
  if (bestLoad) {
    const { profit, lots, from, to, jumps } = bestLoad
    const goods = lots.map(({ units, item }) => `${units} ${item}`).join(', ')
    print(`    at best ${profit} by ${goods} from ${from} to ${to}, ${jumps} jumps`)
  }
  report.push({ tick, tier, byJumps, band, verdict, top: bestLoad })
  if (verdict !== 'fair') complaints.push(`tick ${tick}, T${tier}: the best load gains ${best}`)
}

async function judgeLoads(): Promise<void> {
  const traders = MEDIANS.length * EMPIRE_IDS.length
  const economy = await openEconomy({ seed, players, guests: traders, checkEvery: 360 })
  const { driven } = economy
  const joined = joinTraders(driven)
  print(
    `the best load after fuel and taxes, credits${' '.repeat(4)}at 1 to ${JUMPS_MAX} jumps from home`,
  )
  for (const tick of ticks.toSorted((a, b) => a - b)) {
    while (driven.world.tick < tick) await economy.tick()
    for (const tier of MEDIANS.keys()) {
      judgeTier(
        tick,
        tier,
        joined.filter((trader) => trader.tier === tier),
      )
    }
    const [trader] = joined
    for (const round of idleRounds(trader)) complaints.push(`tick ${tick}: ${round} for nothing`)
  }
  await driven.close()
}

async function judgeNewcomers(): Promise<void> {
  for (const empire of EMPIRE_IDS) {
    const pilot = { ...(await newcomerOf(empire)), credits }
    const { mining, trades } = findTrades(pilot)
    print(`${empire}: a newcomer with ${credits} credits and a hold of ${pilot.hold}`)
    print(`  ${mining.rate.toFixed(2)} a tick  digging the start belt`)
    for (const row of trades.slice(0, top)) {
      print(`  ${row.rate.toFixed(2)} a tick  ${row.kind}: ${row.text} (${row.ticks} ticks)`)
    }
    print(`  ${trades.length} ways pay more than the belt`)
    report.push({ empire, belt: mining.rate, ways: trades.length })
    if (trades.length < TRADES_MIN) complaints.push(`${empire}: only ${trades.length} ways pay`)
  }
}

await judgeLoads()
await judgeNewcomers()
if (json) console.log(JSON.stringify({ report, complaints }, undefined, 1))
for (const complaint of complaints) print(`OUT OF BOUNDS: ${complaint}`)
process.exitCode = complaints.length === 0 ? 0 : 1
