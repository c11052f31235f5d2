/**
 * The captain's log: at most 20 entries per player; the newest has index 0. Source: missions.md 7.
 */
import type { ArchiveReadArgs } from '../../core/archive-calls.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { LOG_ENTRIES_MAX } from '../../core/limits.ts'
import { say } from '../../core/say.ts'
import type { Sql, Tx } from '../db.ts'
import { oneByOne } from './call.ts'
import { storableText } from './fields.ts'

interface Row {
  readonly entry: string
  readonly at: Date
}

/** `addLogEntry` { player, entry }: adds an entry and deletes the oldest beyond 20. */
export const addLogEntries = oneByOne<'addLogEntry'>(async ({ tx, batch, at }, { args }) => {
  const { player } = args
  await tx`
      insert into captains_log (player, entry, batch, at)
      values (${player}, ${storableText(args.entry)}, ${batch}, ${at})`
  await tx`
      delete from captains_log where player = ${player} and id <= (
        select id from captains_log where player = ${player}
        order by id desc offset ${LOG_ENTRIES_MAX} limit 1)`
  return ok({ index: 0, created_at: at.toISOString(), message: 'Entry added to the log.' })
})

/** `deleteLogEntry` { player, index }: deletes an entry. Refuses: invalid_index. */
export const deleteLogEntries = oneByOne<'deleteLogEntry'>(async ({ tx }, { args }) => {
  const { player, index } = args
  const total = await countEntries(tx, player)
  if (index < 0 || index >= total) return noEntry(index, total)
  await tx`
      delete from captains_log where id = (
        select id from captains_log where player = ${player}
        order by id desc offset ${index} limit 1)`
  return ok({ index, remaining_count: total - 1, message: 'Entry deleted.' })
})

/** Refuses an index for which the log has no entry. */
const noEntry = (index: number, total: number): Failure<'invalid_index'> =>
  fail('invalid_index', { index, total_count: total }, total === 0 ? EMPTY_LOG : undefined)

const EMPTY_LOG = say`The log has no entries; {captains_log_add} writes one.`

async function countEntries(tx: Tx | Sql, player: number): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    select count(*)::int as count from captains_log where player = ${player}`
  return rows[0].count
}

const entriesOf = async (sql: Sql, player: number): Promise<readonly Row[]> =>
  sql<Row[]>`
    select entry, at from captains_log where player = ${player}
    order by id desc limit ${LOG_ENTRIES_MAX}`

const show = (row: Row, index: number): Record<string, unknown> => ({
  index,
  entry: row.entry,
  created_at: row.at.toISOString(),
})

/**
 * `listLog` { player, index? }: reads one entry and its position; without index the newest, if any.
 * Refuses: invalid_index.
 */
export async function listLog(
  sql: Sql,
  args: ArchiveReadArgs['listLog'],
): Promise<Outcome<unknown>> {
  const index = args.index ?? 0
  const rows = await entriesOf(sql, args.player)
  const row = rows[index]
  if (row === undefined && !(rows.length === 0 && args.index === undefined)) {
    return noEntry(index, rows.length)
  }
  return ok({
    ...(row === undefined ? {} : { entry: show(row, index) }),
    index,
    has_next: index + 1 < rows.length,
    has_prev: row !== undefined && index > 0,
    total_count: rows.length,
    max_entries: LOG_ENTRIES_MAX,
  })
}

/** `getLogEntry` { player, index }: reads an entry. Refuses: invalid_index. */
export async function getLogEntry(
  sql: Sql,
  args: ArchiveReadArgs['getLogEntry'],
): Promise<Outcome<unknown>> {
  const index = args.index
  const rows = await entriesOf(sql, args.player)
  const row = rows[index]
  if (row === undefined) return noEntry(index, rows.length)
  return ok(show(row, index))
}

/**
 * `readLog` { player }: reads the whole log, newest first (for the website). Source: accounts.md 5.
 */
export async function readLog(
  sql: Sql,
  args: ArchiveReadArgs['readLog'],
): Promise<Outcome<unknown>> {
  const rows = await entriesOf(sql, args.player)
  return ok({
    entries: rows.map(show),
    total_count: rows.length,
    max_entries: LOG_ENTRIES_MAX,
  })
}
