/**
 * Cost curves: `npm run curves` measures 1,000 to 1,000,000 rows on every number of threads up to
 * the number of cores, and writes bench/curves.svg and the table in bench/README.md. `npm run
 * curves -- movement` measures only the benchmarks named.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { newTool, refuseLine, wholeFrom } from '../cli/command-line.ts'
import { medianOf } from './bench.ts'
import { type Curve, toSvg } from './chart.ts'
import { type Measurement, replaceTable, tableOf } from './curve-table.ts'
import { BENCH_NAMES, loadBench } from './list.ts'
import { machine } from './report.ts'
import { runChild } from './runner.ts'

const ROWS = [1_000, 10_000, 100_000, 1_000_000]

const tool = newTool(
  'npm run curves --',
  'Measures how cost grows with rows and threads; writes bench/curves.svg and a table.',
)
  .argument('[names...]', 'benchmarks to measure (default: all that have a curve)')
  .option('--rounds <n>', 'measurements of each point', wholeFrom(1), 3)
  .parse()
const { rounds } = tool.opts<{ rounds: number }>()
const names = tool.args
const unknown = names.filter((name) => !BENCH_NAMES.includes(name))
if (unknown.length > 0) refuseLine(tool, `there is no benchmark ${unknown.join(', ')}`)
const workerCounts = Array.from({ length: availableParallelism() }, (_, workers) => workers)

async function measure(name: string): Promise<Measurement[]> {
  const found: Measurement[] = []
  for (const workers of workerCounts) {
    for (const rows of ROWS) {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) {
        const ms = await runChild<number | null>([name, 'curve', String(rows), String(workers)])
        if (ms !== null) times.push(ms)
      }
      if (times.length === 0) continue
      found.push({ name, rows, threads: workers + 1, ms: medianOf(times) })
      console.log(`${name} ${rows} rows, ${workers + 1} threads: ${medianOf(times).toFixed(3)} ms`)
    }
  }
  return found
}

const { cpu, cores, node, load } = machine()
const measured: Measurement[] = []
const subjects: string[] = []
for (const name of BENCH_NAMES) {
  if (names.length > 0 && !names.includes(name)) continue
  if ((await loadBench(name)).curve === undefined) continue
  subjects.push(name)
  measured.push(...(await measure(name)))
}

const curves = subjects.flatMap((name, color) =>
  workerCounts.map((workers): Curve => {
    const own = measured.filter((one) => one.name === name && one.threads === workers + 1)
    const shown = `${name}, ${workers + 1} ${workers === 0 ? 'thread' : 'threads'}`
    return {
      name: shown,
      color,
      dashed: workers > 0,
      points: own.map(({ rows, ms }) => [rows, ms]),
    }
  }),
)
const folder = join(process.cwd(), 'bench')
const loads = `load ${load.toFixed(1)} before and ${machine().load.toFixed(1)} after`
const machineLine = `${cores} x ${cpu}, Node ${node}, ${loads}.`
const svg = toSvg({
  title: 'Cost of a pass by rows and threads',
  xLabel: 'rows',
  yLabel: 'milliseconds',
  curves: curves.filter(({ points }) => points.length > 0),
})
const readme = join(folder, 'README.md')
writeFileSync(join(folder, 'curves.svg'), svg)
writeFileSync(
  readme,
  replaceTable(readFileSync(readme, 'utf8'), [machineLine, '', ...tableOf(measured)]),
)
console.log(tableOf(measured).join('\n'))
process.exit(0)
