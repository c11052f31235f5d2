/**
 * Takes snapshots of a running world: copied between two batches, stored while ticks go on. One at
 * a time, because the copy's memory is reused; a request meanwhile joins the one in progress, and a
 * request for the batch last stored resolves at once.
 */
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { World } from '../core/types.ts'
import type { LoopOptions } from './options.ts'

export interface Snapshots {
  /**
   * Takes a snapshot; resolves with the error's text, if any. A failure does not stop the world.
   */
  take(): Promise<string | undefined>
  /** Resolves when no snapshot is in progress. */
  settled(): Promise<void>
  isStoring(): boolean
}

type SnapshotOptions = Pick<LoopOptions, 'store' | 'post' | 'clock'> & {
  /** Called with the time for which a snapshot kept this thread busy. */
  pause(kind: 'snapshot copy' | 'snapshot packing', startMs: number, ms: number): void
}

/** Creates the snapshots of a world. */
export function createSnapshots(
  world: World,
  { store, post, clock, pause }: SnapshotOptions,
): Snapshots {
  const memory = createImageMemory()
  let taking: Promise<string | undefined> | undefined
  let storedBatch: number | undefined
  return {
    take() {
      if (taking) return taking
      if (world.batch === storedBatch) return Promise.resolve(undefined)
      const sinceMs = clock.monotonicMs()
      const image = captureWorld(world, memory)
      const startedMs = clock.monotonicMs()
      pause('snapshot copy', sinceMs, startedMs - sinceMs)
      const done = (result: 'stored' | 'failed'): void => {
        const tookMs = clock.monotonicMs() - startedMs
        post({ kind: 'snapshot', result, wallMs: image.wallMs, tookMs })
      }
      taking = store
        .saveSnapshot(image, (...slice) => pause('snapshot packing', ...slice))
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
    isStoring: () => taking !== undefined,
  }
}
