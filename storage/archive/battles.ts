/**
 * The battle log: a row for each tick and battle, as it is answered, and the summary of each battle
 * that is over. Source: combat.md section 16.
 */
import type { ArchivedTurn, ArchiveReadArgs } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { arrayLiteral, type Sql } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { storableText } from './fields.ts'

interface Summary {
  readonly duration_ticks: number
}

const textOf = (value: object): string => storableText(JSON.stringify(value))

/**
 * `logBattles` { rows: ArchivedTurn[] }: one statement for the rows, and two for battles that are
 * over, whose rows have a `summary`.
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

/** Writes the accounts of battles that are over, and what strangers find them by. */
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

/**
 * `battleLog` { battle, battle_id, limit, tickStart?, tickEnd?, activeTicks? }: reads ticks in
 * order; `activeTicks` is given while the battle is fought. Refuses: battle_not_found.
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
  const rows = await sql<{ entry: object }[]>`
    select entry from battle_log
    where battle = ${battle} and tick >= ${args.tickStart ?? 0}
      and tick <= ${args.tickEnd ?? Number.MAX_SAFE_INTEGER}
    order by tick limit ${limit + 1}`
  return ok({
    battle_id,
    status: activeTicks === undefined ? 'ended' : 'active',
    entries: rows.slice(0, limit).map(({ entry }) => entry),
    has_more: rows.length > limit,
    total_ticks,
  })
}

/** `battleSummary` { battle, battle_id, active? }. Refuses: battle_not_found. */
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
