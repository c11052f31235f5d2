/**
 * What strangers were shown before: the requests for it, and that each tick is read as it was kept.
 * Source: WEB 1.3.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ArchiveRead, KeptFrame, KeptStep } from '../../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../../core/errors.ts'
import { applyDifference, type Json } from '../../../core/public/difference.ts'
import type { PublicFrame } from '../../../core/public/frame.ts'
import type { HistoryBody, MomentBody, StepsBody } from '../../../core/public/past.ts'
import { createPublicFrames } from '../../../net/public/frames.ts'
import { HISTORY_ROWS } from '../../../net/public/history-rows.ts'
import { keepFrames } from '../../../net/public/keeper.ts'
import { readQuery } from '../../../net/public/routes.ts'
import type { CacheClass } from '../../../net/public/row.ts'
import type { PublicState } from '../../../net/public/state.ts'

const unzip = promisify(gunzip)

/** An archive that keeps what it is given in memory. */
function createMemoryArchive() {
  const frames: KeptFrame[] = []
  const steps: KeptStep[] = []
  const requests: ArchiveRead[] = []
  return {
    frames,
    steps,
    requests,
    /** Ticks that it does not accept. */
    refusedTicks: new Set<number>(),
    /** Whether a tick is still to be refused. */
    refuses: false,
    /** How often a frame was to be kept. */
    attempts: 0,
    async keepFrame(frame: KeptFrame) {
      this.attempts += 1
      if (frames.some(({ tick }) => tick === frame.tick)) return false
      frames.push(frame)
      return true
    },
    async keepStep(step: KeptStep) {
      if (this.refusedTicks.has(step.tick)) {
        this.refuses = false
        throw new Error('away')
      }
      if (steps.every(({ tick }) => tick !== step.tick)) steps.push(step)
    },
    async read(call: ArchiveRead): Promise<Outcome<unknown>> {
      requests.push(call)
      if (call.method !== 'publicFrame') return ok({ ticks: [] } satisfies HistoryBody)
      const { tick: to } = call.args as { tick: number }
      const frame = frames.findLast(({ tick }) => tick <= to)
      const after = frame?.tick ?? 0
      const behind = steps.filter(({ tick }) => tick > after && tick <= to)
      return frame || behind.length > 0 ? ok({ frame, steps: behind }) : fail('not_found')
    },
  }
}

const TICK = 10_000
let archive: ReturnType<typeof createMemoryArchive>
let publicTick: number
beforeEach(() => {
  archive = createMemoryArchive()
  publicTick = TICK
})

/** Requests an address as a stranger; returns the body, or the code of the refusal. */
async function get<T>(address: string, tick?: number | string, showsNames = true) {
  const [path, query = ''] = address.split('?')
  const row = HISTORY_ROWS.find((publicRow) => publicRow.path === path)
  if (row?.source !== 'archive') throw new Error(`${path} does not read the archive`)
  const params = { tick: String(tick) }
  const about = { tickMs: 10_000, showsNames }
  const context = { params, query: readQuery(row, new URLSearchParams(query)), archive, about }
  const made = await row.body({ tick: publicTick } as PublicState, context as never)
  if (!made.ok) return { code: made.code }
  const cache = typeof row.cache === 'function' ? row.cache(made.result, params) : row.cache
  return { body: made.result as T, cache: cache as CacheClass }
}

describe('the strip', () => {
  const lastArgs = () => archive.requests.at(-1)?.args

  test('spans a day by default, in whole frames and at most 720 points', async () => {
    publicTick = 100_000
    await get('/api/history')
    expect(lastArgs()).toEqual({ from: 100_000 - 8_640, to: 100_000, step: 60 })
    await get('/api/history?from=1&to=999999999&step=1')
    const { from, to, step } = lastArgs() as { from: number; to: number; step: number }
    expect([from, to]).toEqual([1, 100_000])
    expect(step % 60).toBe(0)
    expect((to - from) / step).toBeLessThan(720)
    await get('/api/history?from=9000&to=9600&step=100')
    expect(lastArgs()).toEqual({ from: 9_000, to: 9_600, step: 120 })
    await get('/api/history?from=9000&to=8000')
    expect(lastArgs()).toEqual({ from: 9_000, to: 8_000, step: 60 })
  })
})

