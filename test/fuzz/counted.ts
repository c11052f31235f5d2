/** What the runners of this folder share: `--count N --seed S --help`, one last line, exit code. */
import { parseArgs } from 'node:util'

interface Counted {
  readonly count: number
  readonly seed: number
  /** Of a failure that fast-check printed; empty for none. */
  readonly path: string
}

interface CountedReport {
  readonly lines: readonly string[]
  readonly failures: readonly string[]
  /** Sums it up. */
  readonly last: string
}

/** Runs what `help` describes with the arguments of this process, and ends it. */
export async function runCounted(
  { name, help, count }: { readonly name: string; readonly help: string; readonly count: number },
  run: (counted: Counted) => Promise<CountedReport>,
): Promise<never> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: String(count) },
      seed: { type: 'string', default: '1' },
      path: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(`${name} [--count ${count}] [--seed 1]\n${help}`)
    process.exit(0)
  }
  const since = performance.now()
  const { path } = values
  const counted = { count: Number(values.count), seed: Number(values.seed), path }
  const { lines, failures, last } = await run(counted)
  for (const line of [...lines, ...failures]) console.log(line)
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(`${name}: ${last}, seed ${counted.seed}, ${seconds} s; failures: ${failures.length}`)
  process.exit(failures.length > 0 ? 1 : 0)
}
