/** `orrery economy`: what came into the world and what left it, day by day. */
import { Option } from 'commander'
import { Container, NAMED_CONTAINERS, Stack } from '../core/goods.ts'
import { Account, NAMED_ACCOUNTS } from '../core/ledger.ts'
import { DAY_TICKS } from '../core/time.ts'
import type { WorldView } from '../core/types.ts'
import { type ClosedBooks, lastBooks } from '../storage/archive/economy.ts'
import { wholeFrom } from './command-line.ts'
import { reading } from './database.ts'
import { table } from './format.ts'
import { DATABASE, type ToolDef } from './tool.ts'
import { recover } from './world.ts'

const DAYS_SHOWN = 7

type Figures = Readonly<Record<string, number>>

interface Day {
  readonly day: number
  readonly fromTick: number
  readonly toTick: number
  /** Credits that each named account gave (negative) or took during the day. */
  readonly credits: Figures
  /** Credits in circulation at the end of the day. */
  readonly supply: number
  /** By item, the units that each named container gave (negative) or took during the day. */
  readonly goods: Readonly<Record<string, Figures>>
}

const NOTHING: ClosedBooks = { tick: 0, credits: {}, goods: {} }

function creditFlows(from: ClosedBooks, to: ClosedBooks): Figures {
  const flows = NAMED_ACCOUNTS.map(
    (name) => [name, (to.credits[name] ?? 0) - (from.credits[name] ?? 0)] as const,
  )
  return Object.fromEntries(flows.filter(([, flow]) => flow !== 0))
}

function goodFlows(from: ClosedBooks, to: ClosedBooks): Record<string, Record<string, number>> {
  const flows: Record<string, Record<string, number>> = {}
  for (const name of NAMED_CONTAINERS) {
    const before = from.goods[name] ?? {}
    const after = to.goods[name] ?? {}
    for (const good of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const flow = (after[good] ?? 0) - (before[good] ?? 0)
      if (flow !== 0) flows[good] = { ...flows[good], [name]: flow }
    }
  }
  return flows
}

/** Returns the days between closings; anything before the first closing is not shown. */
export function daysOf(closings: readonly ClosedBooks[]): Day[] {
  return closings.slice(1).map((to, i) => ({
    day: Math.ceil(to.tick / DAY_TICKS),
    fromTick: closings[i].tick,
    toTick: to.tick,
    credits: creditFlows(closings[i], to),
    supply: -Object.values(to.credits).reduce((sum, credits) => sum + credits, 0),
    goods: goodFlows(closings[i], to),
  }))
}

/**
 * Returns whether the books balance: the credits of all accounts, and the units of each item in all
 * containers, sum to zero.
 */
function isBalanced(view: WorldView): boolean {
  const account = view.read(Account)
  let credits = 0n
  for (let row = 1; row <= view.highOf(Account); row++) {
    if (account.alive[row] === 1) credits += BigInt(account.credits[row])
  }
  const stack = view.read(Stack)
  const { alive } = view.read(Container)
  const units = new Map<number, bigint>()
  for (let row = 1; row <= view.highOf(Stack); row++) {
    if (stack.alive[row] === 0 || alive[stack.container[row]] === 0) continue
    const item = stack.item[row]
    units.set(item, (units.get(item) ?? 0n) + BigInt(stack.units[row]))
  }
  return credits === 0n && [...units.values()].every((sum) => sum === 0n)
}

const title = ({ day, toTick }: Day): string =>
  toTick % DAY_TICKS === 0 ? `day ${day}` : `day ${day}, to tick ${toTick}`

function creditTable(days: readonly Day[]): string {
  const used = NAMED_ACCOUNTS.filter((name) => days.some(({ credits }) => credits[name]))
  return table(
    ['credits', ...days.map(title)],
    [
      ...used.map((name) => [name, ...days.map(({ credits }) => credits[name] ?? 0)]),
      ['in circulation', ...days.map(({ supply }) => supply)],
    ],
  )
}

/** Returns the flows of all shown days together, by item. */
function goodsTable(days: readonly Day[]): string {
  const sums = new Map<string, Map<string, number>>()
  for (const { goods } of days) {
    for (const [good, flows] of Object.entries(goods)) {
      const sum = sums.get(good) ?? new Map<string, number>()
      sums.set(good, sum)
      for (const [name, flow] of Object.entries(flows)) sum.set(name, (sum.get(name) ?? 0) + flow)
    }
  }
  const used = NAMED_CONTAINERS.filter((name) => [...sums.values()].some((sum) => sum.get(name)))
  const goods = [...sums.keys()].sort()
  return table(
    ['units', ...used],
    goods.map((good) => [good, ...used.map((name) => sums.get(good)?.get(name) ?? 0)]),
  )
}

export const economyTool: ToolDef = {
  usage: 'economy',
  summary:
    'what came into the world and left it, day by day: credits and goods, by source and sink',
  help:
    'What a source gave is negative, what a sink took positive. Goods are summed over all shown\n' +
    'days; --json lists them day by day. The current day is read from the newest snapshot and the\n' +
    'journal after it; day 1 includes what the world began with. Exit code 1 if the books do not\n' +
    'balance.',
  settings: DATABASE,
  options: [
    new Option('--days <days>', 'days to show, including the current one')
      .default(DAYS_SHOWN)
      .argParser(wholeFrom(1)),
  ],
  run: (tool, _, options) =>
    reading(tool, async (sql) => {
      const { world } = await recover(tool, sql)
      const { booksOf } = await import('../systems/economy/systems.ts')
      const shown = Number(options.days)
      const closed = (await lastBooks(sql, shown + 1)).filter(({ tick }) => tick < world.tick)
      const complete = closed.length <= shown ? [NOTHING, ...closed] : closed
      const days = daysOf([...complete, booksOf(world)]).slice(-shown)
      const balanced = isBalanced(world)
      const text = [
        creditTable(days),
        goodsTable(days),
        ...(balanced ? [] : ['NOT BALANCED: each good and all credits should sum to 0.']),
      ].join('\n\n')
      return { data: { tick: world.tick, balanced, days }, text, failed: !balanced }
    }),
}
