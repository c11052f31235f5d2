/**
 * The command line of the war: `npm run war -- --seed 1 --ticks 2000 --restores 20 --players 200`. Exit code 1
 * when a road leads elsewhere.
 */
import { Command, InvalidArgumentError } from 'commander'
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

function whole(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('Not a whole number.')
  return value
}

const flags = new Command('war')
  .description('Runs a world at war and compares it with itself by other roads.')
  .option('--seed <n>', 'first seed', whole, 1)
  .option('--seeds <n>', 'how many seeds, one after the other', whole, 1)
  .option('--ticks <n>', 'ticks', whole, 1_000)
  .option('--players <n>', 'players', whole, 60)
  .option(
    '--workers <list>',
    'kernel threads of the further runs, by comma',
    (text) => text.split(',').map(whole),
    [1, 2, 4],
  )
  .option('--restores <n>', 'times it is restored on the way', whole, 20)
  .option('--tail <n>', 'ticks that a restored world is followed for; default: to the end', whole)
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
