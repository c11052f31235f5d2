/**
 * Snapshots of a living world: copied between two batches, stored while ticks go on. One at a time,
 * for the copy's memory is kept; who asks meanwhile gets the one under way, and who asks again in
 * the same batch the one that is stored.
 */
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { World } from '../core/types.ts'
import type { LoopOptions } from './options.ts'

export interface Snapshots {
  /** Resolves with what went wrong, if anything: a failed snapshot alone stops nothing. */
  take(): Promise<string | undefined>
  /** Resolves when none is under way. */
  settled(): Promise<void>
}

export function createSnapshots(
  world: World,
  { store, post, clock }: Pick<LoopOptions, 'store' | 'post' | 'clock'>,
): Snapshots {
  const memory = createImageMemory()
  let taking: Promise<string | undefined> | undefined
  let storedBatch: number | undefined
  return {
    take() {
      if (taking) return taking
      if (world.batch === storedBatch) return Promise.resolve(undefined)
      const image = captureWorld(world, memory)
      const begunMs = clock.monotonicMs()
      const done = (result: 'stored' | 'failed'): void => {
        const tookMs = clock.monotonicMs() - begunMs
        post({ kind: 'snapshot', result, wallMs: image.wallMs, tookMs })
      }
      taking = store
        .saveSnapshot(image)
        .then(() => {
          done('stored')
          storedBatch = image.batch
          return undefined
        })
        .catch((error: unknown) => {
          done('failed')
          const text = `the snapshot of tick ${image.tick} failed: ${String(error)}`
          post({ kind: 'log', level: 'error', fields: { tick: image.tick }, text })
          return text
        })
        .finally(() => {
          taking = undefined
        })
      return taking
    },
    async settled() {
      await taking
    },
  }
}
