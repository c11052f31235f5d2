/**
 * The benchmarks: `npm run bench`, `npm run bench -- state-hash`. Prints ratios of one sitting with
 * their spread, and writes each report as JSON to bench/results/.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCHES } from './list.ts'
import { describeBench, runBench } from './runner.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    tiny: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log('npm run bench -- [name ...] [--rounds 5] [--tiny]\n')
  for (const { name, about } of BENCHES) console.log(`${name.padEnd(12)} ${about}`)
  process.exit(0)
}

const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: npm run bench -- --help lists them.`)
  process.exit(2)
}

const folder = join(process.cwd(), 'bench', 'results')
mkdirSync(folder, { recursive: true })
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version }
console.log(
  `${machine.cores} x ${machine.cpu}, Node ${machine.node}, load ${loadavg()[0].toFixed(1)}`,
)
for (const def of BENCHES) {
  if (positionals.length > 0 && !positionals.includes(def.name)) continue
  const loadBefore = loadavg()[0]
  const report = await runBench(def, values.tiny ? 'tiny' : 'full', Number(values.rounds))
  for (const line of describeBench(report)) console.log(line)
  const at = new Date().toISOString()
  const result = { at, machine, loadBefore, loadAfter: loadavg()[0], ...report }
  writeFileSync(join(folder, `${def.name}.json`), `${JSON.stringify(result, null, 2)}\n`)
}
