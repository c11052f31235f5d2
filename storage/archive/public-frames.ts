/**
 * What strangers were shown: the public frame of every sixtieth tick, for the past of the page.
 * Main writes it when it becomes public; one that the database misses is a gap. Source: WEB 1.3.
 */
import type { ArchiveReadArgs, KeptFrame } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { HistoryBody } from '../../core/public/past.ts'
import type { Sql } from '../db.ts'

/** Days for which frames are kept. */
export const FRAME_DAYS = 30

/** Writes a frame, with fills and kills since the one before; repeating it is not an error. */
export async function keepFrame(sql: Sql, frame: KeptFrame): Promise<void> {
  const { tick, atMs, online, battles, body, ticks, tickMs } = frame
  const at = new Date(atMs)
  const since = tick - ticks
  // No index of the battle log begins with the tick: it is looked at behind the one by time alone.
  const from = new Date(atMs - 4 * ticks * tickMs)
  await sql`
    insert into public_frame (tick, at, online, battles, fills, kills, body)
    select ${tick}, ${at}, ${online}, ${battles},
      (select coalesce(sum(trades), 0) from fill where tick > ${since} and tick <= ${tick}),
      (select coalesce(sum(kills), 0) from battle_log
        where at >= ${from} and tick + 0 > ${since} and tick + 0 <= ${tick}),
      ${Buffer.from(body)}
    on conflict (tick) do nothing`
}

/** `publicFrame` { tick }: reads the frame at a tick or before it. Refuses: not_found. */
export async function readFrame(
  sql: Sql,
  { tick }: ArchiveReadArgs['publicFrame'],
): Promise<Outcome<{ tick: number; body: Uint8Array }>> {
  const rows = await sql<{ tick: number; body: Uint8Array }[]>`
    select tick, body from public_frame where tick <= ${tick} order by tick desc limit 1`
  return rows.length === 0 ? fail('not_found') : ok(rows[0])
}

interface Moment {
  readonly tick: number
  readonly at: Date
  readonly online: number
  readonly battles: number
  readonly fills: number
  readonly kills: number
}

/** `publicMoments` { from, to, step }: sums up the frames of each step, oldest first. */
export async function readMoments(
  sql: Sql,
  { from, to, step }: ArchiveReadArgs['publicMoments'],
): Promise<Outcome<HistoryBody>> {
  const rows = await sql<Moment[]>`
    select max(tick) as tick, max(at) as at, max(online) as online, max(battles) as battles,
      sum(fills)::bigint as fills, sum(kills)::bigint as kills
    from public_frame where tick >= ${from} and tick <= ${to}
    group by tick / ${step}::bigint order by 1`
  return ok({ ticks: rows.map((row) => ({ ...row, at: row.at.toISOString() })) })
}
