/** Bodies of battles: active ones come from the frame, others from the archive. WEB 1.3. */
import { invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { BATTLE_LOG_ROWS_DEFAULT, BATTLE_LOG_ROWS_MAX } from '../../core/limits.ts'
import { MAX_SAFE } from '../../core/math.ts'
import {
  type BattleLogBody,
  type BattleSummary,
  type BattlesBody,
  battleLogBody,
  battleSummary,
  battlesBody,
} from '../../core/public/past.ts'
import { usernameKey } from '../../core/text-rules.ts'
import { namelessBattle, namelessLog } from './nameless.ts'
import { readPast } from './past.ts'
import type { PublicContext, PublicRow, QueryParam } from './row.ts'
import type { PublicState } from './state.ts'

const CATEGORIES = ['pvp', 'pirate', 'police', 'wildlife', 'pve', 'npc', 'arena'] as const
const LIST_MAX = 100
const OFFSET_MAX = 5_000
/** Letters of a name that a search needs; shorter ones are ignored. */
const SEARCH_CHARACTERS_MIN = 2

/** Filters of a list of battles. */
interface Filters {
  readonly category?: string
  readonly nameKey?: string
}

function filtersOf({ query }: PublicContext): Filters {
  const nameKey = usernameKey(String(query.search).trim())
  return {
    ...(query.category === 'all' ? {} : { category: String(query.category) }),
    ...([...nameKey].length < SEARCH_CHARACTERS_MIN ? {} : { nameKey }),
  }
}

/** Lists the active battles, the latest first. */
function activeBattles({ battles }: PublicState, { category, nameKey }: Filters): BattleSummary[] {
  const isWanted = (battle: BattleSummary): boolean =>
    (category === undefined || battle.category === category) &&
    (nameKey === undefined ||
      (battle.player_names ?? []).some((name) => usernameKey(name).startsWith(nameKey)))
  return battles.filter(isWanted).sort((a, b) => b.start_tick - a.start_tick)
}

async function listBattles(state: PublicState, context: PublicContext): Promise<Outcome<unknown>> {
  const { status } = context.query
  const [limit, offset] = [Number(context.query.limit), Number(context.query.offset)]
  const filters = filtersOf(context)
  const active = status === 'completed' ? [] : activeBattles(state, filters)
  const first = active.slice(offset, offset + limit)
  const page = (battles: BattleSummary[], total: number): BattlesBody => ({
    battles,
    total,
    // The next offset must be one that is not cut to the bound, or rows would repeat.
    has_more: offset + battles.length < Math.min(total, OFFSET_MAX + 1),
  })
  // Without names in battles there is no search by name either.
  if (filters.nameKey !== undefined && !context.about.showsNames) return ok(page([], 0))
  if (status === 'active') return ok(page(first, active.length))
  const rest = {
    limit: limit - first.length,
    offset: Math.max(0, offset - active.length),
  }
  return readPast<{ battles: BattleSummary[]; total: number }>(
    context,
    { method: 'publicBattles', args: { tick: state.tick, ...filters, ...rest } },
    ({ battles, total }) => {
      const past = context.about.showsNames ? battles : battles.map(namelessBattle)
      return page([...first, ...past], active.length + total)
    },
  )
}

const activeOf = ({ battles }: PublicState, battle_id: string): BattleSummary | undefined =>
  battles.find((battle) => battle.battle_id === battle_id.toLowerCase())

/** Returns the requested battle id; refuses if it is missing. */
function idOf({ query }: PublicContext): Outcome<string> {
  const id = String(query.battle_id)
  return id === '' ? invalidFields({ field: 'battle_id', expected: 'the id of a battle' }) : ok(id)
}

async function readSummary(state: PublicState, context: PublicContext): Promise<Outcome<unknown>> {
  const id = idOf(context)
  if (!id.ok) return id
  const args = { tick: state.tick, battle_id: id.result }
  const active = activeOf(state, id.result)
  if (active) return ok(active)
  return readPast<BattleSummary>(context, { method: 'publicBattle', args }, (battle) =>
    context.about.showsNames ? battle : namelessBattle(battle),
  )
}

async function readLog(state: PublicState, context: PublicContext): Promise<Outcome<unknown>> {
  const id = idOf(context)
  if (!id.ok) return id
  const { tick_start, tick_end, limit } = context.query
  const active = activeOf(state, id.result)
  const args = {
    tick: state.tick,
    battle_id: id.result,
    limit: Number(limit),
    from: Number(tick_start),
    to: Number(tick_end),
    ...(active ? { active } : {}),
  }
  return readPast<BattleLogBody>(context, { method: 'publicBattleLog', args }, (body) =>
    context.about.showsNames ? body : namelessLog(body),
  )
}

const isOver = (result: unknown): boolean => (result as BattleSummary).status === 'completed'

const battleIdParam: QueryParam = {
  name: 'battle_id',
  about: 'Id of a battle, as the list has it.',
  kind: 'text',
  max: 64,
}

export const BATTLE_ROWS: readonly PublicRow[] = [
  {
    path: '/api/battles',
    operationId: 'getBattles',
    about: 'battles: active ones, then those that are over, the latest first',
    query: [
      {
        name: 'status',
        about: 'Which battles.',
        kind: 'choice',
        values: ['all', 'active', 'completed'],
        fallback: 'all',
      },
      {
        name: 'category',
        about: 'By the kinds of ships that fought.',
        kind: 'choice',
        values: ['all', ...CATEGORIES],
        fallback: 'all',
      },
      {
        name: 'search',
        about: 'Beginning of the name of a player who took part: two letters or more.',
        kind: 'text',
        max: 64,
      },
      {
        name: 'limit',
        about: 'Maximum number of rows.',
        kind: 'int',
        min: 1,
        max: LIST_MAX,
        fallback: 20,
      },
      {
        name: 'offset',
        about: 'Number of rows to skip.',
        kind: 'int',
        min: 0,
        max: OFFSET_MAX,
        fallback: 0,
      },
    ],
    cache: 'T',
    bucket: 'public',
    schema: battlesBody,
    source: 'archive',
    body: listBattles,
  },
  {
    path: '/api/battle/summary',
    operationId: 'getPublicBattle',
    about: 'the summary of a battle',
    query: [battleIdParam],
    cache: (result) => (isOver(result) ? 'M' : 'T'),
    bucket: 'public',
    schema: battleSummary,
    errors: ['battle_not_found'],
    source: 'archive',
    body: readSummary,
  },
  {
    path: '/api/battle/log',
    operationId: 'getPublicBattleLog',
    about: 'the log of a battle, tick by tick',
    query: [
      battleIdParam,
      { name: 'tick_start', about: 'First tick.', kind: 'int', min: 0, max: MAX_SAFE, fallback: 0 },
      {
        name: 'tick_end',
        about: 'Last tick.',
        kind: 'int',
        min: 0,
        max: MAX_SAFE,
        fallback: MAX_SAFE,
      },
      {
        name: 'limit',
        about: 'Maximum number of ticks.',
        kind: 'int',
        min: 1,
        max: BATTLE_LOG_ROWS_MAX,
        fallback: BATTLE_LOG_ROWS_DEFAULT,
      },
    ],
    // A full page of a battle that is over never changes.
    cache: (result) => {
      if (!isOver(result)) return 'T'
      return (result as { has_more: boolean }).has_more ? 'I' : 'M'
    },
    bucket: 'public',
    schema: battleLogBody,
    errors: ['battle_not_found'],
    source: 'archive',
    body: readLog,
  },
]
