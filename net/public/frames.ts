/**
 * The public clock: frames of the world wait here until they become public, SPECTATOR_DELAY ticks
 * after their own tick. Everything that is public, from the world or the archive, is as of the
 * latest public frame. Source: WEB 2.
 */
import { PUBLIC_RING_BYTES_MAX, PUBLIC_ROUND_TICKS } from '../../core/limits.ts'
import type { PublicFrame } from '../../core/public/frame.ts'
import type { Clock, Log } from '../ports.ts'
import { applyFrame, type PublicState } from './state.ts'

/** Called when a frame becomes public, with the resulting state. */
export type FrameHandler = (state: PublicState, frame: PublicFrame) => void

/** The public clock and its state. */
export interface PublicFrames {
  /** Takes a frame of the world thread. */
  take(frame: PublicFrame): void
  /** Returns the public state; undefined until a frame is public. */
  state(): PublicState | undefined
  /** Names this history of the world: answers about the past hold while it stays the same. */
  readonly epoch: string
  readonly delay: number
  /** Returns the whole seconds until the next frame is likely to be public, at least 1. */
  secondsToNext(): number
  onPublic(handler: FrameHandler): void
}

interface FramesOptions {
  readonly epoch?: string
  readonly delay: number
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
  readonly tickMs: () => number
  /** Requests a self-contained frame, after frames were lost. */
  readonly ask?: () => void
  /** Returns the parts of a frame that are public; absent: all of it. */
  readonly shown?: (frame: PublicFrame) => PublicFrame
}

/** Requests self-contained frames, one at a time, and after a failed one only with a delay. */
function createRequester(ask: (() => void) | undefined) {
  let isRequested = false
  /** A frame is needed but has not been requested yet. */
  let isPostponed = false
  /** The first tick in which a frame may be requested. */
  let nextRequestTick = 0
  const need = ({ tick, isFull }: PublicFrame): void => {
    if (isFull) nextRequestTick = tick + PUBLIC_ROUND_TICKS
    isPostponed = !isRequested && tick < nextRequestTick
    if (isRequested || isPostponed) return
    isRequested = true
    ask?.()
  }
  return {
    /** Requests a self-contained frame because this one could not be used. */
    need,
    /** Sends a postponed request once it is due, unless this frame fulfils it. */
    follow(frame: PublicFrame): void {
      if (frame.isFull) isPostponed = false
      else if (isPostponed) need(frame)
    },
    /** Ends the request: the frame has arrived. */
    fulfil(): void {
      isRequested = false
    },
  }
}

export function createPublicFrames(options: FramesOptions): PublicFrames {
  const { epoch, delay, clock, log, tickMs, ask, shown = (frame) => frame } = options
  const handlers: FrameHandler[] = []
  let waiting: PublicFrame[] = []
  let waitingBytes = 0
  let state: PublicState | undefined
  /** True after frames were lost or applied in part: the next must be self-contained. */
  let isBroken = false
  const requester = createRequester(ask)
  let publicMs = clock.monoMs()
  const publish = (frame: PublicFrame): void => {
    requester.follow(frame)
    if (isBroken && !frame.isFull) return
    try {
      isBroken = true
      state = applyFrame(state, frame)
      isBroken = false
    } catch (error) {
      log.error({ err: error, tick: frame.tick }, 'a public frame was not applied')
      requester.need(frame)
      return
    }
    if (!state) {
      requester.need(frame)
      return
    }
    publicMs = clock.monoMs()
    for (const handler of handlers) {
      // A failed handler misses a tick; players and the other handlers are not affected. Its own
      // state has a gap and needs a self-contained frame.
      try {
        handler(state, frame)
      } catch (error) {
        log.error({ err: error, tick: frame.tick }, 'a handler of public frames failed')
        requester.need(frame)
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
    requester.need(frame)
  }
  return {
    take(frame) {
      if (frame.isFull) requester.fulfil()
      // A replacement world thread starts with the last tick again.
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
