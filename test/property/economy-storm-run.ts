/**
 * The random economy at full count: `node dist/test/property/economy-storm-run.js --count 1000000
 * --seed 1`. Ends with an assertion where an invariant breaks.
 */
import { parseArgs } from 'node:util'
import { runEconomyStorm } from './economy-storm.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '0,1,2,4' },
    restart: { type: 'string', default: '100' },
    answers: { type: 'boolean', default: false },
  },
})
const SAY_EVERY_TICKS = 200
const storm = await runEconomyStorm({
  seed: Number(values.seed),
  count: Number(values.count),
  workers: values.workers.split(',').map(Number),
  restartEvery: Number(values.restart),
  onTick(ticks, operations) {
    if (ticks % SAY_EVERY_TICKS === 0) console.log(`tick ${ticks}: ${operations} operations`)
  },
})
if (values.answers) {
  for (const [what, times] of [...storm.answers].sort()) console.log(`${what.padEnd(52)} ${times}`)
}
console.log(
  `${storm.operations} operations in ${storm.ticks} ticks with ${storm.restarts} restarts on ` +
    `${values.workers} threads, all invariants held after every tick; ${storm.hash}`,
)
