/** The flight recorder: the ticks it keeps, the causes it names, and the reports of the loop. */
import { describe, expect, test } from 'vitest'
import { COMPUTE_SLICE_MS } from '../../../core/limits.ts'
import type { TakeSlice } from '../../../core/ports.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import { type SlowTicks, TICK_PARTS, type TickPart } from '../../../core/wire/tick-figures.ts'
import { watchGc } from '../../../engine/gc.ts'
import { createRecorder, type Recorder, SLOW_TICKS_MAX } from '../../../engine/recorder.ts'
import { tailOf } from '../../../engine/tail.ts'
import { tinyLoop } from './tiny.ts'

const SPACING_MS = 10_000
const END = { wallMs: 0, isHashed: false, isStoring: false, journal: undefined, gauges: {} }

/** Records a tick at its multiple of 10 s; each part takes 1 ms unless `parts` has its length. */
function recordTick(
  recorder: Recorder,
  tick: number,
  parts: Partial<Record<TickPart, number>> = {},
) {
  const boundaryMs = tick * SPACING_MS
  let nowMs = boundaryMs + (parts.wait ?? 1)
  recorder.begin(boundaryMs, nowMs)
  for (const part of TICK_PARTS.slice(1, -1)) {
    nowMs += parts[part] ?? 1
    recorder.partOver(part, nowMs)
  }
  recorder.over({ ...END, tick }, nowMs + (parts.publish ?? 1))
}

const slowestOf = (recorder: Recorder) => recorder.report().slowest

describe('the slowest ticks', () => {
  test('are kept in order, up to a hundred, in whatever order they ran', () => {
    const recorder = createRecorder([])
    // The lengths 0 to 299, each once.
    const lengths = Array.from({ length: 300 }, (_, i) => (i * 77) % 300)
    lengths.forEach((ms, i) => {
      recordTick(recorder, i + 1, { act: ms })
    })
    const slowest = slowestOf(recorder)
    expect(slowest).toHaveLength(SLOW_TICKS_MAX)
    expect(slowest.map(({ partsMs }) => Math.round(partsMs.act))).toEqual(
      Array.from({ length: SLOW_TICKS_MAX }, (_, i) => 299 - i),
    )
    for (const { tick, partsMs } of slowest) expect(partsMs.act).toBe(lengths[tick - 1])
    expect(recorder.report().ticks).toBe(300)
    expect(recorder.slowestMs()).toBe(299 + TICK_PARTS.length - 1)
  })

  test('list their counts, gauges and parts, and the parts add up to the whole', () => {
    const recorder = createRecorder(['battles'])
    recorder.count('queries', 3)
    recorder.ran('immediates', [{ player: 4 }, { player: 5 }])
    recorder.begin(100, 102)
    for (const part of TICK_PARTS.slice(1, -1)) recorder.partOver(part, 110)
    recorder.ran('mutations', [{ player: 5 }])
    recorder.count('events', 7)
    recorder.published(6)
    const journal = { encode: 1, queue: 2, roundTrip: 3 }
    const end = { wallMs: 5, isHashed: true, isStoring: true, journal, gauges: { battles: 2 } }
    recorder.over({ tick: DAY_TICKS, ...end }, 117)
    const [slow] = slowestOf(recorder)
    expect(slow).toMatchObject({
      tick: DAY_TICKS,
      wallMs: 5,
      totalMs: 17,
      mainMs: 6,
      journalMs: journal,
      isHashed: true,
      isDayEnd: true,
      isStoring: true,
      gauges: { battles: 2 },
      partsMs: { wait: 2, admit: 8, act: 0, publish: 7 },
      counts: { mutations: 1, immediates: 2, queries: 3, players: 2, events: 7 },
    })
    const parts = Object.values(slow.partsMs).reduce((sum, ms) => sum + ms, 0)
    expect(parts).toBe(slow.totalMs)
  })

  test('carry nothing over from the tick whose memory they reuse', () => {
    const recorder = createRecorder([])
    for (let tick = 1; tick <= SLOW_TICKS_MAX; tick++) {
      recorder.count('events', 9)
      recordTick(recorder, tick, { act: 10 })
      recorder.pause('minor', tick * SPACING_MS, 2)
    }
    for (let tick = 201; tick <= 200 + SLOW_TICKS_MAX; tick++)
      recordTick(recorder, tick, { act: 20 })
    for (const slow of slowestOf(recorder)) {
      expect(slow.tick).toBeGreaterThan(200)
      expect(slow).toMatchObject({ counts: { events: 0, players: 0 }, mainMs: 0 })
      expect(slow.pausesMs.minor).toBe(0)
    }
  })
})