const NONE = new Int32Array()
const SYSTEMS = ['sol', 'vega', 'rigel'].map((id) => ({ id, name: id, empire: '', owner: {} }))

/** A frame in which something is different at every tick. */
const frameOf = (tick: number): PublicFrame =>
  ({
    tick,
    wallMs: tick * 10_000,
    isFull: true,
    bytes: 1,
    figures: { online: tick, players: 9, systems: 3 },
    chart: { systems: SYSTEMS, pois: [], empires: [] },
    presence: {
      online: NONE,
      onlineBySystem: Int32Array.of(0, 1 + (tick % 5), tick % 3, 4),
      named: NONE,
      namedFlying: NONE,
      bound: NONE,
      npcs: NONE,
    },
    flights: { jumps: Int32Array.of(0, 1, tick, tick + 5, 2), local: NONE },
    heat: NONE,
    battles: [
      {
        battle_id: `battle of ${tick - (tick % 7)}`,
        system_id: 'vega',
        player_names: ['Ada'],
        sides: [{ side_id: 1, participants: ['Ada'] }],
        captures: [],
        total_damage: tick,
      },
    ],
    events: [],
    docs: {},
  }) as unknown as PublicFrame

const isKept = (count: number) => () => archive.frames.length + archive.steps.length === count

/** Opens a process that keeps what it shows; `heat` is what its own projection has of a tick. */
function openKeeper({ isAlone = true, heat = 0 } = {}) {
  const clock = { wallMs: () => 0, monoMs: () => 0 }
  const log = { error: () => {}, warn: () => {} }
  const frames = createPublicFrames({ delay: 0, clock, log, tickMs: () => 10_000 })
  const link = { state: () => ({ tickMs: 10_000 }) }
  const net = { frames, archive, link, log } as unknown as Parameters<typeof keepFrames>[0]
  keepFrames(net, isAlone)
  return {
    take: (tick: number) => frames.take({ ...frameOf(tick), heat: Int32Array.of(0, heat) }),
    /** Shows frames to strangers, each once the one before is in the archive. */
    async show(...ticks: readonly number[]): Promise<void> {
      for (const tick of ticks) {
        const count = archive.frames.length + archive.steps.length
        archive.refuses = archive.refusedTicks.has(tick)
        this.take(tick)
        if (archive.refuses) await expect.poll(() => archive.refuses).toBe(false)
        else await expect.poll(isKept(count + 1)).toBe(true)
      }
    },
  }
}

const show = (...ticks: readonly number[]): Promise<void> => openKeeper().show(...ticks)

/** Returns what strangers are shown of a tick: a keeper's first frame is whole. */
async function shownAt(tick: number): Promise<MomentBody> {
  const before = archive
  archive = createMemoryArchive()
  await show(tick)
  const [{ body }] = [...archive.frames, ...archive.steps]
  archive = before
  return JSON.parse((await unzip(body)).toString())
}

