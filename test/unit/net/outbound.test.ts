/** The queue of a socket is bounded, and a batch is handed out in slices. */
import { describe, expect, test } from 'vitest'
import { MUTE_CHANNELS } from '../../../core/event.ts'
import {
  createOutbound,
  drainFrames,
  publishEmissions,
  pushFrame,
  type RawSocket,
  sweepOutbound,
} from '../../../net/outbound.ts'
import { bindSocket, createBindings, type SocketClient } from '../../../net/session.ts'
import { testClock } from './fake-net.ts'
import { fakeRegistry } from './fake-world.ts'

interface FakeSocket extends RawSocket {
  held: number
  readonly sent: Buffer[]
}

/** Holds everything until the test takes it. */
function fakeSocket(): FakeSocket {
  const sent: Buffer[] = []
  const raw: FakeSocket = {
    held: 0,
    sent,
    send: (frame) => {
      sent.push(frame)
      raw.held += frame.byteLength
    },
    buffered: () => raw.held,
    ping: () => {},
    end: () => {},
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

  test('overflows at 4 MiB', () => {
    const out = createOutbound(fakeSocket())
    pushFrame(out, frame(64 * 1024))
    let pushed = 0
    while (pushFrame(out, frame(512 * 1024))) pushed += 1
    expect(pushed).toBe(8)
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

describe('publishing', () => {
  const fanOver = (players: number) => {
    const bindings = createBindings()
    const got = new Map<number, string[]>()
    for (let player = 1; player <= players; player++) {
      const frames: string[] = []
      got.set(player, frames)
      const client: SocketClient = {
        channel: 'ws',
        framing: 'ws1',
        ip: 'x',
        identity: undefined,
        authenticating: false,
        gone: false,
        push: (sent) => frames.push(String(sent)),
        close: () => {},
      }
      bindSocket(bindings, { player, playerId: '', username: '', empire: '' }, client)
    }
    return { fan: { registry: fakeRegistry(), bindings, clock: testClock(), frames: 0 }, got }
  }
  const everyone = (players: number) => Array.from({ length: players }, (_, at) => at + 1)

  test('yields after each 500 sockets', async () => {
    const { fan, got } = fanOver(1200)
    const done = publishEmissions(fan, [
      { type: 'mining_yield', payload: { quantity: 1 }, to: everyone(1200) },
    ])
    expect(fan.frames).toBe(500)
    await done
    expect(fan.frames).toBe(1200)
    expect(got.get(1200)).toEqual(['{"type":"mining_yield","payload":{"quantity":1}}'])
  })

  test('a mask keeps a frame from the socket; the world sets it', async () => {
    const { fan, got } = fanOver(2)
    const mask = 1 << MUTE_CHANNELS.indexOf('activity')
    const ore = { type: 'mining_yield', payload: { quantity: 1 }, to: [1, 2] }
    await publishEmissions(fan, [
      { type: 'internal:mask', payload: { mask }, to: [1] },
      ore,
      { type: 'market_update', payload: {}, to: [1, 2] },
      { type: 'unheard_of', payload: {}, to: [1] },
    ])
    expect(got.get(1)?.map((text) => JSON.parse(text).type)).toEqual([
      'market_update',
      'unheard_of',
    ])
    expect(got.get(2)).toHaveLength(2)
  })
})
