/**
 * Logins under scrutiny: an unknown name costs and says what a wrong password does, attempts are
 * counted where they belong, and a reset overtakes a login under way.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SESSION_ATTEMPTS_PER_MINUTE } from '../../../core/limits.ts'
import { CUT_OFF_MS } from '../../../core/limits-cluster.ts'
import type { NodeFigures } from '../../../core/ports.ts'
import { endLogins } from '../../../net/session/logins.ts'
import { type FakeNet, PASSWORD, startFakeNet } from './fake-net.ts'

let net: FakeNet
beforeEach(async () => {
  net = await startFakeNet()
})
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await net.close()
})

// biome-ignore lint/suspicious/noExplicitAny: bodies of answers are looked into freely
type Json = any

async function call(command: string, body: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(`http://127.0.0.1:${net.port}/api/v2/game_auth/${command}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const MINUTE_MS = 60_001
const WRONG = 'b'.repeat(64)

/**
 * Returns the work of a login: hashes made, comparisons with their lengths, reads of the tables.
 */
async function workOf(username: string, password: string) {
  net.clock.advance(MINUTE_MS)
  const compared = vi.spyOn(crypto, 'timingSafeEqual')
  const hashed = vi.spyOn(crypto, 'createHash')
  syncBuiltinESMExports()
  const asked = Object.keys(net.accounts).flatMap((name) => {
    const held = net.accounts as unknown as Record<string, unknown>
    return typeof held[name] === 'function' ? [vi.spyOn(held, name as never)] : []
  })
  const answer = await call('login', { username, password })
  const lengths = compared.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])
  const work = {
    lengths,
    hashes: hashed.mock.calls.map(([algorithm]) => algorithm),
    questions: asked.map((spy: Json) => [spy.getMockName(), spy.mock.calls.length]),
  }
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  return { answer, work }
}

test('an unknown name and a wrong password: the same answer for the same work', async () => {
  const wrong = await workOf('ada', WRONG)
  const unknown = await workOf('nobody', WRONG)
  expect(wrong.answer).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_credentials' } },
  })
  expect(unknown).toEqual(wrong)
  expect(wrong.work).toMatchObject({ lengths: [[32, 32]], hashes: ['sha256'] })
  // Nor does the password tell: one that no player could have, and the right one of another.
  expect(await workOf('nobody', '')).toEqual(wrong)
  expect(await workOf('nobody', PASSWORD)).toEqual(wrong)
  const right = await workOf('ada', PASSWORD.toUpperCase())
  expect(right.answer.status).toBe(200)
  expect(right.work.lengths).toEqual(wrong.work.lengths)
})

test('both count the same: the eleventh failure of a minute with a name is refused', async () => {
  for (const username of ['ada', 'nobody']) {
    for (let i = 0; i < 10; i++)
      expect((await call('login', { username, password: WRONG })).status).toBe(400)
    const refused = await call('login', { username, password: PASSWORD })
    expect(refused).toMatchObject({ status: 429, body: { retry_after: 60 } })
  }
})

test('a good token counts for its player alone: many players share an address', async () => {
  const login = async (player: string) =>
    (await call('login_token', { token: (await net.accounts.issueLoginToken(player)).token }))
      .status
  for (let i = 0; i < 40; i++) net.accounts.add(`player ${i}`, PASSWORD)
  for (let i = 1; i <= 40; i++) expect(await login(`id-${i}`)).toBe(200)
  for (let i = 0; i < 9; i++) expect(await login('id-1')).toBe(200)
  expect(await login('id-1')).toBe(429)
  expect(await login('id-2')).toBe(200)
  net.clock.advance(MINUTE_MS)
  expect(await login('id-1')).toBe(200)
})

test('an invalid token counts as an attempt of its address; a valid one still passes', async () => {
  for (let i = 0; i < 30; i++) {
    const { status, body } = await call('login_token', { token: `guess ${i}` })
    expect([status, body.error.code]).toEqual([400, 'invalid_token'])
  }
  expect((await call('login_token', { token: 'guess' })).status).toBe(429)
  const { token } = await net.accounts.issueLoginToken('id-1')
  expect((await call('login_token', { token })).status).toBe(200)
})

test('a reset overtakes a login that has read the old password', async () => {
  const find = net.accounts.findByUsernameKey
  let resets = 1
  vi.spyOn(net.accounts, 'findByUsernameKey').mockImplementation(async (key) => {
    const row = await find(key)
    if (row && resets-- > 0) void endLogins(net.server.net, row.number)
    return row
  })
  const { body } = await call('login', { username: 'ada', password: PASSWORD })
  expect(body.error.code).toBe('invalid_credentials')
  expect(net.server.net.bindings.players.size).toBe(0)
  expect((await call('login', { username: 'ada', password: PASSWORD })).status).toBe(200)
})

test('a node that is cut off refuses logins at once, and counts none of them', async () => {
  Object.assign(net.server.net, { node: 77 })
  const cluster = vi.spyOn(net.server.net.link, 'cluster')
  cluster.mockReturnValue({ staleMs: CUT_OFF_MS + 1 } as NodeFigures)
  for (let i = 0; i <= SESSION_ATTEMPTS_PER_MINUTE; i++) {
    const { status, body } = await call('login', { username: 'ada', password: PASSWORD })
    expect([status, body.error.code]).toEqual([503, 'restarting'])
  }
  cluster.mockReturnValue({ staleMs: CUT_OFF_MS } as NodeFigures)
  expect((await call('login', { username: 'ada', password: PASSWORD })).status).toBe(200)
})