describe('a pause', () => {
  test('is subtracted from the parts of the tick in which it happened', () => {
    const recorder = createRecorder([])
    recordTick(recorder, 1, { act: 20 })
    recordTick(recorder, 2, { act: 10 })
    // It covers the last 2 ms of act, the 1 ms of decide and half of the 1 ms of fight.
    recorder.pause('major', SPACING_MS + 4 + 18, 3.5)
    recorder.pause('minor', SPACING_MS * 1.5, 4)
    const [first, second] = slowestOf(recorder)
    expect(first).toMatchObject({ tick: 1, pausesMs: { major: 3.5, minor: 0, weak: 0 } })
    expect(first.partsMs).toMatchObject({ act: 18, decide: 0, fight: 0.5, produce: 1, wait: 1 })
    expect(second).toMatchObject({ tick: 2, pausesMs: { major: 0 }, partsMs: { act: 10 } })
  })

  test('may be reported while its tick is still running', () => {
    const recorder = createRecorder([])
    recorder.begin(0, 0)
    recorder.partOver('admit', 10)
    recorder.pause('minor', 4, 5)
    recorder.pause('minor', 11, 2)
    for (const part of TICK_PARTS.slice(2, -1)) recorder.partOver(part, 20)
    recorder.over({ ...END, tick: 1 }, 20)
    expect(slowestOf(recorder)[0].partsMs).toMatchObject({ admit: 5, arrive: 8 })
  })

  test('is reported once, even in a tick that is not kept', () => {
    const recorder = createRecorder([])
    for (let tick = 1; tick <= SLOW_TICKS_MAX; tick++) recordTick(recorder, tick, { act: 10 })
    recordTick(recorder, 500)
    recorder.pause('minor', 500 * SPACING_MS + 1, 2)
    recorder.pause('snapshot copy', 500 * SPACING_MS + 3, 1)
    expect(recorder.takeGc()).toEqual({ minor: 2, major: 0, incremental: 0, weak: 0 })
    expect(recorder.takeGc()).toMatchObject({ minor: 0 })
  })

  test('of this thread is observed with its start and end', async () => {
    const seen: [number, number][] = []
    const end = watchGc((_, startMs, ms) => seen.push([startMs, startMs + ms]))
    const sinceMs = performance.now()
    // Enough to fill a young generation of any size.
    let kept: object[] = []
    for (let i = 0; seen.length === 0 && i < 200; i++) {
      kept = Array.from({ length: 50_000 }, (_, n) => ({ n, kept: kept.length }))
      await new Promise((resolve) => setImmediate(resolve))
    }
    end()
    expect(seen.length).toBeGreaterThan(0)
    for (const [from, to] of seen) {
      expect(from).toBeGreaterThan(sinceMs - 1_000)
      expect(to).toBeLessThanOrEqual(performance.now())
    }
  })
})

