/** Reads how much processor time a thread has used, and how long it has waited for a processor. */
import { readFileSync, readlinkSync } from 'node:fs'

/** The scheduler's figures of the thread that reads them: nanoseconds on a processor, and waiting. */
const OWN_FIGURES = '/proc/thread-self/schedstat'

/** Returns the path at which other threads find the figures of this one; '' if there is none. */
export function threadFigures(): string {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
  } catch {
    return ''
  }
}

/**
 * Returns the processor time of a thread in milliseconds; 0 where the system does not report it.
 * `figures`: path to the figures of the thread, by default of this one.
 */
export const threadCpuMs = (figures: string = OWN_FIGURES): number => readFigure(figures, 0)

/** Returns the number that the system gives this thread; 0 if it does not tell. */
export const ownThread = (): number => Number(threadFigures().split('/').at(-2) ?? 0)

/**
 * Returns how long a thread of this process was ready to run but had no processor, in milliseconds;
 * 0 where the system does not report it.
 */
export const threadWaitedMs = (thread: number): number =>
  readFigure(`/proc/self/task/${thread}/schedstat`, 1)

function readFigure(figures: string, index: number): number {
  try {
    return Number(readFileSync(figures, 'latin1').split(' ')[index]) / 1e6
  } catch {
    return 0
  }
}
