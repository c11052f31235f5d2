/** Health probes of a real server: ready, stalled by its journal, draining, and always alive. */
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
/** Returns the codes of the reasons for which the server is not ready. */
const reasonCodes = async (): Promise<unknown[]> => {
  const { reasons } = (await probe('/readyz')).body
  return (reasons as { code: string }[]).map(({ code }) => code)
}

/** Locks the journal's head, so that no batch becomes durable until the lock is released. */
async function holdJournal(): Promise<() => Promise<void>> {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
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
    release()
    await done
  }
}

test('a server is not ready while its journal is stalled', async () => {
  await server.link.step(1)
  expect(await probe('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  const release = await holdJournal()
  const stepped = server.link.step(1)
  await until('stalled', async () => (await reasonCodes()).includes('journal_stalled'))
  expect(await probe('/livez')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await probe('/health')).toMatchObject({ status: 200, body: { status: 'ok', tick: 1 } })
  await release()
  await stepped
  await until('ready again', async () => (await probe('/readyz')).status === 200)
})

test('a stopping server is draining until its last tick is written', async () => {
  const release = await holdJournal()
  const stopped = server.stop()
  expect(await probe('/readyz')).toMatchObject({ status: 503 })
  expect(await reasonCodes()).toContain('draining')
  expect(await probe('/livez')).toMatchObject({ status: 200 })
  await release()
  await stopped
})
