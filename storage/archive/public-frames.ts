/**
 * Past public frames: the frame of every sixtieth tick, and the changes of each tick between them.
 * Main writes them when they become public; one that is not written is a gap. Source: WEB 1.3.
 */
import type { ArchiveReadArgs, KeptFrame, KeptFrames, KeptStep } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { FRAME_KEPT_TICKS, PUBLIC_STEPS_BYTES_MAX } from '../../core/limits.ts'
import type { HistoryBody } from '../../core/public/past.ts'
import type { Sql } from '../db.ts'

/** Days for which frames are kept. */
export const FRAME_DAYS = 30

/**
 * Writes a frame, with fills and kills since the previous one. Returns false if another process has
 * written it.
 */
export async function keepFrame(sql: Sql, frame: KeptFrame): Promise<boolean> {
  const { tick, atMs, online, battles, body, ticks, tickMs } = frame
  const at = new Date(atMs)
  const since = tick - ticks
  // No index of the battle log starts with the tick, so that rows are selected by the index on
  // time.
  const from = new Date(atMs - 4 * ticks * tickMs)
  const done = await sql`
    insert into public_frame (tick, at, online, battles, fills, kills, body)
    select ${tick}, ${at}, ${online}, ${battles},
      (select coalesce(sum(trades), 0) from fill where tick > ${since} and tick <= ${tick}),
      (select coalesce(sum(kills), 0) from battle_log
        where at >= ${from} and tick + 0 > ${since} and tick + 0 <= ${tick}),
      ${Buffer.from(body)}
    on conflict (tick) do nothing`
  return done.count > 0
}

/** Writes the changes of a tick; repeating it is not an error. */
export async function keepStep(sql: Sql, { tick, base, body }: KeptStep): Promise<void> {
  await sql`
    insert into public_step (tick, base, bytes, body)
    values (${tick}, ${base}, ${body.byteLength}, ${Buffer.from(body)})
    on conflict (tick) do nothing`
}

/** Limit of how far back steps are read if a frame is missing. */
const STEP_TICKS_MAX = 2 * FRAME_KEPT_TICKS

/**
 * `publicFrame` { tick }: reads the last frame at or before a tick, and the steps from there to it.
 * Refuses: not_found.
 */
export async function readFrame(
  sql: Sql,
  { tick }: ArchiveReadArgs['publicFrame'],
): Promise<Outcome<KeptFrames>> {
  const [frame] = await sql<{ tick: number; body: Uint8Array }[]>`
    select tick, body from public_frame where tick <= ${tick} order by tick desc limit 1`
  const after = Math.max(frame?.tick ?? -1, tick - STEP_TICKS_MAX)
  const steps = await sql<KeptStep[]>`
    select tick, base, body from public_step where tick > ${after} and tick <= ${tick}
    order by tick limit ${STEP_TICKS_MAX}`
  return frame || steps.length > 0 ? ok({ frame, steps }) : fail('not_found')
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

const SLICE_ROWS = 10_000

/** Deletes a slice of the oldest frames before a time. */
export async function pruneFrames(sql: Sql, before: Date): Promise<number> {
  const done = await sql`
    delete from public_frame where tick in (
      select tick from public_frame where at < ${before} order by at limit ${SLICE_ROWS})`
  return done.count
}

/**
 * Deletes the oldest steps: those older than the kept frames, and those beyond the limit of bytes.
 */
export async function pruneSteps(
  sql: Sql,
  bytesMax: number = PUBLIC_STEPS_BYTES_MAX,
): Promise<number> {
  // There may be steps before the first frame of a world too.
  const stale = await sql`
    delete from public_step where tick in (
      select tick from public_step
      where tick < (select min(tick) from public_frame) - ${FRAME_KEPT_TICKS}::bigint
      order by tick limit ${SLICE_ROWS})`
  const [{ bytes }] = await sql<{ bytes: number }[]>`
    select coalesce(sum(bytes), 0)::bigint as bytes from public_step`
  if (bytes <= bytesMax) return stale.count
  const excess = await sql`
    delete from public_step where tick in (
      select tick from (
        select tick, sum(bytes) over (order by tick) - bytes as before
        from (select tick, bytes from public_step order by tick limit ${SLICE_ROWS}) as oldest
      ) as sums
      where before < ${bytes - bytesMax})`
  return stale.count + excess.count
}
