/**
 * The archive as it was after a batch, read while a server may run: temporary views of one
 * connection replace the tables and show rows up to that batch. Nothing is written. Rows deleted
 * since (old chat, a log entry) are missing, and threads are hidden and pinned as they are today.
 */
import { fail, type Outcome } from '../core/errors.ts'
import { HOUR_TICKS } from '../core/time.ts'
import { type Archive, createArchive } from './archive/index.ts'
import { type ConnectionOptions, connect, disconnect, isTransient, type Sql } from './db.ts'
import { TABLES } from './transfer-tables.ts'

interface Moment {
  readonly batch: number
  readonly tick: number
  readonly wallMs: number
}

interface PastArchive {
  readonly archive: Pick<Archive, 'read'>
  /** Switches to another moment. */
  moveTo(moment: Moment): Promise<void>
  close(): Promise<void>
}

const BATCH = "current_setting('orrery.batch')::bigint"
const TICK = "current_setting('orrery.tick')::bigint"
const WALL = "to_timestamp(current_setting('orrery.wall_ms')::float8 / 1000)"
const HOUR = `(${TICK} / ${HOUR_TICKS} * ${HOUR_TICKS})`
const SUM_MAX = 9_007_199_254_740_991

const votes = (schema: string, reply: string, thread: string): string =>
  `(select count(*)::int from ${schema}.forum_vote v
    where v.thread = ${thread} and v.reply = ${reply} and v.batch <= ${BATCH})`

const replies = (schema: string): string =>
  `from ${schema}.forum_reply r where r.thread = kept.id and r.batch <= ${BATCH}`

/** SQL of columns that have changed since, as they were at the moment, by table. */
const COLUMNS: Readonly<Record<string, (schema: string) => Readonly<Record<string, string>>>> = {
  note_text: () => ({ until_batch: `case when until_batch <= ${BATCH} then until_batch end` }),
  forum_thread: (schema) => ({
    words: 'words',
    reply_count: `(select count(*)::int ${replies(schema)})`,
    upvotes: votes(schema, '0', 'kept.id'),
    updated_at: `(select greatest(kept.at, max(r.at)) ${replies(schema)})`,
  }),
  forum_reply: (schema) => ({ upvotes: votes(schema, 'kept.id', 'kept.thread') }),
}

/** Selects for tables whose rows have no batch. */
const SELECTS: Readonly<Record<string, (schema: string) => string>> = {
  public_frame: (schema) => `select * from ${schema}.public_frame where tick <= ${TICK}`,
  public_step: (schema) => `select * from ${schema}.public_step where tick <= ${TICK}`,
  price_day: (schema) => `select * from ${schema}.price_day
    where day < (${WALL} at time zone 'UTC')::date`,
  // The current hour is recomputed from its fills.
  fill_hour: (schema) => `
    select tick, item, trades, units, credits, npc_trades, npc_units
    from ${schema}.fill_hour where tick < ${HOUR}
    union all
    select ${HOUR}, item, sum(trades),
      least(sum(units), ${SUM_MAX}), least(sum(credits), ${SUM_MAX}),
      coalesce(sum(trades) filter (where by_station or from_station), 0),
      least(coalesce(sum(units) filter (where by_station or from_station), 0), ${SUM_MAX})
    from ${schema}.fill where tick >= ${HOUR} and batch <= ${BATCH} group by item`,
}

/** Accounts are not part of the archive. */
const LEFT_OUT: ReadonlySet<string> = new Set(['account', 'api_key'])

function viewOf(table: string, schema: string): string {
  const select = SELECTS[table]
  if (select) return select(schema)
  const pastColumns = COLUMNS[table]?.(schema) ?? {}
  const names = [...new Set([...Object.keys(TABLES[table]), ...Object.keys(pastColumns)])]
  const list = names.map((name) => `${pastColumns[name] ?? `kept.${name}`} as ${name}`).join(', ')
  return `select ${list} from ${schema}.${table} kept where kept.batch <= ${BATCH}`
}

const viewsOf = (schema: string): string =>
  [
    ...[...Object.keys(TABLES), 'public_step']
      .filter((table) => !LEFT_OUT.has(table))
      .map((table) => `create or replace temp view ${table} as ${viewOf(table, schema)};`),
    `create or replace temp view projection as select 1 as id, ${BATCH} as batch;`,
  ].join('\n')

const NO_PROOFS = 'A past world has no proofs: ask the server of the world.'

type MaybeRead = (...call: Parameters<Archive['read']>) => Promise<Outcome<unknown> | undefined>

/** SQLSTATE of a missing table. */
const NO_TABLE = '42P01'

/** Opens the archive of a moment. */
export async function openPastArchive(
  connection: ConnectionOptions,
  first: Moment,
): Promise<PastArchive> {
  // One connection whose search path has only its own views, never the current tables.
  const sql: Sql = connect({ ...connection, schema: 'pg_temp' }, { name: 'past archive' })
  let moment = first
  const show = async (): Promise<void> => {
    const { batch, tick, wallMs } = moment
    await sql`
      select set_config('orrery.batch', ${String(batch)}, false),
        set_config('orrery.tick', ${String(tick)}, false),
        set_config('orrery.wall_ms', ${String(wallMs)}, false)`
  }
  const begin = async (): Promise<void> => {
    await show()
    await sql.unsafe(viewsOf(`"${connection.schema}"`))
  }
  await begin()
  const { read } = createArchive(sql)
  /** Reads; returns undefined if the connection, and its views with it, was lost. */
  const readOnce: MaybeRead = async (call) => {
    try {
      const outcome = await read(call)
      return outcome.ok || outcome.code !== 'persist_timeout' ? outcome : undefined
    } catch (error) {
      if ((error as { code?: string }).code !== NO_TABLE) throw error
      return undefined
    }
  }
  /** Reads over the new connection that the driver has opened. */
  const readAgain: Archive['read'] = async (call) => {
    try {
      await begin()
    } catch (error) {
      if (isTransient(error)) return fail('persist_timeout')
      throw error
    }
    return read(call)
  }
  return {
    archive: {
      async read(call) {
        if (call.method === 'proof' || call.method === 'proofKey') {
          return fail('not_found', undefined, NO_PROOFS)
        }
        return (await readOnce(call)) ?? readAgain(call)
      },
    },
    async moveTo(next) {
      moment = next
      await show()
    },
    close: () => disconnect(sql),
  }
}
