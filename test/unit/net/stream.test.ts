/** Answers that are streamed in pieces, over real sockets of both listeners. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ANSWER_PIECE_BYTES, ANSWER_WHOLE_MS } from '../../../core/limits.ts'
import { type Answers, createAnswers, type Stream, sweepAnswers } from '../../../net/http/answer.ts'
import { createBodies } from '../../../net/http/body.ts'
import type { Exchange } from '../../../net/http/exchange.ts'
import { listen } from '../../../net/server.ts'
import { createUnread } from '../../../net/session/unread.ts'
import { createSockets } from '../../../net/ws/conn.ts'
import type { Listener } from '../../../net/ws/listener.ts'
import { startOn } from '../../fault/program.ts'

/** More than the buffers at both ends of a socket hold. */
const LONG = 'x'.repeat(32 * 1024 * 1024)

const PATIENCE = { timeout: 5_000 }

/** Longer than the 10 s, checked every 4 s, after which the native library ends idle sockets. */
const SILENT_MS = 15_000

interface Streaming {
  readonly answers: Answers
  readonly port: number
  /** Resolves to the next request. */
  next(): Promise<Exchange>
  /** Requests an answer in pieces; resolves once its head has arrived. */
  ask(): Promise<{ exchange: Exchange; stream: Stream; response: IncomingMessage }>
}

const listeners: Listener[] = []
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.stop()
})

async function startStreaming(isFallback: boolean): Promise<Streaming> {
  const unread = createUnread(false)
  const answers = createAnswers(unread)
  const requests: Exchange[] = []
  const bodyTerms = () => ({ share: 'a', address: 'a', pace: 'a', bytesMax: 0, charge: () => true })
  const listener = await startOn(isFallback, () =>
    listen('127.0.0.1', 0, {
      sockets: createSockets(unread),
      door: {
        bodies: createBodies(),
        answers,
        admit: () => 'passed',
        admitBare: () => true,
        bodyTerms,
      },
      request: (exchange) => void requests.push(exchange),
      upgradeStatus: () => 404,
      opened: () => undefined,
    }),
  )
  listeners.push(listener)
  const next = async (): Promise<Exchange> => {
    await expect.poll(() => requests.length).toBe(1)
    return requests.splice(0)[0]
  }
  return {
    answers,
    port: listener.port,
    next,
    ask: async () => {
      const outgoing = get({ port: listener.port, host: '127.0.0.1', agent: false })
      outgoing.on('error', () => undefined)
      const exchange = await next()
      const stream = exchange.stream(200, { 'content-type': 'text/event-stream' })
      stream.write('head ')
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      response.on('error', () => undefined)
      return { exchange, stream, response }
    },
  }
}

test('a stream survives long silence, on either listener', async () => {
  const [native, node] = [await startStreaming(false), await startStreaming(true)]
  const streams = [await native.ask(), await node.ask()]
  const received: string[] = []
  for (const { response } of streams) response.on('data', (piece) => received.push(String(piece)))
  await new Promise((resolve) => setTimeout(resolve, SILENT_MS))
  for (const { exchange, stream } of streams) {
    expect(exchange.isDone()).toBe(false)
    stream.write('again')
  }
  await expect.poll(() => received.slice(-2)).toEqual(['again', 'again'])
  for (const { stream } of streams) stream.end()
})

