/** The intel map over HTTP, which shows an account the map of its own players only. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Params } from '../../bench/client.ts'
import { connect as connectClient } from '../../bench/clients.ts'
import { intelMapBody, intelMovementsBody, intelSystemBody } from '../../core/public/intel-map.ts'
import { issueAccountToken, newIssuerKey } from '../../net/session/issuer.ts'
import { createAccounts } from '../../storage/accounts.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { differsFrom } from '../exact-schema.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { type Answer, newPlayer, request } from './wire.ts'

const database = useTestDatabase()
const server = useTestServer(database, { isSmallMap: true })
const bearers = new Map<string, string>()

interface Player {
  readonly id: string
  readonly username: string
  readonly client: Client
  readonly system: string
}
let ann: Player
let ben: Player

beforeAll(async () => {
  const sql = connect(database.connection(server.schema), { name: 'test' })
  const key = await createAccounts(sql).issuerKey(newIssuerKey)
  await disconnect(sql)
  for (const account of ['ann', 'ben', 'eve']) {
    bearers.set(account, (await issueAccountToken(key, { account, hours: 1 })).token)
  }
  ann = await playerOf('ann', 'Ann Pilot')
  ben = await playerOf('ben', 'Ben Pilot')
})

const ask = (path: string, authorization?: string): Promise<Answer> =>
  request(server.url + path, authorization === undefined ? {} : { headers: { authorization } })
const askAs = (account: string, path: string): Promise<Answer> =>
  ask(path, `Bearer ${bearers.get(account)}`)

async function playerOf(account: string, username: string): Promise<Player> {
  const client = await connectClient(server.url, 'http2')
  const { result } = await client.call('register', newPlayer(username))
  const { registration_code } = (await askAs(account, '/api/registration-code')).body
  expect(await client.call('claim', { registration_code })).toMatchObject({ ok: true })
  const { system } = result as { system: { id: string } }
  return { id: String(result.player_id), username, client, system: system.id }
}

const addresses = (): string[] => [
  '/api/intel-map',
  '/api/intel-map/movements',
  `/api/intel-map/system/${ann.system}`,
]

describe('access', () => {
  test('a request without a valid account token is 401', async () => {
    for (const path of addresses()) {
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer rubbish',
        `Basic ${bearers.get('ann')}`,
      ]) {
        const { status, body } = await ask(path, authorization)
        const found = [status, Object.keys(body).sort(), body.error]
        expect(found, `${path} ${authorization}`).toEqual([
          401,
          ['code', 'error', 'message'],
          'unauthorized',
        ])
        expect(body.message).toMatch(/^[A-Z].*bearer.*\.$/)
      }
    }
  })

  test('an account sees only its own players', async () => {
    const [own, other, empty] = await Promise.all(
      ['ann', 'ben', 'eve'].map((account) => askAs(account, '/api/intel-map')),
    )
    expect(own.body.agents).toMatchObject([{ id: ann.id, username: 'Ann Pilot' }])
    expect(other.body.agents).toMatchObject([{ id: ben.id, username: 'Ben Pilot' }])
    expect(own.text).not.toContain(ben.id)
    expect(empty.body).toMatchObject({ agents: [], explored_systems: [] })
    for (const path of addresses()) {
      const refused = await askAs('ann', `${path}?players=${ann.id},${ben.id}`)
      expect([refused.status, refused.body.error]).toEqual([404, 'player_not_found'])
      expect(refused.body.message).toContain('/api/players')
    }
    const filtered = await askAs('ann', `/api/intel-map?players=${ann.id}`)
    expect(filtered.body.agents).toHaveLength(1)
  })

  test('an API key of the account is accepted, and the answer may not be cached', async () => {
    const created = await request(`${server.url}/api/auth/create-key`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearers.get('ann')}` },
      body: '{"name":"map"}',
    })
    const answer = await ask('/api/intel-map', `Bearer ${created.body.key}`)
    expect(answer.body.agents).toMatchObject([{ id: ann.id }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('the map', () => {
  test('has exactly the declared fields', async () => {
    const answers = await Promise.all(addresses().map((path) => askAs('ann', path)))
    const [map, movements, system] = answers
    expect(differsFrom(intelMapBody, map.body)).toEqual([])
    expect(differsFrom(intelMovementsBody, movements.body)).toEqual([])
    expect(differsFrom(intelSystemBody, system.body)).toEqual([])
    expect(system.body).toMatchObject({ has_intel: true, agents_here: [ann.id] })
    expect(Object.keys((map.body.agents as Params[])[0]).sort()).toEqual([
      'cloaked',
      'docked_at',
      'empire',
      'fuel',
      'hidden',
      'id',
      'last_active_at',
      'max_fuel',
      'online',
      'poi',
      'ship_class',
      'ship_name',
      'system',
      'username',
    ])
  })

  test('an unknown system is not found', async () => {
    for (const id of ['nowhere', '__proto__', 'x'.repeat(500)]) {
      const { status, body } = await askAs('ann', `/api/intel-map/system/${id}`)
      expect([status, body.error]).toEqual([404, 'not_found'])
    }
  })

  test("jumps of the account's players are shown with their origin", async () => {
    const { connections } = (await askAs('ann', `/api/intel-map/system/${ann.system}`)).body
      .system as { connections: string[] }
    const [target] = connections
    await server.play(ann.client, 'undock')
    expect(await server.play(ann.client, 'jump', { target_system: target })).toMatchObject({
      ok: true,
    })
    const movement = {
      player_id: ann.id,
      username: 'Ann Pilot',
      from: ann.system,
      to: target,
      first_visit: true,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    }
    const path = '/api/intel-map/movements'
    const answerTo = async (account: string, query = '') =>
      (await askAs(account, path + query)).body
    await expect
      .poll(() => answerTo('ann'))
      .toEqual({ movements: [movement], truncated: false, window_minutes: 1_440, window_hours: 24 })
    expect(await answerTo('ben')).toMatchObject({ movements: [] })
    expect(await answerTo('ann', '?minutes=90&limit=x')).toMatchObject({
      movements: [movement],
      window_minutes: 90,
      window_hours: 2,
    })
    expect(await answerTo('ann', '?hours=999999')).toMatchObject({ window_hours: 168 })
    const map = (await askAs('ann', '/api/intel-map')).body
    expect(map.explored_systems).toEqual(expect.arrayContaining([ann.system, target]))
    expect(map.agents).toMatchObject([{ system: target }])
  })
})
