/**
 * Runs one variant of a benchmark, or one point of its cost curve, in a process of its own; prints
 * the result as JSON.
 */
import type { Size } from './bench.ts'
import { loadBench } from './list.ts'

const [name, what, ...rest] = process.argv.slice(2)
const def = await loadBench(name)
if (what === 'curve') {
  const [rows, workers] = rest.map(Number)
  console.log(JSON.stringify(await def.curve?.(rows, workers)))
} else console.log(JSON.stringify(await def.run(what as Size, rest[0])))
process.exit(0)
