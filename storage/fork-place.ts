/**
 * The target of a fork. The fork is built in a schema with a temporary name, which is renamed at
 * the end in one transaction: until then no server finds a world there. An embedded database is
 * closed to all others meanwhile (fork-folder.ts). The remains of an aborted fork are removed by
 * the next one to the same target.
 */
import { type OpenDatabase, openDatabase } from './database.ts'
import {
  type ConnectionOptions,
  connect,
  describeConnection,
  disconnect,
  type Sql,
  type Tx,
} from './db.ts'
import { removeEmbedded } from './embedded.ts'
import { DatabaseSetupError } from './errors.ts'
import { claimFolder, releaseFolder } from './fork-folder.ts'

export interface ForkAddress {
  /** Absent: the embedded database of the folder. */
  readonly databaseUrl?: string
  readonly dataDir: string
  /** Schema of the new world. */
  readonly schema: string
}

export interface ForkPlace {
  /** Connection to the empty tables while the fork is built. */
  readonly connection: ConnectionOptions
  /** Moves the world to its schema; the connection must not be used any more. */
  finish(): Promise<void>
  /** Removes everything that was created. */
  abandon(): Promise<void>
}

const SCHEMA_BYTES_MAX = 63
const ENDING = '_fork_under_way'
/** Comment that distinguishes it from a schema of the same name by somebody else. */
const MARK = 'An orrery fork under way: the next fork to the same place removes it.'

/** Locks a schema for this fork, as long as the connection lives. */
async function lockPlace(sql: Sql, temporary: string, where: string): Promise<void> {
  const [{ taken }] = await sql<{ taken: boolean }[]>`
    select pg_try_advisory_lock(hashtextextended(${`orrery fork:${temporary}`}, 0)) as taken`
  if (!taken) throw new DatabaseSetupError(`Another process is making a fork at ${where}.`)
}

interface FoundSchema {
  readonly objects: number
  readonly comment: string | null
}

async function findSchema(tx: Sql | Tx, schema: string): Promise<FoundSchema | undefined> {
  const found = await tx<FoundSchema[]>`
    select obj_description(n.oid, 'pg_namespace') as comment,
      (select count(*)::int from pg_depend d
        where d.refclassid = 'pg_namespace'::regclass and d.refobjid = n.oid) as objects
    from pg_namespace n where nspname = ${schema}`
  return found[0]
}

/** Throws DatabaseSetupError if a schema is not empty. */
async function requireFree(tx: Sql | Tx, schema: string, where: string): Promise<void> {
  const found = await findSchema(tx, schema)
  if (!found || found.objects === 0) return
  throw new DatabaseSetupError(
    `Schema ${schema} at ${where} is not empty, and a fork overwrites nothing: name another with ` +
      '--to-schema.',
  )
}

/** Creates the temporary schema, in place of one from an aborted fork. */
async function makeSchema(tx: Tx, temporary: string, where: string): Promise<void> {
  const left = await findSchema(tx, temporary)
  if (left && left.comment !== MARK) {
    throw new DatabaseSetupError(
      `Schema ${temporary} at ${where} is needed while the fork is made, but somebody else has it: ` +
        'rename or drop it.',
    )
  }
  if (left) await tx`drop schema ${tx(temporary)} cascade`
  await tx`create schema ${tx(temporary)}`
  // The text is a constant of ours, and the statement takes no parameters.
  await tx.unsafe(`comment on schema "${temporary}" is '${MARK}'`)
}

/**
 * Terminates the sessions that lock anything in a schema that is to be dropped, since an abort must
 * not wait for them.
 */
const endSessionsIn = (sql: Sql, schema: string) => sql`
  select pg_terminate_backend(pid) from (
    select distinct l.pid from pg_locks l
      join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and l.pid <> pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())
  ) as holder`

/** Opens the target of a fork; throws DatabaseSetupError if it is not empty. */
export async function openForkPlace(
  { databaseUrl, dataDir, schema }: ForkAddress,
  log: (text: string) => void,
): Promise<ForkPlace> {
  const temporary = `${schema.slice(0, SCHEMA_BYTES_MAX - ENDING.length)}${ENDING}`
  const isEmbedded = databaseUrl === undefined
  if (isEmbedded) claimFolder(dataDir)
  let database: OpenDatabase | undefined
  let sql: Sql | undefined
  /** Closes what is open; deletes the embedded database of a failed fork. */
  const close = async (isWhole: boolean): Promise<void> => {
    if (sql) await disconnect(sql, 0)
    await database?.stop()
    if (!isEmbedded) return
    if (!isWhole) removeEmbedded(dataDir)
    releaseFolder(dataDir)
  }
  try {
    database = await openDatabase({
      databaseUrl,
      dataDir,
      schema: temporary,
      log,
      namedBy: '--to',
      ...(isEmbedded ? { adopt: true, isFork: true } : {}),
    })
    const where = describeConnection(database.connection)
    sql = connect({ ...database.owner, schema: 'pg_catalog' }, { name: 'fork' })
    // Long schema names may share a temporary name, since they are truncated.
    await lockPlace(sql, temporary, where)
    // Everything in a folder with an unfinished fork belongs to the fork.
    if (isEmbedded) await sql`drop schema if exists ${sql(schema)} cascade`
    await requireFree(sql, schema, where)
    await sql.begin((tx) => makeSchema(tx, temporary, where))
    await database.migrate()
    const opened = sql
    let ending: Promise<void> | undefined
    let isWhole = false
    const abandon = async (): Promise<void> => {
      if (!isEmbedded && !isWhole) {
        await endSessionsIn(opened, temporary)
        await opened`drop schema if exists ${opened(temporary)} cascade`
      }
      await close(isWhole)
    }
    return {
      connection: database.connection,
      async finish() {
        await opened.begin(async (tx) => {
          await requireFree(tx, schema, where)
          await tx`drop schema if exists ${tx(schema)}`
          await tx`alter schema ${tx(temporary)} rename to ${tx(schema)}`
          await tx`comment on schema ${tx(schema)} is null`
        })
        isWhole = true
        await close(true)
      },
      // May be called both by a signal and by a later failure.
      abandon: () => {
        ending ??= abandon()
        return ending
      },
    }
  } catch (error) {
    await close(false).catch(() => {})
    throw error
  }
}
