/** While the database is down, the public present is still shown and the past must wait. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../servers.ts'
import { type DatabaseProxy, startProxy } from '../unit/storage/proxy.ts'
import { useTestDatabase } from '../used-server.ts'

const PAST = [
  '/api/battles',
  '/api/battle/summary?battle_id=00000000-0000-4000-8000-000000000000',
  '/api/battle/log?battle_id=00000000-0000-4000-8000-000000000000',
  '/api/market/vwap-history/iron_ore',
  '/api/market/fills',
  '/api/market/fills/top',
  '/api/market/fills/stats',
  '/api/forum',
  '/api/forum/thread/1',
  '/api/history',
  '/api/history/0',
]
const NOW = ['/api/map/activity', '/api/market', '/api/battles?status=active', '/api/changelog']
const PATIENCE = { timeout: 60_000, interval: 200 }

const database = useTestDatabase()
let proxy: DatabaseProxy
let server: TestServer

beforeAll(async () => {
  proxy = await startProxy({ url: database.url, schema: 'public' })
  const through = {
    name: database.name,
    url: String(proxy.connection.url),
    schema: () => database.schema(),
    connection: (schema: string) => database.connection(schema),
    close: async () => {},
  }
  server = await startTestServer(through, { isSmallMap: true, settings: { SPECTATOR_DELAY: '0' } })
  await server.link.step(2)
})
afterAll(async () => {
  proxy.up()
  await server.stop()
  await proxy.close()
})

async function ask(path: string): Promise<{ status: number; error: unknown }> {
  const reply = await fetch(`${server.url}${path}`)
  return { status: reply.status, error: ((await reply.json()) as { error?: unknown }).error }
}

test('without a database the present is shown and the past answers persist_timeout', async () => {
  await expect.poll(async () => (await ask('/api/map/activity')).status, PATIENCE).toBe(200)
  proxy.down()
  const past = await Promise.all(PAST.map(ask))
  expect(past).toEqual(PAST.map(() => ({ status: 503, error: 'persist_timeout' })))
  const now = await Promise.all(NOW.map(ask))
  expect(now.map(({ status }) => status)).toEqual(NOW.map(() => 200))
  proxy.up()
  await expect.poll(async () => (await ask('/api/battles')).status, PATIENCE).toBe(200)
})
