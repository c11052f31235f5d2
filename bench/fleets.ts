/**
 * A battle of two fleets on a server and a database of its own: `npm run battle -- --fleet 500`.
 * Ends with 1 when a frame was lost or out of order, or queries were slow meanwhile.
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
  'Lets two fleets fight to the end, on a server and a database of its own.',
)
  .option(
    '--fleet <n>',
    'ships of each of the two fleets, each with a WebSocket client of its own',
    wholeFrom(1),
    500,
  )
  .option('--tick-ms <ms>', 'length of a tick', wholeFrom(50), 2_000)
  .option('--spectators <n>', 'players who look on and ask a query a second', wholeFrom(0), 20)
  .option('--ticks-max <n>', 'given up after so many ticks', wholeFrom(1), 600)
  .option('--judge', `end with 1 as well when query p99 > ${QUERY_P99_MS} ms`)
  .option('--json', 'the last line of the output is the figures as JSON')
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
      say: (line) => console.log(line),
    }),
)
const isFast = figures.queryMsP99 <= QUERY_P99_MS
console.log(`query p99 <= ${QUERY_P99_MS} ms: ${isFast ? 'yes' : 'NO'}`)
if (json) console.log(JSON.stringify(figures))
process.exit(figures.faults === 0 && (isFast || !judge) ? 0 : 1)
