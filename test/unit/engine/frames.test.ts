/** When public frames are built, and that a bug in their projection is only logged. */
import { expect, test } from 'vitest'
import type { ToMain } from '../../../core/ports.ts'
import type { PublicFrame, PublicProjection } from '../../../core/public/frame.ts'
import type { Outbox, World } from '../../../core/types.ts'
import { createFrames } from '../../../engine/frames.ts'

const none = new Int32Array()
const NOTHING: Pick<PublicFrame, 'presence' | 'flights' | 'heat'> = {
  presence: {
    online: none,
    onlineBySystem: none,
    npcs: none,
    named: none,
    namedFlying: none,
    bound: none,
  },
  flights: { jumps: none, local: none },
  heat: none,
}

function rig(build: (isFull: boolean) => Partial<PublicFrame>, tickMs = 10_000) {
  const world = { tick: 0 } as World
  const posted: ToMain[] = []
  const busy: boolean[] = []
  const projections = { count: 0 }
  const projection: PublicProjection = {
    observe: () => {
      throw new Error('nothing is observed')
    },
    *build(_, isFull) {
      yield
      return { ...NOTHING, isFull, ...build(isFull) } as PublicFrame
    },
  }
  const frames = createFrames(world, {
    registry: {
      projection: () => {
        projections.count++
        return projection
      },
    },
    clock: { monotonicMs: () => performance.now() },
    tickMs,
    post: (message) => posted.push(message),
    busy: (isBusy) => busy.push(isBusy),
  })
  const fullness = (): boolean[] =>
    posted.flatMap((message) => (message.kind === 'public' ? message.frame.isFull : []))
  return { world, posted, busy, frames, fullness, projections }
}

test('a full frame is built first, and again when the main thread has lost frames', async () => {
  const { world, frames, fullness } = rig(() => ({}))
  for (world.tick = 0; world.tick <= 120; world.tick++) {
    if (world.tick === 70) frames.requestFull()
    await frames.build()
  }
  expect(fullness().flatMap((isFull, tick) => (isFull ? tick : []))).toEqual([0, 70])
})

test('with short ticks a frame is due at most once a second', () => {
  const due = (tickMs: number) => {
    const { frames } = rig(() => ({}), tickMs)
    return Array.from({ length: 12 }, (_, tick) => tick).filter((tick) => frames.isDue(tick))
  }
  expect(due(1_000)).toHaveLength(12)
  expect(due(400)).toEqual([0, 3, 6, 9])
  expect(due(50)).toEqual([0])
})

test('a bug in the projection is logged, and the next frame is a full one', async () => {
  let isBroken = false
  const { world, posted, busy, frames, fullness, projections } = rig(() => {
    if (isBroken) throw new Error('a bug')
    return {}
  })
  await frames.build()
  world.tick = 1
  isBroken = true
  await frames.build()
  expect(busy.at(-1)).toBe(false)
  // A fresh projection sends again what the broken frame had marked as sent.
  expect(projections.count).toBe(2)
  isBroken = false
  world.tick = 2
  await frames.build()
  expect(fullness()).toEqual([true, true])
  frames.observe({} as Outbox)
  const logged = posted.flatMap((message) => (message.kind === 'log' ? message.level : []))
  expect(logged).toEqual(['error', 'error'])
})

test('a frame that had to be cut is logged once', async () => {
  const { world, posted, frames } = rig(() => ({ isCut: true, bytes: 9_000_000 }))
  for (world.tick = 0; world.tick < 3; world.tick++) await frames.build()
  expect(posted.filter(({ kind }) => kind === 'log')).toHaveLength(1)
})
