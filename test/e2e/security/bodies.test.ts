/**
 * Bodies and answers in transit, with both socket libraries: a body that does not end, one in small
 * chunks, several at once, and answers that nobody reads. Source: RELIABILITY 5 (A1, A2, A11).
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '../../../core/errors.ts'
import { sharedDatabase, type TestDatabase } from '../../databases.ts'
import { openRaw, type Raw } from '../../fuzz/raw.ts'
import { handshake, rpc } from './mcp-peer.ts'
import { enter, LIBRARIES, newVisitor, openStage, type Stage, type Visitor } from './stage.ts'

const KIB = 1024
const STATUS = '/api/v1/get_status'
const WITHIN_MS = 5_000

const headOf = (visitor: Visitor, path: string, ...lines: string[]): string =>
  `${[`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `X-Forwarded-For: ${visitor.ip}`, ...lines].join('\r\n')}\r\n\r\n`

/** Returns whether an answer is complete; the stub server writes its answers in chunks. */
function isAnswer(text: string): boolean {
  const [head, body] = text.split('\r\n\r\n', 2)
  const length = /content-length: (\d+)/i.exec(head)
  return length ? (body?.length ?? 0) >= Number(length[1]) : text.endsWith('\r\n0\r\n\r\n')
}

/** Resolves with what was received once it is a complete answer or the connection has ended. */
async function answered(raw: Raw): Promise<{ status: number; text: string }> {
  const timer = setTimeout(() => raw.destroy(), WITHIN_MS)
  await raw.until((got) => isAnswer(got.toString('latin1')))
  clearTimeout(timer)
  const text = raw.received().toString()
  raw.destroy()
  return { status: Number(text.slice(9, 12)), text }
}

let database: TestDatabase
beforeAll(async () => {
  database = await sharedDatabase()
})
afterAll(() => database.close())

