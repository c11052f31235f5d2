/** The command line of the fuzzer: `node dist/test/fuzz/run.js --count 100000 --seed 1`. */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { createProgress } from '../../cli/progress.ts'
import { testDatabases } from '../databases.ts'
import { runFuzz } from './fuzz.ts'
import { describeFuzz } from './fuzz-report.ts'

const { count, seed, players } = newTool(
  'node dist/test/fuzz/run.js',
  'Sends what no client should to a server of its own, on every framing.',
)
  .option('--count <n>', 'frames and requests', wholeFrom(1), 6_000)
  .option('--seed <n>', 'seed of all random draws', wholeFrom(0), 1)
  .option('--players <n>', 'players who send them', wholeFrom(1), 12)
  .addHelpText('after', "\nThe database is TEST_DATABASE_URL's, or an embedded one.")
  .parse()
  .opts<{ count: number; seed: number; players: number }>()

const progress = createProgress()
const databases = await testDatabases()
const database = databases[databases.length - 1]
const since = performance.now()
const report = await runFuzz(database, {
  count,
  seed,
  players,
  onProgress: (tried) => progress.progress('frames and requests tried', tried, count),
})
progress.end()
for (const line of describeFuzz(report)) console.log(line)
const seconds = ((performance.now() - since) / 1000).toFixed(1)
const { tried, failures } = report
console.log(`fuzz: ${tried} tried, seed ${seed}, ${seconds} s; failures: ${failures.length}`)
for (const opened of databases) await opened.close()
process.exit(failures.length > 0 || tried < count ? 1 : 0)
