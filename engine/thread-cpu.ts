/** How long a thread has computed: what a load costs, on any machine. */
import { readFileSync } from 'node:fs'

/** The scheduler's figures of the thread that reads them; nanoseconds on a processor come first. */
const SCHEDULER_FIGURES = '/proc/thread-self/schedstat'

/** Returns the processor time of this thread, milliseconds; 0 where the system does not tell. */
export function threadCpuMs(): number {
  try {
    return Number(readFileSync(SCHEDULER_FIGURES, 'latin1').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}
