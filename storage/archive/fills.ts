/**
 * The public tape of the exchanges: the fills of each tick, and their sums by hour and item.
 * Source: WEB 1.3.
 */
import { type Outcome, ok } from '../../core/errors.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import { arrayLiteral, type Sql, type Tx } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { storableText } from './fields.ts'
import { deleteInSlices } from './slices.ts'

/** Days for which single fills are kept. */
export const FILL_DAYS = 7

/** `recordFills` { bases[], items[], … }: inserts the rows of a tick and adds them to its hour. */
export async function recordFills(
  { tx, tick, batch, at }: WriteContext,
  calls: readonly WriteCall<'recordFills'>[],
): Promise<Outcome<unknown>[]> {
  for (const { args } of calls) {
    await tx`
      with made as (
        insert into fill (tick, n, item, base, bought, by_station, from_station, units, credits,
          trades, batch, at)
        select ${tick}::bigint, n, item, base, bought, by_station, from_station, units, credits,
          trades, ${batch}::bigint, ${at}::timestamptz
        from unnest(${arrayLiteral(args.items.map(storableText))}::text[],
          ${arrayLiteral(args.bases.map(storableText))}::text[],
          ${arrayLiteral(args.bought)}::boolean[],
          ${arrayLiteral(args.byStation)}::boolean[],
          ${arrayLiteral(args.fromStation)}::boolean[],
          ${arrayLiteral(args.units)}::bigint[],
          ${arrayLiteral(args.credits)}::bigint[],
          ${arrayLiteral(args.trades)}::int[])
          with ordinality
          as row (item, base, bought, by_station, from_station, units, credits, trades, n)
        returning tick, item, by_station or from_station as is_npc, units, credits, trades
      )
      insert into fill_hour as kept (tick, item, trades, units, credits, npc_trades, npc_units)
      ${sumByHour(tx, 'made')}
      on conflict (tick, item) do update set
        trades = kept.trades + excluded.trades,
        units = least(kept.units::numeric + excluded.units, 9007199254740991),
        credits = least(kept.credits::numeric + excluded.credits, 9007199254740991),
        npc_trades = kept.npc_trades + excluded.npc_trades,
        npc_units = least(kept.npc_units::numeric + excluded.npc_units, 9007199254740991)`
  }
  return calls.map(() => ok({}))
}

/** Selects fills summed up by hour and item; sums are capped at 2^53-1. */
const sumByHour = (sql: Sql | Tx, from: 'made' | 'later') => sql`
  select tick / ${HOUR_TICKS}::bigint * ${HOUR_TICKS}::bigint as hour, item, sum(trades),
    least(sum(units), 9007199254740991), least(sum(credits), 9007199254740991),
    coalesce(sum(trades) filter (where is_npc), 0),
    least(coalesce(sum(units) filter (where is_npc), 0), 9007199254740991)
  from ${sql(from)} group by hour, item`

/** Recomputes the hours from that of a tick on, after later fills were deleted. */
export async function resumFills(tx: Tx, tick: number): Promise<void> {
  const hour = Math.floor(tick / HOUR_TICKS) * HOUR_TICKS
  await tx`delete from fill_hour where tick >= ${hour}`
  await tx`
    with later as (
      select tick, item, by_station or from_station as is_npc, units, credits, trades
      from fill where tick >= ${hour}
    )
    insert into fill_hour (tick, item, trades, units, credits, npc_trades, npc_units)
    ${sumByHour(tx, 'later')}`
}

/** Deletes old fills, the oldest first. Ticks increase with time. */
export async function pruneFills(sql: Sql, before: Date): Promise<number> {
  const deleted = await deleteInSlices(
    (rows) => sql`
      delete from fill where (tick, n) in (
        select tick, n from (select tick, n, at from fill order by tick, n limit ${rows}) as oldest
        where at < ${before})`,
  )
  await sql`
    delete from fill_hour
    where tick < (select tick from fill order by tick limit 1) / ${HOUR_TICKS}::bigint
      * ${HOUR_TICKS}::bigint`
  return deleted
}
