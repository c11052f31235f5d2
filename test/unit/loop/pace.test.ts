/** Overload: ticks become longer, all are notified once, nothing is lost, and it passes. */
import { describe, expect, test } from 'vitest'
import { TICK_STRETCH_MAX } from '../../../core/limits.ts'
import type { TickFigures } from '../../../core/wire/tick-figures.ts'
import { armFaults, parseFault } from '../../../engine/faults.ts'
import { createPace, recordCost, startTicks } from '../../../engine/pace.ts'
import { tinyLoop } from './tiny.ts'

const TICK_MS = 1_000

describe('the stretch', () => {
  const after = (...costsMs: number[]): number => {
    const pace = createPace()
    for (const costMs of costsMs) recordCost(pace, TICK_MS, costMs)
    return pace.stretch
  }

  test('grows by two of three ticks, a tenth left for queries, and shrinks by all three', () => {
    expect(after(10, 20, 30)).toBe(1)
    expect(after(900, 900, 900)).toBe(1)
    expect(after(901, 901)).toBe(2)
    expect(after(2_500, 2_500)).toBe(3)
    expect(after(2_500, 2_500, 2_500, 100, 100)).toBe(3)
    expect(after(2_500, 2_500, 2_500, 100, 100, 100)).toBe(1)
    expect(after(2_500, 2_500, 1_500, 1_500, 1_500)).toBe(2)
  })

  test('does not follow a single tick that was held up', () => {
    expect(after(30_000)).toBe(1)
    expect(after(10, 30_000, 10)).toBe(1)
  })

  test('is at most ten', () => {
    expect(TICK_STRETCH_MAX).toBe(10)
    expect(after(60_000, 60_000)).toBe(10)
  })
})

/** Makes a clock that moves only by the time that work takes, and its timers. */
function virtualClock() {
  const timers: { atMs: number; then: () => void }[] = []
  const clock = {
    nowMs: 0,
    monotonicMs: () => clock.nowMs,
    at: (atMs: number, then: () => void) => {
      const timer = { atMs, then }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
    /** Lets the next timer run, at its time or, when that is past, now. */
    next() {
      const [timer] = timers.splice(0, 1)
      clock.nowMs = Math.max(clock.nowMs, timer.atMs)
      timer.then()
    },
  }
  return clock
}

test('boundaries stay on the grid, stretched or missed', () => {
  const clock = virtualClock()
  const pace = createPace()
  const boundaries: number[] = []
  startTicks(pace, clock, TICK_MS, (boundaryMs) => boundaries.push(boundaryMs) < 6)
  clock.next()
  clock.next()
  pace.stretch = 3
  clock.next()
  clock.next()
  pace.stretch = 1
  clock.nowMs = 8_500 + 4_000
  clock.next()
  clock.next()
  expect(boundaries).toEqual([1_000, 2_000, 3_000, 6_000, 9_000, 13_000])
})

test('an overloaded world slows down, reports it once, and recovers', async () => {
  const clock = virtualClock()
  let costMs = 0
  const { messages, answers, loop } = await tinyLoop({
    monotonicMs: clock.monotonicMs,
    at: clock.at,
    // Ticks alone cost: the beats of a tick are not those of commands that arrive.
    beat: (ref) => {
      if (ref === 0) clock.nowMs += costMs
    },
  })
  const figures = () =>
    messages.flatMap((message) => (message.kind === 'tick_over' ? [message.figures] : []))
  const tick = async (): Promise<TickFigures> => {
    clock.next()
    await loop.idle()
    return figures()[figures().length - 1]
  }
  const stretches: number[] = []
  expect((await tick()).stretch).toBe(1)
  costMs = 700
  const first = (await tick()).workMs
  expect(first).toBeGreaterThan(900)
  const least = Math.ceil(first / 900)
  for (let i = 1; i <= 6; i++) {
    const command = { ref: i, player: 1, command: 'act', params: {}, framing: 'ws1' as const }
    loop.receive({ kind: 'submit', commands: [command] })
    await loop.idle()
    stretches.push((await tick()).stretch)
  }
  expect(stretches[0]).toBeGreaterThanOrEqual(least)
  expect(Math.max(...stretches)).toBeLessThanOrEqual(10)
  expect(answers().filter(({ stage }) => stage === 'final')).toHaveLength(6)
  costMs = 0
  const recovering: number[] = []
  for (let i = 0; i < 5; i++) recovering.push((await tick()).stretch)
  expect(recovering[4]).toBe(1)
  const lines = messages.flatMap((message) => (message.kind === 'log' ? [message.text] : []))
  expect(lines.filter((line) => line.startsWith('overload: ticks now last'))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('overload is over'))).toHaveLength(1)
})

describe('the fault that burns time', () => {
  const post = (faults: ReturnType<typeof armFaults>) =>
    faults.armPost(() => {})({ kind: 'ready', tick: 0, batch: 0, seed: 1, tickMs: 1, held: [] })

  test('strikes from the given passing on, the given number of times', () => {
    const faults = armFaults(parseFault('beat:2:burn20:3'))
    post(faults)
    const took = Array.from({ length: 6 }, () => {
      const since = performance.now()
      faults.beat()
      return performance.now() - since >= 20
    })
    expect(took).toEqual([false, true, true, true, false, false])
  })

  test('is written with its milliseconds, and no other is', () => {
    expect(parseFault('!mine:1:burn5:100')).toMatchObject({ effect: 'burn', burnMs: 5, times: 100 })
    expect(() => parseFault('beat:1:burn')).toThrow('is not a fault')
    expect(() => parseFault('beat:1:kill5')).toThrow('is not a fault')
  })
})
