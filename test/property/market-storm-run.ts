/**
 * The storm of orders at full count: `node dist/test/property/market-storm-run.js --count 1000000
 * --seed 1`. Ends with an assertion where an invariant breaks.
 */
import { parseArgs } from 'node:util'
import { runStorm } from './market-storm.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '0' },
  },
})
const storm = await runStorm({
  seed: Number(values.seed),
  count: Number(values.count),
  workers: Number(values.workers),
})
for (const [what, times] of [...storm.answers].sort()) console.log(`${what.padEnd(44)} ${times}`)
console.log(`${storm.rows} operations in ${storm.ticks} ticks, all invariants held; ${storm.hash}`)
