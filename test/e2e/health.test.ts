/** What a probe sees of a real server: ready, held up by its journal, draining, always alive. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { until } from '../fault/program.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { useTestDatabase } from '../used-server.ts'
import { request } from './wire.ts'

const database = useTestDatabase()
let server: TestServer
let sql: Sql
beforeAll(async () => {
  server = await startTestServer(database, { isSmallMap: true })
  sql = connect(database.connection(server.schema), { name: 'test' })
})
afterAll(async () => {
  await disconnect(sql)
})

const probe = (path: string) => request(server.url + path)
const codes = async (): Promise<unknown[]> => {
  const { reasons } = (await probe('/readyz')).body
  return (reasons as { code: string }[]).map(({ code }) => code)
}

/** Keeps the journal's head locked: no batch becomes durable until it is let go. */
async function holdJournal(): Promise<() => Promise<void>> {
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isLocked = (): void => {}
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve
  })
  const done = sql.begin(async (tx) => {
    await tx`select from world for update`
    isLocked()
    await held
  })
  await locked
  return async () => {
    letGo()
    await done
  }
}

test('a server is ready, not ready while its journal stalls, and ready again', async () => {
  await server.link.step(1)
  expect(await probe('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  const letGo = await holdJournal()
  const stepped = server.link.step(1)
  await until('stalled', async () => (await codes()).includes('journal_stalled'))
  expect(await probe('/livez')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await probe('/health')).toMatchObject({ status: 200, body: { status: 'ok', tick: 1 } })
  await letGo()
  await stepped
  await until('ready again', async () => (await probe('/readyz')).status === 200)
})

test('a server that stops drains until its last tick is written', async () => {
  const letGo = await holdJournal()
  const stopped = server.stop()
  expect(await probe('/readyz')).toMatchObject({ status: 503 })
  expect(await codes()).toContain('draining')
  expect(await probe('/livez')).toMatchObject({ status: 200 })
  await letGo()
  await stopped
})
