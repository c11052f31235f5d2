/**
 * Tables of hostile input against one server: frames that break RFC 6455, JSON that parsers stumble
 * over in every field, request_ids, odd HTTP. Source: RELIABILITY 5, B3, B4, B5, B7.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDice } from '../../core/dice.ts'
import { type TestDatabase, testDatabases } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { judge } from './attempts.ts'
import { BREACHES, type Breach } from './breaches.ts'
import { type HttpCase, httpCases } from './http-cases.ts'
import { createPatience, type Patience, sleep } from './patience.ts'
import { createPlayer, logInAgain, type Player, registerPlayer, socketOf } from './player.ts'
import { CLOSE, frameOf, framesIn, handshake, openRaw, PONG, type Raw, TEXT } from './raw.ts'
import { TRAPS } from './traps.ts'
import { fieldsOf, validParams } from './values.ts'

let databases: TestDatabase[]
let server: TestServer
let patience: Patience
const logged: string[] = []
const uncaught: string[] = []
const recordUncaught = (error: unknown): void => void uncaught.push(String(error))

beforeAll(async () => {
  process.on('uncaughtException', recordUncaught)
  process.on('unhandledRejection', recordUncaught)
  databases = await testDatabases()
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields: object, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`),
  }
  server = await startTestServer(databases[databases.length - 1], { hooks: { log } })
  patience = createPatience()
})
afterAll(async () => {
  patience.stop()
  await server.stop()
  for (const database of databases) await database.close()
  process.off('uncaughtException', recordUncaught)
  process.off('unhandledRejection', recordUncaught)
})

/** Expects the server to be alive, without logged or uncaught errors. */
async function expectSound(): Promise<void> {
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect([...logged, ...uncaught]).toEqual([])
  expect(server.link.ends()).toBe(0)
}

let names = 0
async function newPlayer(framing: Parameters<typeof createPlayer>[1]): Promise<Player> {
  const player = createPlayer(server.url, framing, server.net.net.registry)
  names += 1
  await registerPlayer(player, patience, `Case ${names}`)
  return player
}

/* ---- B3 ---- */

const textsIn = (received: Buffer): string[] =>
  framesIn(received).flatMap(({ opcode, text }) => (opcode === TEXT ? [text] : []))

async function openSocket(path: string, isLoggedIn: boolean): Promise<Raw> {
  const raw = await openRaw(server.port)
  raw.write(handshake(path))
  await patience.within(
    5,
    raw.until((got) => textsIn(got).length > 0),
    () => 'welcome',
  )
  if (!isLoggedIn) return raw
  names += 1
  const payload = { username: `Breach ${names}`, empire: 'nebula', registration_code: 'x' }
  const frame = { type: 'register', tool: 'game_auth', action: 'register', payload }
  raw.write(frameOf(TEXT, JSON.stringify(frame)))
  const isIn = (got: Buffer): boolean => textsIn(got).some((text) => text.includes('"logged_in"'))
  await patience.within(5, raw.until(isIn), () => 'logged_in')
  return raw
}

const isAnswer = (text: string): boolean => /"type":"(ok|error|result)"/.test(text)

async function provoke(breach: Breach, path: string, isLoggedIn: boolean): Promise<void> {
  const raw = await openSocket(path, isLoggedIn)
  const before = textsIn(raw.received()).length
  if (breach.isLast) raw.finish(breach.bytes)
  else raw.write(breach.bytes)
  const answers = (got: Buffer): string[] => textsIn(got).slice(before).filter(isAnswer)
  const isOver = (got: Buffer): boolean => {
    if (breach.reaction === 'pongs') return framesIn(got).some(({ opcode }) => opcode === PONG)
    const isEnd = framesIn(got).some(({ opcode }) => opcode === CLOSE)
    return isEnd || (breach.reaction !== 'ends' && answers(got).length > 0)
  }
  const where = `${breach.what} on ${path}${isLoggedIn ? ' after login' : ''}`
  // Large messages take longer than the rest on a busy machine.
  const seconds = breach.bytes.length > 100_000 ? 5 : 1
  await patience.within(seconds, raw.until(isOver), () => where)
  const got = raw.received()
  const isEnd = raw.isClosed || framesIn(got).some(({ opcode }) => opcode === CLOSE)
  if (breach.reaction === 'ends') expect({ where, isEnd }).toEqual({ where, isEnd: true })
  if (breach.reaction === 'answers') {
    const [answer = 'none'] = answers(got)
    const code = /"code":"([a-z_]+)"/.exec(answer)?.[1]
    expect({ where, answer: answer.slice(0, 20) }).not.toEqual({ where, answer: 'none' })
    // Without a code any answer will do: before login the bound on size is lower.
    if (breach.code) expect({ where, code }).toEqual({ where, code: breach.code })
  }
  raw.destroy()
}

for (const path of ['/ws', '/ws/v2']) {
  for (const isLoggedIn of [false, true]) {
    test(`protocol breaches end or are answered on ${path}${isLoggedIn ? ' after login' : ''}`, async () => {
      for (const breach of BREACHES) await provoke(breach, path, isLoggedIn)
      await expectSound()
    })
  }
}

/* ---- B4 ---- */

const PLAYERS_AT_ONCE = 6

