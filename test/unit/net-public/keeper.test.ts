/** Public frames that are kept for the scrubber. Source: WEB 1.3. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { KeptFrame } from '../../../core/archive-calls.ts'
import { fail } from '../../../core/errors.ts'
import type { PublicFrame } from '../../../core/public/frame.ts'
import { createPublicFrames } from '../../../net/public/frames.ts'
import { keepFrames } from '../../../net/public/keeper.ts'

describe('frames that become public', () => {
  const NONE = new Int32Array()
  const frameOf = (tick: number): PublicFrame =>
    ({
      tick,
      wallMs: tick * 10_000,
      isFull: true,
      bytes: 1,
      figures: { online: tick, players: 9, systems: 0 },
      chart: { systems: [], pois: [], empires: [] },
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
      battles: [{ battle_id: 'one' }],
      events: [],
      docs: {},
    }) as unknown as PublicFrame

  function keeper(refuses: () => boolean = () => false) {
    const kept: KeptFrame[] = []
    const warned: string[] = []
    let tried = 0
    const clock = { wallMs: () => 0, monoMs: () => 0 }
    const log = { error: (_: object, text: string) => warned.push(text) }
    const frames = createPublicFrames({ delay: 0, clock, log, tickMs: () => 10_000 })
    const net = {
      frames,
      archive: {
        read: async () => fail('not_found'),
        async keepFrame(frame: KeptFrame) {
          tried++
          if (refuses()) throw new Error('away')
          kept.push(frame)
          // Frames are compressed in parallel, so they arrive in any order.
          kept.sort((a, b) => a.tick - b.tick)
          return true
        },
      },
      link: { state: () => ({ tickMs: 10_000 }) },
      log: { warn: (_: object, text: string) => warned.push(text) },
    }
    keepFrames(net as unknown as Parameters<typeof keepFrames>[0], true)
    /** Takes frames; waits until the archive has been called `count` times in all. */
    const take = async (count: number, ...ticks: readonly number[]) => {
      for (const tick of ticks) frames.take(frameOf(tick))
      await expect.poll(() => tried).toBe(count)
    }
    return { frames, kept, warned, take }
  }

  test('every sixtieth frame is kept with its bodies', async () => {
    const { kept, take } = keeper()
    await take(2, 58, 59, 60, 61, 119, 120, 121)
    expect(kept.map(({ tick, ticks, online }) => [tick, ticks, online])).toEqual([
      [60, 60, 60],
      [120, 60, 120],
    ])
    const text = await promisify(gunzip)(kept[0].body)
    expect(JSON.parse(text.toString())).toMatchObject({
      tick: 60,
      activity: { current_tick: 60 },
      battles: [{ battle_id: 'one' }],
    })
  })

  test('if frames skip ticks, the first one after each sixtieth tick is kept', async () => {
    const { kept, take } = keeper()
    await take(3, 55, 62, 69, 125, 187)
    expect(kept.map(({ tick, ticks }) => [tick, ticks])).toEqual([
      [62, 60],
      [125, 63],
      [187, 62],
    ])
  })

  test('a frame that cannot be rendered is left out and logged once', async () => {
    const { frames, kept, warned, take } = keeper()
    for (const tick of [60, 120]) frames.take({ ...frameOf(tick), battles: undefined as never })
    await take(1, 180)
    expect(kept.map(({ tick }) => tick)).toEqual([180])
    expect(warned).toHaveLength(1)
  })

  test('a frame that the archive does not accept is left out and logged once', async () => {
    let isAway = true
    const { kept, warned, take } = keeper(() => isAway)
    await take(1, 60)
    await take(2, 120)
    isAway = false
    await take(3, 180)
    expect(kept.map(({ tick }) => tick)).toEqual([180])
    expect(warned).toHaveLength(1)
  })
})
