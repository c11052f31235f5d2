/** How long a thread has computed: what a load costs, on any machine. */
import { readFileSync, readlinkSync } from 'node:fs'

/** The scheduler's figures of the thread that reads them; nanoseconds on a processor come first. */
const OWN_FIGURES = '/proc/thread-self/schedstat'

/** Returns where other threads find the figures of this one; '' where the system has none. */
export function threadFigures(): string {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
  } catch {
    return ''
  }
}

/**
 * Returns the processor time of a thread by its figures, of this one by default, milliseconds; 0
 * where the system does not report it.
 */
export function threadCpuMs(figures: string = OWN_FIGURES): number {
  try {
    return Number(readFileSync(figures, 'latin1').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}
