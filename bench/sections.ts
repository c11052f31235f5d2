/** Times split systems: preparing on the world thread, the kernels, and applying the results. */
import { assert } from '../core/assert.ts'
import type { ParallelSection } from '../core/parallel.ts'
import type { SystemDef } from '../core/system.ts'
import type { World } from '../core/types.ts'
import { medianOf } from './bench.ts'

/** Times of one run of a split system, in milliseconds. */
export interface SectionMs {
  readonly prepare: number
  /** The kernel on all threads, including the dispatch and the barrier. */
  readonly kernel: number
  readonly apply: number
}

/** Runs a split system in a section and measures its parts. */
export function timeSection(section: ParallelSection, world: World, system: SystemDef): SectionMs {
  const { split } = system
  assert(split, `${system.name} is not a split system`)
  let prepare = 0
  let apply = 0
  const timed: SystemDef = {
    ...system,
    split: {
      ...split,
      prepare(of) {
        const since = performance.now()
        const work = split.prepare(of)
        prepare = performance.now() - since
        return work
      },
      apply(of, work) {
        const since = performance.now()
        split.apply(of, work)
        apply = performance.now() - since
      },
    },
  }
  const since = performance.now()
  section.run(world, timed)
  return { prepare, kernel: performance.now() - since - prepare - apply, apply }
}

/** Returns the medians over runs, without the first quarter, which is for warming up. */
export function medianSection(runs: readonly SectionMs[]): SectionMs {
  const kept = runs.slice(Math.floor(runs.length / 4))
  return {
    prepare: medianOf(kept.map(({ prepare }) => prepare)),
    kernel: medianOf(kept.map(({ kernel }) => kernel)),
    apply: medianOf(kept.map(({ apply }) => apply)),
  }
}

/**
 * Runs a split system tick after tick and returns the medians. `reset` undoes before each run what
 * the previous one changed.
 */
export async function timeTicks(
  section: ParallelSection,
  world: World,
  system: SystemDef,
  options: { times: number; reset?(): void },
): Promise<SectionMs> {
  const runs: SectionMs[] = []
  for (let i = 0; i < options.times; i++) {
    options.reset?.()
    runs.push(timeSection(section, world, system))
    section.endTick()
    await section.settled()
  }
  await section.close()
  return medianSection(runs)
}
