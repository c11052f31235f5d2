/**
 * The embedded database that the files of a test run share: the first that needs it makes it, and
 * it is stopped behind the last. Each test has schemas of its own in it.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../storage/database.ts'
import { findClusterPaths } from '../storage/embedded-files.ts'
import { readPostmaster, stopServer } from '../storage/embedded-server.ts'
import { type TestDatabase, testDatabase, urlOf } from './databases.ts'

/** Tells the processes of a run its folder. */
const FOLDER = 'ORRERY_TEST_FOLDER'

/** Begins a run. Called by vitest, once. */
export function setup(): void {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-test-run-'))
  // As root the database runs under another user.
  chmodSync(folder, 0o755)
  process.env[FOLDER] = folder
}

/** Ends it: stops the database if one was needed. Called by vitest, once. */
export async function teardown(): Promise<void> {
  const folder = process.env[FOLDER]
  if (!folder) return
  const dataDir = join(folder, 'data')
  if (existsSync(dataDir)) {
    const paths = findClusterPaths(dataDir)
    const found = readPostmaster(paths)
    if (found) await stopServer(paths, found.running.pid)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the database of this run; closing it drops the schemas that were asked for. */
export async function sharedDatabase(): Promise<TestDatabase> {
  const folder = process.env[FOLDER]
  if (!folder) throw new Error('no test run has begun: vitest.config.mjs names this file')
  const { owner } = await openDatabase({ dataDir: join(folder, 'data'), schema: 'unused' })
  return testDatabase('embedded', urlOf(owner), async () => {})
}

/** Returns the database of TEST_DATABASE_URL where set, else the shared one. */
export async function givenDatabase(): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL
  return url ? testDatabase('TEST_DATABASE_URL', url, async () => {}) : sharedDatabase()
}
