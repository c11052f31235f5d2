/** `orrery tick-report`: figures from the kept journal. */
import { type Command, Option } from 'commander'
import type { JournalRow } from '../core/ports.ts'
import type { Sql } from '../storage/db.ts'
import { readJournal } from '../storage/journal.ts'
import { wholeFrom } from './command-line.ts'
import { reading } from './database.ts'
import { economyTool } from './economy.ts'
import { count, digits, pairs, table, time } from './format.ts'
import { createPhaseClock, describePhases, type PhaseTimes, phasesOfServer } from './phases.ts'
import { pricesTool } from './prices.ts'
import { SLOW_COLUMNS_TEXT, SLOW_TICKS_SHOWN, slowTicksReport } from './slow-ticks.ts'
import { addTool, DATABASE, type Tool, type ToolDef } from './tool.ts'
import { lastBatch, recover } from './world.ts'

const COMMANDS_SHOWN = 20

interface Tally {
  ticks: number
  immediateBatches: number
  mutations: number
  immediates: number
  hashes: number
  mutationsMax: number
  intervalMsMax: number
  firstTick: number
  lastTick: number
  firstMs: number
  lastMs: number
  readonly commands: Map<string, number>
}

const emptyTally = (): Tally => ({
  ticks: 0,
  immediateBatches: 0,
  mutations: 0,
  immediates: 0,
  hashes: 0,
  mutationsMax: 0,
  intervalMsMax: 0,
  firstTick: 0,
  lastTick: 0,
  firstMs: 0,
  lastMs: 0,
  commands: new Map(),
})

function add(tally: Tally, row: JournalRow): void {
  const inputs = row.inputs.length
  if (row.hash !== null) tally.hashes++
  for (const { command } of row.inputs) {
    tally.commands.set(command, (tally.commands.get(command) ?? 0) + 1)
  }
  if (row.part !== 0) {
    tally.immediateBatches++
    tally.immediates += inputs
    return
  }
  if (tally.ticks === 0) {
    tally.firstTick = row.tick
    tally.firstMs = row.wallMs
  } else tally.intervalMsMax = Math.max(tally.intervalMsMax, row.wallMs - tally.lastMs)
  tally.ticks++
  tally.mutations += inputs
  tally.mutationsMax = Math.max(tally.mutationsMax, inputs)
  tally.lastTick = row.tick
  tally.lastMs = row.wallMs
}

/** Returns the batch after which the journal has all ticks from `tick` on. */
async function batchBefore(sql: Sql, tick: number): Promise<number> {
  const rows = await sql<{ batch: number | null }[]>`
    select coalesce(
      (select max(last_batch) from journal_block where last_tick < ${tick}),
      (select min(first_batch) - 1 from journal_block),
      (select min(batch) - 1 from journal),
      (select head_batch from world)) as batch`
  return rows[0].batch ?? 0
}

async function lastTick(sql: Sql): Promise<number> {
  const rows = await sql<{ tick: number | null }[]>`
    select greatest((select max(tick) from journal), (select max(last_tick) from journal_block))
      as tick`
  return rows[0].tick ?? 0
}

const tickTool: ToolDef = {
  usage: 'tick-report',
  summary: 'figures from the kept journal, and how long the phases of ticks take',
  help:
    'Phase times are those of the running server (/metrics at HOST and PORT); with --replay those of\n' +
    'the ticks after the newest snapshot, replayed here on one thread.\n\n' +
    `Columns of --slow, in milliseconds unless they begin with #:\n${SLOW_COLUMNS_TEXT}`,
  settings: [...DATABASE, 'HOST', 'PORT', 'METRICS_TOKEN'],
  options: [
    new Option('--last <ticks>', 'only the last so many ticks').argParser(wholeFrom(1)),
    new Option('--replay', 'replay the ticks after the newest snapshot and time them'),
    new Option('--slow [ticks]', 'show instead the slowest ticks of the running server, and why')
      .argParser(wholeFrom(1))
      .preset(SLOW_TICKS_SHOWN)
      .conflicts(['last', 'replay']),
  ],
  run: (tool, _, options) => {
    if (options.slow !== undefined) return slowTicksReport(tool.config, Number(options.slow))
    return reading(tool, async (sql) => {
      const last = options.last as number | undefined
      const fromTick = last === undefined ? 0 : (await lastTick(sql)) - last + 1
      const tally = emptyTally()
      let rows = 0
      const [first, end] = [await batchBefore(sql, fromTick), await lastBatch(sql)]
      for await (const row of readJournal(sql, first)) {
        tool.progress('journal rows read', ++rows, end - first)
        if (row.tick >= fromTick) add(tally, row)
      }
      const timed = options.replay
        ? await phasesOfReplay(tool, sql)
        : await phasesOfServer(tool.config)
      return tickReport(tally, timed)
    })
  },
}

async function phasesOfReplay(tool: Tool, sql: Sql): Promise<PhaseTimes> {
  const clock = createPhaseClock()
  await recover(tool, sql, clock)
  return clock.times()
}

/** Makes the report; `timed` has the phase times, or says why there are none. */
function tickReport(tally: Tally, timed: PhaseTimes | string) {
  const { commands, firstMs, lastMs, ...counts } = tally
  const perTick = (n: number): number => (tally.ticks === 0 ? 0 : n / tally.ticks)
  const gaps = tally.ticks - 1
  const intervalMsMean = gaps > 0 ? Math.round((lastMs - firstMs) / gaps) : 0
  const top = [...commands].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const data = {
    ...counts,
    intervalMsMean,
    ticksPerHash: tally.hashes === 0 ? null : tally.ticks / tally.hashes,
    from: tally.ticks === 0 ? null : time(firstMs),
    to: tally.ticks === 0 ? null : time(lastMs),
    commands: Object.fromEntries(top),
    phases: typeof timed === 'string' ? null : timed,
  }
  const facts = pairs([
    ['ticks', `${digits(tally.ticks)} (${tally.firstTick} to ${tally.lastTick})`],
    ['world time', tally.ticks === 0 ? 'none' : `${data.from} to ${data.to}`],
    [
      'between ticks',
      `mean ${digits(intervalMsMean)} ms, longest ${digits(tally.intervalMsMax)} ms`,
    ],
    [
      'mutations',
      `${digits(tally.mutations)}: mean ${perTick(tally.mutations).toFixed(2)} per tick, ` +
        `at most ${digits(tally.mutationsMax)}`,
    ],
    [
      'immediates',
      `${digits(tally.immediates)} in ${count(tally.immediateBatches, 'batch', 'batches')}`,
    ],
    [
      'hashes',
      data.ticksPerHash === null
        ? 0
        : `${digits(tally.hashes)}: one in ${data.ticksPerHash.toFixed(1)} ticks`,
    ],
  ])
  const used = top.length === 0 ? [] : [table(['command', 'inputs'], top.slice(0, COMMANDS_SHOWN))]
  const phases =
    typeof timed === 'string'
      ? `There are no phase times. ${timed} --replay measures them by replaying the last ticks.`
      : describePhases(timed)
  return { data, text: [facts, ...used, phases].join('\n\n') }
}

export function addReportTools(parent: Command): void {
  for (const def of [tickTool, economyTool, pricesTool]) addTool(parent, def)
}
