/**
 * The embedded database that the files of a test run share: the first that needs it makes it, and
 * test-run.ts stops it behind the last. Each test has schemas of its own in it.
 */
import { join } from 'node:path'
import { openDatabase } from '../storage/database.ts'
import { type TestDatabase, testDatabase, urlOf } from './databases.ts'

/** Variable that tells the processes of a run its folder. */
export const RUN_FOLDER = 'ORRERY_TEST_FOLDER'

/** Returns the database of this run; closing it drops the schemas that were asked for. */
export async function sharedDatabase(): Promise<TestDatabase> {
  const folder = process.env[RUN_FOLDER]
  if (!folder) throw new Error('no test run has begun: vitest.config.mjs names test-run.ts')
  const { owner } = await openDatabase({ dataDir: join(folder, 'data'), schema: 'unused' })
  return testDatabase('embedded', urlOf(owner), async () => {})
}

/** Returns the database of TEST_DATABASE_URL where set, else the shared one. */
export async function givenDatabase(): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL
  return url ? testDatabase('TEST_DATABASE_URL', url, async () => {}) : sharedDatabase()
}
