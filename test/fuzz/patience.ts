/**
 * Deadlines counted in wakings of this process, as the server's own watchdog counts: a machine that
 * stood still does not trip them, a reply that never comes does.
 */
const WAKING_MS = 20
const WAKINGS_PER_SECOND = 1000 / WAKING_MS

interface Waiter {
  left: number
  readonly reject: (error: Error) => void
  readonly what: () => string
}

export interface Patience {
  /** Resolves as `promise` does; rejects once that many seconds of wakings have passed. */
  within<T>(seconds: number, promise: Promise<T>, what: () => string): Promise<T>
  stop(): void
}

export function createPatience(): Patience {
  const waiters = new Set<Waiter>()
  const timer = setInterval(() => {
    for (const waiter of waiters) {
      waiter.left -= 1
      if (waiter.left > 0) continue
      waiters.delete(waiter)
      waiter.reject(new Error(`no reply in time: ${waiter.what()}`))
    }
  }, WAKING_MS)
  return {
    within(seconds, promise, what) {
      return new Promise((resolve, reject) => {
        const waiter = { left: seconds * WAKINGS_PER_SECOND, reject, what }
        waiters.add(waiter)
        promise.then(
          (value) => {
            waiters.delete(waiter)
            resolve(value)
          },
          (error: unknown) => {
            waiters.delete(waiter)
            reject(error)
          },
        )
      })
    },
    stop: () => clearInterval(timer),
  }
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms))

interface SpacingTime {
  now(): number
  sleep(ms: number): Promise<void>
}

const realTime: SpacingTime = { now: () => performance.now(), sleep }

/**
 * Returns a function that waits for the next turn: turns are at least `everyMs` apart. A timer
 * counts whole milliseconds from when its event loop began: after busy work it fires early, so the
 * clock is read again.
 */
export function createSpacing(everyMs: number, { now, sleep }: SpacingTime = realTime) {
  let lastMs = -Infinity
  return async (): Promise<void> => {
    for (let left = lastMs + everyMs - now(); left > 0; left = lastMs + everyMs - now())
      await sleep(Math.ceil(left))
    lastMs = now()
  }
}
