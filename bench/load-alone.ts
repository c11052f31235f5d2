/**
 * A load run against a server and a database of its own, as the README starts it: TICK_MS=1000,
 * LIMITS=off. Everything after it goes to load.ts: `node dist/bench/load-alone.js --minutes 3`.
 */
import { runLoad, withServer } from './live.ts'

const { code } = await withServer({ settings: { TICK_MS: '1000' } }, (url) =>
  runLoad([...process.argv.slice(2), '--url', url]),
)
process.exit(code)
