/**
 * Connections to PostgreSQL: plain options that may be sent to any thread, clients, the
 * classification of errors, and the probe at start. Owns no table.
 */
import { createHash } from 'node:crypto'
import postgres from 'postgres'
import { DatabaseSetupError } from './errors.ts'
import { watchedSockets } from './watched-socket.ts'

export type Sql = postgres.Sql<{ bigint: number }>
export type Tx = postgres.TransactionSql<{ bigint: number }>
/** A client or a transaction, either of which can run a statement. */
export type Queryable = Sql | Tx

/** How to reach the database: plain data, so that it can be sent to another thread. */
export interface ConnectionOptions {
  /** SQL schema that holds all tables. */
  readonly schema: string
  readonly url?: string
  /** File of the unix socket; takes precedence over host and port. */
  readonly socket?: string
  readonly host?: string
  readonly port?: number
  readonly database?: string
  readonly username?: string
  readonly password?: string
  /** Incarnation of the process, part of the names of its sessions; absent for a single server. */
  readonly node?: number
}

/** Precedes the number of a node in the names of its sessions. */
const NODE_MARK = ' @'

/**
 * Returns the end of the names of a node's sessions. Worlds that share a database number their
 * nodes alike, and a name has at most 63 bytes: the schema is in it as a digest.
 */
function nodeMark(node: number, schema: string): string {
  const digest = createHash('sha256').update(schema).digest('hex').slice(0, 8)
  return `${NODE_MARK}${node}.${digest}`
}

/** Returns a pattern for `like` that matches the names of a node's sessions. */
export const sessionsOf = (node: number, schema: string): string =>
  `orrery %${nodeMark(node, schema)}`

/** Returns the node of a session, by its name; undefined if it belongs to none. */
export function nodeOfSession(name: string): number | undefined {
  const mark = name.lastIndexOf(NODE_MARK)
  if (mark < 0) return undefined
  return Number.parseInt(name.slice(mark + NODE_MARK.length), 10) || undefined
}

interface ClientOptions {
  /** Plans each statement for its parameters: a rare word, a busy player. */
  readonly usesCustomPlans?: boolean
  /** Shown in pg_stat_activity. */
  readonly name: string
  readonly connectionsMax?: number
  /** The database aborts a statement that takes longer; absent: never. */
  readonly statementTimeoutMs?: number
  /** Closes the connection if a statement has no answer for this long; absent: waits. */
  readonly responseTimeoutMs?: number
  readonly onClose?: () => void
}

export const SCHEMA_DEFAULT = 'orrery'
const CONNECT_TIMEOUT_S = 10
const PROBE_TIMEOUT_MS = 30_000
const PROBE_INTERVAL_MS_MAX = 1_000
const CLOSE_TIMEOUT_S = 5

const schemaName = (schema: string): string => {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new DatabaseSetupError(`"${schema}" is not a schema name: use a-z, 0-9 and _, at most 63`)
  }
  return schema
}

/** Creates a client; it connects at its first statement and reconnects automatically. */
export function connect(options: ConnectionOptions, client: ClientOptions): Sql {
  const mark = options.node ? nodeMark(options.node, options.schema) : ''
  const settings: postgres.Options<{ bigint: postgres.PostgresType<number> }> = {
    max: client.connectionsMax ?? 1,
    connect_timeout: CONNECT_TIMEOUT_S,
    // A connection that is recycled after half an hour would lose its lock.
    max_lifetime: null,
    idle_timeout: 0,
    fetch_types: false,
    backoff: (attempt) => Math.min(0.05 * 2 ** Math.min(attempt, 5), 1),
    onnotice: () => {},
    onclose: () => client.onClose?.(),
    ...(client.responseTimeoutMs === undefined
      ? {}
      : { socket: watchedSockets(client.responseTimeoutMs) }),
    // Counters and times are safe integers everywhere; by default the driver returns text.
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: {
      application_name: `orrery ${client.name}${mark}`,
      search_path: schemaName(options.schema),
      synchronous_commit: 'on',
      timezone: 'UTC',
      ...(client.statementTimeoutMs === undefined
        ? {}
        : { statement_timeout: client.statementTimeoutMs }),
      ...(client.usesCustomPlans ? { plan_cache_mode: 'force_custom_plan' } : {}),
    },
  }
  if (options.url !== undefined) return postgres(options.url, settings) as Sql
  const target = {
    database: options.database,
    user: options.username,
    password: options.password,
    ...(options.socket === undefined
      ? { host: options.host, port: options.port }
      : { path: options.socket }),
  }
  return postgres({ ...settings, ...target }) as Sql
}

/** Closes a client; running statements get a few seconds. */
export const disconnect = (sql: Sql, timeoutS = CLOSE_TIMEOUT_S): Promise<void> =>
  sql.end({ timeout: timeoutS })

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** Error code of a promise that missed its deadline (`withDeadline`). */
export const DEADLINE_CODE = 'DEADLINE_PASSED'

