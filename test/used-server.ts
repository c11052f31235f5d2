/**
 * The set-up that tests over a server share: database and server are up before the tests of a file
 * or block, and gone behind them.
 */
import { afterAll, beforeAll } from 'vitest'
import { sharedDatabase, type TestDatabase } from './databases.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './servers.ts'

/** Stands for what only `beforeAll` makes. */
const standIn = <T extends object>(made: () => T | undefined): T =>
  new Proxy({} as T, {
    get(_, name) {
      const thing = made()
      if (!thing) throw new Error('this is up only once beforeAll has run')
      return Reflect.get(thing, name)
    },
  })

/** Gives the tests of a file a database of their own. */
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
