/**
 * Makes worlds with another release: `node make-old.js TREE URL SEED:SCHEMA…`, where TREE is its
 * built tree, from which all modules are loaded. Each world runs for some ticks and is then stopped
 * cleanly.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [tree, url, ...worlds] = process.argv.slice(2)

const load = (path: string): Promise<unknown> =>
  import(pathToFileURL(join(resolve(tree), 'dist', path)).href)

const { testDatabase } = (await load('test/databases.js')) as typeof import('../databases.ts')
const { startTestServer } = (await load('test/servers.js')) as typeof import('../servers.ts')
const { liveTiny } = (await load('test/fault/tiny.js')) as typeof import('./tiny.ts')

// The database is not closed, as that would drop the worlds.
const database = testDatabase('TEST_DATABASE_URL', url, async () => {})
for (const world of worlds) {
  const [SEED, schema] = world.split(':')
  const settings = {
    SEED,
    MAX_ENTITIES: '2000',
    TICK_MS: '1000',
    HASH_EVERY: '1',
    SNAPSHOT_EVERY: '6',
    SNAPSHOT_KEEP: '10',
  }
  const server = await startTestServer(database, { schema, settings })
  await liveTiny(server)
  await server.stop()
  console.log(`${schema} has lived`)
}
process.exit(0)
