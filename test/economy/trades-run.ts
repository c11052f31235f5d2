/** The command line of the search for trades: lists them, exit code 1 under ten. */
import { newTool, oneOf, wholeFrom } from '../../cli/command-line.ts'
import { EMPIRE_IDS } from '../../core/catalog/index.ts'
import { newcomerOf } from './newcomer.ts'
import { findTrades } from './trades.ts'

const TRADES_MIN = 10

const program = newTool(
  'npm run trades --',
  'Lists what pays a newcomer more per tick than digging the start belt.',
)
  .option(
    '--empire <id>',
    `one of ${EMPIRE_IDS.join(', ')}; without it each of them`,
    oneOf(EMPIRE_IDS),
  )
  .option('--credits <n>', 'in the purse, after the first loads of ore', wholeFrom(0), 2_000)
  .option('--top <n>', 'rows to print an empire', wholeFrom(1), 20)

async function main(): Promise<void> {
  const options = program.parse().opts<{ empire?: string; top: number; credits: number }>()
  const { empire, top, credits } = options
  for (const id of empire === undefined ? EMPIRE_IDS : [empire]) {
    const pilot = { ...(await newcomerOf(id as (typeof EMPIRE_IDS)[number])), credits }
    const { mining, trades } = findTrades(pilot)
    const belt = `${mining.credits} credits in ${mining.ticks} ticks`
    console.log(`${id}: ${pilot.credits} credits, a hold of ${pilot.hold}`)
    console.log(`  ${mining.rate.toFixed(2)} a tick  digging the start belt (${belt})`)
    for (const row of trades.slice(0, top)) {
      console.log(`  ${row.rate.toFixed(2)} a tick  ${row.kind}: ${row.text} (${row.ticks} ticks)`)
    }
    console.log(`  ${trades.length} ways pay more than the belt`)
    if (trades.length < TRADES_MIN) {
      console.error(`${id}: only ${trades.length} of ${TRADES_MIN}`)
      process.exitCode = 1
    }
  }
}

await main()
