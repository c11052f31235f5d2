/**
 * Gives memory back that a thread has taken and no longer needs. The young generation grows to its
 * bound while modules load, and under load; V8 lets it shrink only when it collects the old one,
 * which a thread that does little seldom makes it do: of an empty server's memory a third stood
 * empty.
 */
import { Session } from 'node:inspector'
import { getHeapSpaceStatistics } from 'node:v8'

/** A thread that did next to nothing for so long is collected: that takes a tenth of a second. */
const IDLE_MS = 15_000
/** The share of that time in which its loop may have been busy. */
const IDLE_SHARE_MAX = 0.02
/** Less is not worth it. */
const YOUNG_BYTES_MIN = 8 * 2 ** 20

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return young?.physical_space_size ?? 0
}

/** Collects as for want of memory, after which alone V8 gives back the young generation. */
function collect(): void {
  const session = new Session()
  session.connect()
  // It would wait for itself if it were ended in its own answer.
  session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()))
}

/** Collects this thread whenever it is idle, and has something to give back. */
export function collectWhenIdle(): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    if (utilization < IDLE_SHARE_MAX && youngBytes() > YOUNG_BYTES_MIN) collect()
    before = now
  }, IDLE_MS)
  timer.unref()
}
