/**
 * `npm run war -- --seed 1 --ticks 2000 --restores 20 --players 200`: runs a war on several numbers
 * of kernel threads and with restores. Exit code 1 where a hash differs.
 */
import { listOf, newTool, wholeFrom } from '../../cli/command-line.ts'
import { runTwins } from './war-twins.ts'

interface Flags {
  readonly seed: number
  readonly seeds: number
  readonly ticks: number
  readonly players: number
  readonly workers: number[]
  readonly restores: number
  readonly tail?: number
}

const flags = newTool(
  'npm run war --',
  'Runs a world at war, and compares its hashes on other kernel threads and after restores.',
)
  .option('--seed <n>', 'first seed', wholeFrom(0), 1)
  .option('--seeds <n>', 'number of seeds, run one after another', wholeFrom(0), 1)
  .option('--ticks <n>', 'ticks', wholeFrom(0), 1_000)
  .option('--players <n>', 'players', wholeFrom(0), 60)
  .option(
    '--workers <list>',
    'kernel threads of the further runs, separated by commas',
    listOf(wholeFrom(0)),
    [1, 2, 4],
  )
  .option('--restores <n>', 'ticks at which the world is restored', wholeFrom(0), 20)
  .option('--tail <n>', 'ticks that a restored world runs; by default to the end', wholeFrom(0))
  .parse()
  .opts<Flags>()

let failures = 0
for (let i = 0; i < flags.seeds; i++) {
  const seed = flags.seed + i
  const result = await runTwins({
    ...flags,
    seed,
    onProgress: (text) => console.log(`seed ${seed}, ${text}`),
  })
  const tally = [...result.tally].sort((a, b) => b[1] - a[1])
  console.log(`seed ${seed}: ${tally.map(([name, count]) => `${name} ${count}`).join(', ')}`)
  for (const failure of result.failures) console.error(`FAILED seed ${seed}, ${failure}`)
  failures += result.failures.length
}
process.exit(failures > 0 ? 1 : 0)
