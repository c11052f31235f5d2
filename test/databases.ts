/**
 * Databases for tests: the embedded one that all files of a run share, a separate one for tests
 * that damage it, and that of TEST_DATABASE_URL where set. Each server of a test gets its own
 * schema; all schemas are dropped at the end.
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
  /** Returns a new, unique name of a schema, which `close` drops. */
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

/** Wraps a database that runs already; `stop` is called after its schemas are dropped. */
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

/** Environment variable with the folder of this test run, set by test-run.ts. */
export const RUN_FOLDER = 'ORRERY_TEST_FOLDER'

/** Returns the folder of this run's database; the first user starts it, the run's end stops it. */
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

/** Starts a separate PostgreSQL in a temporary folder, which `close` removes. */
export async function embeddedDatabase(): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'orrery-test-'))
  // Under root, the database runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  const opened = await openDatabase({ dataDir, schema: 'unused', adopt: true })
  return testDatabase('embedded', urlOf(opened.owner), async () => {
    await opened.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
}

/** Runs work on a separate database, which is stopped and removed even if the work fails. */
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

/** Returns every database that tests of storage run against. */
export async function testDatabases(): Promise<TestDatabase[]> {
  const databases = [await embeddedDatabase()]
  const url = process.env.TEST_DATABASE_URL
  if (url) databases.push(testDatabase('TEST_DATABASE_URL', url, async () => {}))
  return databases
}
