/**
 * Logins under attack: an unknown name and a wrong password cannot be told apart, attempts count by
 * name, player or address, and a password reset refuses logins in progress.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SESSION_ATTEMPTS_PER_MINUTE } from '../../../core/limits.ts'
import { CUT_OFF_MS } from '../../../core/limits-cluster.ts'
import type { NodeFigures } from '../../../core/ports.ts'
import { endLogins } from '../../../net/session/logins.ts'
import { unbindClient } from '../../../net/session/session.ts'
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

// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies untyped
type Json = any

async function call(command: string, body: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(`http://127.0.0.1:${net.port}/api/v2/game_auth/${command}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

/** Just longer than the minute in which attempts are counted. */
const MINUTE_MS = 60_001
const WRONG = 'b'.repeat(64)

/**
 * Logs in; returns the answer and its work: lengths compared, hashes made, calls of the accounts.
 */
async function workOf(username: string, password: string) {
  net.clock.advance(MINUTE_MS)
  const compared = vi.spyOn(crypto, 'timingSafeEqual')
  const hashed = vi.spyOn(crypto, 'createHash')
  syncBuiltinESMExports()
  const spies = Object.keys(net.accounts).flatMap((name) => {
    const accounts = net.accounts as unknown as Record<string, unknown>
    return typeof accounts[name] === 'function' ? [vi.spyOn(accounts, name as never)] : []
  })
  const answer = await call('login', { username, password })
  const lengths = compared.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])
  const work = {
    lengths,
    hashes: hashed.mock.calls.map(([algorithm]) => algorithm),
    accountCalls: spies.map((spy: Json) => [spy.getMockName(), spy.mock.calls.length]),
  }
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  return { answer, work }
}

test('an unknown name gets the same answer for the same work as a wrong password', async () => {
  const wrong = await workOf('ada', WRONG)
  const unknown = await workOf('nobody', WRONG)
  expect(wrong.answer).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_credentials' } },
  })
  expect(unknown).toEqual(wrong)
  expect(wrong.work).toMatchObject({ lengths: [[32, 32]], hashes: ['sha256'] })
  // Neither an impossible password nor the password of another player makes a difference.
  expect(await workOf('nobody', '')).toEqual(wrong)
  expect(await workOf('nobody', PASSWORD)).toEqual(wrong)
  const right = await workOf('ada', PASSWORD.toUpperCase())
  expect(right.answer.status).toBe(200)
  expect(right.work.lengths).toEqual(wrong.work.lengths)
})

test('after ten failures in a minute a name is refused, whether it is known or not', async () => {
  for (const username of ['ada', 'nobody']) {
    for (let i = 0; i < 10; i++)
      expect((await call('login', { username, password: WRONG })).status).toBe(400)
    const refused = await call('login', { username, password: PASSWORD })
    expect(refused).toMatchObject({ status: 429, body: { retry_after: 60 } })
  }
})

test('a valid token counts as an attempt of its player, not of its address', async () => {
  const login = async (player: string) =>
    (await call('login_token', { token: (await net.accounts.issueLoginToken(player)).token }))
      .status
  // More logins than the 30 attempts that an address has.
  for (let i = 0; i < 40; i++) net.accounts.add(`player ${i}`, PASSWORD)
  for (let i = 1; i <= 40; i++) expect(await login(`id-${i}`)).toBe(200)
  for (let i = 0; i < 9; i++) expect(await login('id-1')).toBe(200)
  expect(await login('id-1')).toBe(429)
  expect(await login('id-2')).toBe(200)
  net.clock.advance(MINUTE_MS)
  expect(await login('id-1')).toBe(200)
})

test('an address out of attempts with invalid tokens still logs in with a valid one', async () => {
  for (let i = 0; i < 30; i++) {
    const { status, body } = await call('login_token', { token: `guess ${i}` })
    expect([status, body.error.code]).toEqual([400, 'invalid_token'])
  }
  expect((await call('login_token', { token: 'guess' })).status).toBe(429)
  const { token } = await net.accounts.issueLoginToken('id-1')
  expect((await call('login_token', { token })).status).toBe(200)
})

test('a password reset refuses a login that has already read the old password', async () => {
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

test('a client that leaves while a later login reads its chat does not unbind the player', async () => {
  const login = { username: 'ada', password: PASSWORD }
  await call('login', login)
  const { bindings, registry } = net.server.net
  const [older] = [...bindings.players.values()][0].sessions
  const unbound: (number | undefined)[] = []
  const find = registry.commands.get.bind(registry.commands)
  vi.spyOn(registry.commands, 'get').mockImplementation((name) => {
    if (name === 'internal:chat_summary') unbound.push(unbindClient(bindings, older))
    return find(name)
  })
  expect((await call('login', login)).status).toBe(200)
  expect([unbound, bindings.players.size]).toEqual([[undefined], 1])
})

test('a node cut off from the cluster refuses logins without counting them', async () => {
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
