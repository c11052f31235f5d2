/** Public frames: which of them wait, which are public, and what follows a gap. */
import { describe, expect, test } from 'vitest'
import { PUBLIC_RING_BYTES_MAX, PUBLIC_ROUND_TICKS } from '../../../core/limits.ts'
import { BOOK_HEAD, type PublicFrame } from '../../../core/public/frame.ts'
import { createPublicFrames } from '../../../net/public/frames.ts'

const NONE = new Int32Array()

function frameOf(tick: number, overrides: Partial<PublicFrame> = {}): PublicFrame {
  return {
    tick,
    wallMs: tick * 1_000,
    isFull: false,
    bytes: 100,
    figures: { online: tick, players: 9, systems: 1 },
    presence: {
      online: NONE,
      onlineBySystem: NONE,
      named: NONE,
      namedFlying: NONE,
      bound: NONE,
      npcs: NONE,
    },
    flights: { jumps: NONE, local: NONE },
    heat: NONE,
    battles: [],
    docs: {},
    events: [],
    turns: [],
    ...overrides,
  }
}
const full = (tick: number, overrides: Partial<PublicFrame> = {}): PublicFrame =>
  frameOf(tick, { isFull: true, chart: { systems: [], pois: [], empires: [] }, ...overrides })

function framesWith(delay: number) {
  const now = { ms: 0 }
  const clock = { wallMs: () => 1_800_000_000_000, monoMs: () => now.ms }
  const errors: string[] = []
  const log = { error: (_: object, text: string) => errors.push(text) }
  const fullRequests = { count: 0 }
  const ask = () => {
    fullRequests.count += 1
  }
  const frames = createPublicFrames({ delay, clock, log, tickMs: () => 10_000, ask })
  const publicTicks: number[] = []
  frames.onPublic((_, { tick }) => publicTicks.push(tick))
  return { fullRequests, now, errors, frames, publicTicks }
}

