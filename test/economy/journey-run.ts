/** Command line of the journey: prints when newcomers reach each first; fails if one is late. */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { EMPIRE_IDS } from '../../core/catalog/index.ts'
import { playJourney, tickOfNineInTen } from './journey.ts'
import { FIRSTS, type First, type Pilot } from './journey-steps.ts'

const { seed, each, ticks, json } = newTool(
  'npm run journey --',
  'Plays newcomers through the missions for new pilots, and fails where their firsts are late.',
)
  .option('--each <n>', 'newcomers of each empire', wholeFrom(1), 20)
  .option('--ticks <n>', 'how long they have', wholeFrom(1), 1_080)
  .option('--seed <n>', 'seed of the world', wholeFrom(0), 1)
  .option('--json', 'print one object instead of a table')
  .addHelpText(
    'after',
    `
Measures the time within which nine of ten have sold, fitted a module, made something, and bought
a second hull. Exit code 1 where one of them comes later than it should.`,
  )
  .parse()
  .opts<{ seed: number; each: number; ticks: number; json?: true }>()

/** Ticks per minute, at ten seconds a tick. */
const MINUTE_TICKS = 6

const minutes = (ticks: number): number | null =>
  Number.isFinite(ticks) ? Math.round((10 * ticks) / MINUTE_TICKS) / 10 : null

function rowOf(first: First, pilots: readonly Pilot[]) {
  const tick = tickOfNineInTen(pilots, first)
  return {
    first,
    reached: pilots.filter((pilot) => pilot.ticks[first] !== undefined).length,
    minutes: minutes(tick),
    bound: minutes(FIRSTS[first]),
    isInTime: tick <= FIRSTS[first],
  }
}

const { driven, pilots, refused } = await playJourney({ seed, each, ticksMax: ticks })
const rows = (Object.keys(FIRSTS) as First[]).map((first) => rowOf(first, pilots))
const empires = EMPIRE_IDS.map((empire) => {
  const own = pilots.filter((pilot) => pilot.empire === empire)
  const steps = own.map(({ handedIn }) => handedIn.length)
  return {
    empire,
    stepsMin: Math.min(...steps),
    firsts: (Object.keys(FIRSTS) as First[]).map((first) => minutes(tickOfNineInTen(own, first))),
  }
})
const isInTime = rows.every((row) => row.isInTime)
if (json) {
  const answers = Object.fromEntries(refused)
  const head = { seed, newcomers: pilots.length, isInTime }
  console.log(JSON.stringify({ ...head, firsts: rows, empires, refused: answers }))
} else {
  console.log(`${pilots.length} newcomers, seed ${seed}; minutes within which nine of ten have:`)
  for (const { first, reached, minutes: took, bound, isInTime: inTime } of rows) {
    const verdict = inTime ? 'in time' : 'TOO LATE'
    console.log(
      `${first.padEnd(10)}${String(took ?? 'never').padStart(8)} of ${String(bound).padStart(4)}` +
        `  ${verdict}, ${reached} did`,
    )
  }
  for (const { empire, stepsMin, firsts } of empires) {
    const cells = firsts.map((took) => String(took ?? 'never').padStart(8)).join('')
    console.log(`${empire.padEnd(10)}${cells}  at least ${stepsMin} steps`)
  }
  for (const [answer, times] of [...refused].sort()) console.log(`  ${answer.padEnd(48)}${times}`)
}
await driven.close()
process.exitCode = isInTime ? 0 : 1
