/** The price history: units and credits traded in each hour, by base and item. */
import { type Outcome, ok } from '../../core/errors.ts'
import { arrayLiteral, type Sql } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { storableText } from './fields.ts'

/**
 * `recordPrices` { tick, bases[], items[], units[], credits[], fills[], charted[] }: inserts an
 * hour, by its first tick, with one entry for each base and item. An hour may be recorded only
 * once.
 */
export async function recordPrices(
  { tx, batch, at }: WriteContext,
  calls: readonly WriteCall<'recordPrices'>[],
): Promise<Outcome<unknown>[]> {
  for (const { args } of calls) {
    await tx`
      insert into price_hour (tick, base, item, units, credits, fills, charted, batch, at)
      select ${args.tick}::bigint, base, item, units, credits, fills, charted, ${batch}::bigint,
        ${at}::timestamptz
      from unnest(${arrayLiteral(args.bases.map(storableText))}::text[],
        ${arrayLiteral(args.items.map(storableText))}::text[],
        ${arrayLiteral(args.units)}::bigint[],
        ${arrayLiteral(args.credits)}::bigint[],
        ${arrayLiteral(args.fills)}::int[],
        ${arrayLiteral(args.charted)}::boolean[])
        as row (base, item, units, credits, fills, charted)`
  }
  return calls.map(() => ok({}))
}

const DAY_TICKS = 8_640

interface PriceQuery {
  /** Item id. */
  readonly item: string
  /** Base id; without one, all bases together. */
  readonly base?: string
  /** Days back from the newest hour recorded. */
  readonly days: number
  /** Ticks per row of the answer. */
  readonly stepTicks: number
}

interface PriceRow {
  /** First tick of the row. */
  readonly tick: number
  readonly units: number
  readonly credits: number
  /** Credits per unit, to the hundredth. */
  readonly mean: number
}

/**
 * Returns an item's prices, oldest first; steps without a trade are left out. Sums are capped at
 * 2^53-1, the largest integer that is safe in JSON.
 */
export async function readPrices(sql: Sql, query: PriceQuery): Promise<PriceRow[]> {
  const { item, base, days, stepTicks } = query
  const rows = await sql<PriceRow[]>`
    select tick / ${stepTicks}::bigint * ${stepTicks}::bigint as tick,
      least(sum(units), 9007199254740991)::bigint as units,
      least(sum(credits), 9007199254740991)::bigint as credits,
      round(sum(credits) / sum(units), 2)::float8 as mean
    from price_hour
    where item = ${item} and (${base ?? null}::text is null or base = ${base ?? null}::text)
      and tick > (select coalesce(max(tick), 0) from price_hour) - ${days * DAY_TICKS}::bigint
    group by 1 order by 1`
  return [...rows]
}

/**
 * Sums up completed days from their charted hours: by item and base, and by item alone with base
 * ''. A day is completed once an hour of a later day is recorded, or a whole day after it. Returns
 * the number of rows.
 */
export async function rollDays(sql: Sql, now: Date): Promise<number> {
  const done = await sql`
    with edge as (
      select greatest(
          (select (at at time zone 'UTC')::date from price_hour order by tick desc limit 1),
          (${now}::timestamptz at time zone 'UTC')::date - 1) as until,
        (select coalesce(max(day), '0001-01-01') from price_day) as done
    )
    insert into price_day (item, base, day, units, credits, fills)
    select item, coalesce(base, ''), day, least(sum(units), 9007199254740991),
      least(sum(credits), 9007199254740991), sum(fills)
    from (
      select item, base, (at at time zone 'UTC')::date as day, units, credits, fills
      from price_hour, edge
      where charted and at >= (done + 1)::timestamp at time zone 'UTC'
        and at < until::timestamp at time zone 'UTC'
    ) as readable
    group by grouping sets ((item, base, day), (item, day))
    on conflict do nothing`
  return done.count
}