describe('frames', () => {
  test.each([
    [0, [4, 5, 6, 7, 8]],
    [2, [4, 5, 6]],
    [60, []],
  ])('are public %i ticks after their own', (delay, expected) => {
    const { frames, publicTicks } = framesWith(delay)
    frames.take(full(4))
    for (const tick of [5, 6, 7, 8]) frames.take(frameOf(tick))
    expect(publicTicks).toEqual(expected)
    expect(frames.state()?.tick).toBe(expected.at(-1))
    expect(frames.state()?.figures.online).toBe(expected.at(-1))
  })

  test('that are not full are ignored before the first full one', () => {
    const { frames, publicTicks } = framesWith(0)
    frames.take(frameOf(3))
    expect(frames.state()).toBeUndefined()
    frames.take(full(4))
    expect(publicTicks).toEqual([4])
  })

  test('of a new world thread replace those of the same ticks that still wait', () => {
    const { frames, publicTicks } = framesWith(2)
    for (const frame of [full(1), frameOf(2), frameOf(3)]) frames.take(frame)
    frames.take(full(3))
    frames.take(frameOf(4))
    frames.take(frameOf(5))
    expect(publicTicks).toEqual([1, 2, 3])
  })

  test('that take too much memory are dropped up to the next full one', () => {
    const { fullRequests, frames, publicTicks } = framesWith(1)
    frames.take(full(1))
    frames.take(frameOf(2, { bytes: PUBLIC_RING_BYTES_MAX + 1 }))
    for (const tick of [3, 4]) frames.take(frameOf(tick))
    expect(publicTicks).toEqual([1])
    // A full frame is requested once until it arrives.
    expect(fullRequests.count).toBe(1)
    frames.take(full(5))
    frames.take(frameOf(6))
    expect(publicTicks).toEqual([1, 5])
  })

  test('reach the other listeners if one listener throws', () => {
    const { fullRequests, errors, frames } = framesWith(0)
    const others: number[] = []
    frames.onPublic(({ tick }) => {
      if (tick === 2) throw new Error('no')
    })
    frames.onPublic(({ tick }) => others.push(tick))
    frames.take(full(1))
    frames.take(frameOf(2))
    frames.take(frameOf(3))
    expect(others).toEqual([1, 2, 3])
    // A full frame is requested for the listener that missed one.
    expect([errors.length, fullRequests.count]).toEqual([1, 1])
  })

  test.each([
    ['applied', { docs: { players: { isWhole: false, set: [['1', '{']], gone: [] } } }],
    ['taken by a listener', {}],
  ] as const)('that are full and not %s are requested again after a while', (step, overrides) => {
    const { fullRequests, frames } = framesWith(0)
    frames.onPublic(() => {
      if (step !== 'applied') throw new Error('no')
    })
    frames.take(full(1, overrides as Partial<PublicFrame>))
    for (let tick = 2; tick <= PUBLIC_ROUND_TICKS; tick++) frames.take(frameOf(tick))
    expect(fullRequests.count).toBe(0)
    for (const later of [1, 2, 3]) frames.take(frameOf(PUBLIC_ROUND_TICKS + later))
    expect(fullRequests.count).toBe(1)
    frames.take(full(PUBLIC_ROUND_TICKS + 4, overrides as Partial<PublicFrame>))
    frames.take(frameOf(PUBLIC_ROUND_TICKS + 5))
    expect(fullRequests.count).toBe(1)
  })

  test('that cannot be applied leave a gap up to the next full one', () => {
    const { fullRequests, errors, frames, publicTicks } = framesWith(0)
    frames.take(full(1))
    frames.take(frameOf(2, { docs: { players: { isWhole: false, set: [['1', '{']], gone: [] } } }))
    frames.take(frameOf(3))
    frames.take(full(4))
    expect(publicTicks).toEqual([1, 4])
    expect([errors.length, fullRequests.count]).toEqual([1, 1])
  })

  test('index books by station and item until a whole list replaces them', () => {
    const { frames } = framesWith(0)
    const booksOf = (isWhole: boolean, ...places: readonly number[]) => ({
      isWhole,
      bases: ['a', 'b'],
      levels: new Float64Array(),
      heads: Float64Array.from(
        places.flatMap((base) => [base, ...BOOK_HEAD.slice(1).map(() => 0)]),
      ),
    })
    const found = () => {
      const { books, booksAt, booksOf } = frames.state() ?? {}
      const sizes = [booksAt?.get('a'), booksAt?.get('b'), booksOf?.get(0)].map(
        (index) => index?.size,
      )
      return [books?.size, ...sizes]
    }
    frames.take(full(1, { books: booksOf(true, 0, 1) }))
    frames.take(frameOf(2, { books: booksOf(false, 1) }))
    expect(found()).toEqual([2, 1, 1, 2])
    frames.take(full(3, { books: booksOf(true, 0) }))
    expect(found()).toEqual([1, 1, undefined, 1])
  })

  test('update the battles they send, and end those they do not name as going', () => {
    const { frames } = framesWith(0)
    const battle = (id: string, damage: number): PublicFrame['battles'][number] => ({
      battle_id: id,
      system_id: 'sol',
      system_name: 'Sol',
      status: 'active',
      category: 'pvp',
      start_tick: 1,
      duration_ticks: 1,
      participant_count: 2,
      total_damage: damage,
      ships_destroyed: 0,
      ships_captured: 0,
      sides: [],
      captures: [],
    })
    const shownBattles = () =>
      frames
        .state()
        ?.battles.map((shown) => [shown.battle_id, shown.duration_ticks, shown.total_damage].join())
    frames.take(full(1, { battles: [battle('a', 5), battle('b', 6)] }))
    frames.take(frameOf(2, { battles: [battle('b', 7)], going: ['a', 'b'] }))
    expect(shownBattles()).toEqual(['a,2,5', 'b,2,7'])
    frames.take(frameOf(3, { going: ['b'] }))
    expect(shownBattles()).toEqual(['b,3,7'])
  })

  test('tell how long it is until the next, in whole seconds', () => {
    const { now, frames } = framesWith(0)
    frames.take(full(1))
    expect(frames.secondsToNext()).toBe(10)
    now.ms = 7_100
    expect(frames.secondsToNext()).toBe(2)
    now.ms = 30_000
    expect(frames.secondsToNext()).toBe(1)
  })
})
