/** HTTP around the commands: unknown paths, help, other origins, refused registrations. */
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newName, newPlayer, post, request } from './wire.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })

test('an unknown command, tool or action and a missing action have different codes', async () => {
  const opened = await post(`${server.url}/api/v1/session`)
  const v1 = { 'x-session-id': (opened.body.session as { id: string }).id }
  expect(await post(`${server.url}/api/v1/fly`, {}, v1)).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_command' } },
  })
  const cases: [string, object, number, string][] = [
    ['fleet/x', {}, 404, 'unknown_tool'],
    ['game/fly', {}, 404, 'invalid_action'],
    ['game', {}, 400, 'missing_action'],
    ['game/undock', { action: 'dock' }, 400, 'invalid_payload'],
  ]
  for (const [path, body, status, code] of cases) {
    const answer = await post(`${server.url}/api/v2/${path}`, body)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
    expect(answer.body.result).toEqual(expect.any(String))
  }
})

test('the address that is suggested for a tool without actions has no slash at its end', async () => {
  const { body } = await post(`${server.url}/api/v2/game_catalog/x`, { type: 'items' })
  const { details } = body.error as { details: Params }
  expect(details.did_you_mean).toEqual(['game_catalog'])
})

test('v2 takes an action from the body, accepts v1 parameter names and answers help', async () => {
  const opened = await post(`${server.url}/api/v2/session`)
  const header = { 'x-session-id': (opened.body.session as { id: string }).id }
  await post(`${server.url}/api/v2/game_auth/register`, newPlayer(), header)
  const status = await post(`${server.url}/api/v2/game`, { action: 'get_status' }, header)
  expect(Object.keys(status.body.structuredContent as object).sort()).toEqual(
    [
      'cargo',
      'hints',
      'location',
      'missions',
      'modules',
      'player',
      'prize_recoveries',
      'queue',
      'ship',
      'skills',
    ].sort(),
  )
  const { system_id } = (status.body.structuredContent as Record<string, Params>).location
  for (const names of [{ target_system: system_id }, { id: system_id }])
    expect((await post(`${server.url}/api/v2/game/find_route`, names, header)).status).toBe(200)
  for (const method of ['GET', 'POST']) {
    const help = await request(`${server.url}/api/v2/game/help`, { method, headers: header })
    expect(help).toMatchObject({ status: 200, body: { error: null } })
    expect(help.body.result).toContain('undock')
    expect('structuredContent' in help.body).toBe(false)
  }
  const polled = await request(`${server.url}/api/v2/notifications?limit=5&clear=false`, {
    headers: header,
  })
  expect(polled).toMatchObject({ status: 200, body: { notifications: expect.any(Array) } })
})

test('pages of other origins may call the game and read its headers', async () => {
  const origin = 'https://play.example'
  const preflight = await request(`${server.url}/api/v2/game/get_status`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, x-session-id, authorization, if-none-match',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(/, */)
  for (const name of ['content-type', 'x-session-id', 'authorization', 'if-none-match'])
    expect(allowed).toContain(name)
  const refused = await post(`${server.url}/api/v2/game/get_status`, {}, { origin })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  expect(refused.headers.get('access-control-expose-headers')).toContain('ETag')
})

test('register refuses an invalid name, empire or code with its own error code', async () => {
  const taken = newName()
  const address = `${server.url}/api/v1/register`
  expect((await post(address, newPlayer(taken))).status).toBe(200)
  const cases: [Params, string][] = [
    [newPlayer(taken.toUpperCase()), 'username_taken'],
    [newPlayer('ab'), 'invalid_username'],
    [newPlayer(' padded'), 'invalid_username'],
    [newPlayer('two  spaces'), 'invalid_username'],
    [newPlayer('Иван'), 'invalid_username'],
    [newPlayer('The Admin'), 'invalid_username'],
    [{ ...newPlayer(), empire: 'atlantis' }, 'invalid_empire'],
    [{ ...newPlayer(), registration_code: '' }, 'registration_code_required'],
    [{ ...newPlayer(), username: 7 }, 'invalid_payload'],
  ]
  for (const [params, code] of cases) {
    const answer = await post(address, params)
    expect({ params, code: (answer.body.error as Params)?.code }).toEqual({ params, code })
    expect(answer.status).toBe(400)
  }
})
