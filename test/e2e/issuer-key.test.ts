/** The key by which a server without a provider signs account tokens: how it is replaced. */
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { startTestServer } from '../servers.ts'
import { useTestDatabase } from '../used-server.ts'
import { orreryHere } from './cli.ts'
import { request } from './wire.ts'

const database = useTestDatabase()

test('token rotate: with the next start the tokens of the old key end, those of the new one hold', async () => {
  let own = await startTestServer(database, { isSmallMap: true })
  const settings = { DATABASE_URL: database.url, DATABASE_SCHEMA: own.schema }
  const tool = async (line: string): Promise<Params> => {
    const { code, stdout } = await orreryHere([...line.split(' '), '--json'], settings)
    expect(code).toBe(0)
    return JSON.parse(stdout) as Params
  }
  const statusOf = async (token: unknown): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await request(`${own.url}/api/me`, { headers })).status
  }
  const old = (await tool('token account ann')).token
  const { kid } = await tool('token rotate')
  const fresh = (await tool('token account ann')).token
  expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 401])
  await own.stop()
  own = await startTestServer(database, { schema: own.schema })
  expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 200])
  const { keys } = (await request(`${own.url}/.well-known/jwks.json`)).body
  expect((keys as Params[]).map((jwk) => jwk.kid)).toEqual([kid])
  await own.stop()
})
