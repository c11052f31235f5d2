/** The parallel section with real kernel threads: equal results, and an error that blames them. */
import { afterEach, describe, expect, test } from 'vitest'
import { SECTION_WAKINGS_MAX } from '../../../core/limits.ts'
import { createParallel, type ParallelSection } from '../../../core/parallel.ts'
import { KERNEL_THREAD_ERROR } from '../../../core/ports.ts'
import type { SystemDef } from '../../../core/system.ts'
import type { World } from '../../../core/types.ts'
import { createWorld } from '../../../core/world.ts'
import { file, Job } from './parallel-kernels.ts'

const JOBS = 8
/** Enough sections for a kernel thread to wake, however busy the machine is. */
const RUNS_MAX = 500

function system(kernel: string): SystemDef {
  const rows = Uint32Array.from({ length: JOBS }, (_, i) => i + 1)
  return {
    name: `test.${kernel}`,
    phase: 'act',
    writes: [Job],
    split: {
      file,
      kernel,
      writes: [Job],
      prepare: () => ({ rows, partEnds: rows, estimateNs: 1 }),
      apply: () => {},
    },
  }
}

const open: ParallelSection[] = []
afterEach(async () => {
  for (const section of open.splice(0)) await section.close()
})

async function setUp(
  kernel: string,
  workers: number,
  breakEvenNs = 0,
  onWaking?: () => void,
): Promise<[World, () => void, ParallelSection]> {
  const world = createWorld({
    players: Job,
    tables: [Job],
    records: [],
    sections: new Map(),
    seed: 3,
    tickMs: 1_000,
    maxEntities: 1_000,
  })
  for (let i = 0; i < JOBS; i++) world.take(Job)
  const { layout, buffer, kernelColumns: columns } = world
  const threadFile = new URL('../../../kernel-thread.js', import.meta.url).href
  const systems = [system(kernel)]
  const section = await createParallel({
    layout,
    buffer,
    columns,
    systems,
    workers,
    threadFile,
    breakEvenNs,
    onWaking,
  })
  open.push(section)
  return [world, () => section.run(world, systems[0]), section]
}

async function resultOf(workers: number): Promise<number[]> {
  const [world, run, section] = await setUp('sound', workers)
  for (world.tick = 1; world.tick <= 3; world.tick++) {
    run()
    run()
    section.endTick()
    await section.settled()
  }
  return Array.from({ length: JOBS }, (_, i) => world.read(Job).result[i + 1])
}

describe('the parallel section', () => {
  test('gives the same result for any number of kernel threads, even more than parts', async () => {
    const alone = await resultOf(0)
    expect(alone).not.toContain(0)
    expect(await resultOf(1)).toEqual(alone)
    expect(await resultOf(JOBS + 1)).toEqual(alone)
  })

  test('kernel threads are woken once a tick, and not at all in a tick without sections', async () => {
    const [world, run, section] = await setUp('sound', 1)
    for (world.tick = 1; world.tick <= 3; world.tick++) {
      for (let i = 0; i < 3; i++) run()
      expect(section.dispatches).toBe(world.tick)
      section.endTick()
      await section.settled()
    }
    section.endTick()
    await section.settled()
    expect(section.dispatches).toBe(3)
  })

  test('thousands of short sections run each row once, though threads come late', async () => {
    const [world, run, section] = await setUp('quick', JOBS + 1)
    const { result } = world.write(Job)
    for (world.tick = 1; world.tick <= 5; world.tick++) {
      for (let row = 1; row <= JOBS; row++) result[row] = 0
      for (let i = 0; i < RUNS_MAX; i++) run()
      section.endTick()
      await section.settled()
      expect(Array.from({ length: JOBS }, (_, i) => result[i + 1])).toEqual(
        Array(JOBS).fill(RUNS_MAX),
      )
    }
  })

  test('work below the break-even wakes no kernel thread', async () => {
    const [, run, section] = await setUp('sound', 1, 1_000_000)
    run()
    section.endTick()
    await section.settled()
    expect(section.dispatches).toBe(0)
  })

  test('a section that waits for a lost kernel thread reports progress at each waking', async () => {
    let wakings = 0
    const [, run] = await setUp('exiting', 1, 0, () => {
      wakings += 1
    })
    expect(() => {
      for (let i = 0; i < RUNS_MAX; i++) run()
    }).toThrow(expect.objectContaining({ name: KERNEL_THREAD_ERROR }))
    expect(wakings).toBeGreaterThanOrEqual(SECTION_WAKINGS_MAX)
  })

  const failing = ['throwing', 'exiting']
  test.each(failing)('KernelThreadError blames a kernel thread that is %s', async (kernel) => {
    const [, run, section] = await setUp(kernel, 1)
    const ended = expect.objectContaining({ name: KERNEL_THREAD_ERROR })
    expect(() => {
      for (let i = 0; i < RUNS_MAX; i++) run()
    }).toThrow(ended)
    await expect(section.settled()).rejects.toEqual(ended)
  })
})
