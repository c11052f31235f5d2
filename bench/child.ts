/** One variant of one benchmark, in a process of its own; prints its sample as JSON. */
import type { Size } from './bench.ts'
import { BENCHES } from './list.ts'

const [name, size, variant] = process.argv.slice(2)
const def = BENCHES.find((bench) => bench.name === name)
if (!def) throw new Error(`there is no benchmark ${name}`)
console.log(JSON.stringify(await def.run(size as Size, variant)))
process.exit(0)