const ticksBetween = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a tick of the past', () => {
  test('is read as it was shown, whether kept whole or as what it changed', async () => {
    const ticks = ticksBetween(55, 130)
    await show(...ticks)
    expect(archive.frames.map(({ tick }) => tick)).toEqual([60, 120])
    for (const tick of ticks) {
      const { body, cache } = await get('/api/history/:tick', tick)
      expect({ body, cache }).toEqual({ body: await shownAt(tick), cache: 'I' })
    }
  })

  test('that was not kept is the last before it, and may still come', async () => {
    await show(60, 61, 64)
    const { body, cache } = await get<MomentBody>('/api/history/:tick', 63)
    expect([body?.tick, cache]).toEqual([61, 'T'])
  })

  test('that the archive refused is missing, and the next one is kept whole', async () => {
    archive.refusedTicks.add(62)
    await show(60, 61, 62, 63, 64)
    expect(archive.steps.map(({ tick, base }) => [tick, base])).toEqual([
      [61, 60],
      [63, null],
      [64, 63],
    ])
    const { body } = await get<MomentBody>('/api/history/:tick', 62)
    expect(body?.tick).toBe(61)
    for (const tick of [63, 64]) {
      expect((await get('/api/history/:tick', tick)).body).toEqual(await shownAt(tick))
    }
  })

  test('that comes again after a replaced world thread went back is not kept twice', async () => {
    const keeper = openKeeper()
    await keeper.show(...ticksBetween(60, 66))
    for (const tick of [63, 64, 64, 65, 66]) keeper.take(tick)
    await keeper.show(67, 68)
    expect(archive.steps.map(({ tick, base }) => [tick, base]).slice(-3)).toEqual([
      [66, 65],
      [67, null],
      [68, 67],
    ])
    for (const tick of ticksBetween(60, 68)) {
      expect((await get('/api/history/:tick', tick)).body).toEqual(await shownAt(tick))
    }
  })

  test('is kept by the process whose whole frame is in the archive, until that ends', async () => {
    const first = openKeeper({ isAlone: false, heat: 1 })
    const second = openKeeper({ isAlone: false, heat: 2 })
    for (const keeper of [first, second]) keeper.take(59)
    await first.show(60, 61)
    second.take(60)
    await expect.poll(() => archive.attempts).toBe(2)
    second.take(61)
    second.take(62)
    await first.show(62)
    // The first one has ended.
    for (const tick of ticksBetween(63, 119)) second.take(tick)
    await second.show(120, 121)
    expect(archive.steps.map(({ tick, base }) => [tick, base])).toEqual([
      [61, 60],
      [62, 61],
      [121, 120],
    ])
    const heatAt = async (tick: number) =>
      (await get<MomentBody>('/api/history/:tick', tick)).body?.activity.heat.sol
    expect([await heatAt(62), await heatAt(121)]).toEqual([1, 2])
  })

  test('is left out where the frame it follows on is missing', async () => {
    await show(60, 61, 62, 63)
    archive.steps.splice(1, 1)
    const { body } = await get<StepsBody>('/api/history/:tick/steps', 60)
    expect(body?.steps.map(({ tick }) => tick)).toEqual([60, 61])
  })

  test('is not found before the first one, beyond the public one, and where it is no tick', async () => {
    await show(60)
    expect(await get('/api/history/:tick', 59)).toEqual({ code: 'not_found' })
    archive.requests.length = 0
    for (const tick of [String(TICK + 1), 'x', '-1', '1.5']) {
      expect(await get('/api/history/:tick', tick)).toEqual({ code: 'not_found' })
      expect(await get('/api/history/:tick/steps', tick)).toEqual({ code: 'not_found' })
    }
    expect(archive.requests).toEqual([])
  })
})

describe('the ticks up to the next whole frame', () => {
  test('are read at once: each follows on the one before', async () => {
    await show(...ticksBetween(58, 125))
    const { body, cache } = await get<StepsBody>('/api/history/:tick/steps', 77)
    expect(cache).toBe('I')
    expect(body?.steps.map(({ tick }) => tick)).toEqual(ticksBetween(60, 119))
    let moment: Json
    for (const { tick, frame, changes } of body?.steps ?? []) {
      moment = (frame ?? applyDifference(moment, changes as Json)) as Json
      expect(moment).toEqual(await shownAt(tick))
    }
  })

  test('are kept by readers for a tick while more may come', async () => {
    await show(...ticksBetween(58, 125))
    publicTick = 122
    const { body, cache } = await get<StepsBody>('/api/history/:tick/steps', 120)
    expect(body?.steps.map(({ tick }) => tick)).toEqual([120, 121, 122])
    expect([body?.complete, cache]).toEqual([false, 'T'])
  })

  test('name nobody where the host shows no names', async () => {
    await show(60, 61, 66, 67)
    for (const path of ['/api/history/:tick', '/api/history/:tick/steps']) {
      const named = JSON.stringify((await get(path, 67)).body)
      const nameless = JSON.stringify((await get(path, 67, false)).body)
      expect([named.includes('Ada'), nameless.includes('Ada')]).toEqual([true, false])
      expect(nameless).toContain('battle of 63')
    }
  })

  test('do not repeat a battle that goes on', async () => {
    await show(63, 64, 65)
    const { body } = await get<StepsBody>('/api/history/:tick/steps', 65)
    expect(body?.steps.at(-1)?.changes?.battles).toEqual([[0, 1, { total_damage: 65 }]])
    const nameless = await get<StepsBody>('/api/history/:tick/steps', 65, false)
    expect(nameless.body?.steps.at(-1)?.changes?.battles).toEqual([[0, 1, {}]])
  })
})