describe('the tail', () => {
  const causes = (report: SlowTicks) =>
    tailOf(report).causes.map(({ cause, ticks, sharePct }) => [cause, ticks, Math.round(sharePct)])

  test('is the slowest hundredth, with the causes that took it beyond the mean', () => {
    const recorder = createRecorder([])
    for (let tick = 1; tick <= 198; tick++) recordTick(recorder, tick, { act: 100 })
    recordTick(recorder, 300, { act: 400 })
    recorder.pause('major', 300 * SPACING_MS + 10, 297)
    recordTick(recorder, 301, { act: 100, journal: 103 })
    const report = recorder.report()
    expect(tailOf(report).ticks.map(({ tick }) => tick)).toEqual([300, 301])
    expect(causes(report).slice(0, 2)).toEqual([
      ['gc major', 1, 74],
      ['journal', 1, 25],
    ])
  })

  test('attributes the phases of a tick that closes a day to the day close', () => {
    const recorder = createRecorder([])
    for (let tick = 1; tick <= 99; tick++) recordTick(recorder, tick)
    recordTick(recorder, DAY_TICKS, { settle: 500, act: 100 })
    expect(causes(recorder.report())).toEqual([['day close', 1, 100]])
  })

  test('of no ticks is empty', () => {
    expect(tailOf(createRecorder([]).report())).toEqual({ ticks: [], causes: [] })
  })
})

test('the loop reports its ticks by the clock it was given', async () => {
  let nowMs = 0
  const split = { encode: 1, queue: 2, roundTrip: 3 }
  const { loop, send, step, messages } = await tinyLoop({
    monotonicMs: () => nowMs++,
    store: (store) => ({ ...store, lastSplit: () => split }),
  })
  await send('look', 'look', 'ping')
  await send('act')
  await step(2)
  loop.receive({ kind: 'slow_ticks', token: 9 })
  const [answer] = messages.flatMap((message) => (message.kind === 'slow_ticks' ? [message] : []))
  expect(answer).toMatchObject({ token: 9, report: { ticks: 2 } })
  const { slowest } = answer.report
  expect([...slowest].sort((a, b) => a.tick - b.tick)).toMatchObject([
    {
      tick: 1,
      isHashed: true,
      isDayEnd: false,
      journalMs: split,
      counts: { queries: 2, immediates: 1, mutations: 1, players: 1, rows: 1 },
    },
    { tick: 2, counts: { queries: 0, immediates: 0, mutations: 0, players: 0 } },
  ])
  for (const { totalMs, partsMs, pausesMs, unansweredMs, counts } of slowest) {
    const all = [...Object.values(partsMs), ...Object.values(pausesMs)]
    expect(all.reduce((sum, ms) => sum + ms, 0)).toBe(totalMs)
    expect(unansweredMs).toBeGreaterThanOrEqual(COMPUTE_SLICE_MS)
    expect(unansweredMs).toBeLessThan(totalMs / 4)
    expect(totalMs).toBeGreaterThan(TICK_PARTS.length)
    expect(counts.fullChecks).toBeGreaterThan(1)
  }
})

test('the loop reports which ticks a snapshot delayed, and which ran while it was stored', async () => {
  let nowMs = 0
  let sliced: TakeSlice | undefined
  let stored = (): void => {}
  const { loop, step, messages } = await tinyLoop({
    monotonicMs: () => nowMs++,
    store: (store) => ({
      ...store,
      async saveSnapshot(image, take) {
        if (sliced) await new Promise<void>((resolve) => (stored = resolve))
        sliced = take
        await store.saveSnapshot(image)
      },
    }),
  })
  await step(1)
  loop.receive({ kind: 'snapshot', token: 1 })
  await loop.idle()
  await step(1)
  stored()
  await new Promise((resolve) => setImmediate(resolve))
  await step(1)
  sliced?.(0, nowMs)
  loop.receive({ kind: 'slow_ticks', token: 2 })
  const [answer] = messages.flatMap((message) => (message.kind === 'slow_ticks' ? [message] : []))
  const ticks = [...answer.report.slowest].sort((a, b) => a.tick - b.tick)
  expect(ticks.map(({ isStoring }) => isStoring)).toEqual([false, true, false])
  for (const { totalMs, pausesMs, partsMs } of ticks) {
    expect(pausesMs['snapshot packing']).toBe(totalMs)
    expect(partsMs).toMatchObject({ act: 0, journal: 0 })
  }
})
