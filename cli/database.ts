/**
 * The database of the tools: one that is running, by DATABASE_URL or DATA_DIR, or the embedded one,
 * started for as long as the tool needs it.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../config.ts'
import { type OpenDatabase, openDatabase } from '../storage/database.ts'
import { connect, describeConnection, disconnect, type Sql } from '../storage/db.ts'
import { listSnapshots, type SnapshotRow } from '../storage/snapshots.ts'
import { onInterrupt } from './interrupt.ts'
import { type Tool, ToolError } from './tool.ts'

/** Returns whether an operator names a database, rather than a folder or a file. */
export const isDatabaseUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

/** Splits the URL of a database from the schema after its #; throws UsageError if it is no URL. */
export function splitDatabaseUrl(text: string): { databaseUrl: string; schema?: string } {
  const [databaseUrl, schema] = text.split('#')
  if (URL.canParse(databaseUrl)) return { databaseUrl, ...(schema ? { schema } : {}) }
  throw new UsageError('A database is named as postgres://user@host:port/database#schema.')
}

export interface Opened {
  readonly database: OpenDatabase
  readonly sql: Sql
  /** Leaves signals to the tool: it no longer closes the database and exits on one. */
  takeSignals(): void
}

interface OpenToolOptions {
  /** Whether the tool may create database and tables; if not, it needs an existing world. */
  readonly mayMake?: boolean
  /** How the operator named the world, for messages; absent: by the settings. */
  readonly namedBy?: string
}

/** Opens the database in the settings while `work` runs. */
export async function withDatabase<T>(
  tool: Tool,
  work: (opened: Opened) => Promise<T>,
  options: OpenToolOptions = {},
): Promise<T> {
  const { databaseUrl, databaseSchema, dataDir } = tool.config
  const { namedBy } = options
  if (!databaseUrl && !options.mayMake && !existsSync(resolve(dataDir, 'postgres'))) {
    const remedy = namedBy ?? "run in the server's folder, or set DATA_DIR or DATABASE_URL"
    throw new ToolError(`There is no embedded database in ${resolve(dataDir)}: ${remedy}.`)
  }
  const log = (text: string): void => tool.note(text)
  const opening = openDatabase({ databaseUrl, dataDir, schema: databaseSchema, log, namedBy })
  let sql: Sql | undefined
  const leave = async (): Promise<void> => {
    if (sql) await disconnect(sql, 0)
    const database = await opening
    await database.stop()
  }
  // Without this, an embedded database that the tool started, or is starting, would outlive it.
  const forget = onInterrupt(leave)
  try {
    const database = await opening
    sql = connect(database.connection, { name: 'tool' })
    if (!options.mayMake) await requireWorld(database, sql)
    return await work({ database, sql, takeSignals: forget })
  } finally {
    forget()
    await leave()
  }
}

async function requireWorld(database: OpenDatabase, sql: Sql): Promise<void> {
  const { schema } = database.connection
  const found = await sql<{ exists: boolean }[]>`
    select to_regclass(${`${schema}.world`}) is not null as exists`
  if (found[0].exists) return
  throw new ToolError(
    `There is no world in schema ${schema} at ${describeConnection(database.connection)}: ` +
      'start the server once (npm start), or import one.',
  )
}

/**
 * Runs work on one consistent view of the database, whatever a running server writes meanwhile.
 * Work may take long and replay between two statements, so the timeouts of the session are off.
 */
export const consistently = <T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> =>
  sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`set local statement_timeout = 0`
    return work(tx as unknown as Sql)
  }) as Promise<T>

/** Runs work on one consistent view of the database in the settings. */
export const reading = <T>(
  tool: Tool,
  work: (sql: Sql) => Promise<T>,
  options?: OpenToolOptions,
): Promise<T> => withDatabase(tool, ({ sql }) => consistently(sql, work), options)

export const SNAPSHOT_NAMES =
  'A snapshot is named by its batch (see "snapshot list"), or: newest, oldest.'

/** Returns the snapshot an operator names: a batch, `newest` or `oldest`. */
export async function pickSnapshot(sql: Sql, name: string): Promise<SnapshotRow> {
  const rows = await listSnapshots(sql)
  if (rows.length === 0) {
    throw new ToolError('There is no snapshot yet: run "npx orrery snapshot create".')
  }
  const found =
    name === 'newest'
      ? rows[0]
      : name === 'oldest'
        ? rows[rows.length - 1]
        : rows.find((row) => String(row.batch) === name)
  if (found) return found
  throw new ToolError(
    `There is no snapshot "${name}": "npx orrery snapshot list" names those that are kept.`,
  )
}
