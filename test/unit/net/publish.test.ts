/** Publishing a batch: in slices, and in order for each recipient. */
import { describe, expect, test } from 'vitest'
import { ok } from '../../../core/errors.ts'
import { MUTE_CHANNELS } from '../../../core/event.ts'
import type { Answer, PublishedEmission } from '../../../core/ports.ts'
import { say } from '../../../core/say.ts'
import { runSteps } from '../../../core/steps.ts'
import { createFanOut, publishBatch } from '../../../net/publish/publish.ts'
import { createTurns } from '../../../net/publish/turns.ts'
import { createQueue, drain } from '../../../net/session/notifications.ts'
import {
  bindSocket,
  createBindings,
  type Session,
  type SocketClient,
} from '../../../net/session/session.ts'
import { encodeFrame } from '../../../net/ws/codec.ts'
import { listFrame } from '../../../net/ws/list-frame.ts'
import { testClock } from './fake-net.ts'
import { fakeRegistry } from './fake-world.ts'

/** Opens a socket for each player 1 … n; returns the fan-out and the frames of each player. */
function fanOutTo(players: number) {
  const bindings = createBindings()
  const received = new Map<number, string[]>()
  for (let player = 1; player <= players; player++) {
    const frames: string[] = []
    received.set(player, frames)
    const client: SocketClient = {
      channel: 'ws',
      framing: 'ws1',
      ip: 'x',
      identity: undefined,
      authenticating: false,
      gone: false,
      format: 'json',
      lastFeed: undefined,
      push: (head, tail) => frames.push(String(head) + String(tail ?? '')),
      cork: (pushAll) => pushAll(),
      close: () => {},
    }
    bindSocket(bindings, { player, playerId: '', username: '', empire: '' }, client)
  }
  const clock = testClock()
  return { fan: createFanOut({ registry: fakeRegistry(), bindings, clock }), clock, received }
}

const everyone = (players: number) => Array.from({ length: players }, (_, index) => index + 1)
const tickOf = (emissions: PublishedEmission[], answers: Answer[] = []) => ({
  tick: 1,
  emissions,
  answers,
})
const answerTo = (player: number): Answer => ({
  ref: player,
  player,
  command: 'mine',
  framing: 'ws1',
  stage: 'final',
  tick: 1,
  outcome: ok({}),
})
const nobody = () => {}