test('every trap in every field is refused or answered, on both WebSocket versions', async () => {
  const dice = createDice(1)
  for (const framing of ['ws1', 'ws2'] as const) {
    const first = await newPlayer(framing)
    const jobs = first.defs
      .filter((def) => def.name !== 'logout')
      .flatMap((def) => fieldsOf(def, framing === 'ws2').map((field) => ({ def, field })))
      .flatMap((job) => TRAPS.map((trap) => ({ ...job, trap })))
    const failures: string[] = []
    const work = async (player: Player): Promise<void> => {
      for (let job = jobs.pop(); job; job = jobs.pop()) {
        const { def, field, trap } = job
        const fields = fieldsOf(def, framing === 'ws2')
        const params = { ...validParams(dice, fields, player.pool), [field.name]: '@@hole@@' }
        const text = JSON.stringify(params).replace('"@@hole@@"', () => trap.raw)
        const message = player.driver.compose(def, text, '"trap"')
        const what = `${def.name} ${field.name}: ${trap.what}`
        const answer = await patience.within(2, player.driver.send(message), () => what)
        const wrong = judge({ kind: 'trap', what, message, def }, answer)
        if (wrong) failures.push(`${framing} ${what}: ${wrong} ${answer.text}`)
        if (!player.driver.isOpen) await logInAgain(player, patience)
      }
    }
    const others = await Promise.all(
      Array.from({ length: PLAYERS_AT_ONCE - 1 }, () => newPlayer(framing)),
    )
    const count = jobs.length
    await Promise.all([first, ...others].map(work))
    console.log(`${framing}: ${count} traps`)
    expect(failures).toEqual([])
    while (server.link.pending() > 0) await server.link.step(1)
    for (const player of [first, ...others]) await player.driver.close()
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  await expectSound()
})

/* ---- B5 ---- */

const ROCKET = '\u{1f680}'
const REQUEST_IDS: readonly (readonly [string, unknown, string])[] = [
  ['empty', '', ''],
  ['128 characters', 'x'.repeat(128), ''],
  ['129 characters', 'x'.repeat(129), 'invalid_request_id'],
  ['128 astral characters', ROCKET.repeat(128), ''],
  ['129 astral characters', ROCKET.repeat(129), 'invalid_request_id'],
  ['128 characters, half of them combining', 'e\u0301'.repeat(64), ''],
  ['129 characters, most of them combining', `e${'\u0301'.repeat(128)}`, 'invalid_request_id'],
  ['NUL', 'a\u0000', 'invalid_request_id'],
  ['a lone surrogate', '\ud83d', 'invalid_request_id'],
  ['a number', 7, 'invalid_payload'],
  ['true', true, 'invalid_payload'],
  ['null', null, 'invalid_payload'],
  ['a list', ['a'], 'invalid_payload'],
  ['an object', { id: 'a' }, 'invalid_payload'],
]

test('a valid request_id is echoed, an invalid one is refused and not echoed', async () => {
  for (const framing of ['ws1', 'ws2'] as const) {
    const player = await newPlayer(framing)
    const def = player.defs.find(({ name }) => name === 'get_version')
    if (!def) throw new Error('there is no get_version')
    for (const [what, id, code] of REQUEST_IDS) {
      const message = player.driver.compose(def, '{}', JSON.stringify(id))
      const answer = await patience.within(2, player.driver.send(message), () => what)
      expect({ what, code: answer.code, id: answer.requestId }).toEqual({
        what,
        code,
        id: code === '' ? id : undefined,
      })
    }
    expect(socketOf(player.driver)?.breaches()).toEqual([])
    await player.driver.close()
  }
})

/* ---- B7 ---- */

const answersIn = (received: Buffer): string[] =>
  received
    .toString('latin1')
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter((part) => part.startsWith('HTTP/'))

async function request(testCase: HttpCase): Promise<void> {
  const { what } = testCase
  const raw = await openRaw(server.port)
  if (testCase.isAborted) {
    raw.write(testCase.bytes)
    await sleep(5)
    raw.destroy()
    return
  }
  if (testCase.isLast) raw.finish(testCase.bytes)
  else raw.write(testCase.bytes)
  const wanted = testCase.answers ?? 1
  const isWhole = (got: Buffer): boolean => {
    const answers = answersIn(got)
    return answers.length >= wanted && answers[wanted - 1].includes('\r\n\r\n')
  }
  const seconds = testCase.bytes.length > 100_000 ? 5 : 1
  await patience.within(seconds, raw.until(isWhole), () => what)
  // The body may arrive after the head.
  if (testCase.code)
    await patience.within(
      1,
      raw.until((got) => got.includes('"code"')),
      () => what,
    )
  const [answer = ''] = answersIn(raw.received())
  const status = Number(answer.slice(9, 12))
  if (testCase.status !== 'any') expect({ what, status }).toEqual({ what, status: testCase.status })
  expect({ what, isBug: status >= 500 }).toEqual({ what, isBug: false })
  if (testCase.code)
    expect({ what, answer }).toMatchObject({
      answer: expect.stringContaining(`"${testCase.code}"`),
    })
  raw.destroy()
}

test('odd, cut and hostile requests get their error, or the end of the connection', async () => {
  const v1 = (await newPlayer('http1')).driver.session ?? ''
  const v2 = (await newPlayer('http2')).driver.session ?? ''
  const fresh = createPlayer(server.url, 'http1', server.net.net.registry).driver
  await fresh.open()
  const expired = (await newPlayer('http1')).driver.session ?? ''
  const session = server.net.net.pools.pools.http1.get(expired)
  if (!session) throw new Error('the session is not in its pool')
  session.deadlineMs = -1
  const cases = httpCases({ v1, v2, fresh: fresh.session ?? '', expired })
  for (const testCase of cases) {
    await request(testCase)
    // Stays below the flood guard of a session, which is not tested here.
    await sleep(12)
  }
  while (server.link.pending() > 0) await server.link.step(1)
  console.log(`${cases.length} requests`)
  await expectSound()
})
