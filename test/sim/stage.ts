/**
 * The base of a simulation: virtual time, the queue of messages in flight, and the first broken
 * promise. A step of the simulation ends when nothing is left to do but wait for time to pass.
 */
import type { Clock as WorldClock } from '../../engine/options.ts'
import type { Clock as NetClock } from '../../net/ports.ts'

const WALL_START_MS = 1_800_000_000_000
/** Turns of the event loop without any work after which a step is over. */
const QUIET_TURNS = 2
const TURNS_MAX = 2_000_000

interface Timer {
  readonly atMs: number
  readonly then: () => void
  isOff: boolean
}

export interface Stage {
  readonly worldClock: WorldClock
  readonly netClock: NetClock
  /** Delivers a message in the next turn of the event loop. */
  post(deliver: () => void): void
  /** Advances virtual time and runs the timers that are due. */
  advance(ms: number): void
  nowMs(): number
  /** Returns the next number of a process, as the database does. */
  takeIncarnation(): number
  /** Keeps a step from ending until work that takes real time (kernel threads) has settled. */
  await<T>(work: Promise<T>): Promise<T>
  /** Resolves when nothing is in flight. */
  settle(): Promise<void>
  /** Records a broken promise; only the first one is kept. */
  broken(what: string): void
  readonly firstBroken: () => string | undefined
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createStage(): Stage {
  let nowMs = 0
  let timers: Timer[] = []
  let queue: (() => void)[] = []
  let awaited = 0
  let incarnation = 0
  let first: string | undefined

  const broken = (what: string): void => {
    first ??= what
  }
  const stage: Stage = {
    worldClock: {
      wallMs: () => WALL_START_MS + nowMs,
      monotonicMs: () => nowMs,
      at(atMs, then) {
        const timer = { atMs, then, isOff: false }
        timers.push(timer)
        return () => {
          timer.isOff = true
        }
      },
    },
    netClock: { wallMs: () => WALL_START_MS + nowMs, monoMs: () => nowMs },
    post: (deliver) => void queue.push(deliver),
    advance(ms) {
      nowMs += ms
      const due = timers.filter((timer) => timer.atMs <= nowMs)
      timers = timers.filter((timer) => timer.atMs > nowMs && !timer.isOff)
      due.sort((a, b) => a.atMs - b.atMs)
      for (const timer of due) if (!timer.isOff) timer.then()
    },
    nowMs: () => nowMs,
    takeIncarnation: () => ++incarnation,
    async await(work) {
      awaited += 1
      try {
        return await work
      } finally {
        awaited -= 1
      }
    },
    async settle() {
      let quiet = 0
      for (let turns = 0; quiet < QUIET_TURNS; turns++) {
        if (turns > TURNS_MAX) {
          broken('the server does not become idle')
          return
        }
        if (queue.length > 0) {
          const messages = queue
          queue = []
          for (const deliver of messages) deliver()
          quiet = 0
        } else if (awaited > 0) quiet = 0
        else quiet += 1
        await turn()
      }
    },
    broken,
    firstBroken: () => first,
  }
  return stage
}
