/**
 * Builds the public frame of a tick once all players have their frames: in slices, with queries in
 * between, while no batch runs. A bug here does not end the world, since nothing is written.
 */
import { FINISH_SLICE_MS, PUBLIC_FRAME_MS_MIN } from '../core/limits.ts'
import type { ToMain } from '../core/ports.ts'
import { packFrame } from '../core/public/crossing.ts'
import type { Registry } from '../core/registry.ts'
import type { Outbox, World } from '../core/types.ts'
import { inSlices } from './slices.ts'

interface FrameOptions {
  readonly registry: Pick<Registry, 'projection'>
  readonly clock: { monotonicMs(): number }
  readonly tickMs: number
  readonly post: (message: ToMain) => void
  readonly busy: (busy: boolean) => void
}

export interface Frames {
  /** Reads the outbox of a batch before the next one runs. */
  observe(outbox: Outbox): void
  /** Returns whether a tick has a public frame: with short ticks there is one a second. */
  isDue(tick: number): boolean
  /** Makes the next frame self-contained: main has no earlier frame that it could build on. */
  requestFull(): void
  /** Builds a frame and posts it. */
  build(): Promise<void>
}

/** Creates the builder of a world's public frames; its first frame is self-contained. */
export function createFrames(world: World, options: FrameOptions): Frames {
  const { registry, clock, tickMs, post, busy } = options
  let projection = registry.projection?.()
  const every = Math.ceil(PUBLIC_FRAME_MS_MIN / tickMs)
  let isFullDue = true
  let isCut = false
  const logCut = (bytes: number): void => {
    const text = 'the public frame is too large: it has counts by place, but no names'
    if (!isCut) post({ kind: 'log', level: 'warn', fields: { tick: world.tick, bytes }, text })
    isCut = true
  }
  const failed = (error: unknown): void => {
    isFullDue = true
    const fields = { tick: world.tick, error: error instanceof Error ? error.stack : String(error) }
    post({ kind: 'log', level: 'error', fields, text: 'the public frame could not be built' })
  }
  return {
    observe(outbox) {
      try {
        projection?.observe(world, outbox)
      } catch (error) {
        failed(error)
      }
    },
    requestFull: () => {
      isFullDue = true
    },
    isDue: (tick) => tick % every === 0,
    async build() {
      if (!projection) return
      const isFull = isFullDue
      try {
        const slices = { monotonicMs: clock.monotonicMs, busy, sliceMsMax: FINISH_SLICE_MS }
        const { result: frame } = await inSlices(slices, projection.build(world, isFull))
        if (isFull) isFullDue = false
        if (frame.isCut) logCut(frame.bytes)
        post({ kind: 'public', frame: packFrame(frame) })
      } catch (error) {
        busy(false)
        // The failed projection counts changes as sent that were not: a new one sends everything.
        projection = registry.projection?.()
        failed(error)
      }
    },
  }
}
