/**
 * `npm run soak`: the long tests, with seeds of the day. A failure is reproduced by its seed; once
 * the cause is fixed, the seed is kept as a test (for example in test/sim/failing-seeds.ts).
 */
import { spawn } from 'node:child_process'
import { newTool, wholeFrom } from '../cli/command-line.ts'
import { SOAK_FILES, shareOf } from './soak-files.ts'

const DAY_MS = 86_400_000

/** Returns year, month and day in UTC as one number: 20261124. */
const dateNumber = (now: Date): number => Number(now.toISOString().slice(0, 10).replaceAll('-', ''))

const now = new Date()
const { seed, short, list } = newTool(
  'npm run soak --',
  'Runs the long tests (faults, fuzzers, simulations, load) with seeds of the day.',
)
  .option('--seed <n>', 'seed of all of them', wholeFrom(1), dateNumber(now))
  .option('--short', 'run a sixth of the files: each file runs every sixth day', false)
  .option('--list', 'print the files and run none', false)
  .parse()
  .opts<{ seed: number; short: boolean; list: boolean }>()

const files = short ? shareOf(SOAK_FILES, Math.floor(now.getTime() / DAY_MS)) : SOAK_FILES

function run(): void {
  console.log(`soak: ${files.length} files, seed ${seed}`)
  const paths = files.map((file) => `dist/test/${file}`)
  const args = ['vitest', 'run', '--config', 'vitest.soak.config.mjs', ...paths]
  const env = { ...process.env, SOAK_SEED: String(seed) }
  const vitest = spawn('npx', args, { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest.kill(signal))
  vitest.on('exit', (code) => {
    if (code !== 0) console.log(`soak: failed; repeat with npm run soak -- --seed ${seed}`)
    process.exitCode = code ?? 1
  })
}

if (list) console.log(files.join('\n'))
else run()
