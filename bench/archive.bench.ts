/**
 * Reading a full archive: how long does it take to read a page of the forum, a chat, an action log
 * or the public history, with a million rows in each, on a real PostgreSQL server?
 */
import type { ArchiveRead } from '../core/archive-calls.ts'
import { type Archive, createArchive } from '../storage/archive/index.ts'
import { connect, disconnect, type Sql } from '../storage/db.ts'
import { migrate } from '../storage/migrations/index.ts'
import { withDatabase } from '../test/databases.ts'
import type { BenchDef, Size } from './bench.ts'

const SIZES = {
  full: { rows: 1_000_000, asked: 2_000 },
  tiny: { rows: 10_000, asked: 50 },
}
/** A page must take less than two frames of a screen. */
const PAGE_MS_MAX = 20
/** Source: WEB 6. */
const PUBLIC_MS_MAX = 50
const TICK_MS = 10_000
/** Individual fills are kept for seven days; older ones only as sums per hour. */
const FILL_TICKS = 7 * 8_640
const GOODS = 300
const STATIONS = 200
const WORDS = 20_000
const PLAYERS = 3_000
const PLACES = 1_000
/** A busy player, with a third of the action log and a tenth of the private chat. */
const BUSY = 1
const START = '2027-01-01T00:00:00Z'

/** Returns an SQL expression for a number from 0 to 1, a hash of the row number `i`. */
const dice = (salt: string): string =>
  `((hashint8extended(i, ${hashOf(salt)}) & 2147483647) / 2147483648.0::float8)`

const hashOf = (text: string): number => [...text].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7)

/** Returns an SQL expression for a word by Zipf's law: the first words are far more frequent. */
const word = (salt: string): string => `'w' || floor(power(${WORDS}, ${dice(salt)}))::int`

async function fill(sql: Sql, rows: number): Promise<void> {
  const at = `timestamptz '${START}' + i * interval '1 second'`
  const words = (count: number, salt: string): string =>
    Array.from({ length: count }, (_, n) => word(`${salt}${n}`)).join(` || ' ' || `)
  await sql.unsafe(`
    insert into action_log (player, category, event_type, summary, tick, batch, at)
    select case when ${dice('heavy')} < 0.3 then ${BUSY}
      else 2 + floor(${dice('player')} * ${PLAYERS})::int end,
      category, category || '.' || floor(${dice('verb')} * 5)::int, 'It happened.', i / 10, i, ${at}
    from (select i, (array['mining', 'trading', 'navigation', 'combat', 'reputation'])
        [1 + floor(power(${dice('category')}, 3) * 5)::int] as category
      from generate_series(1, ${rows}) i) as made`)
  await sql.unsafe(`
    insert into chat (scope, channel, sender_id, sender, content, party_a, party_b, batch, at)
    select case when to_whom is null then 'local:' || place else 'private:' || from_whom end,
      case when to_whom is null then 'local' else 'private' end,
      'p' || from_whom, 'Pilot ' || from_whom, 'Anyone out there?',
      case when to_whom is not null then 'p' || from_whom end, to_whom, i, ${at}
    from (select i, floor(${dice('place')} * ${PLACES})::int as place,
        2 + floor(${dice('from')} * ${PLAYERS})::int as from_whom,
        case when ${dice('private')} < 0.1 then 'p${BUSY}'
          when ${dice('private')} < 0.5 then 'q' || floor(${dice('to')} * ${PLAYERS})::int
        end as to_whom
      from generate_series(1, ${rows}) i) as made`)
  await sql.unsafe(`
    insert into forum_thread (category, title, content, author, author_id, author_name, author_key,
      author_empire, author_faction_tag, reply_count, upvotes, batch, at, updated_at)
    select (array['general', 'trading', 'lore'])[1 + floor(power(${dice('kind')}, 2) * 3)::int],
      ${words(4, 'title')}, ${words(40, 'content')}, author, 'p' || author, 'Pilot ' || author,
      'pilot' || author, 'solarian', 'F' || floor(${dice('tag')} * 100)::int,
      floor(power(${dice('replies')}, 8) * 900)::int, floor(power(${dice('votes')}, 8) * 900)::int,
      i, ${at}, ${at}
    from (select i, 1 + floor(power(${dice('author')}, 3) * ${PLAYERS})::int as author
      from generate_series(1, ${rows / 5}) i) as made`)
  await sql.unsafe(`
    insert into forum_reply (thread, content, author, author_id, author_name, author_empire, batch,
      at)
    select 1 + floor(${dice('thread')} * ${rows / 5})::int, ${words(10, 'reply')}, 1, 'p1',
      'Pilot 1', 'solarian', i, ${at}
    from generate_series(1, ${rows - rows / 5}) i`)
  await sql.unsafe('vacuum analyze action_log, chat, forum_thread, forum_reply')
}

