/** How to replace the key with which a server without a provider signs account tokens. */
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { startTestServer } from '../servers.ts'
import { useTestDatabase } from '../used-server.ts'
import { orreryHere } from './cli.ts'
import { request } from './wire.ts'

const database = useTestDatabase()

test('after token rotate and a restart, only tokens of the new key are valid', async () => {
  let server = await startTestServer(database, { isSmallMap: true })
  const settings = { DATABASE_URL: database.url, DATABASE_SCHEMA: server.schema }
  const tool = async (line: string): Promise<Params> => {
    const { code, stdout } = await orreryHere([...line.split(' '), '--json'], settings)
    expect(code).toBe(0)
    return JSON.parse(stdout) as Params
  }
  const statusOf = async (token: unknown): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await request(`${server.url}/api/me`, { headers })).status
  }
  const old = (await tool('token account ann')).token
  const { kid } = await tool('token rotate')
  const fresh = (await tool('token account ann')).token
  expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 401])
  await server.stop()
  server = await startTestServer(database, { schema: server.schema })
  expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 200])
  const { keys } = (await request(`${server.url}/.well-known/jwks.json`)).body
  expect((keys as Params[]).map((jwk) => jwk.kid)).toEqual([kid])
  await server.stop()
})
