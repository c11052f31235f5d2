/**
 * A battle of two fleets on a server and a database of its own: `npm run battle -- --fleet 500`.
 * Ends with 1 when a frame was lost or out of order, or queries were slow meanwhile.
 */
import { parseArgs } from 'node:util'
import { fightBattle } from './fleet-battle.ts'
import { prepareBattle } from './fleet-world.ts'
import { withServer } from './live.ts'
import { QUERY_P99_MS } from './load-report.ts'

const { values } = parseArgs({
  options: {
    fleet: { type: 'string', default: '500' },
    'tick-ms': { type: 'string', default: '2000' },
    spectators: { type: 'string', default: '20' },
    'ticks-max': { type: 'string', default: '600' },
    judge: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`npm run battle -- [options]

--fleet 500       ships of each of the two fleets, each with a WebSocket client of its own
--tick-ms 2000    length of a tick
--spectators 20   players who look on and ask a query a second
--ticks-max 600   given up after so many ticks
--judge           end with 1 as well when query p99 > ${QUERY_P99_MS} ms
--json            the last line of the output is the figures as JSON`)
  process.exit(0)
}

const fleet = Number(values.fleet)
const spectators = Number(values.spectators)
const tickMs = Number(values['tick-ms'])
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
      ticksMax: Number(values['ticks-max']),
      say: (line) => console.log(line),
    }),
)
const isFast = figures.queryMsP99 <= QUERY_P99_MS
console.log(`query p99 <= ${QUERY_P99_MS} ms: ${isFast ? 'yes' : 'NO'}`)
if (values.json) console.log(JSON.stringify(figures))
process.exit(figures.faults === 0 && (isFast || !values.judge) ? 0 : 1)
