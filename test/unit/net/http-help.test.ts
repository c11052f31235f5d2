/** Help over HTTP: per tool, on both methods, with and without a session. */
import { afterEach, describe, expect, test } from 'vitest'
import { call, closeNets, loggedIn, net } from './http-calls.ts'

afterEach(closeNets)

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

  test('help of the tool game is that of any tool; it reports on a session sent along', async () => {
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
