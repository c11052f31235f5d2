/** The action log: one stream of entries per player, and one per faction. Source: social.md 8. */
import type { ArchivedAction, ArchiveReadArgs } from '../../core/archive-calls.ts'
import { type Outcome, ok } from '../../core/errors.ts'
import { INTEL_MOVES_SEARCHED_MAX } from '../../core/limits.ts'
import { arrayLiteral, type Sql } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { optionalText, storableText } from './fields.ts'

interface StoredAction {
  readonly id: number
  readonly category: string
  readonly event_type: string
  readonly summary: string
  readonly data: Record<string, unknown> | null
  readonly tick: number
  readonly at: Date
}

const PAGE_SIZE = 50
const PAGE_SIZE_MAX = 100
const PAGE_MAX = 1_000
/** Limit of `total`; on later pages only `has_more` shows whether there are more. */
const COUNTED_MAX = 10_000
/** Entries of a category among which event types are searched. */
const SEARCHED_MAX = 10_000

/** Returns the categories of event types: `trading.buy` belongs to `trading`. */
const categoriesOf = (types: readonly string[]): string[] => [
  ...new Set(types.map((type) => type.split('.')[0])),
]

/**
 * Inserts the rows of consecutive `logActions` calls in one statement, in order. A row with
 * `factionId` belongs to that faction's stream.
 */
export async function logActions(
  { tx, batch, tick, at }: WriteContext,
  calls: readonly WriteCall<'logActions'>[],
): Promise<Outcome<unknown>[]> {
  const rows = calls.flatMap(({ args }) => args.rows)
  if (rows.length > 0) {
    const column = (fieldOf: (row: ArchivedAction) => string | number | null): string =>
      arrayLiteral(rows.map(fieldOf))
    await tx`
      insert into action_log
        (player, faction_id, category, event_type, summary, data, tick, batch, at)
      select player, faction_id, category, event_type, summary, data::json, ${tick}::bigint,
        ${batch}::bigint, ${at}::timestamptz
      from unnest(${column((row) => row.player)}::bigint[],
        ${column((row) => (row.factionId ? storableText(row.factionId) : null))}::text[],
        ${column((row) => storableText(row.category))}::text[],
        ${column((row) => storableText(row.eventType))}::text[],
        ${column((row) => storableText(row.summary))}::text[],
        ${column((row) => (row.data === undefined ? null : JSON.stringify(row.data)))}::text[]
      ) with ordinality
        as row (player, faction_id, category, event_type, summary, data, position)
      order by position`
  }
  return calls.map(() => ok({}))
}

const renderEntry = (row: StoredAction): Record<string, unknown> => ({
  id: row.id,
  category: row.category,
  event_type: row.event_type,
  summary: row.summary,
  ...(row.data === null ? {} : { data: row.data }),
  tick: row.tick,
  created_at: row.at.toISOString(),
})

/**
 * Lists entries: newest first, or, with `sinceId`, those after it, oldest first and unpaged.
 * `eventTypes` are searched only among the first SEARCHED_MAX entries, in that order, of each of
 * their categories.
 */