describe.each(LIBRARIES)('with the %s library', (library) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(library, database)
  })
  afterAll(() => stage.close())

  test('a body that is incomplete after 15 s is answered with 408', async () => {
    const visitor = newVisitor(stage)
    const { session } = await enter(visitor)
    const { message } = ERRORS.request_timeout
    const heads = [
      headOf(visitor, STATUS, `X-Session-Id: ${session}`, 'Content-Length: 100'),
      headOf(visitor, STATUS, `X-Session-Id: ${session}`, 'Transfer-Encoding: chunked'),
      headOf(visitor, '/mcp', 'Content-Length: 100'),
    ]
    const raws = await Promise.all(heads.map(() => openRaw(stage.server.port)))
    for (const [i, raw] of raws.entries()) raw.write(`${heads[i]}${i === 1 ? '1\r\n{\r\n' : '{'}`)
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    await pause(100)
    // Seven sweeps of 2 s stand in for 14 s.
    for (let i = 0; i < 7; i++) stage.server.net.sweep(2_000)
    await pause(20)
    expect(raws.map((raw) => raw.received().byteLength)).toEqual([0, 0, 0])
    // One more sweep is enough, unless the heads arrived late.
    for (let i = 0; i < 20 && raws.some((raw) => raw.received().byteLength === 0); i++) {
      stage.server.net.sweep(2_000)
      await pause(20)
    }
    for (const raw of raws) {
      const { status, text } = await answered(raw)
      expect({ status, text }).toEqual({ status: 408, text: expect.stringContaining(message) })
      expect(text).toContain('"code":"request_timeout"')
    }
  })

  test('small chunks count for 256 bytes each, and too many of them are refused', async () => {
    const visitor = newVisitor(stage)
    const { session } = await enter(visitor)
    stage.clock.advance(10_000)
    const lines = [`X-Session-Id: ${session}`, 'Transfer-Encoding: chunked']
    const send = async (chunks: number, end: string) => {
      const raw = await openRaw(stage.server.port)
      raw.write(headOf(visitor, STATUS, ...lines) + `1\r\n \r\n`.repeat(chunks) + end)
      return answered(raw)
    }
    // A session may send 1 MiB a second, which is 4,096 chunks of 256 bytes.
    expect((await send(4_090, '2\r\n{}\r\n0\r\n\r\n')).status).toBe(200)
    const refused = await send(10, '')
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('"code":"rate_limited"')
    stage.clock.advance(1_000)
    expect((await send(4_200, '')).status).toBe(429)
  })

  test('bytes of incomplete bodies count, so a third body of a session is refused', async () => {
    const visitor = newVisitor(stage)
    const [{ session }, other] = [await enter(visitor), await enter(visitor)]
    stage.clock.advance(10_000)
    const begin = async (id: string, bytes: number): Promise<Raw> => {
      const raw = await openRaw(stage.server.port)
      const head = headOf(visitor, STATUS, `X-Session-Id: ${id}`, `Content-Length: ${512 * KIB}`)
      raw.write(head + ' '.repeat(bytes))
      return raw
    }
    const { http1 } = stage.server.net.net.pools.pools
    expect(http1.get(session)?.identity).toBeDefined()
    const first = await begin(session, 400 * KIB)
    const second = await begin(session, 400 * KIB)
    const rest = `${' '.repeat(112 * KIB - 2)}{}`
    // Three times 400 KiB is 1,200 KiB, and a second allows 1,024.
    const third = await begin(session, 400 * KIB)
    const refusals = await Promise.race([first, second, third].map(answered))
    expect(refusals.status).toBe(429)
    const elsewhere = await begin(other.session, 400 * KIB)
    elsewhere.write(rest)
    expect((await answered(elsewhere)).status).toBe(200)
  })

  test('LIMITS=off sets no limit to the pace of bodies', async () => {
    const open = await openStage(library, database, { LIMITS: 'off' })
    const visitor = newVisitor(open)
    const { session } = await enter(visitor)
    const body = `${' '.repeat(500 * KIB)}{}`
    for (let i = 0; i < 5; i++) {
      const raw = await openRaw(open.server.port)
      const length = `Content-Length: ${body.length}`
      raw.write(headOf(visitor, STATUS, `X-Session-Id: ${session}`, length))
      raw.write(body)
      expect((await answered(raw)).status).toBe(200)
    }
    await open.close()
  })

  const LAST_ID = 999
  const BATCH = JSON.stringify([
    ...Array.from({ length: 6 }, (_, i) => rpc('tools/list', {}, i)),
    rpc('ping', {}, LAST_ID),
  ])

  /** Turns of the event loop, which server and clients share here, to wait for an answer. */
  const ANSWER_TURNS = 25
  /** Turns without unread bytes after which an answer has left: it leaves in pieces. */
  const LEAVING_TURNS = 5

  /** Returns how many answers the server has made, and how many of their bytes it still holds. */
  async function countAnswers(): Promise<{ made: number; unread: number }> {
    const { requests, unread } = stage.server.net.net.metrics
    const [made, waiting] = [(await requests.get()).values, (await unread.get()).values]
    return { made: made.reduce((sum, { value }) => sum + value, 0), unread: waiting[0].value }
  }

  /** Opens a connection that can request close to 1 MiB at a time and reads nothing. */
  async function openAsker(visitor: Visitor): Promise<{ ask(): Promise<void>; socket: Socket }> {
    const opened = await handshake(visitor)
    const id = `Mcp-Session-Id: ${opened.headers.get('mcp-session-id')}`
    const type = 'Content-Type: application/json'
    const socket = connect(stage.server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    await once(socket, 'connect')
    const ask = async () => {
      const before = await countAnswers()
      socket.write(headOf(visitor, '/mcp', id, type, `Content-Length: ${BATCH.length}`) + BATCH)
      // The wait is bounded: a connection that was cut off gets no answer, and an answer stays in
      // the server when the system's buffer is full.
      for (let turn = 0, sent = 0; turn < ANSWER_TURNS && sent < LEAVING_TURNS; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 1))
        const { made, unread } = await countAnswers()
        sent = made > before.made && unread <= before.unread ? sent + 1 : 0
      }
      stage.clock.advance(1_000)
    }
    return { ask, socket }
  }

  /** Reads everything and returns how many answers were complete. */
  function readAnswers(socket: Socket): Promise<number> {
    const last = `"id":${LAST_ID}`
    return new Promise((resolve) => {
      let answers = 0
      let tail = ''
      socket.on('data', (chunk: Buffer) => {
        const text = tail + chunk.toString('latin1')
        answers += text.split(last).length - 1
        tail = text.slice(1 - last.length)
        // Only the last packet is smaller than the others.
        if (chunk.length < 64 * KIB && answers === ROUNDS) socket.destroy()
      })
      socket.on('close', () => resolve(answers))
      socket.resume()
    })
  }

  /** Rounds of 1 MiB: the system buffers 4 MiB for a client, and the rest waits in the process. */
  const ROUNDS = 5

  test('more than 16 MiB of unread answers cut off connections of their address only', async () => {
    const [stranger, other] = [newVisitor(stage), newVisitor(stage)]
    const own = await Promise.all(Array.from({ length: 24 }, () => openAsker(stranger)))
    const askAll = async () => {
      for (const { ask } of own) await ask()
    }
    for (let round = 1; round < ROUNDS; round++) await askAll()
    // Opened late, since the native library ends connections without traffic for ten seconds.
    const theirs = await openAsker(other)
    for (let round = 0; round < ROUNDS; round++) await theirs.ask()
    await askAll()
    expect((await other.post('/api/v2/game/help')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await readAnswers(theirs.socket)).toBe(ROUNDS)
    const counts = await Promise.all(own.map(({ socket }) => readAnswers(socket)))
    const uncut = counts.filter((answers) => answers === ROUNDS).length
    expect(uncut).toBeGreaterThan(0)
    expect(uncut).toBeLessThan(own.length)
  })
})
