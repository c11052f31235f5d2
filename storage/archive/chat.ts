/**
 * Chat messages. A message's `scope` names its channel and the place or people it belongs to. Ids
 * and times (in microseconds) only increase, so that either can be the bound of a page. Source:
 * social.md 1.
 */
import type { ArchiveReadArgs, ArchiveWriteArgs, WatchedScope } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { arrayLiteral, type Sql } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { isoFromUs, optionalText, storableText } from './fields.ts'

interface StoredChat {
  readonly id: number
  readonly channel: string
  readonly sender_id: string
  readonly sender: string
  readonly content: string
  readonly target_id: string | null
  readonly target_name: string | null
  readonly system_id: string | null
  readonly poi_id: string | null
  readonly faction_id: string | null
  readonly empire_official: boolean
  readonly at_us: number
}

const HISTORY = 50
const HISTORY_MAX = 100
const RECENT = 20

type Post = ArchiveWriteArgs['postChat']
type Required = 'scope' | 'channel' | 'senderId' | 'sender' | 'content'
type Optional = 'targetId' | 'targetName' | 'systemId' | 'poiId' | 'factionId'

/** Returns the two parties of a private message, from its key `idA:idB`. */
const partiesOf = (args: Post): [string | null, string | null] => {
  const target = args.channel === 'private' ? optionalText(args.targetId) : null
  if (target === null) return [null, null]
  const [a, b] = target.split(':')
  return [a, b ?? null]
}

/**
 * `postChat` { channel, scope, senderId, sender, content, targetId?, targetName?, systemId?,
 * poiId?, factionId?, empireOfficial? }: returns { id, timestamp }.
 */
export async function postChats(
  context: WriteContext,
  calls: readonly WriteCall<'postChat'>[],
): Promise<Outcome<unknown>[]> {
  const { tx, batch } = context
  const times = calls.map(() => isoFromUs(context.nextAtUs()))
  const column = (fieldOf: (args: Post) => string | null): string =>
    arrayLiteral(calls.map((call) => fieldOf(call.args)))
  const required = (name: Required): string => column((args) => storableText(args[name]))
  const optional = (name: Optional): string => column((args) => optionalText(args[name]))
  const rows = await tx<{ id: number }[]>`
    insert into chat (scope, channel, sender_id, sender, content, target_id, target_name, party_a,
      party_b, system_id, poi_id, faction_id, empire_official, batch, at)
    select scope, channel, sender_id, sender, content, target_id, target_name, party_a, party_b,
      system_id, poi_id, faction_id, official, ${batch}::bigint, at
    from unnest(${required('scope')}::text[], ${required('channel')}::text[],
      ${required('senderId')}::text[], ${required('sender')}::text[],
      ${required('content')}::text[], ${optional('targetId')}::text[],
      ${optional('targetName')}::text[], ${column((args) => partiesOf(args)[0])}::text[],
      ${column((args) => partiesOf(args)[1])}::text[], ${optional('systemId')}::text[],
      ${optional('poiId')}::text[], ${optional('factionId')}::text[],
      ${arrayLiteral(calls.map((call) => call.args.empireOfficial === true))}::boolean[],
      ${arrayLiteral(times)}::timestamptz[]) with ordinality
      as row (scope, channel, sender_id, sender, content, target_id, target_name, party_a, party_b,
        system_id, poi_id, faction_id, official, at, place)
    order by place
    returning id`
  return rows.map((row, index) => ok({ id: String(row.id), timestamp: times[index] }))
}

const show = (row: StoredChat): Record<string, unknown> => {
  const shown: Record<string, unknown> = {
    id: String(row.id),
    channel: row.channel,
    sender_id: row.sender_id,
    sender: row.sender,
    content: row.content,
    timestamp_utc: isoFromUs(row.at_us),
  }
  for (const name of ['target_id', 'target_name', 'system_id', 'poi_id', 'faction_id'] as const) {
    if (row[name] !== null) shown[name] = row[name]
  }
  if (row.empire_official) shown.empire_official = true
  return shown
}

/** Selects messages of scopes, and of the private inbox of `party`. */
interface Selection {
  readonly scopes: readonly string[]
  readonly party: string | null
  /** Microseconds since 1970, both exclusive. */
  readonly beforeUs?: number
  readonly afterUs?: number
}

/** Larger than any id. */
const ID_LIMIT = Number.MAX_SAFE_INTEGER

/**
 * Reads messages, newest first. Times increase with ids, so a bound in time is converted to one of
 * ids. It is passed as text, since the driver would truncate it to milliseconds. The newest of each
 * scope and inbox are read by index, and the newest of those returned.
 */
async function newest(sql: Sql, selection: Selection, limit: number): Promise<StoredChat[]> {
  const { scopes, party, beforeUs, afterUs } = selection
  const columns = sql`id, channel, sender_id, sender, content, target_id, target_name, system_id,
    poi_id, faction_id, empire_official, (extract(epoch from at) * 1000000)::bigint as at_us`
  const firstId = (comparison: '>=' | '>', us: number) => sql`coalesce((select id from chat
    where at ${sql.unsafe(comparison)} ${isoFromUs(us)}::text::timestamptz
    order by at limit 1), ${ID_LIMIT}::bigint)`
  const window = sql`
    ${beforeUs === undefined ? sql`` : sql`and id < ${firstId('>=', beforeUs)}`}
    ${afterUs === undefined ? sql`` : sql`and id >= ${firstId('>', afterUs)}`}
    order by id desc limit ${limit}`
  const inbox = (column: string) => sql`
    union all (select ${columns} from chat where ${sql(column)} = ${party} ${window})`
  return sql<StoredChat[]>`
    (select found.* from unnest(${arrayLiteral(scopes)}::text[]) as wanted,
      lateral (select ${columns} from chat where scope = wanted ${window}) as found)
    ${party === null ? sql`` : sql`${inbox('party_a')} ${inbox('party_b')}`}
    order by id desc limit ${limit}`
}

