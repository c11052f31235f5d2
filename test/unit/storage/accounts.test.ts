/** Accounts, codes, tokens and device links, and the channel of the operators' tools. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashSecret } from '../../../storage/account-secrets.ts'
import { type Accounts, createAccounts } from '../../../storage/accounts.ts'
import { connect, disconnect } from '../../../storage/db.ts'
import { callTools, listenTools } from '../../../storage/tools-channel.ts'
import { archiveWrites } from '../../archive-writes.ts'
import { journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase
let accounts: Accounts
const password = randomBytes(32).toString('hex')
const idOf = (number: number): string => `12121212-0000-4000-8000-00000000000${number}`

beforeAll(async () => {
  database = await testDatabase()
  accounts = createAccounts(database.sql)
  const store = await openStore(database.connection)
  const register = (number: number) => ({
    method: 'createPlayer',
    secret: { passwordHash: hashSecret(password).toString('hex') },
    args: {
      playerId: idOf(number),
      number,
      username: `N${number}`,
      usernameKey: `n${number}`,
      empire: 'solarian',
    },
  })
  await store.commit(journalRow(1), archiveWrites([1, 2, 3].map(register)))
  await store.close()
})
afterAll(async () => {
  await database.close()
})

test('a player is found by name and id, with the hash of the password', async () => {
  const found = await accounts.findByUsernameKey('n1')
  expect(found).toMatchObject({ playerId: idOf(1), number: 1, username: 'N1', accountId: null })
  expect(found?.passwordHash).toEqual(hashSecret(password))
  expect(await accounts.findByUsernameKey('nobody')).toBeUndefined()
  expect(await accounts.findByPlayerId("x' or true --")).toBeUndefined()
  expect(await accounts.setPassword(idOf(1), hashSecret('other'))).toBe(true)
  const changed = await accounts.findByNumber(1)
  expect(changed?.passwordHash).toEqual(hashSecret('other'))
  expect(await accounts.setPassword('no-id', hashSecret('x'))).toBe(false)
})

test('a registration code stays the same until it is rotated', async () => {
  await accounts.accountOf('sub', { email: 'a@example.org' })
  const code = await accounts.registrationCode('sub')
  expect(await accounts.registrationCode('sub')).toBe(code)
  const next = await accounts.rotateRegistrationCode('sub')
  expect(next).not.toBe(code)
  expect(await accounts.accountByCode(code)).toBeUndefined()
  expect(await accounts.accountByCode(next)).toBe('sub')
  await accounts.setNewsletter('sub', true)
  expect(await accounts.accountOf('sub', { username: 'u' })).toEqual({
    accountId: 'sub',
    email: 'a@example.org',
    username: 'u',
    registrationCode: next,
    newsletter: true,
  })
})

test('a player is claimed once', async () => {
  const code = await accounts.registrationCode('sub')
  expect(await accounts.linkPlayer(idOf(1), 'wrong')).toMatchObject({
    code: 'invalid_registration_code',
  })
  expect(await accounts.linkPlayer(idOf(1), code)).toMatchObject({ ok: true })
  const other = await accounts.registrationCode('other')
  expect(await accounts.linkPlayer(idOf(1), other)).toMatchObject({ code: 'already_claimed' })
  const players = await accounts.playersOf('sub')
  expect(players).toEqual([
    { player_id: idOf(1), username: 'N1', claimed_at: expect.stringMatching(/Z$/) },
  ])
  expect(await accounts.playersOf('other')).toEqual([])
})

test('a login token works once within five minutes', async () => {
  const { token, expiresAt } = await accounts.issueLoginToken(idOf(2))
  expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(290_000)
  const both = await Promise.all([
    accounts.redeemLoginToken(token),
    accounts.redeemLoginToken(token),
  ])
  expect(both.filter((outcome) => outcome.ok).length).toBe(1)
  const expired = await accounts.issueLoginToken(idOf(2))
  await database.sql`update login_token set expires_at = now() - interval '1 second'`
  expect(await accounts.redeemLoginToken(expired.token)).toMatchObject({ code: 'invalid_token' })
  await accounts.issueLoginToken(idOf(2))
  await accounts.sweep()
})

test('a device link is approved by a human and logs in once', async () => {
  const opened = await accounts.openDeviceLink('10.0.0.1')
  if (!opened.ok) throw new Error('refused')
  const { deviceCode, userCode } = opened.result
  expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  expect(await accounts.pollDeviceLink(deviceCode)).toMatchObject({
    result: { status: 'authorization_pending', interval: 5 },
  })
  expect(await accounts.pollDeviceLink(deviceCode)).toMatchObject({
    result: { status: 'slow_down', interval: 10 },
  })
  expect(await accounts.deviceLinkStatus(userCode)).toBe('pending')
  expect(await accounts.decideDeviceLink(userCode, idOf(2))).toMatchObject({ ok: true })
  expect(await accounts.decideDeviceLink(userCode, null)).toMatchObject({ code: 'expired_token' })
  expect(await accounts.pollDeviceLink(deviceCode)).toMatchObject({
    result: { status: 'approved', playerId: idOf(2) },
  })
  expect(await accounts.pollDeviceLink(deviceCode)).toMatchObject({ code: 'expired_token' })
})

test('a device link may be denied, and an address may open ten', async () => {
  const open = () => accounts.openDeviceLink('10.0.0.2')
  const first = await open()
  if (!first.ok) throw new Error('refused')
  await accounts.decideDeviceLink(first.result.userCode, null)
  expect(await accounts.pollDeviceLink(first.result.deviceCode)).toMatchObject({
    code: 'access_denied',
  })
  for (let i = 0; i < 10; i++) expect((await open()).ok).toBe(true)
  expect(await open()).toMatchObject({ ok: false, code: 'rate_limited' })
})

test('a device link expires after 600 s, or 60 s after it was approved', async () => {
  const open = async (address: string) => {
    const opened = await accounts.openDeviceLink(address)
    if (!opened.ok) throw new Error('refused')
    return opened.result
  }
  const secondsLeft = async (userCode: string): Promise<number> => {
    const rows = await database.sql<{ seconds: number }[]>`
      select round(extract(epoch from expires_at - now()))::int as seconds
      from device_link where user_code = ${userCode}`
    return rows[0].seconds
  }
  const expire = (userCode: string) => database.sql`
    update device_link set expires_at = now() - interval '1 second' where user_code = ${userCode}`
  const unanswered = await open('10.0.0.3')
  expect(unanswered.expiresIn).toBe(600)
  expect(await secondsLeft(unanswered.userCode)).toBeGreaterThan(590)
  await expire(unanswered.userCode)
  expect(await accounts.pollDeviceLink(unanswered.deviceCode)).toMatchObject({
    code: 'expired_token',
  })
  expect(await accounts.deviceLinkStatus(unanswered.userCode)).toBeUndefined()
  expect(await accounts.decideDeviceLink(unanswered.userCode, idOf(2))).toMatchObject({
    code: 'expired_token',
  })
  const approved = await open('10.0.0.3')
  await accounts.decideDeviceLink(approved.userCode, idOf(2))
  expect(await secondsLeft(approved.userCode)).toBeLessThanOrEqual(60)
  await expire(approved.userCode)
  expect(await accounts.pollDeviceLink(approved.deviceCode)).toMatchObject({
    code: 'expired_token',
  })
  const unknown = '0'.repeat(64)
  expect(await accounts.pollDeviceLink(unknown)).toMatchObject({ code: 'expired_token' })
})

test('a server that does not answer the greeting is not sent the request', async () => {
  const kinds: string[] = []
  const busy = await database.sql.listen(`orrery_tools_${database.connection.schema}`, (text) => {
    const { request } = JSON.parse(text) as { request?: { kind: string } }
    if (request) kinds.push(request.kind)
  })
  const request = { kind: 'correct', args: { command: 'grant' } }
  await expect(callTools(database.sql, request, 300)).rejects.toThrow(/no server runs/)
  expect(kinds).toEqual(['hello'])
  await busy.unlisten()
})

test('worlds whose schemas have long names with one prefix do not share a channel', async () => {
  const [first, second] = ['a', 'b'].map((end) =>
    connect({ ...database.connection, schema: `${'w'.repeat(50)}${end}` }, { name: 'test' }),
  )
  const stop = await listenTools(first, async () => ({ ok: true }))
  try {
    await expect(callTools(second, { kind: 'snapshot' }, 300)).rejects.toThrow(/no server runs/)
    expect(await callTools(first, { kind: 'snapshot' })).toEqual({ ok: true })
  } finally {
    await stop()
    for (const sql of [first, second]) await disconnect(sql)
  }
})

test('tools reach the running server, and fail if none runs', async () => {
  await expect(callTools(database.sql, { kind: 'snapshot' }, 500)).rejects.toThrow(/no server runs/)
  const stop = await listenTools(database.sql, async (request) => {
    if (request.kind !== 'snapshot') throw new Error('unknown request')
    await new Promise((done) => setTimeout(done, 50))
    return { ok: true, result: { batch: 5, args: request.args } }
  })
  expect(await callTools(database.sql, { kind: 'snapshot', args: { a: 1 } })).toEqual({
    ok: true,
    result: { batch: 5, args: { a: 1 } },
  })
  expect(await callTools(database.sql, { kind: 'other' })).toEqual({
    ok: false,
    text: 'unknown request',
  })
  await stop()
})
