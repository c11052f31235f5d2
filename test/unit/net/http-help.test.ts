/** Help over HTTP: per tool, on both methods, with and without a session. */
import { afterEach, describe, expect, test } from 'vitest'
import { type FakeNet, PASSWORD, startFakeNet } from './fake-net.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of answers are looked into freely
type Json = any
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

const nets: FakeNet[] = []
const net = async (config = {}): Promise<FakeNet> => {
  const made = await startFakeNet(config)
  nets.push(made)
  return made
}
afterEach(async () => {
  for (const made of nets.splice(0)) await made.close()
})

async function call(port: number, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  const text = await response.text()
  expect(response.status === 204 || response.headers.get('content-type')).toBeTruthy()
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
}

const post = (port: number, path: string, body?: unknown, id?: string): Promise<Answer> =>
  call(port, path, {
    method: 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(id === undefined ? {} : { 'X-Session-ID': id }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const LOGIN = { username: 'ada', password: PASSWORD }

async function loggedIn(port: number, version: 'v1' | 'v2', username = 'ada'): Promise<string> {
  const made = await post(port, `/api/${version}/session`)
  const { id } = made.body.session
  const path = version === 'v1' ? '/api/v1/login' : '/api/v2/game_auth/login'
  const answer = await post(port, path, { ...LOGIN, username }, id)
  expect(answer.status).toBe(200)
  return id
}

describe('help', () => {
  test('help of a tool needs no session', async () => {
    const { port } = await net()
    for (const method of ['GET', 'POST']) {
      const { status, body } = await call(port, '/api/v2/game_auth/help', { method })
      expect(status).toBe(200)
      expect(body.result).toContain('login')
      expect('session' in body).toBe(false)
    }
  })

  test('help of the tool game is that of any tool; a session sent along is told of', async () => {
    const { port } = await net()
    const id = await loggedIn(port, 'v2')
    for (const method of ['GET', 'POST']) {
      const open = await call(port, '/api/v2/game/help', { method })
      expect([open.status, open.body.result.split('\n')[0]]).toEqual([200, 'Actions of game.'])
      const headers = { 'x-session-id': id }
      const { body } = await call(port, '/api/v2/game/help?topic=sell', { method, headers })
      expect(body.session).toMatchObject({ id, expires_at: expect.any(String) })
    }
  })
})
