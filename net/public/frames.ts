/**
 * The public clock: frames of the world wait here until they are public, SPECTATOR_DELAY ticks
 * after their own. Everything that strangers read, of the world or of the archive, is of the tick
 * of the last one that is. Source: WEB 2.
 */
import { PUBLIC_RING_BYTES_MAX } from '../../core/limits.ts'
import type { PublicFrame } from '../../core/public/frame.ts'
import type { Clock, Log } from '../ports.ts'
import { applyFrame, type PublicState } from './state.ts'

/** Called when a frame becomes public, with the state that it made. */
export type FrameHandler = (state: PublicState, frame: PublicFrame) => void

export interface PublicFrames {
  /** Takes a frame of the world thread. */
  take(frame: PublicFrame): void
  /** What is public; undefined until the first frame is. */
  state(): PublicState | undefined
  /** Names this history of the world: what is told of the past holds while it stays the same. */
  readonly epoch: string
  readonly delay: number
  /** Whole seconds until more is likely to be public, at least 1. */
  secondsToNext(): number
  onPublic(handler: FrameHandler): void
}

interface FramesOptions {
  readonly epoch?: string
  readonly delay: number
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  readonly tickMs: () => number
  /** Frames were lost: asks for one that stands for itself. */
  readonly ask?: () => void
  /** Returns what of a frame is shown at all; absent: the whole of it. */
  readonly shown?: (frame: PublicFrame) => PublicFrame
}

export function createPublicFrames(options: FramesOptions): PublicFrames {
  const { epoch, delay, clock, log, tickMs, ask, shown = (frame) => frame } = options
  const handlers: FrameHandler[] = []
  let waiting: PublicFrame[] = []
  let waitingBytes = 0
  let state: PublicState | undefined
  /** Frames were lost, or applied in part: the next must stand for itself. */
  let isBroken = false
  /** One that stands for itself has been asked for, and has not come yet. */
  let isAsked = false
  const askAnew = (): void => {
    if (!isAsked) ask?.()
    isAsked = true
  }
  let publicMs = clock.monoMs()
  const publish = (frame: PublicFrame): void => {
    if (isBroken && !frame.isFull) return
    try {
      isBroken = true
      state = applyFrame(state, frame)
      isBroken = false
    } catch (error) {
      log.error({ err: error, tick: frame.tick }, 'a public frame was not applied')
      askAnew()
      return
    }
    if (!state) askAnew()
    if (!state) return
    publicMs = clock.monoMs()
    for (const handler of handlers) {
      // Strangers may miss a tick of one part; players and the other parts go on.
      try {
        handler(state, frame)
      } catch (error) {
        log.error({ err: error, tick: frame.tick }, 'a part did not take what is public')
      }
    }
  }
  const push = (frame: PublicFrame): void => {
    waiting.push(frame)
    waitingBytes += frame.bytes
    while (waiting.length > 0 && waiting[0].tick <= frame.tick - delay) {
      const [due] = waiting.splice(0, 1)
      waitingBytes -= due.bytes
      publish(due)
    }
    if (waitingBytes <= PUBLIC_RING_BYTES_MAX) return
    waiting = []
    waitingBytes = 0
    isBroken = true
    askAnew()
  }
  return {
    take(frame) {
      if (frame.isFull) isAsked = false
      // A world thread that was replaced begins with the tick that was the last.
      waiting = waiting.filter(({ tick }) => tick < frame.tick)
      waitingBytes = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
      push(shown(frame))
    },
    state: () => state,
    epoch: epoch ?? Math.floor(clock.wallMs()).toString(36),
    delay,
    secondsToNext: () => Math.max(1, Math.floor((publicMs + tickMs() - clock.monoMs()) / 1_000)),
    onPublic: (handler) => {
      handlers.push(handler)
    },
  }
}
