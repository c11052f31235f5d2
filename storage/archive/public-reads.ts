/**
 * Public reads of battles and trade, up to the public tick: no read reveals anything of a later
 * tick. Source: WEB 1.3.
 */
import type { ArchivedFill, ArchiveReadArgs } from '../../core/archive-calls.ts'
import { seqOfWireId } from '../../core/entity.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import type { BattleLogBody, BattleSummary } from '../../core/public/past.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Sql } from '../db.ts'
import { readTurns } from './battles.ts'
import { storableText } from './fields.ts'

/* Battles */

/** The kind of battle ids. */
const BATTLE = 'battle'

/** Seeds of worlds, by pool of connections: a seed never changes. */
const SEEDS = new WeakMap<Sql, number>()

/** Returns the number of the battle with an id; 0 if the id is invalid. */
async function battleOf(sql: Sql, id: string): Promise<number> {
  let seed = SEEDS.get(sql)
  if (seed === undefined) {
    const rows = await sql<{ seed: number | null }[]>`select seed from world`
    if (rows[0].seed === null) return 0
    seed = rows[0].seed
    SEEDS.set(sql, seed)
  }
  return seqOfWireId(seed, BATTLE, id)
}

/** Largest number of battles that a list counts. */
const COUNTED_MAX = 10_000

/** Largest number of names that a search reads, from the first match on. */
const NAMES_SEARCHED_MAX = 50_000

/** Selects public battles that are over, with the tick of their end. */
function selectPublic(sql: Sql, { tick, category, nameKey }: ArchiveReadArgs['publicBattles']) {
  const isWanted = sql`end_tick <= ${tick}
    ${category === undefined ? sql`` : sql`and category = ${storableText(category)}`}`
  if (nameKey === undefined) {
    return sql`select battle, end_tick from battle where told is not null and ${isWanted}`
  }
  const key = storableText(nameKey)
  return sql`
    select battle, end_tick from (
      select battle, end_tick from battle_name
      where name_key >= ${key} and name_key < ${key} || U&'\\+10FFFF' and ${isWanted}
      order by name_key, battle limit ${NAMES_SEARCHED_MAX}) as found
    group by battle, end_tick`
}

/**
 * `publicBattles` { tick, category?, nameKey?, limit, offset }: lists battles that are over, the
 * latest first, and counts them up to COUNTED_MAX.
 */
export async function listPublicBattles(
  sql: Sql,
  args: ArchiveReadArgs['publicBattles'],
): Promise<Outcome<{ battles: BattleSummary[]; total: number }>> {
  const [rows, counts] = await Promise.all([
    sql<{ told: BattleSummary }[]>`
      select told from (
        ${selectPublic(sql, args)}
        order by end_tick desc, battle desc offset ${args.offset} limit ${args.limit}
      ) as page join battle using (battle)
      order by page.end_tick desc, battle desc`,
    sql<{ count: number }[]>`
      select count(*)::int as count from (
        ${selectPublic(sql, args)} limit ${COUNTED_MAX}) as listed`,
  ])
  return ok({ battles: rows.map(({ told }) => told), total: counts[0].count })
}

async function findPublic(
  sql: Sql,
  battle: number,
  tick: number,
): Promise<BattleSummary | undefined> {
  const rows = await sql<{ told: BattleSummary }[]>`
    select told from battle where battle = ${battle} and told is not null and end_tick <= ${tick}`
  return rows[0]?.told
}

const notFound = (id: string) => fail('battle_not_found', { battle_id: storableText(id) })

/** `publicBattle` { tick, battle_id }: the summary of a battle. Refuses: battle_not_found. */
export async function readPublicBattle(
  sql: Sql,
  { tick, battle_id }: ArchiveReadArgs['publicBattle'],
): Promise<Outcome<BattleSummary>> {
  const battle = await battleOf(sql, battle_id)
  const summary = battle === 0 ? undefined : await findPublic(sql, battle, tick)
  return summary ? ok(summary) : notFound(battle_id)
}

/**
 * `publicBattleLog` { tick, battle_id, from, to, limit, active? }: reads the log in order of ticks;
 * `active`: summary of a battle that is still public as active. Refuses: battle_not_found.
 */
export async function readPublicLog(
  sql: Sql,
  args: ArchiveReadArgs['publicBattleLog'],
): Promise<Outcome<BattleLogBody>> {
  const { tick, battle_id, from, to, limit } = args
  const battle = await battleOf(sql, battle_id)
  const summary = args.active ?? (battle === 0 ? undefined : await findPublic(sql, battle, tick))
  if (!summary || battle === 0) return notFound(battle_id)
  const wanted = { battle, from, to: Math.min(to, tick), limit }
  const { entries, has_more } = await readTurns<BattleLogBody['entries'][number]>(sql, wanted)
  return ok({
    battle_id: summary.battle_id,
    status: summary.status,
    total_ticks: summary.duration_ticks,
    has_more,
    entries,
  })
}

