/**
 * Databases for tests: the embedded one that the files of a run share, one in a folder of its own
 * for those that do it harm, and that of TEST_DATABASE_URL where set. Each server of a test gets a
 * schema of its own; all are dropped at the end.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onInterrupt } from '../cli/interrupt.ts'
import { openDatabase } from '../storage/database.ts'
import { type ConnectionOptions, connect, disconnect } from '../storage/db.ts'

export interface TestDatabase {
  readonly name: 'embedded' | 'TEST_DATABASE_URL'
  readonly url: string
  /** A name that nothing else uses. */
  schema(): string
  /** How the tools reach a schema. */
  connection(schema: string): ConnectionOptions
  /** Drops the schemas, and stops the database if this opened it. */
  close(): Promise<void>
}

export const urlOf = ({
  url,
  username,
  password,
  host,
  port,
  database,
}: ConnectionOptions): string =>
  url ?? `postgres://${username}:${password}@${host}:${port}/${database}`

let lastSchema = 0

/** Describes a database that runs already; `stop` is called after its schemas are dropped. */
export function testDatabase(
  name: TestDatabase['name'],
  url: string,
  stop: () => Promise<void>,
): TestDatabase {
  const schemas: string[] = []
  return {
    name,
    url,
    schema() {
      lastSchema += 1
      const schema = `t_${process.pid}_${Date.now().toString(36)}_${lastSchema}`
      schemas.push(schema)
      return schema
    },
    connection: (schema) => ({ url, schema }),
    async close() {
      const sql = connect({ url, schema: 'public' }, { name: 'test' })
      for (const schema of schemas) await sql.unsafe(`drop schema if exists ${schema} cascade`)
      await disconnect(sql)
      await stop()
    },
  }
}

/** Variable that tells the processes of a run its folder (test-run.ts). */
export const RUN_FOLDER = 'ORRERY_TEST_FOLDER'

/** Returns the folder of the database of this run; its first user makes it, the end stops it. */
export function sharedFolder(): string {
  const folder = process.env[RUN_FOLDER]
  if (!folder) throw new Error('no test run has begun: vitest.config.mjs names test-run.ts')
  return join(folder, 'data')
}

/** Returns the database of this run; closing it drops the schemas that were asked for. */
export async function sharedDatabase(): Promise<TestDatabase> {
  const { owner } = await openDatabase({ dataDir: sharedFolder(), schema: 'unused' })
  return testDatabase('embedded', urlOf(owner), async () => {})
}

/** Returns the database of TEST_DATABASE_URL where set, else the shared one. */
export async function givenDatabase(): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL
  return url ? testDatabase('TEST_DATABASE_URL', url, async () => {}) : sharedDatabase()
}

/** Starts a real PostgreSQL of our own, in a folder that is removed with it. */
export async function embeddedDatabase(): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'orrery-test-'))
  // As root the database runs under another user.
  chmodSync(dataDir, 0o755)
  const opened = await openDatabase({ dataDir, schema: 'unused', adopt: true })
  return testDatabase('embedded', urlOf(opened.owner), async () => {
    await opened.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
}

/**
 * Runs work on a database of its own, which is stopped and removed even if the work fails, or a
 * signal ends it.
 */
export async function withDatabase<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await embeddedDatabase()
  const done = onInterrupt(database.close)
  try {
    return await work(database)
  } finally {
    done()
    await database.close()
  }
}

/** Returns every database that this run is to be tried against. */
export async function testDatabases(): Promise<TestDatabase[]> {
  const databases = [await embeddedDatabase()]
  const url = process.env.TEST_DATABASE_URL
  if (url) databases.push(testDatabase('TEST_DATABASE_URL', url, async () => {}))
  return databases
}
