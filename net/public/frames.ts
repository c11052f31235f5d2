/**
 * The public clock: frames of the world wait here until they are public, SPECTATOR_DELAY ticks
 * after their own. Everything that strangers read, of the world or of the archive, is of the tick
 * of the last one that is. Source: WEB 2.
 */
import { PUBLIC_RING_BYTES_MAX, PUBLIC_ROUND_TICKS } from '../../core/limits.ts'
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
  /** Names this history of the world: answers about the past hold while it stays the same. */
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
  /** Frames were lost: asks for one that is self-contained. */
  readonly ask?: () => void
  /** Returns the parts of a frame that are shown; absent: all of it. */
  readonly shown?: (frame: PublicFrame) => PublicFrame
}

/** Asks for whole frames, one at a time, and not at once after one that failed. */
function createAsker(ask: (() => void) | undefined) {
  let isAsked = false
  /** One is needed, and has not been asked for yet. */
  let isOwed = false
  /** The first tick in which one may be asked for. */
  let askTick = 0
  const need = ({ tick, isFull }: PublicFrame): void => {
    if (isFull) askTick = tick + PUBLIC_ROUND_TICKS
    isOwed = !isAsked && tick < askTick
    if (isAsked || isOwed) return
    isAsked = true
    ask?.()
  }
  return {
    /** Takes note of a frame that could not be used. */
    need,
    /** Asks for what is owed by now, unless this frame is it. */
    follow(frame: PublicFrame): void {
      if (frame.isFull) isOwed = false
      else if (isOwed) need(frame)
    },
    /** The requested frame has arrived. */
    come(): void {
      isAsked = false
    },
  }
}

export function createPublicFrames(options: FramesOptions): PublicFrames {
  const { epoch, delay, clock, log, tickMs, ask, shown = (frame) => frame } = options
  const handlers: FrameHandler[] = []
  let waiting: PublicFrame[] = []
  let waitingBytes = 0
  let state: PublicState | undefined
  /** Frames were lost, or applied in part: the next must be self-contained. */
  let isBroken = false
  const asker = createAsker(ask)
  let publicMs = clock.monoMs()
  const publish = (frame: PublicFrame): void => {
    asker.follow(frame)
    if (isBroken && !frame.isFull) return
    try {
      isBroken = true
      state = applyFrame(state, frame)
      isBroken = false
    } catch (error) {
      log.error({ err: error, tick: frame.tick }, 'a public frame was not applied')
      asker.need(frame)
      return
    }
    if (!state) {
      asker.need(frame)
      return
    }
    publicMs = clock.monoMs()
    for (const handler of handlers) {
      // Strangers may miss a tick of one part; players and the other parts go on. What the part
      // follows from tick to tick has a gap: it needs a self-contained frame.
      try {
        handler(state, frame)
      } catch (error) {
        log.error({ err: error, tick: frame.tick }, 'a part did not take what is public')
        asker.need(frame)
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
    asker.need(frame)
  }
  return {
    take(frame) {
      if (frame.isFull) asker.come()
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
