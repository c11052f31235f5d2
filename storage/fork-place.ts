/**
 * The place where a fork is made. It is filled in a schema of another name, which gets its own at
 * the end in one transaction: until then no server finds a world there. An embedded database is
 * closed to all others meanwhile (fork-folder.ts). What a fork leaves that was ended in the midst,
 * the next one to the same place removes.
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
  /** Where the world is to stand. */
  readonly schema: string
}

export interface ForkPlace {
  /** Leads to the tables while the fork is made; they are there, and empty. */
  readonly connection: ConnectionOptions
  /** Gives the world its place: nothing may use the connection any more. */
  finish(): Promise<void>
  /** Removes what was made. */
  abandon(): Promise<void>
}

const SCHEMA_BYTES_MAX = 63
const ENDING = '_fork_under_way'
/** Told apart from a schema that somebody else has named so. */
const MARK = 'An orrery fork under way: the next fork to the same place removes it.'

/** Takes the right to fill a schema, as long as the connection lives. */
async function lockPlace(sql: Sql, making: string, where: string): Promise<void> {
  const [{ taken }] = await sql<{ taken: boolean }[]>`
    select pg_try_advisory_lock(hashtextextended(${`orrery fork:${making}`}, 0)) as taken`
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

/** Throws DatabaseSetupError when anything stands in a schema. */
async function requireFree(tx: Sql | Tx, schema: string, where: string): Promise<void> {
  const found = await findSchema(tx, schema)
  if (!found || found.objects === 0) return
  throw new DatabaseSetupError(
    `Schema ${schema} at ${where} is not empty, and a fork overwrites nothing: name another with ` +
      '--to-schema.',
  )
}

/** Makes the schema that is filled, in place of one that an ended fork has left. */
async function makeSchema(tx: Tx, making: string, where: string): Promise<void> {
  const left = await findSchema(tx, making)
  if (left && left.comment !== MARK) {
    throw new DatabaseSetupError(
      `Schema ${making} at ${where} is needed while the fork is made, but somebody else has it.`,
    )
  }
  if (left) await tx`drop schema ${tx(making)} cascade`
  await tx`create schema ${tx(making)}`
  // The text is a constant of ours, and the statement takes no parameters.
  await tx.unsafe(`comment on schema "${making}" is '${MARK}'`)
}

/** Ends the sessions that hold anything of a schema which is to go: a signal waits for none. */
const endSessionsIn = (sql: Sql, schema: string) => sql`
  select pg_terminate_backend(pid) from (
    select distinct l.pid from pg_locks l
      join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and l.pid <> pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())
  ) as holder`

/** Opens a place for a fork; throws DatabaseSetupError when something stands there. */
export async function openForkPlace(
  { databaseUrl, dataDir, schema }: ForkAddress,
  log: (text: string) => void,
): Promise<ForkPlace> {
  const making = `${schema.slice(0, SCHEMA_BYTES_MAX - ENDING.length)}${ENDING}`
  const isEmbedded = databaseUrl === undefined
  if (isEmbedded) claimFolder(dataDir)
  let database: OpenDatabase | undefined
  let sql: Sql | undefined
  /** Closes what is open; of a folder nothing is left of a fork that failed. */
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
      schema: making,
      log,
      namedBy: '--to',
      ...(isEmbedded ? { adopt: true, isFork: true } : {}),
    })
    const where = describeConnection(database.connection)
    sql = connect({ ...database.owner, schema: 'pg_catalog' }, { name: 'fork' })
    // Long names share it, since they are cut.
    await lockPlace(sql, making, where)
    // All that stands in a folder under way is a fork's.
    if (isEmbedded) await sql`drop schema if exists ${sql(schema)} cascade`
    await requireFree(sql, schema, where)
    await sql.begin((tx) => makeSchema(tx, making, where))
    await database.migrate()
    const opened = sql
    let ending: Promise<void> | undefined
    let isWhole = false
    const abandon = async (): Promise<void> => {
      if (!isEmbedded && !isWhole) {
        await endSessionsIn(opened, making)
        await opened`drop schema if exists ${opened(making)} cascade`
      }
      await close(isWhole)
    }
    return {
      connection: database.connection,
      async finish() {
        await opened.begin(async (tx) => {
          await requireFree(tx, schema, where)
          await tx`drop schema if exists ${tx(schema)}`
          await tx`alter schema ${tx(making)} rename to ${tx(schema)}`
          await tx`comment on schema ${tx(schema)} is null`
        })
        isWhole = true
        await close(true)
      },
      // By a signal, and by what fails since.
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