describe('publishing', () => {
  test('yields after each 500 recipients', async () => {
    const { fan, received } = fanOutTo(1200)
    const ore = { type: 'mining_yield', payload: { quantity: 1 }, to: everyone(1200) }
    const done = publishBatch(fan, tickOf([ore]), nobody)
    expect(fan.frames).toBe(500)
    await done
    expect(fan.frames).toBe(1200)
    expect(received.get(1200)).toEqual(['{"type":"mining_yield","payload":{"quantity":1}}'])
  })

  test('an event that crossed as text reaches each client as the object would', async () => {
    const payload = { quantity: 1, message: say`Sell it by {sell}.`, note: 'naïve ✓' }
    const plain = { type: 'mining_yield', payload, to: [1, 2] }
    const packed = { ...plain, payload: {}, text: JSON.stringify(payload) }
    const outcomes: unknown[] = []
    for (const emission of [plain, packed]) {
      const { fan, received } = fanOutTo(2)
      const bound = fan.bindings.players.get(2)
      const packedFrames: Buffer[] = []
      if (bound?.socket) {
        const push = (frame: Buffer | string) => packedFrames.push(Buffer.from(frame))
        Object.assign(bound.socket, { format: 'msgpack', push })
      }
      const queue = createQueue()
      bound?.sessions.push({ queue } as Session)
      await publishBatch(fan, tickOf([emission]), nobody)
      const queued = drain(queue).map(({ data }) => data)
      outcomes.push({ frames: received.get(1), packedFrames, queued })
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[0]).toMatchObject({ queued: [payload], frames: [expect.stringContaining('✓')] })
  })

  test('a long list is written once for all recipients, and equals the object', async () => {
    const { fan, received } = fanOutTo(3)
    const rows = [{ item_id: 'ore', note: 'naïve ✓' }, { item_id: 'ice' }]
    const entries = rows.map((row) => JSON.stringify(row))
    const list = { name: 'items', about: 'b', keys: ['ore', 'ice'], entries }
    const update = { type: 'market_update', payload: { base_id: 'b', tick: 1 }, to: everyone(3) }
    await publishBatch(fan, tickOf([{ ...update, list }]), nobody)
    const frame = { type: 'market_update', payload: { base_id: 'b', tick: 1, items: rows } }
    for (const player of everyone(3)) expect(received.get(player)).toEqual([JSON.stringify(frame)])
    const { head, tail } = runSteps(listFrame('msgpack', { ...update, list }))
    expect(Buffer.concat([head, tail])).toEqual(encodeFrame('msgpack', frame))
  })

  test('a long list in MessagePack is written in slices', async () => {
    const { fan, clock } = fanOutTo(1)
    const socket = fan.bindings.players.get(1)?.socket
    if (socket) Object.assign(socket, { format: 'msgpack' })
    const { monoMs } = clock
    // Each reading of the clock takes a millisecond.
    clock.monoMs = () => {
      clock.advance(1)
      return monoMs()
    }
    const keys = Array.from({ length: 1_600 }, (_, index) => `item_${index}`)
    const entries = keys.map((item_id) => JSON.stringify({ item_id }))
    const update = { type: 'market_update', payload: {}, to: [1] }
    let turns = 0
    const counted = createTurns(clock.monoMs)
    await publishBatch(
      fan,
      tickOf([{ ...update, list: { name: 'items', about: 'b', keys, entries } }]),
      nobody,
      { ...counted, next: () => counted.next().then(() => void turns++) },
    )
    // 1,600 entries take 100 steps, and a slice of 10 ms holds about ten of them.
    expect(turns).toBeGreaterThanOrEqual(9)
    expect(fan.frames).toBe(1)
  })

  test('yields when a slice has taken 10 ms', async () => {
    const { fan, clock } = fanOutTo(100)
    const { monoMs } = clock
    // Each reading of the clock takes a millisecond.
    clock.monoMs = () => {
      clock.advance(1)
      return monoMs()
    }
    const ore = { type: 'mining_yield', payload: { quantity: 1 }, to: everyone(100) }
    const done = publishBatch(fan, tickOf([ore]), nobody)
    expect(fan.frames).toBeLessThan(10)
    await done
    expect(fan.frames).toBe(100)
  })

  test('a mask set by the world keeps muted events from the socket', async () => {
    const { fan, received } = fanOutTo(2)
    const mask = 1 << MUTE_CHANNELS.indexOf('activity')
    const ore = { type: 'mining_yield', payload: { quantity: 1 }, to: [1, 2] }
    await publishBatch(
      fan,
      tickOf([
        { type: 'internal:mask', payload: { mask }, to: [1] },
        ore,
        { type: 'market_update', payload: {}, to: [1, 2] },
        { type: 'unheard_of', payload: {}, to: [1] },
      ]),
      nobody,
    )
    expect(received.get(1)?.map((text) => JSON.parse(text).type)).toEqual([
      'market_update',
      'unheard_of',
    ])
    expect(received.get(2)).toHaveLength(2)
  })

  test("a player's events arrive in order, before the outcome of the command", async () => {
    const { fan, received } = fanOutTo(3)
    const seen: string[] = []
    await publishBatch(
      fan,
      tickOf(
        [
          { type: 'unheard_of', payload: { n: 1 }, to: [3, 1] },
          { type: 'unheard_of', payload: { n: 2 }, to: [1, 2, 3] },
        ],
        [answerTo(2), answerTo(1), answerTo(9)],
      ),
      ({ player }) => {
        seen.push(`${player} after ${received.get(player)?.length ?? 'nothing'}`)
      },
    )
    expect(seen).toEqual(['2 after 1', '1 after 2', '9 after nothing'])
    expect(received.get(1)?.map((text) => JSON.parse(text).payload.n)).toEqual([1, 2])
    expect(received.get(3)?.map((text) => JSON.parse(text).payload.n)).toEqual([1, 2])
  })

  test('what arrives later is published as it arrives, events alone at the end', async () => {
    const { fan, received } = fanOutTo(4)
    const event = (to: number[]) => ({ type: 'unheard_of', payload: {}, to })
    const batch = tickOf([event([1, 2, 3]), event([4])], [answerTo(1)])
    const answered: number[] = []
    let [isOver, isCut] = [false, false]
    let arrive = () => {}
    const arriving = {
      served: new Set([2]),
      isOver: () => isOver,
      isCut: () => isCut,
      next: () => new Promise<void>((resolve) => (arrive = resolve)),
    }
    const publish = () =>
      publishBatch(fan, batch, ({ player }) => answered.push(player), undefined, arriving)
    const framesOf = () => everyone(4).map((player) => received.get(player)?.length)
    const done = publish()
    await new Promise((resolve) => setImmediate(resolve))
    expect([answered, framesOf()]).toEqual([[1], [1, 0, 0, 0]])
    batch.answers.push(answerTo(2), answerTo(3))
    isOver = true
    arrive()
    await done
    // Player 2 was sent their events before the world thread ended, and the batch came again.
    expect([answered, framesOf()]).toEqual([
      [1, 2, 3],
      [1, 0, 1, 1],
    ])
    isOver = false
    const cut = publish()
    await new Promise((resolve) => setImmediate(resolve))
    isCut = true
    arrive()
    await cut
    expect(framesOf()).toEqual([1, 0, 1, 1])
  })
})
