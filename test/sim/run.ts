/**
 * The command line of the simulation: one seed or many, progress, a summary, and exit code 1 at the
 * first failure.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Command, InvalidArgumentError } from 'commander'
import { newTool, oneOf, refuseLine, wholeFrom } from '../../cli/command-line.ts'
import { digits } from '../../cli/format.ts'
import { createProgress } from '../../cli/progress.ts'
import { CANARIES, type Canary, NODE_CANARIES } from './canary.ts'
import { FAULTS, NODE_FAULTS } from './faults.ts'
import { NODES_MAX, simulateNodes } from './nodes.ts'
import { SimFailure, type SimResult, simulate } from './simulate.ts'

/** Needed because each crash leaves a world of 20 MB, which the collector is slow to free. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Flags {
  readonly seed: number
  readonly ticks: number
  readonly seeds: number
  readonly nodes?: number
  readonly workers: number
  readonly faults?: boolean | string[]
  readonly canary?: boolean | Canary
  readonly restoreAt?: number
  readonly shuffle?: boolean
  readonly twice?: boolean
  readonly verbose?: boolean
  readonly keepGoing?: boolean
}

function faultsOf(text: string): boolean | string[] {
  if (text === 'all') return true
  if (text === 'none') return false
  const names = text.split(',')
  const unknown = names.filter((name) => !(name in FAULTS) && !(name in NODE_FAULTS))
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}.`)
  return names
}

function nodesOf(text: string): number {
  const nodes = wholeFrom(1)(text)
  if (nodes > NODES_MAX) throw new InvalidArgumentError(`At most ${NODES_MAX}.`)
  return nodes
}

const NEEDS_ONE_SERVER = ['workers', 'restoreAt', 'shuffle']

/** Refuses flags that the chosen kind of simulation would ignore. */
function checkFlags(tool: Command): void {
  const { nodes, faults, canary } = tool.opts<Flags>()
  const [known, bugs] = nodes ? [NODE_FAULTS, NODE_CANARIES] : [FAULTS, CANARIES]
  const where = nodes ? 'with --nodes' : 'without --nodes'
  const wrong = Array.isArray(faults) ? faults.filter((name) => !(name in known)) : []
  if (wrong.length > 0) refuseLine(tool, `there is no fault ${wrong.join(', ')} ${where}`)
  if (typeof canary === 'string' && !(canary in bugs))
    refuseLine(tool, `there is no canary ${canary} ${where}`)
  const given = NEEDS_ONE_SERVER.filter((name) => tool.getOptionValueSource(name) === 'cli')
  if (nodes && given.length > 0) refuseLine(tool, `--nodes cannot be used with ${given.join(', ')}`)
}

const list = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([name, what]) => `  ${name.padEnd(22)} ${what}`)
    .join('\n')

function program(): Command {
  return newTool(
    'npm run sim --',
    'Simulates the whole server, without sockets and with faults, from one seed.',
  )
    .option('--seed <n>', 'first seed', wholeFrom(0), 1)
    .option('--nodes <n>', 'gateways, 1 to 3, of a world with one or two leaders', nodesOf)
    .option('--ticks <n>', 'ticks of phase 1', wholeFrom(0), 500)
    .option('--seeds <n>', 'number of seeds, run one after another', wholeFrom(0), 1)
    .option('--workers <n>', 'kernel threads', wholeFrom(0), 0)
    .option('--faults <which>', 'all (each seed arms half), none, or names,with,commas', faultsOf)
    .option(
      '--restore-at <tick>',
      'replace the world from snapshot and journal after this tick',
      wholeFrom(0),
    )
    .option('--shuffle', 'send mutations to the world in another order of players')
    .option('--twice', 'run each seed twice and compare the hashes')
    .option(
      '--canary [kind]',
      'arm a deliberate bug: the run must fail',
      oneOf([...Object.keys(CANARIES), ...Object.keys(NODE_CANARIES)]),
    )
    .option('--keep-going', 'continue with the next seed after a failure')
    .option('--verbose', 'print faults, refusals and commands of each seed')
    .addHelpText(
      'after',
      `\nFaults:\n${list(FAULTS)}\n\nCanaries:\n${list(CANARIES)}\n` +
        `\nFaults with --nodes:\n${list(NODE_FAULTS)}\n` +
        `\nCanaries with --nodes:\n${list(NODE_CANARIES)}`,
    )
}

const table = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

function print(result: SimResult, ms: number, flags: Flags): void {
  const { seed, ticks, hash, bots, answers, refusals, events, crashes, rows } = result
  const rate = digits(Math.round((ticks / ms) * 1000))
  console.log(
    `seed ${seed}: ${hash} after ${ticks} ticks, ${bots} bots, ${answers} answers ` +
      `(${refusals} refusals), ${events} events, ${rows} rows, ${crashes} crashes, ${rate} ticks/s`,
  )
  if (!flags.verbose) return
  console.log(`  faults: ${table(result.struck) || 'none'}`)
  console.log(`  refusals: ${table(result.codes)}`)
  console.log(`  sent: ${table(result.commands)}`)
  console.log(`  done: ${table(result.done)}`)
}

async function runSeed(seed: number, flags: Flags): Promise<SimResult> {
  const progress = createProgress()
  const { ticks, nodes, faults = true, canary, workers, restoreAt, shuffle: isShuffled } = flags
  const onTick = (tick: number): void => progress.progress(`ticks of seed ${seed}`, tick, ticks)
  const shared = { seed, ticks, faults, canary, onTick }
  const runOnce = (): Promise<SimResult> =>
    nodes
      ? simulateNodes({ ...shared, nodes })
      : simulate({ ...shared, workers, restoreAt, isShuffled })
  const startedMs = performance.now()
  const result = await runOnce().finally(progress.end)
  print(result, performance.now() - startedMs, flags)
  if (!flags.twice) return result
  const second = await runOnce().finally(progress.end)
  if (second.hash !== result.hash) {
    const how = nodes ? `--nodes ${nodes} --seed ${seed}` : `--seed ${seed}`
    throw new SimFailure(
      `npm run sim -- ${how} --ticks ${flags.ticks} --twice\n` +
        `  I5: the second run ends with ${second.hash}, the first with ${result.hash}`,
    )
  }
  return result
}

async function main(): Promise<void> {
  const tool = program().parse()
  checkFlags(tool)
  const flags = tool.opts<Flags>()
  const startedMs = performance.now()
  let failures = 0
  let answers = 0
  let crashes = 0
  let ticks = 0
  for (let i = 0; i < flags.seeds; i++) {
    collect()
    try {
      const result = await runSeed(flags.seed + i, flags)
      answers += result.answers
      crashes += result.crashes
      ticks += result.ticks
    } catch (error) {
      if (!(error instanceof SimFailure)) throw error
      failures += 1
      console.error(`FAILED ${error.message}`)
      if (!flags.keepGoing) break
    }
  }
  const seconds = (performance.now() - startedMs) / 1000
  console.log(
    `${flags.seeds} seeds, ${ticks} ticks, ${answers} answers, ${crashes} crashes, ` +
      `${failures} failures, ${seconds.toFixed(1)} s`,
  )
  process.exit(failures > 0 ? 1 : 0)
}

await main()