/* Trade */

/** `publicFills` { tick, since, sinceMs, item?, base?, limit }: lists fills, the latest first. */
export async function listFills(
  sql: Sql,
  { tick, since, sinceMs, item, base, limit }: ArchiveReadArgs['publicFills'],
): Promise<Outcome<{ fills: ArchivedFill[] }>> {
  const rows = await sql<(Omit<ArchivedFill, 'atMs'> & { readonly at: Date })[]>`
    select tick, n, item, base, bought, by_station as "byStation", from_station as "fromStation",
      units, credits, at
    from fill
    where tick <= ${tick} and tick >= ${since} and at >= ${new Date(sinceMs)}
      ${item === undefined ? sql`` : sql`and item = ${storableText(item)}`}
      ${base === undefined ? sql`` : sql`and base = ${storableText(base)}`}
    order by tick desc, n desc limit ${limit}`
  return ok({ fills: rows.map(({ at, ...row }) => ({ ...row, atMs: at.getTime() })) })
}

/** Selects the sums of the hours from that of a tick on, minus fills later than the public tick. */
const publicHours = (sql: Sql, { tick, since }: ArchiveReadArgs['topFills' | 'fillStats']) => sql`
  select item, trades, units, credits, npc_trades, npc_units from fill_hour
  where tick >= ${hourOf(since)} and tick <= ${tick}
  union all
  select item, -trades, -units, -credits,
    case when by_station or from_station then -trades else 0 end,
    case when by_station or from_station then -units else 0 end
  from fill where tick > ${tick} and tick < ${hourOf(tick) + HOUR_TICKS}`

const hourOf = (tick: number): number => Math.floor(tick / HOUR_TICKS) * HOUR_TICKS

/**
 * `topFills` { tick, since, limit }: lists the items traded most often, with their average price.
 */
export async function topFills(
  sql: Sql,
  args: ArchiveReadArgs['topFills'],
): Promise<Outcome<{ items: { item: string; trades: number; units: number; vwap: number }[] }>> {
  const rows = await sql<{ item: string; trades: number; units: number; vwap: number }[]>`
    select item, sum(trades)::bigint as trades,
      least(sum(units), 9007199254740991)::bigint as units,
      round(sum(credits) / sum(units), 2)::float8 as vwap
    from (${publicHours(sql, args)}) as readable
    group by item having sum(units) > 0
    order by sum(trades) desc, sum(units) desc, item limit ${args.limit}`
  return ok({ items: [...rows] })
}

interface FillSums {
  readonly trades: number
  readonly units: number
  readonly npcTrades: number
  readonly npcUnits: number
}

/** `fillStats` { tick, since }: how much was traded, and of it with stations. */
export async function sumFills(
  sql: Sql,
  args: ArchiveReadArgs['fillStats'],
): Promise<Outcome<FillSums>> {
  const rows = await sql<FillSums[]>`
    select coalesce(sum(trades), 0)::bigint as trades,
      least(coalesce(sum(units), 0), 9007199254740991)::bigint as units,
      coalesce(sum(npc_trades), 0)::bigint as "npcTrades",
      least(coalesce(sum(npc_units), 0), 9007199254740991)::bigint as "npcUnits"
    from (${publicHours(sql, args)}) as readable`
  return ok(rows[0])
}

/**
 * `priceHistory` { tick, since, item, base?, days? }: lists the prices of an item by day, oldest
 * first. Days that are not summed up yet are read from their hours, from the tick `since` on.
 */
export async function readPriceHistory(
  sql: Sql,
  { tick, atMs, since, item, base = '', days }: ArchiveReadArgs['priceHistory'],
): Promise<Outcome<unknown>> {
  const [id, place] = [storableText(item), storableText(base)]
  const from = days === undefined ? '0001-01-01' : dayOf(atMs - (days - 1) * DAY_MS)
  const history = await sql`
    select to_char(day, 'YYYY-MM-DD') as date, round(sum(credits) / sum(units), 2)::float8 as vwap,
      least(sum(units), 9007199254740991)::bigint as volume,
      least(sum(credits), 9007199254740991)::bigint as notional,
      sum(fills)::bigint as fill_count
    from (
      select day, units, credits, fills from price_day where item = ${id} and base = ${place}
      union all
      select (at at time zone 'UTC')::date, units, credits, fills from price_hour
      where item = ${id} and charted and tick >= ${since}
        and tick <= ${tick - HOUR_TICKS + 1} ${place === '' ? sql`` : sql`and base = ${place}`}
        and at >= ((select coalesce(max(day), '0001-01-01') from price_day) + 1)::timestamp
          at time zone 'UTC'
    ) as readable
    where day >= ${from}::date group by day order by day`
  return ok({ history: [...history] })
}

const DAY_MS = 86_400_000
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
