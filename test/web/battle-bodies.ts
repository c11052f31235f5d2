/** Canned bodies of battles: some in progress, small and large, and many of the past. */
import type { LogRow } from '../../core/public/battle-log.ts'
import type { BattleLogBody, BattleSummary, BattlesBody } from '../../core/public/past.ts'
import { type CannedBattle, cannedLog, cannedRows, cannedSummary } from './canned-battle.ts'
import { draw, FIRST_TICK } from './galaxy-bodies.ts'

type Plan = CannedBattle & { readonly id: string; readonly change?: Partial<BattleSummary> }

const place = (name: string) => ({ system_id: name.toLowerCase(), system_name: name })

/** Battles in progress, which the map marks. */
const LIVE: readonly Plan[] = [
  { id: 'battle-3', from: FIRST_TICK - 30, sides: [5, 6], change: place('Sol') },
  { id: 'battle-57', from: FIRST_TICK - 18, sides: [4, 3, 6], seed: 11, change: place('Ross') },
  { id: 'battle-141', from: FIRST_TICK - 12, sides: [120, 130], change: place('Vega') },
  { id: 'battle-260', from: FIRST_TICK - 2, sides: [40, 52], seed: 5, change: place('Lhasa') },
]

const CATEGORIES = ['pvp', 'pirate', 'police', 'pve', 'arena']
const PLACES = ['Sol', 'Vega', 'Ross', 'Lhasa', 'Tau Ceti', 'Altair']
const PAST_BATTLES = 58

/** Battles of the past by number; one has a hostile name, and the oldest has lost its log. */
const PAST: readonly Plan[] = Array.from({ length: PAST_BATTLES }, (_, index) => ({
  id: `past-${index}`,
  seed: 3 + index,
  from: FIRST_TICK - 400 * (index + 1),
  ticks: 30 + draw(90, index),
  sides: [2 + draw(6, index), 2 + draw(7, index, 1)],
  isOver: true,
  ...(index === 1 ? { firstName: '<img src=x onerror=alert(1)>' } : {}),
  change: {
    ...place(PLACES[draw(PLACES.length, index)]),
    category: CATEGORIES[draw(CATEGORIES.length, index, 2)],
  },
}))
const PRUNED = `past-${PAST_BATTLES - 1}`

const rowsMade = new Map<string, LogRow[]>()

function rowsOf(plan: Plan, tick: number): LogRow[] {
  const isLive = LIVE.includes(plan)
  const ticks = isLive ? tick - (plan.from ?? 0) + 1 : plan.ticks
  const key = `${plan.id}/${ticks}`
  let rows = rowsMade.get(key)
  if (!rows) {
    if (rowsMade.size > 100) rowsMade.clear()
    rows = cannedRows({ ...plan, ticks })
    rowsMade.set(key, rows)
  }
  return rows
}

const summaryOf = (plan: Plan, tick: number): BattleSummary =>
  cannedSummary(
    rowsOf(plan, tick),
    { ...plan, isOver: plan.isOver ?? false },
    { ...plan.change, duration_ticks: rowsOf(plan, tick).length },
  )

const planOf = (query: URLSearchParams): Plan | undefined =>
  [...LIVE, ...PAST].find(({ id }) => id === query.get('battle_id'))

export function battles(tick: number, query: URLSearchParams): BattlesBody {
  const [status, category, search] = ['status', 'category', 'search'].map((name) =>
    (query.get(name) ?? '').toLowerCase(),
  )
  const all = [...LIVE, ...PAST].map((plan) => summaryOf(plan, tick))
  const found = all.filter(
    (battle) =>
      (status === '' || status === 'all' || battle.status === status) &&
      (category === '' || battle.category === category) &&
      (search === '' || battle.player_names?.some((name) => name.toLowerCase().startsWith(search))),
  )
  const offset = Number(query.get('offset') ?? 0)
  const limit = Number(query.get('limit') ?? 20)
  const shown = found.slice(offset, offset + limit)
  return { battles: shown, total: found.length, has_more: offset + limit < found.length }
}

export function battleSummary(tick: number, query: URLSearchParams): BattleSummary | undefined {
  const plan = planOf(query)
  return plan && summaryOf(plan, tick)
}

export function battleLog(tick: number, query: URLSearchParams): BattleLogBody | undefined {
  const plan = planOf(query)
  if (!plan) return undefined
  return cannedLog(plan.id === PRUNED ? [] : rowsOf(plan, tick), query)
}

/** Returns the newest row of a live battle. */
export function liveRow(id: string, tick: number): LogRow | undefined {
  const plan = LIVE.find((live) => live.id === id)
  return plan && rowsOf(plan, tick).at(-1)
}
