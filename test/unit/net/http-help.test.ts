/** Help over HTTP: per tool, on both methods, with and without a session. */
import { afterEach, describe, expect, test } from 'vitest'
import { call, closeNets, loggedIn, startNet } from './http-calls.ts'

afterEach(closeNets)

describe('help', () => {
  test('help of a tool needs no session', async () => {
    const { port } = await startNet()
    for (const method of ['GET', 'POST']) {
      const { status, body } = await call(port, '/api/v2/game_auth/help', { method })
      expect(status).toBe(200)
      expect(body.result).toContain('login')
      expect('session' in body).toBe(false)
    }
  })

  test('help of the tool game needs no session, and reports one that is sent', async () => {
    const { port } = await startNet()
    const id = await loggedIn(port, 'v2')
    for (const method of ['GET', 'POST']) {
      const bare = await call(port, '/api/v2/game/help', { method })
      expect([bare.status, bare.body.result.split('\n')[0]]).toEqual([200, 'Actions of game.'])
      const headers = { 'x-session-id': id }
      const { body } = await call(port, '/api/v2/game/help?topic=sell', { method, headers })
      expect(body.session).toMatchObject({ id, expires_at: expect.any(String) })
    }
  })
})
