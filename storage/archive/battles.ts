/**
 * The battle log: a row for each tick and battle, in the form of answers, and the summary of each
 * battle that is over. Source: combat.md section 16.
 */
import type { ArchivedTurn, ArchiveReadArgs } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { BATTLE_LOG_PAGE_BYTES } from '../../core/limits.ts'
import { arrayLiteral, type Sql } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { storableText } from './fields.ts'

interface Summary {
  readonly duration_ticks: number
}

const textOf = (value: object): string => storableText(JSON.stringify(value))

/**
 * `logBattles` { rows: ArchivedTurn[] }: inserts the rows with one statement, and two more for
 * battles that are over, whose rows have a `summary`.
 */
export async function logBattles(
  { tx, batch, at }: WriteContext,
  calls: readonly WriteCall<'logBattles'>[],
): Promise<Outcome<unknown>[]> {
  const rows = calls.flatMap(({ args }) => args.rows)
  await tx`
    insert into battle_log (battle, tick, entry, kills, batch, at)
    select battle, tick, entry::json, kills, ${batch}::bigint, ${at}::timestamptz
    from unnest(${arrayLiteral(rows.map((row) => row.battle))}::bigint[],
      ${arrayLiteral(rows.map((row) => row.tick))}::bigint[],
      ${arrayLiteral(rows.map((row) => textOf(row.entry)))}::text[],
      ${arrayLiteral(rows.map((row) => row.kills))}::int[]) as row (battle, tick, entry, kills)`
  const over = rows.filter((row) => row.summary !== undefined)
  if (over.length > 0) await closeBattles({ tx, batch, at }, over)
  return calls.map(() => ok({}))
}

/** Writes the summaries of battles that are over, and the names for the public search. */
async function closeBattles(
  { tx, batch, at }: Pick<WriteContext, 'tx' | 'batch' | 'at'>,
  over: readonly ArchivedTurn[],
): Promise<void> {
  const told = over.map((row) => (row.told ? textOf(row.told) : null))
  await tx`
    insert into battle (battle, summary, told, category, end_tick, batch, at)
    select battle, summary::json, told::json, told::json ->> 'category', tick, ${batch}::bigint,
      ${at}::timestamptz
    from unnest(${arrayLiteral(over.map((row) => row.battle))}::bigint[],
      ${arrayLiteral(over.map((row) => row.tick))}::bigint[],
      ${arrayLiteral(over.map((row) => textOf(row.summary ?? {})))}::text[],
      ${arrayLiteral(told)}::text[]) as row (battle, tick, summary, told)`
  const named = over.flatMap(({ battle, names = [] }) => names.map((name) => ({ battle, name })))
  if (named.length === 0) return
  await tx`
    insert into battle_name (name_key, battle, category, end_tick, batch)
    select distinct name_key, battle, category, end_tick, ${batch}::bigint
    from unnest(${arrayLiteral(named.map(({ name }) => storableText(name)))}::text[],
      ${arrayLiteral(named.map(({ battle }) => battle))}::bigint[]) as row (name_key, battle)
      join battle using (battle) where told is not null`
}

async function summaryOf(sql: Sql, battle: number): Promise<Summary | undefined> {
  const rows = await sql<{ summary: Summary }[]>`
    select summary from battle where battle = ${battle}`
  return rows[0]?.summary
}

/** Rows per fetch from the database: few, so that little is read beyond a page. */
const ROWS_A_FETCH = 8

interface TurnsWanted {
  readonly battle: number
  /** Ticks. */
  readonly from: number
  readonly to: number
  /** Rows. */
  readonly limit: number
}

/**
 * Reads a page of the log of a battle, in order of ticks: up to the limit, or to the row with which
 * it reaches BATTLE_LOG_PAGE_BYTES, since rows of a large battle are long.
 */
export async function readTurns<T>(
  sql: Sql,
  { battle, from, to, limit }: TurnsWanted,
): Promise<{ readonly entries: T[]; readonly has_more: boolean }> {
  const rows = sql<{ entry: T; bytes: number }[]>`
    select entry, octet_length(entry::text) as bytes from battle_log
    where battle = ${battle} and tick >= ${from} and tick <= ${to}
    order by tick limit ${limit + 1}`
  const entries: T[] = []
  let bytes = 0
  for await (const fetched of rows.cursor(ROWS_A_FETCH)) {
    for (const row of fetched) {
      if (entries.length === limit || bytes >= BATTLE_LOG_PAGE_BYTES)
        return { entries, has_more: true }
      entries.push(row.entry)
      bytes += row.bytes
    }
  }
  return { entries, has_more: false }
}

/**
 * `battleLog` { battle, battle_id, limit, tickStart?, tickEnd?, activeTicks? }: reads ticks in
 * order; `activeTicks`: duration so far of an active battle. Refuses: battle_not_found.
 */
export async function readBattleLog(
  sql: Sql,
  args: ArchiveReadArgs['battleLog'],
): Promise<Outcome<unknown>> {
  const battle = args.battle
  const battle_id = storableText(args.battle_id)
  const limit = args.limit
  const activeTicks = args.activeTicks
  const summary = activeTicks === undefined ? await summaryOf(sql, battle) : undefined
  const total_ticks = activeTicks ?? summary?.duration_ticks
  if (total_ticks === undefined) return fail('battle_not_found', { battle_id })
  const { tickStart: from = 0, tickEnd: to = Number.MAX_SAFE_INTEGER } = args
  const { entries, has_more } = await readTurns<object>(sql, { battle, from, to, limit })
  const status = activeTicks === undefined ? 'ended' : 'active'
  return ok({ battle_id, status, entries, has_more, total_ticks })
}

/**
 * `battleSummary` { battle, battle_id, active? }: reads the summary of a battle. Refuses:
 * battle_not_found.
 */
export async function readBattleSummary(
  sql: Sql,
  args: ArchiveReadArgs['battleSummary'],
): Promise<Outcome<unknown>> {
  if (args.active !== undefined) return ok(args.active)
  const summary = await summaryOf(sql, args.battle)
  return summary
    ? ok(summary)
    : fail('battle_not_found', { battle_id: storableText(args.battle_id) })
}
