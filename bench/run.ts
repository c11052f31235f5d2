/**
 * The benchmarks: `npm run bench`, `npm run bench -- movement books`. Prints one table and writes
 * bench/results.json; a report of each benchmark goes to bench/results/.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newTool, refuseLine, wholeFrom } from '../cli/command-line.ts'
import { BENCH_NAMES, loadBench } from './list.ts'
import { exitCodeOf, runAll } from './run-all.ts'
import { profiledIn } from './runner.ts'

const FOLDER = join(process.cwd(), 'bench')

interface Flags {
  readonly rounds?: number
  readonly tiny?: true
  readonly check?: true
  readonly cpuProf?: true
  readonly results: string
}

/** Describes all benchmarks, for `--help` only, since that loads all of them. */
async function aboutAll(): Promise<string> {
  const lines = BENCH_NAMES.map(
    async (name) => `  ${name.padEnd(14)} ${(await loadBench(name)).about}`,
  )
  return `\nBenchmarks:\n${(await Promise.all(lines)).join('\n')}`
}

const tool = newTool(
  'npm run bench --',
  'Runs the benchmarks: figures as ratios, and their bounds.',
)
  .argument('[names...]', 'benchmarks to run (default: all)')
  .option('--rounds <n>', 'rounds (default: 5, or 1 with --tiny or --cpu-prof)', wholeFrom(1))
  .option('--tiny', 'the smallest size, to check that all of them run')
  .option('--check', 'exit with 1 if a bound is missed')
  .option('--cpu-prof', 'write CPU profiles to bench/profiles instead of results')
  .option('--results <file>', 'where to write the figures', join(FOLDER, 'results.json'))
if (process.argv.some((word) => word === '--help' || word === '-h'))
  tool.addHelpText('after', await aboutAll())
const flags = tool.parse().opts<Flags>()
const names = tool.args
const unknown = names.filter((name) => !BENCH_NAMES.includes(name))
if (unknown.length > 0) refuseLine(tool, `there is no benchmark ${unknown.join(', ')}`)
const rounds = flags.rounds ?? (flags.cpuProf || flags.tiny ? 1 : 5)
if (flags.check && (flags.tiny || flags.cpuProf)) {
  refuseLine(tool, '--check needs the full size without a profiler: remove --tiny and --cpu-prof')
}

const profiles = join(FOLDER, 'profiles')
const result = await runAll({
  names: BENCH_NAMES.filter((name) => names.length === 0 || names.includes(name)),
  load: loadBench,
  size: flags.tiny ? 'tiny' : 'full',
  rounds,
  ...(flags.cpuProf ? { sampler: profiledIn(profiles) } : {}),
  print: console.log,
})
if (flags.cpuProf) console.log(`Profiles: ${profiles}/<benchmark>-<variant>/*.cpuprofile`)
else {
  const reportsFolder = join(FOLDER, 'results')
  mkdirSync(reportsFolder, { recursive: true })
  for (const report of result.reports) {
    writeFileSync(
      join(reportsFolder, `${report.name}.json`),
      `${JSON.stringify(report, null, 2)}\n`,
    )
  }
  writeFileSync(flags.results, `${JSON.stringify(result.rows, null, 2)}\n`)
  console.log(`Written: ${flags.results}`)
}
const broken = result.rows.filter(({ holds }) => holds === false)
if (broken.length > 0) console.log(`Not held: ${broken.map(({ name }) => name).join(', ')}`)
process.exit(exitCodeOf(result, flags.check ?? false))
