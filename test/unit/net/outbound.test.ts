/** The outbound queue of a socket: bounded in frames, bytes and time. */
import { describe, expect, test } from 'vitest'
import {
  createOutbound,
  drainFrames,
  pushFrame,
  type RawSocket,
  sweepOutbound,
  unreadOf,
} from '../../../net/ws/outbound.ts'

interface FakeSocket extends RawSocket {
  held: number
  readonly sent: Buffer[]
}

/** Returns a socket that holds all bytes unread until the test lowers `held`. */
function fakeSocket(): FakeSocket {
  const sent: Buffer[] = []
  const raw: FakeSocket = {
    held: 0,
    sent,
    send: (head, tail) => {
      const frame = tail ? Buffer.concat([head, tail]) : head
      sent.push(frame)
      raw.held += frame.byteLength
    },
    sendText: (text) => {
      raw.send(Buffer.from(text))
      return Buffer.byteLength(text)
    },
    cork: (sendAll) => sendAll(),
    buffered: () => raw.held,
    ping: () => {},
    end: () => {},
    destroy: () => {},
  }
  return raw
}

const frame = (bytes: number) => Buffer.alloc(bytes, 'x')

describe('a socket that does not read', () => {
  test('overflows at 1,024 frames', () => {
    const raw = fakeSocket()
    const out = createOutbound(raw)
    pushFrame(out, frame(64 * 1024))
    let pushed = 0
    while (pushFrame(out, frame(10))) pushed += 1
    expect(pushed).toBe(1024)
    expect(raw.sent).toHaveLength(1)
  })

  test('overflows at 4 MiB, including the bytes that the library holds', () => {
    const raw = fakeSocket()
    const out = createOutbound(raw)
    pushFrame(out, frame(64 * 1024))
    let pushed = 0
    while (pushFrame(out, frame(512 * 1024))) pushed += 1
    expect(pushed).toBe(7)
    raw.held += 1
    expect(unreadOf(out)).toBe(7 * 512 * 1024 + 64 * 1024 + 1)
  })

  test('keeps a frame in two parts whole, and counts both parts', () => {
    const raw = fakeSocket()
    const out = createOutbound(raw)
    pushFrame(out, frame(64 * 1024))
    const tail = frame(1024 * 1024)
    let pushed = 0
    while (pushFrame(out, Buffer.from('head'), tail)) pushed += 1
    expect(pushed).toBe(3)
    raw.held = 0
    drainFrames(out)
    expect(raw.sent[1].toString('latin1', 0, 6)).toBe('headxx')
    expect(out.queuedBytes).toBe(2 * (tail.byteLength + 4))
  })

  test('is given up after 10 s without progress', () => {
    const raw = fakeSocket()
    const out = createOutbound(raw)
    pushFrame(out, frame(70 * 1024))
    sweepOutbound(out, 1000)
    for (let second = 0; second < 9; second++) expect(sweepOutbound(out, 1000)).toBe(true)
    raw.held -= 1
    expect(sweepOutbound(out, 1000)).toBe(true)
    for (let second = 0; second < 9; second++) expect(sweepOutbound(out, 1000)).toBe(true)
    expect(sweepOutbound(out, 1000)).toBe(false)
  })

  test('is given up once bytes have waited for 30 s, even if it reads a little', () => {
    const raw = fakeSocket()
    const out = createOutbound(raw)
    pushFrame(out, frame(1024 * 1024))
    const seconds: number[] = []
    for (let second = 1; seconds.length === 0 && second < 100; second++) {
      raw.held -= 1024
      if (!sweepOutbound(out, 1000)) seconds.push(second)
    }
    expect(seconds).toEqual([31])
  })

  test('is kept while it reads within 30 s what it is sent', () => {
    const raw = fakeSocket()
    const out = createOutbound(raw)
    pushFrame(out, frame(1024 * 1024))
    for (let second = 0; second < 300; second++) {
      raw.held -= 40 * 1024
      expect(sweepOutbound(out, 1000)).toBe(true)
      pushFrame(out, frame(40 * 1024))
    }
  })

  test('gets what was queued, in order, once it reads', () => {
    const raw = fakeSocket()
    const out = createOutbound(raw)
    pushFrame(out, frame(64 * 1024))
    for (const text of ['a', 'b', 'c']) pushFrame(out, Buffer.from(text))
    raw.held = 0
    drainFrames(out)
    expect(raw.sent.slice(1).map(String)).toEqual(['a', 'b', 'c'])
    expect(out.queuedBytes).toBe(0)
  })
})
