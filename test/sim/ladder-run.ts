/**
 * `npm run ladder -- --fights 200`: runs the combat ladder in full and fails where a share of wins,
 * stalemates or losses is out of bounds.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { castOf, runLadder } from './ladder.ts'

const { fights, seed, only, json } = newTool(
  'npm run ladder --',
  'Runs the combat ladder in the real engine and fails where a share is out of bounds.',
)
  .option('--fights <n>', 'fights of each kind', wholeFrom(1), 200)
  .option('--seed <n>', 'seed of the world', wholeFrom(0), 1)
  .option('--only <text>', 'run only fights whose id contains this text')
  .option('--json', 'print a JSON object for each kind of fight instead of the table')
  .parse()
  .opts<{ fights: number; seed: number; only?: string; json?: true }>()

const whole = (pct: number): string => pct.toFixed(0).padStart(5)

const rungs = await runLadder(seed, fights, only)
if (!json) console.log(`${'fight'.padEnd(52)}  won stale  lost ticks  bounds`)
for (const rung of rungs) {
  const { fight, wonPct, stalePct, lostPct, ticks, isWithin } = rung
  const { id, counts, pct } = fight
  if (json) {
    const bounds = { counts, min: pct[0], max: pct[1] }
    console.log(JSON.stringify({ id, wonPct, stalePct, lostPct, ticks, ...bounds, isWithin }))
    continue
  }
  const cells = [whole(wonPct), whole(stalePct), whole(lostPct), whole(ticks)].join(' ')
  const verdict = `${counts} ${pct[0]}-${pct[1]} % ${isWithin ? '' : 'MISSED'}`
  console.log(`${`${id}: ${castOf(fight)}`.padEnd(52)}${cells}  ${verdict}`)
}
process.exitCode = rungs.every(({ isWithin }) => isWithin) ? 0 : 1
