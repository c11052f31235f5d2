/**
 * Processes of a simulation with several nodes. Each ends, or stands still and goes on later, as a
 * whole: whatever reaches it from outside goes through `enter`, and so do its timers, which are
 * those of the virtual clock while a process runs.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stage } from './stage.ts'

export interface Process {
  readonly name: string
  isOver: boolean
  isPaused: boolean
  /** Runs something in it: now, once it goes on, or never when it is over. */
  enter(run: () => void): void
  /** Lets a process that stood still go on with what has come meanwhile. */
  goOn(): void
}

const current = new AsyncLocalStorage<Process>()

/** Makes a process, or a part of one (`within`) that ends with it, or before it. */
export function createProcess(stage: Stage, name: string, within?: Process): Process {
  const held: (() => void)[] = []
  const process: Process = {
    name,
    isOver: false,
    isPaused: false,
    enter(run) {
      if (process.isOver || within?.isOver) return
      if (process.isPaused) {
        held.push(run)
        return
      }
      if (within?.isPaused) {
        within.enter(() => process.enter(run))
        return
      }
      try {
        current.run(process, run)
      } catch (error) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        stage.broken(`${name} ends by a bug: ${text}`)
      }
    },
    goOn() {
      process.isPaused = false
      for (const run of held.splice(0)) process.enter(run)
    },
  }
  return process
}

/** A timer of the virtual clock, as callers know timers. */
interface VirtualTimer {
  cancel(): void
  ref(): VirtualTimer
  unref(): VirtualTimer
}

type Callback = (...args: unknown[]) => void

function startTimer(stage: Stage, process: Process, ms: number, run: () => void, again: boolean) {
  let cancel = (): void => {}
  let isHeld = false
  const arm = (): void => {
    cancel = stage.worldClock.at(stage.nowMs() + Math.max(1, ms), () => {
      if (again) arm()
      // However long a process stands still, its interval is due once.
      if (isHeld) return
      isHeld = true
      process.enter(() => {
        isHeld = false
        run()
      })
    })
  }
  arm()
  const timer: VirtualTimer = { cancel: () => cancel(), ref: () => timer, unref: () => timer }
  return timer
}

/**
 * Gives the timers of processes to the virtual clock, as a test's fake timers would; those of
 * everything else stay real. Returns a function that undoes it.
 */
export function takeTimers(stage: Stage): () => void {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  const starter =
    (real: typeof setTimeout | typeof setInterval, again: boolean) =>
    (run: Callback, ms = 0, ...args: unknown[]): unknown => {
      const process = current.getStore()
      if (process) return startTimer(stage, process, ms, () => run(...args), again)
      return (real as (...all: unknown[]) => unknown)(run, ms, ...args)
    }
  const stopper =
    (real: (timer: never) => void) =>
    (timer: unknown): void => {
      if (timer instanceof Object && 'cancel' in timer) (timer as VirtualTimer).cancel()
      else real(timer as never)
    }
  Object.assign(globalThis, {
    setTimeout: starter(setTimeout, false),
    setInterval: starter(setInterval, true),
    clearTimeout: stopper(clearTimeout),
    clearInterval: stopper(clearInterval),
  })
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval })
  }
}
