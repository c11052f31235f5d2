/**
 * Retention of the archive: deletes what is too old or too much, in slices that hold no lock for
 * long. Source: social.md 1 and 8.
 */
import type { Sql } from '../db.ts'
import { FILL_DAYS, pruneFills } from './fills.ts'
import { pruneThreads, QUIET_THREAD_DAYS } from './forum.ts'
import { pruneNotes } from './notes.ts'
import { PETITION_DAYS, prunePetitions } from './petitions.ts'
import { rollDays } from './prices.ts'
import { FRAME_DAYS, pruneFrames, pruneSteps } from './public-frames.ts'
import { deleteInSlices, SLICE_ROWS } from './slices.ts'

interface Keep {
  readonly messages: number
  readonly days: number
}

/** Retention of a channel per scope. Source: social.md 1. */
const CHAT_KEPT: Readonly<Record<string, Keep>> = {
  local: { messages: 500, days: 7 },
  system: { messages: 1_000, days: 7 },
  faction: { messages: 2_000, days: 30 },
  private: { messages: 500, days: 90 },
  emergency: { messages: 200, days: 7 },
  admin: { messages: 200, days: 3_650 },
}
const SENDER_MESSAGES_MAX = 5_000
const ACTION_LOG_DAYS = 30
/** Source: combat.md section 16. */
const BATTLE_LOG_DAYS = 30
const PRICE_DAYS = 90

interface PruneState {
  /** Last chat id that was checked. */
  chatId: number
}

interface PrunedArchive {
  readonly chat: number
  readonly actions: number
  readonly battles: number
  readonly prices: number
  readonly fills: number
  readonly frames: number
  readonly steps: number
  readonly petitions: number
  readonly threads: number
  readonly notes: number
}

export const createPruneState = (): PruneState => ({ chatId: 0 })

/** Runs one sweep; main calls it every few minutes. `now` is the world's wall time. */
export async function pruneArchive(sql: Sql, state: PruneState, now: Date): Promise<PrunedArchive> {
  // Sums up days before their hours are deleted.
  await rollDays(sql, now)
  const chat = (await pruneFullScopes(sql, state)) + (await pruneOldChat(sql, now))
  return {
    chat,
    actions: await pruneOldActions(sql, now),
    battles: await pruneBattles(sql, now),
    prices: await pruneOldPrices(sql, now),
    fills: await pruneFills(sql, daysBefore(now, FILL_DAYS)),
    frames: await pruneFrames(sql, daysBefore(now, FRAME_DAYS)),
    steps: await pruneSteps(sql),
    petitions: await prunePetitions(sql, daysBefore(now, PETITION_DAYS)),
    threads: await pruneThreads(sql, daysBefore(now, QUIET_THREAD_DAYS)),
    notes: await pruneNotes(sql),
  }
}

async function pruneFullScopes(sql: Sql, state: PruneState): Promise<number> {
  const newest = await sql<{ id: number }[]>`select coalesce(max(id), 0) as id from chat`
  const touched = await sql<{ scope: string; channel: string }[]>`
    select distinct scope, channel from chat where id > ${state.chatId} and id <= ${newest[0].id}`
  let deleted = 0
  for (const { scope, channel } of touched) {
    const keep = CHAT_KEPT[channel]
    if (!keep) continue
    const done = await sql`
      delete from chat where scope = ${scope} and id <= (
        select id from chat where scope = ${scope}
        order by id desc offset ${keep.messages} limit 1)`
    deleted += done.count
  }
  const senders = await sql<{ sender_id: string }[]>`
    select distinct sender_id from chat where id > ${state.chatId} and id <= ${newest[0].id}`
  for (const { sender_id } of senders) {
    const done = await sql`
      delete from chat where sender_id = ${sender_id} and id <= (
        select id from chat where sender_id = ${sender_id}
        order by id desc offset ${SENDER_MESSAGES_MAX} limit 1)`
    deleted += done.count
  }
  state.chatId = newest[0].id
  return deleted
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000)

async function pruneOldChat(sql: Sql, now: Date): Promise<number> {
  let deleted = 0
  for (const [channel, { days }] of Object.entries(CHAT_KEPT)) {
    const done = await sql`
      delete from chat where id in (
        select id from chat where channel = ${channel} and at < ${daysBefore(now, days)}
        order by at limit ${SLICE_ROWS})`
    deleted += done.count
  }
  return deleted
}

/** Deletes old actions. Ids increase with time, so the oldest rows are the first by primary key. */
const pruneOldActions = (sql: Sql, now: Date): Promise<number> =>
  deleteInSlices(
    (rows) => sql`
      delete from action_log where id in (
        select id from (select id, at from action_log order by id limit ${rows}) as oldest
        where at < ${daysBefore(now, ACTION_LOG_DAYS)})`,
  )

async function pruneBattles(sql: Sql, now: Date): Promise<number> {
  const before = daysBefore(now, BATTLE_LOG_DAYS)
  const turns = await deleteInSlices(
    (rows) => sql`
      delete from battle_log where ctid in (
        select ctid from battle_log where at < ${before} limit ${rows})`,
  )
  await sql`
    delete from battle_name where battle in (
      select battle from battle where at < ${before} order by at, battle limit ${SLICE_ROWS})`
  const summaries = await sql`
    delete from battle where battle in (
      select battle from battle where at < ${before} order by at, battle limit ${SLICE_ROWS})`
  return turns + summaries.count
}

/**
 * Deletes old prices. Ticks increase with time, so the oldest rows are the first by primary key.
 */
const pruneOldPrices = (sql: Sql, now: Date): Promise<number> =>
  deleteInSlices(
    (rows) => sql`
      delete from price_hour where (tick, item, base) in (
        select tick, item, base from (
          select tick, item, base, at from price_hour order by tick, item, base limit ${rows}
        ) as oldest
        where at < ${daysBefore(now, PRICE_DAYS)})`,
  )
