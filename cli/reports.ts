/** `orrery tick-report, economy`: what the kept journal and the world's ledgers say. */
import { type Command, Option } from 'commander'
import { GOODS } from '../core/catalog/index.ts'
import { Container, NAMED_CONTAINERS, namedContainer, Stack } from '../core/goods.ts'
import { Account, balanceOf, NAMED_ACCOUNTS, namedAccount } from '../core/ledger.ts'
import type { JournalRow } from '../core/ports.ts'
import type { WorldView } from '../core/world.ts'
import type { Sql } from '../storage/db.ts'
import { readJournal } from '../storage/journal.ts'
import { reading } from './database.ts'
import { pairs, table, time } from './format.ts'
import { createPhaseClock, describePhases, type PhaseTimes, phasesOfServer } from './phases.ts'
import { addTool, type Tool, type ToolDef, WORLD, wholeFrom } from './tool.ts'
import { recover } from './world.ts'

const COMMANDS_SHOWN = 20

/* Ticks */

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
  ...{ ticks: 0, immediateBatches: 0, mutations: 0, immediates: 0, hashes: 0 },
  ...{ mutationsMax: 0, intervalMsMax: 0, firstTick: 0, lastTick: 0, firstMs: 0, lastMs: 0 },
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

/** Where the kept journal begins: behind the oldest snapshot, or what was pruned with it. */
async function firstKept(sql: Sql): Promise<number> {
  const rows = await sql<{ batch: number | null }[]>`
    select coalesce((select min(batch) - 1 from journal), (select head_batch from world)) as batch`
  return rows[0].batch ?? 0
}

const tickTool: ToolDef = {
  usage: 'tick-report',
  summary: 'the kept journal in figures, and how long the phases of ticks take',
  help:
    'Phase times are those of the running server (/metrics at HOST and PORT); with --replay those of\n' +
    'the ticks behind the newest snapshot, run again here on one thread.',
  settings: [...WORLD, 'HOST', 'PORT', 'METRICS_TOKEN'],
  options: [
    new Option('--last <ticks>', 'of these last ticks only').argParser(wholeFrom(1)),
    new Option('--replay', 'run the ticks behind the newest snapshot again and time them'),
  ],
  run: (tool, _, options) =>
    reading(tool, async (sql) => {
      const heads = await sql<{ tick: number | null }[]>`select max(tick) as tick from journal`
      const last = options.last as number | undefined
      const fromTick = last === undefined ? 0 : (heads[0].tick ?? 0) - last + 1
      const tally = emptyTally()
      let rows = 0
      for await (const row of readJournal(sql, await firstKept(sql))) {
        tool.progress('journal rows', ++rows)
        if (row.tick >= fromTick) add(tally, row)
      }
      const phases = options.replay
        ? await phasesOfReplay(tool, sql)
        : await phasesOfServer(tool.config)
      return tickReport(tally, phases)
    }),
}

async function phasesOfReplay(tool: Tool, sql: Sql): Promise<PhaseTimes> {
  const clock = createPhaseClock()
  await recover(tool, sql, clock)
  return clock.times()
}

const NO_PHASES =
  'No server answers, so nothing is known of its phases; --replay runs the last ticks again.'

function tickReport(tally: Tally, phases: PhaseTimes | undefined) {
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
    phases: phases ?? null,
  }
  const facts = pairs([
    ['ticks', `${tally.ticks} (${tally.firstTick} to ${tally.lastTick})`],
    ['world time', tally.ticks === 0 ? 'none' : `${data.from} to ${data.to}`],
    ['between ticks', `mean ${intervalMsMean} ms, longest ${tally.intervalMsMax} ms`],
    [
      'mutations',
      `${tally.mutations}: mean ${perTick(tally.mutations).toFixed(2)} a tick, most ${tally.mutationsMax}`,
    ],
    ['immediates', `${tally.immediates} in ${tally.immediateBatches} batches`],
    [
      'hashes',
      data.ticksPerHash === null
        ? 0
        : `${tally.hashes}: one in ${data.ticksPerHash.toFixed(1)} ticks`,
    ],
  ])
  const used = top.length === 0 ? [] : [table(['command', 'inputs'], top.slice(0, COMMANDS_SHOWN))]
  const timed = phases ? describePhases(phases) : NO_PHASES
  return { data, text: [facts, ...used, timed].join('\n\n') }
}

/* Economy */

/** Balances of the named accounts, and what all others hold. */
function credits(view: WorldView) {
  const { alive, kind, credits } = view.read(Account)
  let held = 0
  let holders = 0
  for (let row = 1; row <= view.highOf(Account); row++) {
    if (alive[row] === 0 || kind[row] !== 0) continue
    held += credits[row]
    holders++
  }
  const named = NAMED_ACCOUNTS.map((name) => [name, balanceOf(view, namedAccount(name))] as const)
  const sum = named.reduce((total, [, balance]) => total + balance, held)
  return { named: Object.fromEntries(named), held, holders, sum }
}

interface GoodSums {
  readonly good: string
  /** Units that players, stations, wrecks and markets hold. */
  held: number
  /** Units in each source (negative) and sink. */
  readonly named: Record<string, number>
}

function goods(view: WorldView): GoodSums[] {
  const stack = view.read(Stack)
  const { named } = view.read(Container)
  const names = new Map(NAMED_CONTAINERS.map((name) => [namedContainer(name), name as string]))
  const sums = new Map<number, GoodSums>()
  for (let row = 1; row <= view.highOf(Stack); row++) {
    if (stack.alive[row] === 0) continue
    const item = stack.item[row]
    const found = sums.get(item) ?? { good: GOODS[item].id, held: 0, named: {} }
    sums.set(item, found)
    const container = stack.container[row]
    const name = named[container] === 1 ? names.get(container) : undefined
    if (name === undefined) found.held += stack.units[row]
    else found.named[name] = stack.units[row]
  }
  return [...sums].sort(([a], [b]) => a - b).map(([, found]) => found)
}

const economyTool: ToolDef = {
  usage: 'economy',
  summary: 'credits by named account, goods by source and sink',
  help:
    'Sources are negative by what they gave, sinks positive by what they took. The world is the\n' +
    'newest snapshot with the journal behind it.',
  settings: WORLD,
  run: (tool) =>
    reading(tool, async (sql) => {
      const { world } = await recover(tool, sql)
      const money = credits(world)
      const stock = goods(world)
      const isEven = ({ held, named }: GoodSums): boolean =>
        Object.values(named).reduce((sum, units) => sum + units, held) === 0
      const balanced = money.sum === 0 && stock.every(isEven)
      const lines = [
        ...Object.entries(money.named),
        [`held by ${money.holders} others`, money.held],
        ['sum', money.sum],
      ]
      const data = { tick: world.tick, balanced, credits: money, goods: stock }
      const text = [
        `at tick ${world.tick}`,
        table(['account', 'credits'], lines),
        '',
        table(['good', 'held', ...NAMED_CONTAINERS], stock.map(goodLine)),
        ...(balanced ? [] : ['', 'NOT BALANCED: each good and all credits should sum to 0.']),
      ].join('\n')
      return { data, text, failed: !balanced }
    }),
}

const goodLine = ({ good, held, named }: GoodSums) => [
  good,
  held,
  ...NAMED_CONTAINERS.map((name) => named[name]),
]

export function addReportTools(parent: Command): void {
  for (const def of [tickTool, economyTool]) addTool(parent, def)
}
