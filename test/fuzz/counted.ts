/**
 * Shared by the runners of this folder: `--count N --seed S --help`, a last line, the exit code.
 */
import { newTool, wholeFrom } from '../../cli/command-line.ts'

interface Counted {
  readonly count: number
  readonly seed: number
  /** Path of a failure that fast-check printed; empty for none. */
  readonly path: string
}

interface CountedReport {
  readonly lines: readonly string[]
  readonly failures: readonly string[]
  /** Summary of the run, for the last line. */
  readonly last: string
}

/** Runs what `help` describes with the arguments of this process, and ends it. */
export async function runCounted(
  { name, help, count }: { readonly name: string; readonly help: string; readonly count: number },
  run: (counted: Counted) => Promise<CountedReport>,
): Promise<never> {
  const counted = newTool(`node dist/test/fuzz/${name}-run.js`, help)
    .option('--count <n>', 'how many', wholeFrom(1), count)
    .option('--seed <n>', 'seed of all random draws', wholeFrom(0), 1)
    .option('--path <path>', 'path of a failure that fast-check printed', '')
    .parse()
    .opts<Counted>()
  const since = performance.now()
  const { lines, failures, last } = await run(counted)
  for (const line of [...lines, ...failures]) console.log(line)
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(`${name}: ${last}, seed ${counted.seed}, ${seconds} s; failures: ${failures.length}`)
  process.exit(failures.length > 0 ? 1 : 0)
}
