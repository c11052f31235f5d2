/**
 * Shared set-up of tests that need a server: database and server start before the tests of a file
 * or block, and stop after them.
 */
import { afterAll, beforeAll } from 'vitest'
import { sharedDatabase, type TestDatabase } from './databases.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './servers.ts'

/** Returns a stand-in for an object that only `beforeAll` makes. */
const standIn = <T extends object>(made: () => T | undefined): T =>
  new Proxy({} as T, {
    get(_, name) {
      const target = made()
      if (!target) throw new Error('this exists only once beforeAll has run')
      return Reflect.get(target, name)
    },
  })

/** Gives the tests of a file the database of this run, with schemas of their own. */
export function useTestDatabase(): TestDatabase {
  let database: TestDatabase | undefined
  beforeAll(async () => {
    database = await sharedDatabase()
  })
  afterAll(() => database?.close())
  return standIn(() => database)
}

/**
 * Gives the tests of a file a server in this process. Options that are not known yet come from a
 * function.
 */
export function useTestServer(
  database: TestDatabase,
  options?: TestServerOptions | (() => TestServerOptions),
): TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startTestServer(database, typeof options === 'function' ? options() : options)
  })
  afterAll(() => server?.stop())
  return standIn(() => server)
}