const TRANSIENT_CODES = new Set([
  DEADLINE_CODE,
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EMFILE',
  'ENFILE',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  // Lock not available; read-only after a fail-over.
  '55P03',
  '25006',
])
/** SQLSTATE classes: connection, transaction rollback, no resources (disk full), operator, I/O. */
const TRANSIENT_CLASSES = new Set(['08', '40', '53', '57', '58'])

/**
 * Returns true if the same statement may succeed later: the database is unreachable, full, starting
 * or failing over.
 */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error)
  return TRANSIENT_CODES.has(code) || (code.length === 5 && TRANSIENT_CLASSES.has(code.slice(0, 2)))
}

/**
 * Returns true if the server refuses the data of a statement (ranges, encoding, constraints): a
 * retry is useless.
 */
export function isDataError(error: unknown): boolean {
  const code = codeOf(error)
  return code.length === 5 && (code.startsWith('22') || code.startsWith('23'))
}

/** Rejects with a code that `isTransient` knows when a promise takes too long. */
export async function withDeadline<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`the database gave no answer in ${timeoutMs} ms`)
      reject(Object.assign(error, { code: DEADLINE_CODE }))
    }, timeoutMs)
  })
  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timer)
    promise.catch(() => {})
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Describes where a connection leads, without its password. */
export function describeConnection(options: ConnectionOptions): string {
  if (options.socket !== undefined) return options.socket
  if (options.url === undefined) return `${options.host}:${options.port}/${options.database}`
  try {
    const url = new URL(options.url)
    return `${url.hostname || 'localhost'}:${url.port || 5432}${url.pathname}`
  } catch {
    return 'the address given'
  }
}

const SERVER_VERSION_MIN = 140_000

interface WaitOptions {
  readonly timeoutMs?: number
  /** The option that gave the address; absent: DATABASE_URL. */
  readonly namedBy?: string
  /** Called once if the database does not answer yet. */
  readonly log?: (text: string) => void
}

/**
 * Waits until the database answers; right after its start it refuses connections for a moment
 * (RELIABILITY 7, lesson 12). Throws DatabaseSetupError.
 */
export async function waitForDatabase(
  options: ConnectionOptions,
  { timeoutMs = PROBE_TIMEOUT_MS, namedBy, log }: WaitOptions = {},
): Promise<void> {
  const end = performance.now() + timeoutMs
  const remedy = namedBy ?? 'DATABASE_URL, or leave that out to use the embedded one'
  let isLogged = false
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, PROBE_INTERVAL_MS_MAX)) {
    const sql = connect(options, { name: 'probe' })
    try {
      const rows = await sql<{ version: number }[]>`
        select current_setting('server_version_num')::int as version`
      if (rows[0].version < SERVER_VERSION_MIN) {
        throw new DatabaseSetupError('PostgreSQL 14 or newer is needed')
      }
      return
    } catch (error) {
      if (error instanceof DatabaseSetupError) throw error
      const text = error instanceof Error ? error.message : String(error)
      const where = describeConnection(options)
      if (!isTransient(error))
        throw new DatabaseSetupError(`the database at ${where} refuses: ${text}`)
      if (performance.now() > end) {
        throw new DatabaseSetupError(
          `no database at ${where} after ${Math.round(timeoutMs / 1000)} s (${text}): start it, or ` +
            `correct ${remedy}`,
        )
      }
      if (!isLogged && waitMs >= PROBE_INTERVAL_MS_MAX) {
        isLogged = true
        log?.(`waiting for the database at ${where} (${text})`)
      }
    } finally {
      await disconnect(sql, 0)
    }
    await sleep(waitMs)
  }
}

/**
 * Returns a PostgreSQL array literal; it is passed to a statement as text with a cast, e.g.
 * `${arrayLiteral(ids)}::bigint[]`.
 */
export function arrayLiteral(values: readonly (string | number | boolean | null)[]): string {
  const items = values.map((value) =>
    value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${items.join(',')}}`
}

/** Returns a literal for `bytea`. */
export const hexLiteral = (bytes: Uint8Array): string => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return `\\x${view.toString('hex')}`
}

/** Returns an array literal for `bytea[]`. */
export const byteaArrayLiteral = (values: readonly Uint8Array[]): string =>
  arrayLiteral(values.map(hexLiteral))

/**
 * Returns true for the error of a write by the driver to a connection that closed in the same turn:
 * its timer fires when the socket is gone. The close has already rejected the statement, so nothing
 * is lost.
 */
export function isLateWrite(error: unknown): boolean {
  return (
    error instanceof TypeError && /nextWrite \(.*postgres\/src\/connection/.test(error.stack ?? '')
  )
}
