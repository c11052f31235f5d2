/** Overload: ticks are stretched, it is reported once, no command is lost, and it ends. */
import { describe, expect, test } from 'vitest'
import { TICK_STRETCH_MAX } from '../../../core/limits.ts'
import type { TickFigures } from '../../../core/wire/tick-figures.ts'
import { armFaults, parseFault } from '../../../engine/faults.ts'
import { createPace, recordCost, startTicks } from '../../../engine/pace.ts'
import { tinyLoop } from './tiny.ts'

const TICK_MS = 1_000

describe('the stretch', () => {
  const stretchAfter = (...costsMs: number[]): number => {
    const pace = createPace()
    for (const costMs of costsMs) recordCost(pace, TICK_MS, costMs)
    return pace.stretch
  }

  test('grows after two long ticks of three, and shrinks only after three short ones', () => {
    expect(stretchAfter(10, 20, 30)).toBe(1)
    // A tick may take nine tenths of its time; the rest is left for queries.
    expect(stretchAfter(900, 900, 900)).toBe(1)
    expect(stretchAfter(901, 901)).toBe(2)
    expect(stretchAfter(2_500, 2_500)).toBe(3)
    expect(stretchAfter(2_500, 2_500, 2_500, 100, 100)).toBe(3)
    expect(stretchAfter(2_500, 2_500, 2_500, 100, 100, 100)).toBe(1)
    expect(stretchAfter(2_500, 2_500, 1_500, 1_500, 1_500)).toBe(2)
  })

  test('does not follow a single tick that was held up', () => {
    expect(stretchAfter(30_000)).toBe(1)
    expect(stretchAfter(10, 30_000, 10)).toBe(1)
  })

  test('is at most ten', () => {
    expect(TICK_STRETCH_MAX).toBe(10)
    expect(stretchAfter(60_000, 60_000)).toBe(10)
  })
})

/** Makes a clock that moves only when a timer runs or the test adds the time of some work. */
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

test('ticks start at multiples of their length, even if stretched or missed', () => {
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
  // The tick at 9 s starts late, so those at 10, 11 and 12 s are missed.
  clock.nowMs = 12_500
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
    // Only ticks take time: their beats have ref 0, unlike those of arriving commands.
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
  const firstWorkMs = (await tick()).workMs
  expect(firstWorkMs).toBeGreaterThan(900)
  const stretchMin = Math.ceil(firstWorkMs / 900)
  for (let i = 1; i <= 6; i++) {
    const command = { ref: i, player: 1, command: 'act', params: {}, framing: 'ws1' as const }
    loop.receive({ kind: 'submit', commands: [command] })
    await loop.idle()
    stretches.push((await tick()).stretch)
  }
  expect(stretches[0]).toBeGreaterThanOrEqual(stretchMin)
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

  test('strikes from the given beat on, as many times as given', () => {
    const faults = armFaults(parseFault('beat:2:burn20:3'))
    post(faults)
    const took = Array.from({ length: 6 }, () => {
      const since = performance.now()
      faults.beat()
      return performance.now() - since >= 20
    })
    expect(took).toEqual([false, true, true, true, false, false])
  })

  test('is the only fault that is written with milliseconds', () => {
    expect(parseFault('!mine:1:burn5:100')).toMatchObject({ effect: 'burn', burnMs: 5, times: 100 })
    expect(() => parseFault('beat:1:burn')).toThrow('is not a fault')
    expect(() => parseFault('beat:1:kill5')).toThrow('is not a fault')
  })
})