describe.each([
  ['native', false],
  ['node', true],
])('on the %s listener', (_, isFallback) => {
  test('each piece arrives before the next is written, and nothing follows the end', async () => {
    const { ask } = await startStreaming(isFallback)
    const { exchange, stream, response } = await ask()
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'transfer-encoding': 'chunked',
    })
    const received: string[] = []
    response.on('data', (piece) => received.push(String(piece)))
    for (const piece of ['one', 'two']) {
      stream.write(piece)
      await expect.poll(() => received.at(-1)).toBe(piece)
    }
    exchange.respond(500, {}, 'another answer')
    exchange.stream(500, {}).write('another answer')
    expect(exchange.isDone()).toBe(false)
    stream.end()
    expect(exchange.isDone()).toBe(true)
    stream.write('late')
    stream.end()
    await once(response, 'end')
    expect(received.join('')).toBe('head onetwo')
  })

  test('bytes are written at once, or wait and are reported as pending', async () => {
    const { ask } = await startStreaming(isFallback)
    const { stream, response } = await ask()
    expect([stream.write(Buffer.from('bytes')), stream.write('')]).toEqual([true, true])
    await expect.poll(() => stream.pending()).toBe(0)
    expect(stream.write(LONG)).toBe(false)
    expect(stream.pending()).toBeGreaterThan(ANSWER_PIECE_BYTES)
    let bytes = 0
    response.on('data', (piece: Buffer) => {
      bytes += piece.byteLength
    })
    await expect.poll(() => stream.pending(), PATIENCE).toBe(0)
    // The native library may keep the end of a long text until more is written.
    stream.write('!')
    await expect.poll(() => bytes, PATIENCE).toBe(`head bytes${LONG}!`.length)
    stream.end()
    expect([stream.write('late'), stream.pending()]).toEqual([false, 0])
    await once(response, 'end')
  })

  test('HEAD is answered without a body, and its connection stays usable', async () => {
    const { port, next } = await startStreaming(isFallback)
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (bytes) => {
      received += String(bytes)
    })
    for (const method of ['HEAD', 'GET']) {
      socket.write(`${method} / HTTP/1.1\r\nhost: a\r\n\r\n`)
      const exchange = await next()
      const stream = exchange.stream(200, { 'content-type': 'text/event-stream' })
      stream.write(`to ${method}`)
      stream.end()
      expect(exchange.isDone()).toBe(true)
      const heads = method === 'HEAD' ? 1 : 2
      await expect.poll(() => received.split('HTTP/1.1 200 OK').length).toBe(heads + 1)
      if (method === 'HEAD') expect(received).toMatch(/text\/event-stream\r\n(.+\r\n)+\r\n$/)
    }
    await expect.poll(() => received).toContain('to GET')
    expect(received).not.toContain('to HEAD')
    socket.destroy()
  })

  test('unread bytes are counted until they are read, and arrive completely', async () => {
    const { answers, ask } = await startStreaming(isFallback)
    const { stream, response } = await ask()
    stream.write(LONG)
    stream.write(' tail')
    await expect.poll(() => answers.unread.bytes).toBeGreaterThan(ANSWER_PIECE_BYTES)
    expect(answers.waiting.size).toBe(1)
    let text = ''
    response.on('data', (piece) => {
      text += String(piece)
    })
    // All of it arrives though nothing more is written.
    await expect.poll(() => text.length, PATIENCE).toBe(`head ${LONG} tail`.length)
    expect(text === `head ${LONG} tail`).toBe(true)
    expect([answers.unread.bytes, answers.waiting.size]).toEqual([0, 0])
    stream.end()
    await once(response, 'end')
  })

  test('a client that does not read is cut off, and later writes are ignored', async () => {
    const { answers, ask } = await startStreaming(isFallback)
    const { exchange, stream, response } = await ask()
    let aborted = 0
    exchange.onAborted(() => {
      aborted += 1
    })
    stream.write(LONG)
    await expect.poll(() => answers.waiting.size).toBe(1)
    sweepAnswers(answers, ANSWER_WHOLE_MS)
    await expect.poll(() => aborted).toBe(1)
    expect(exchange.isDone()).toBe(true)
    stream.write('late')
    stream.end()
    expect([answers.unread.bytes, answers.waiting.size]).toEqual([0, 0])
    response.destroy()
    const next = await ask()
    next.stream.end()
    next.response.resume()
    await once(next.response, 'end')
  })

  test('a client that goes away ends the exchange, and later writes are ignored', async () => {
    const { answers, ask } = await startStreaming(isFallback)
    const { exchange, stream, response } = await ask()
    response.destroy()
    await expect.poll(() => exchange.isDone()).toBe(true)
    stream.write('late')
    stream.end()
    exchange.respond(500, {}, 'another answer')
    expect([answers.unread.bytes, answers.waiting.size]).toEqual([0, 0])
  })
})
