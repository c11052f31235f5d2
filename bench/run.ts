/**
 * The benchmarks: `npm run bench`, `npm run bench -- movement books`. Prints one table and writes
 * bench/results.json; a report of each benchmark goes to bench/results/.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH_NAMES, loadBench } from './list.ts'
import { exitCodeOf, runAll } from './run-all.ts'
import { profiledIn } from './runner.ts'

const FOLDER = join(process.cwd(), 'bench')
const USAGE =
  'npm run bench -- [name ...] [--rounds 5] [--tiny] [--check] [--cpu-prof] [--results FILE]\n'

function options() {
  return parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      tiny: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'cpu-prof': { type: 'boolean', default: false },
      results: { type: 'string', default: join(FOLDER, 'results.json') },
      help: { type: 'boolean', default: false },
    },
  })
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

const { values, positionals } = options()
if (values.help) {
  console.log(USAGE)
  for (const name of BENCH_NAMES) {
    console.log(`${name.padEnd(12)} ${(await loadBench(name)).about}`)
  }
  process.exit(0)
}
const unknown = positionals.filter((name) => !BENCH_NAMES.includes(name))
if (unknown.length > 0) {
  refuse(`There is no benchmark ${unknown.join(', ')}: npm run bench -- --help lists them.`)
}
const rounds = Number(values.rounds ?? (values['cpu-prof'] || values.tiny ? 1 : 5))
if (!Number.isInteger(rounds) || rounds < 1) refuse('--rounds is a number from 1.')
if (values.check && (values.tiny || values['cpu-prof'])) {
  refuse('--check judges the full size without a profiler: drop --tiny and --cpu-prof.')
}

const profiles = join(FOLDER, 'profiles')
const result = await runAll({
  names: BENCH_NAMES.filter((name) => positionals.length === 0 || positionals.includes(name)),
  load: loadBench,
  size: values.tiny ? 'tiny' : 'full',
  rounds,
  ...(values['cpu-prof'] ? { sampler: profiledIn(profiles) } : {}),
  print: console.log,
})
if (values['cpu-prof']) console.log(`Profiles: ${profiles}/<benchmark>-<variant>/*.cpuprofile`)
else {
  const reportsFolder = join(FOLDER, 'results')
  mkdirSync(reportsFolder, { recursive: true })
  for (const report of result.reports) {
    writeFileSync(
      join(reportsFolder, `${report.name}.json`),
      `${JSON.stringify(report, null, 2)}\n`,
    )
  }
  writeFileSync(values.results, `${JSON.stringify(result.rows, null, 2)}\n`)
  console.log(`Written: ${values.results}`)
}
const broken = result.rows.filter(({ holds }) => holds === false)
if (broken.length > 0) console.log(`Not held: ${broken.map(({ name }) => name).join(', ')}`)
process.exit(exitCodeOf(result, values.check))