/** Messages are counted up to this many. */
const COUNTED_MAX = 10_000

/** Counts messages. A scope has few, but an inbox spans many scopes. */
async function countAll(sql: Sql, { scopes, party }: Selection): Promise<number> {
  const inbox = (column: string) => sql`
    union all (select 1 from chat where ${sql(column)} = ${party} limit ${COUNTED_MAX})`
  const rows = await sql<{ count: number }[]>`
    select least(count(*), ${COUNTED_MAX})::int as count from (
      (select 1 from chat where scope = any(${arrayLiteral(scopes)}::text[]) limit ${COUNTED_MAX})
      ${party === null ? sql`` : sql`${inbox('party_a')} ${inbox('party_b')}`}) as known`
  return rows[0].count
}

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** In the year 2255: later times in microseconds are not safe integers. */
const TIME_US_MAX = 9_000_000_000_000_000

/** Parses an RFC 3339 time to microseconds since 1970, 0 for earlier ones; undefined if invalid. */
function parseTimeUs(value: string): number | undefined {
  const match = RFC_3339.exec(value)
  if (!match) return undefined
  const [, year, month, day, fraction = '', zone] = match
  const seconds = Date.parse(`${value.slice(0, 19)}${zone}`)
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // The parser accepts the 30th of February.
  if (Number.isNaN(seconds) || date.getUTCDate() !== Number(day)) return undefined
  const us = seconds * 1_000 + Number(fraction.slice(1, 7).padEnd(6, '0'))
  return Math.min(Math.max(0, us), TIME_US_MAX)
}

/**
 * `chatHistory` { channel, scopes, party?, before?, after?, limit? }: reads newest first; `party`
 * is the player whose whole private inbox is read. Refuses: invalid_payload for bounds that are not
 * times, or reversed.
 */
export async function chatHistory(
  sql: Sql,
  args: ArchiveReadArgs['chatHistory'],
): Promise<Outcome<unknown>> {
  const before = optionalText(args.before)
  const after = optionalText(args.after)
  const beforeUs = before === null ? undefined : parseTimeUs(before)
  const afterUs = after === null ? undefined : parseTimeUs(after)
  if ((before !== null && beforeUs === undefined) || (after !== null && afterUs === undefined)) {
    return fail('invalid_payload', { format: 'RFC 3339' }, 'before and after are RFC 3339 times.')
  }
  if (beforeUs !== undefined && afterUs !== undefined && afterUs > beforeUs) {
    return fail('invalid_payload', { before, after }, 'after must not be later than before.')
  }
  const party = optionalText(args.party)
  const selection: Selection = { scopes: args.scopes.map(storableText), party, beforeUs, afterUs }
  const limit = Math.min(Math.max(args.limit ?? HISTORY, 1), HISTORY_MAX)
  const [rows, total] = await Promise.all([
    newest(sql, selection, limit + 1),
    countAll(sql, selection),
  ])
  return ok({
    channel: storableText(args.channel),
    has_more: rows.length > limit,
    messages: rows.slice(0, limit).map(show),
    total_count: total,
  })
}

/** Unread messages are counted up to this many. */
const UNREAD_MAX = 1_000

/** Counts the messages of others: a player's own are never unread. */
async function countSince(
  sql: Sql,
  watched: WatchedScope | undefined,
  party: string,
): Promise<number> {
  if (!watched) return 0
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from chat where scope = ${watched.scope} and sender_id <> ${party}
        and at > ${isoFromUs(watched.sinceMs * 1_000)}::text::timestamptz
      order by id desc limit ${UNREAD_MAX}) as unread`
  return rows[0].count
}

async function countInbox(sql: Sql, party: string, sinceMs: number): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from chat where (party_a = ${party} or party_b = ${party}) and sender_id <> ${party}
        and at > ${isoFromUs(sinceMs * 1_000)}::text::timestamptz
      order by id desc limit ${UNREAD_MAX}) as unread`
  return rows[0].count
}

/**
 * `chatSummary` { system?, local?, faction?: { scope, sinceMs }, party, privateSinceMs }: returns {
 * recent_chat, unread_chat } for a login.
 */
export async function chatSummary(
  sql: Sql,
  args: ArchiveReadArgs['chatSummary'],
): Promise<Outcome<unknown>> {
  const { system, local, faction, party, privateSinceMs } = args
  const scopes = [system, local, faction].flatMap((watched) => (watched ? [watched.scope] : []))
  const [recent, inSystem, here, inFaction, inbox] = await Promise.all([
    newest(sql, { scopes, party }, RECENT),
    countSince(sql, system, party),
    countSince(sql, local, party),
    countSince(sql, faction, party),
    countInbox(sql, party, privateSinceMs),
  ])
  return ok({
    recent_chat: recent.map(show),
    unread_chat: { system: inSystem, local: here, faction: inFaction, private: inbox },
  })
}