export async function listActions(
  sql: Sql,
  args: ArchiveReadArgs['actionLog'],
): Promise<Outcome<unknown>> {
  const factionId = optionalText(args.factionId)
  const category = optionalText(args.category)
  const types = (args.eventTypes ?? []).map(storableText)
  const { sinceId } = args
  const size = Math.min(Math.max(args.pageSize ?? PAGE_SIZE, 1), PAGE_SIZE_MAX)
  const page = Math.min(Math.max(args.page ?? 1, 1), PAGE_MAX)
  const stream =
    factionId === null
      ? sql`player = ${args.player ?? 0} and faction_id is null`
      : sql`faction_id = ${factionId}`
  const since = sinceId === undefined ? sql`` : sql`and id > ${sinceId}`
  const order = sinceId === undefined ? sql`order by id desc` : sql`order by id`
  // Pages and totals need only an index; only the shown rows are read.
  const unfiltered = sql`select id from action_log where ${stream}
    ${category === null ? sql`` : sql`and category = ${category}`} ${since} ${order}`
  // One branch per category, so that each is planned separately.
  const branches = (category === null ? categoriesOf(types) : [category]).map(
    (wanted) => sql`(select id, event_type from action_log
      where ${stream} and category = ${wanted} ${since} ${order} limit ${SEARCHED_MAX})`,
  )
  const candidates =
    branches.length === 0
      ? sql``
      : branches.reduce((all, branch) => sql`${all} union all ${branch}`)
  const ofTypes = sql`select id from (${candidates}) as candidates
    where event_type = any(${arrayLiteral(types)}::text[]) ${order}`
  const matching = types.length === 0 ? unfiltered : ofTypes
  const [rows, counts] = await Promise.all([
    sql<StoredAction[]>`
      select id, category, event_type, summary, data, tick, at from action_log where id in (
        ${matching} offset ${sinceId === undefined ? (page - 1) * size : 0} limit ${size + 1})
      ${order}`,
    sql<{ count: number }[]>`
      select count(*)::int as count from (${matching} limit ${COUNTED_MAX}) as matching`,
  ])
  const shown = rows.slice(0, size)
  const total = counts[0].count
  return ok({
    category: category ?? 'all',
    ...(types.length === 1 ? { event_type: types[0] } : {}),
    ...(types.length > 1 ? { event_types: types } : {}),
    ...(factionId === null ? {} : { faction_id: factionId }),
    entries: shown.map(renderEntry),
    has_more: rows.length > size,
    page: sinceId === undefined ? page : 1,
    page_size: size,
    total,
    total_pages: Math.max(1, Math.ceil(total / size)),
    ...(sinceId === undefined
      ? {}
      : { since_id: sinceId, next_since_id: shown.at(-1)?.id ?? sinceId }),
  })
}

interface StoredJump {
  readonly player: number
  readonly from: string
  readonly to: string
  readonly first_visit: boolean
  readonly at: Date
}

/** Bisects the log, whose ids and times increase together, for its first entry since a time. */
const firstSince = (sql: Sql, since: Date) => sql`
  edge (below, id) as (
    select 0::bigint, coalesce(max(id), 0) + 1 from action_log
    union all
    select
      case when middle.at >= ${since} then edge.below else (edge.below + edge.id) / 2 end,
      case when middle.at >= ${since} then middle.id else edge.id end
    from edge left join lateral (
      select id, at from action_log
      where id > edge.below and id <= (edge.below + edge.id) / 2
      order by id desc limit 1) as middle on true
    where edge.id - edge.below > 1)`

/**
 * `jumps` { players, sinceMs, limit }: lists jumps between systems, the latest first. Only the
 * latest INTEL_MOVES_SEARCHED_MAX navigation entries of each player are searched; if an older entry
 * is still within the time, the answer is `truncated`.
 */
export async function listJumps(
  sql: Sql,
  { players, sinceMs, limit }: ArchiveReadArgs['jumps'],
): Promise<Outcome<unknown>> {
  const since = new Date(sinceMs)
  // Besides the jumps it lists the first entry of each player that was not searched.
  const rows = await sql<(StoredJump & { readonly beyond: boolean })[]>`
    with recursive ${firstSince(sql, since)}
    select move.beyond, action.player, coalesce(data->>'from_system_id', '') as from,
      coalesce(data->>'system_id', '') as to,
      coalesce((data->>'first_visit')::boolean, false) as first_visit, at
    from unnest(${arrayLiteral(players)}::bigint[]) as wanted (player)
    cross join lateral (
      select id, event_type,
        row_number() over (order by id desc) > ${INTEL_MOVES_SEARCHED_MAX} as beyond
      from action_log
      where player = wanted.player and category = 'navigation' and faction_id is null
        and id >= (select max(id) from edge where id - below = 1)
      order by id desc limit ${INTEL_MOVES_SEARCHED_MAX + 1}) as move
    join action_log as action on action.id = move.id
    where (move.beyond or move.event_type = 'navigation.jumped') and at >= ${since}
    order by move.beyond desc, action.id desc limit ${players.length + limit + 1}`
  const jumps = rows.filter(({ beyond }) => !beyond)
  return ok({
    jumps: jumps
      .slice(0, limit)
      .map(({ beyond: _, at, ...jump }) => ({ ...jump, at: at.toISOString() })),
    truncated: jumps.length < rows.length || jumps.length > limit,
  })
}
