/** The command line of the fuzzer: `node dist/test/fuzz/run.js --count 100000 --seed 1`. */
import { parseArgs } from 'node:util'
import { testDatabases } from '../databases.ts'
import { runFuzz } from './fuzz.ts'
import { describeFuzz } from './fuzz-report.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    players: { type: 'string', default: '12' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`fuzz [--count 6000] [--seed 1] [--players 12]
Sends what no client should to a server of its own, on every framing; ends with 1 after a failure.
The database is TEST_DATABASE_URL's, or an embedded one.`)
  process.exit(0)
}

const count = Number(values.count)
const databases = await testDatabases()
const database = databases[databases.length - 1]
const since = performance.now()
let shown = 0
const report = await runFuzz(database, {
  count,
  seed: Number(values.seed),
  players: Number(values.players),
  onProgress: (tried) => {
    if (tried - shown < 5_000) return
    shown = tried
    console.error(`${tried} of ${count} after ${((performance.now() - since) / 1000).toFixed(0)} s`)
  },
})
for (const line of describeFuzz(report)) console.log(line)
const seconds = ((performance.now() - since) / 1000).toFixed(1)
const { tried, failures } = report
console.log(`fuzz: ${tried} tried, seed ${values.seed}, ${seconds} s; failures: ${failures.length}`)
for (const one of databases) await one.close()
process.exit(failures.length > 0 || tried < count ? 1 : 0)