/** Inserts a week of trade, and a month of battles with the names of the combatants. */
async function fillPast(sql: Sql, rows: number): Promise<void> {
  const atTick = (tick: string): string =>
    `timestamptz '${START}' + ${tick} * interval '${TICK_MS} milliseconds'`
  const station = `'station_' || floor(power(${dice('base')}, 2) * ${STATIONS})::int`
  await sql.unsafe(`
    insert into fill (tick, n, item, base, bought, by_station, from_station, units, credits,
      trades, batch, at)
    select tick, row_number() over (partition by tick), item, base, bought, by_station, false,
      units, units * 10, 1, tick, ${atTick('tick')}
    from (select i * ${FILL_TICKS}::bigint / ${rows} as tick, ${station} as base,
        'item_' || floor(power(${dice('item')}, 3) * ${GOODS})::int as item,
        ${dice('side')} < 0.5 as bought, ${dice('npc')} < 0.4 as by_station,
        1 + floor(${dice('units')} * 100)::int as units
      from generate_series(1, ${rows}) i) as made`)
  await sql.unsafe(`
    insert into fill_hour (tick, item, trades, units, credits, npc_trades, npc_units)
    select tick / 360 * 360, item, sum(trades), sum(units), sum(credits), count(*), sum(units)
    from fill group by 1, 2`)
  await sql.unsafe(`
    insert into price_day (item, base, day, units, credits, fills)
    select 'item_' || item, '', date '${START}' - day, 100, 1000, 10
    from generate_series(0, ${GOODS - 1}) item, generate_series(1, 365) day`)
  await sql.unsafe(`
    insert into battle (battle, summary, told, category, end_tick, batch, at)
    select i, '{}', json_build_object('text', repeat('x', 1000)),
      (array['pvp', 'pirate', 'pve'])[1 + floor(${dice('category')} * 3)::int], i, i, ${atTick('i')}
    from generate_series(1, ${rows / 50}) i`)
  await sql.unsafe(`
    insert into battle_name (name_key, battle, category, end_tick, batch)
    select distinct name, battle, category, end_tick, battle
    from (select substr(md5((hash % ${PLAYERS})::text), 1, 8) as name, battle, category, end_tick
      from battle, lateral (select abs(hashint8extended(battle, n)) as hash
        from generate_series(1, 4) n) as drawn) as named`)
  await sql.unsafe('vacuum analyze fill, fill_hour, price_day, battle, battle_name')
}

/** Returns the n-th read of a player, by kind of page: mostly first pages, sometimes deep ones. */
function playerReads(rows: number): Record<string, (n: number) => [string, object]> {
  const pick = (n: number, of: number): number => (n * 7_919) % of
  const page = (n: number, last: number): number => (n % 10 === 0 ? 1 + pick(n, last) : 1 + (n % 3))
  const zipf = (n: number): string => `w${Math.floor(WORDS ** (pick(n, 997) / 997))}`
  const sorts = ['newest', 'hot', 'most_replies', 'most_upvotes']
  const secondMs = 1_000
  const forum = { limit: 20, nowMs: Date.parse(START) + rows * secondMs, categories: {} }
  return {
    'forum search': (n) => [
      'listThreads',
      {
        ...forum,
        sort: sorts[n % 4],
        page: page(n, 20),
        search: n % 3 === 0 ? `${zipf(n)} ${zipf(n * 13)}` : zipf(n),
      },
    ],
    'forum list': (n) => [
      'listThreads',
      {
        ...forum,
        sort: sorts[n % 4],
        page: page(n, 100),
        ...(n % 2 === 0 ? {} : { category: ['general', 'trading', 'lore'][n % 3] }),
        ...(n % 7 === 0 ? { author: 'Pilot 9', authorKey: 'pilot9' } : {}),
      },
    ],
    'forum thread': (n) => ['readThread', { thread: 1 + pick(n, rows / 5), page: 1, limit: 20 }],
    'action log': (n) => [
      'actionLog',
      {
        player: n % 4 === 0 ? BUSY : 2 + pick(n, PLAYERS),
        page: page(n, 1_000),
        pageSize: n % 2 === 0 ? 100 : 50,
        ...(n % 3 === 0 ? { category: 'reputation' } : {}),
        ...(n % 5 === 0 ? { eventTypes: ['combat.3'] } : {}),
        ...(n % 11 === 0 ? { sinceId: pick(n, rows) } : {}),
      },
    ],
    'chat history': (n) => [
      'chatHistory',
      n % 3 === 0
        ? {
            channel: 'private',
            scopes: [],
            party: n % 2 === 0 ? `p${BUSY}` : `p${pick(n, PLAYERS)}`,
          }
        : {
            channel: 'local',
            scopes: [`local:${pick(n, PLACES)}`],
            ...(n % 5 === 0
              ? { before: new Date(Date.parse(START) + pick(n, rows) * secondMs).toISOString() }
              : {}),
          },
    ],
  }
}

