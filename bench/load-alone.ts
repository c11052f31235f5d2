/**
 * Starts a server with its own database and the settings of the README (TICK_MS=1000, LIMITS=off),
 * and runs the load on it. All arguments are passed to load.ts:
 * `node dist/bench/load-alone.js --minutes 3`.
 */
import { runLoad, withServer } from './live.ts'

const { code } = await withServer({ settings: { TICK_MS: '1000' } }, (url) =>
  runLoad([...process.argv.slice(2), '--url', url]),
)
process.exit(code)
