/** Frames that a client may send: shapes, sizes, floods; and clients that do not read. */
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ok } from '../../../core/errors.ts'
import { OUTBOUND_BYTES_MAX } from '../../../core/limits.ts'
import { type FakeNet, startFakeNet } from './fake-net.ts'
import { connect, loggedIn } from './ws-client.ts'

const nets: FakeNet[] = []
const startNet = async (config = {}): Promise<FakeNet> => {
  const started = await startFakeNet(config)
  nets.push(started)
  return started
}
afterEach(async () => {
  for (const started of nets.splice(0)) await started.close()
})

describe('frames of bad shape', () => {
  test.each([
    ['not json', 'invalid_json', undefined],
    ['{"type":"get_status","request_id":"a"}{}', 'invalid_json', undefined],
    [{ type: 'get_version', request_id: 'x'.repeat(129) }, 'invalid_request_id', undefined],
    [{ type: 'get_version', request_id: 7 }, 'invalid_payload', undefined],
    [{ type: 'get_status', request_id: 'a' }, 'not_authenticated', 'a'],
    [{ type: 'fly', request_id: 'a' }, 'unknown_command', 'a'],
    [{ type: 'internal:bind', request_id: 'a' }, 'unknown_command', 'a'],
  ])('%j is refused with %s', async (frame, code, id) => {
    const { port } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    client.send(frame)
    const answer = await client.next()
    expect(answer.payload.code).toBe(code)
    expect(answer.request_id).toBe(id)
  })

  test('a request_id that is no clean text is not called too long', async () => {
    const { port } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    for (const id of ['a\u0000', '\ud83d']) {
      client.send({ type: 'get_version', request_id: id })
      const { payload } = await client.next()
      expect(payload).toMatchObject({
        code: 'invalid_request_id',
        message: 'request_id must not have NUL or a lone surrogate; send another, or none.',
      })
    }
  })

  test('up to 64 commands are unanswered at once, and later ones wait, up to a bound', async () => {
    const { port, thread, clock } = await startNet()
    const client = await loggedIn(port, '/ws/v2')
    const slow = (id: string) => client.send({ tool: 'game', action: 'slow_query', request_id: id })
    for (let index = 0; index < 64; index++) slow(`s${index}`)
    const askVersion = (id: string) =>
      client.send({ tool: 'game', action: 'get_version', request_id: id })
    for (let index = 0; index < 200; index++) askVersion(`v${index}`)
    const padding = 'x'.repeat(500 * 1024)
    const askWithPadding = (id: string) =>
      client.send({ tool: 'game', action: 'get_version', padding, request_id: id })
    for (const id of ['v200', 'v201', 'one too many']) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      clock.advance(2_000)
      askWithPadding(id)
    }
    // Only the one too many has been answered.
    expect(await client.next()).toMatchObject({
      payload: { code: 'rate_limited', details: { limit: 'unanswered' } },
    })
    thread().releaseSlow()
    const ids: unknown[] = []
    for (let index = 0; index < 266; index++) ids.push((await client.next()).request_id)
    expect(ids.slice(0, 64).every((id) => String(id).startsWith('s'))).toBe(true)
    expect(new Set(ids).size).toBe(266)
  })

  test('an unreadable frame without an id is refused in its turn on v1', async () => {
    const { port, thread } = await startNet()
    const client = await loggedIn(port, '/ws')
    for (let index = 0; index < 64; index++) client.send({ type: 'slow_query' })
    client.send({ type: 'get_version' })
    client.ws.send(Buffer.from('{}'))
    client.send(`{"type":"${'x'.repeat(513 * 1024)}"}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    thread().releaseSlow()
    for (let index = 0; index < 64; index++) expect((await client.next()).type).toBe('ok')
    const rest = [await client.next(), await client.next(), await client.next()]
    const codes = rest.map(({ type, payload }) => payload.code ?? type)
    expect(codes).toEqual(['ok', 'invalid_json', 'payload_too_large'])
  })

  test('a request_id may have 128 astral characters', async () => {
    const { port } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    const id = '\u{1f680}'.repeat(128)
    client.send({ type: 'get_version', request_id: id })
    expect((await client.next()).request_id).toBe(id)
  })

  test('binary, too large and invalid frames are refused without closing the socket', async () => {
    const { port } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    client.ws.send(Buffer.from('{}'))
    expect((await client.next()).payload.code).toBe('invalid_json')
    client.send(`{"type":"${'x'.repeat(17 * 1024)}"}`)
    expect((await client.next()).payload.code).toBe('payload_too_large')
    client.send({ type: 'catalog', payload: { type: 5 } })
    expect((await client.next()).payload).toMatchObject({
      code: 'invalid_payload',
      details: { fields: [{ field: 'type', expected: 'string' }] },
    })
  })

  test('a flood is answered rate_limited, and the socket stays', async () => {
    const { port, clock } = await startNet()
    const client = connect(port, '/ws')
    await client.next()
    for (let index = 0; index < 330; index++)
      client.send({ type: 'get_version', request_id: `${index}` })
    while (client.frames.length < 331) await new Promise((resolve) => setTimeout(resolve, 10))
    const limited = client.frames.filter(({ payload }) => payload.code === 'rate_limited')
    expect(limited).toHaveLength(30)
    expect(limited[0].payload).toMatchObject({ wait_seconds: 1, details: { retry_after: 1 } })
    clock.advance(1000)
    client.send({ type: 'get_version', request_id: 'after' })
    while (client.frames.at(-1)?.request_id !== 'after')
      await new Promise((resolve) => setTimeout(resolve, 10))
  })
})

describe('connections of one address', () => {
  test('share their allowance until they log in', async () => {
    const { port, clock } = await startNet()
    const [one, other] = [connect(port, '/ws'), connect(port, '/ws')]
    for (const client of [one, other]) await client.next()
    const player = await loggedIn(port, '/ws')
    const ask = async (client: typeof one, request_id: string) => {
      client.send({ type: 'get_version', request_id })
      return (await client.next()).payload.code
    }
    for (let index = 0; index < 299; index++)
      expect(await ask(one, `${index}`)).not.toBe('rate_limited')
    expect(await ask(other, 'late')).toBe('rate_limited')
    expect(await ask(player, 'mine')).not.toBe('rate_limited')
    clock.advance(1_000)
    expect(await ask(other, 'again')).not.toBe('rate_limited')
  })
})

describe('answers that wait for an earlier one', () => {
  test('count as unread: too many close the connection', async () => {
    const { port, disk } = await startNet()
    disk.statusOutcome = ok({ text: 'x'.repeat(1 << 20) })
    const client = await loggedIn(port, '/ws')
    client.send({ type: 'slow_query' })
    for (let sent = 0; sent <= OUTBOUND_BYTES_MAX; sent += 1 << 20)
      client.send({ type: 'get_status' })
    expect(await client.closed).toEqual({ code: 1000, reason: 'outbound queue full' })
  })
})

describe('a result that cannot be framed', () => {
  test('is internal_error for that command only', async () => {
    const { port, disk, lines } = await startNet()
    disk.statusOutcome = ok({ n: 1n })
    const client = await loggedIn(port, '/ws')
    client.send({ type: 'get_status', request_id: 'a' })
    expect(await client.next()).toMatchObject({
      type: 'error',
      request_id: 'a',
      payload: { code: 'internal_error' },
    })
    expect(lines).toHaveLength(1)
    client.send({ type: 'get_version' })
    expect((await client.next()).type).toBe('ok')
  })
})

describe('a slow reader', () => {
  test('is closed with 1000 when its queue is full; others get everything', async () => {
    const { port, thread, server } = await startNet()
    const slow = await loggedIn(port, '/ws', 'ada')
    const quick = await loggedIn(port, '/ws', 'bob')
    slow.ws.pause()
    const text = 'x'.repeat(256 * 1024)
    const sent = 64
    for (let index = 0; index < sent; index++) {
      thread().emit([{ type: 'mining_yield', payload: { text, index }, to: [1, 2] }])
      await quick.next()
    }
    expect(server.net.bindings.players.get(1)).toBeUndefined()
    expect(server.net.bindings.players.get(2)?.socket).toBeDefined()
    slow.ws.resume()
    expect((await slow.closed).code).toBe(1000)
    const received = slow.frames.filter(({ type }) => type === 'mining_yield')
    expect(received.map(({ payload }) => payload.index)).toEqual(received.map((_, index) => index))
    expect(received.length).toBeLessThan(sent)
    expect(quick.ws.readyState).toBe(WebSocket.OPEN)
  })
})

describe('breaches of the protocol', () => {
  test.each([
    ['invalid UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28])],
    ['unmasked', Buffer.from(`\x81\x20${'x'.repeat(32)}\x81\x20${'x'.repeat(32)}`, 'latin1')],
    ['reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
    ['an unknown opcode', Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    ['a stray continuation', Buffer.from([0x80, 0x80, 0, 0, 0, 0])],
  ])('%s is answered or ends its own connection only', async (_name, bytes) => {
    const { port, lines } = await startNet()
    const other = await loggedIn(port, '/ws')
    const bad = connect(port, '/ws')
    await bad.next()
    ;(bad.ws as unknown as { _socket: { write(data: Buffer): void } })._socket.write(bytes)
    const reaction = await Promise.race([bad.closed, bad.next()])
    if ('code' in reaction) expect([1002, 1006, 1007]).toContain(reaction.code)
    else expect(reaction.payload.code).toBe('invalid_json')
    other.send({ type: 'get_status' })
    expect((await other.next()).type).toBe('ok')
    expect(lines).toEqual([])
  })
})
