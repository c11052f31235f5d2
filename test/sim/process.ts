/**
 * Processes of a simulation with several nodes. Each ends, or pauses and resumes, as a whole:
 * everything that reaches it from outside goes through `enter`, and so do its timers, which run on
 * the virtual clock.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stage } from './stage.ts'

export interface Process {
  readonly name: string
  isOver: boolean
  isPaused: boolean
  /** Runs a function in the process: now, on resuming if it is paused, or never if it has ended. */
  enter(run: () => void): void
  /** Resumes a paused process, which then runs what has arrived meanwhile. */
  resume(): void
}

const current = new AsyncLocalStorage<Process>()

/** Makes a process, or a part of the process `within` that ends with it or earlier. */
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
    resume() {
      process.isPaused = false
      for (const run of held.splice(0)) process.enter(run)
    },
  }
  return process
}

/** A timer of the virtual clock, with the methods of a Node timer that callers use. */
interface VirtualTimer {
  cancel(): void
  ref(): VirtualTimer
  unref(): VirtualTimer
}

type Callback = (...args: unknown[]) => void

interface TimerOptions {
  readonly ms: number
  readonly isInterval: boolean
}

function startTimer(
  stage: Stage,
  process: Process,
  { ms, isInterval }: TimerOptions,
  run: () => void,
) {
  let cancel = (): void => {}
  let isHeld = false
  const arm = (): void => {
    cancel = stage.worldClock.at(stage.nowMs() + Math.max(1, ms), () => {
      if (isInterval) arm()
      // However long a process is paused, its interval runs once when it resumes.
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
 * Puts the timers of processes on the virtual clock, as fake timers would; all other timers stay
 * real. Returns a function that restores the real ones.
 */
export function takeTimers(stage: Stage): () => void {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  const starter =
    (real: typeof setTimeout | typeof setInterval, isInterval: boolean) =>
    (run: Callback, ms = 0, ...args: unknown[]): unknown => {
      const process = current.getStore()
      if (process) return startTimer(stage, process, { ms, isInterval }, () => run(...args))
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
