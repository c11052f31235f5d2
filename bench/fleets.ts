/**
 * Runs a battle of two fleets on its own server and database: `npm run battle -- --fleet 500`.
 * Exits with 1 if a frame was lost or out of order, and with --judge also if queries were slow.
 */
import { newTool, wholeFrom } from '../cli/command-line.ts'
import { fightBattle } from './fleet-battle.ts'
import { prepareBattle } from './fleet-world.ts'
import { withServer } from './live.ts'
import { QUERY_P99_MS } from './load-report.ts'

interface Flags {
  readonly fleet: number
  readonly tickMs: number
  readonly spectators: number
  readonly ticksMax: number
  readonly judge?: true
  readonly json?: true
}

const { fleet, tickMs, spectators, ticksMax, judge, json } = newTool(
  'npm run battle --',
  'Lets two fleets fight to the end, on its own server and database.',
)
  .option('--fleet <n>', 'ships per fleet, each with its own WebSocket client', wholeFrom(1), 500)
  .option('--tick-ms <ms>', 'length of a tick', wholeFrom(50), 2_000)
  .option('--spectators <n>', 'players who watch and send one query per second', wholeFrom(0), 20)
  .option('--ticks-max <n>', 'give up after this many ticks', wholeFrom(1), 600)
  .option('--judge', `exit with 1 also if query p99 > ${QUERY_P99_MS} ms`)
  .option('--json', 'print the figures as JSON in the last line')
  .parse()
  .opts<Flags>()

const maxEntities = Math.max(20_000, 100 * fleet)

const figures = await withServer(
  {
    settings: { TICK_MS: String(tickMs), MAX_ENTITIES: String(maxEntities) },
    prepare: (connection) => prepareBattle(connection, 2 * fleet, spectators, maxEntities),
  },
  (url) =>
    fightBattle({
      url,
      tickMs,
      fleet,
      spectators,
      ticksMax,
      print: (line) => console.log(line),
    }),
)
const isFast = figures.queryMsP99 <= QUERY_P99_MS
console.log(`query p99 <= ${QUERY_P99_MS} ms: ${isFast ? 'yes' : 'NO'}`)
if (json) console.log(JSON.stringify(figures))
process.exit(figures.faults === 0 && (isFast || !judge) ? 0 : 1)