/** Returns the n-th read of the public history, at the end of the week, for each kind of page. */
function publicReads(): Record<string, (n: number) => [string, object]> {
  const week = { tick: FILL_TICKS - 2, since: 0 }
  const item = (n: number): string => `item_${(n * 7_919) % GOODS}`
  const base = (n: number): string => `station_${(n * 31) % STATIONS}`
  const all = { tick: Number.MAX_SAFE_INTEGER, limit: 100 }
  return {
    fills: (n) => [
      'publicFills',
      {
        ...week,
        sinceMs: 0,
        limit: 200,
        ...(n % 2 === 0 ? { item: item(n) } : {}),
        ...(n % 3 === 0 ? { base: base(n) } : {}),
      },
    ],
    'fill sums': (n) => (n % 2 === 0 ? ['topFills', { ...week, limit: 50 }] : ['fillStats', week]),
    'prices by day': (n) => [
      'priceHistory',
      { ...week, atMs: Date.parse(START), item: item(n), ...(n % 2 === 0 ? { days: 90 } : {}) },
    ],
    battles: (n) => [
      'publicBattles',
      {
        ...all,
        offset: n % 5 === 0 ? 5_000 : n,
        ...(n % 2 === 0 ? { category: 'pirate' } : {}),
        ...(n % 3 === 0 ? { nameKey: (n % 256).toString(16).padStart(2, '0') } : {}),
      },
    ],
  }
}

const PAGES = ['forum search', 'forum list', 'forum thread', 'action log', 'chat history']
const PAST = ['fills', 'fill sums', 'prices by day', 'battles']

async function ask(archive: Archive, size: Size) {
  const { rows, asked } = SIZES[size]
  const measured: Record<string, { p50: number; p99: number; most: number }> = {}
  const all = { ...playerReads(rows), ...publicReads() }
  for (const [name, question] of Object.entries(all)) {
    const times: number[] = []
    for (let n = 1; n <= asked; n++) {
      const [method, args] = question(n)
      const before = performance.now()
      const outcome = await archive.read({ method, args } as ArchiveRead)
      times.push(performance.now() - before)
      if (!outcome.ok) throw new Error(`${name} ${n}: ${JSON.stringify(outcome)}`)
    }
    times.sort((a, b) => a - b)
    const at = (share: number): number => times[Math.floor((times.length - 1) * share)]
    measured[name] = { p50: at(0.5), p99: at(0.99), most: at(1) }
  }
  return measured
}

export const bench: BenchDef = {
  name: 'archive',
  about:
    'Pages of the forum, of action logs and of chats with a million rows in each, one at a time: ' +
    'common and rare words, first and deep pages, a busy player and quiet ones; and the public ' +
    'history of a week of trade and a month of battles',
  rounds: 1,
  variants: ['all'],
  lines: [
    ...PAGES.map((name) => ({ of: `${name} p99`, atMost: PAGE_MS_MAX })),
    ...PAST.map((name) => ({ of: `${name} p99`, atMost: PUBLIC_MS_MAX })),
  ],
  async run(size) {
    return withDatabase(async (database) => {
      const connection = database.connection(database.schema())
      await migrate(connection)
      const sql = connect(connection, { name: 'bench', usesCustomPlans: true })
      try {
        await fill(sql, SIZES[size].rows)
        await fillPast(sql, SIZES[size].rows)
        const measured = await ask(createArchive(sql), size)
        return {
          medianMs: {},
          amounts: Object.fromEntries(
            Object.entries(measured).flatMap(([name, { p50, p99, most }]) => [
              [`${name} p99`, { value: p99, unit: 'ms' }],
              [`${name} median`, { value: p50, unit: 'ms' }],
              [`${name} longest`, { value: most, unit: 'ms' }],
            ]),
          ),
          hash: 'archive',
        }
      } finally {
        await disconnect(sql)
      }
    })
  },
}
