/**
 * Returns memory that a thread no longer needs to the system. The young generation grows to its
 * limit while modules load, and under load; V8 shrinks it only in a collection of the old
 * generation, which an idle thread rarely causes: in an empty server a third of the memory was
 * unused.
 */
import { Session } from 'node:inspector'
import { getHeapSpaceStatistics } from 'node:v8'

/** How long a thread must be idle before it is collected, which takes a tenth of a second. */
const IDLE_MS = 15_000
/** The share of that time for which its event loop may have been busy. */
const IDLE_SHARE_MAX = 0.02
/** Below this size of the young generation a collection is not worth its time. */
const YOUNG_BYTES_MIN = 8 * 2 ** 20

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return young?.physical_space_size ?? 0
}

/** Runs a low-memory collection, the only kind after which V8 shrinks the young generation. */
function collect(): void {
  const session = new Session()
  session.connect()
  // Disconnecting within the callback would deadlock: the session would wait for itself.
  session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()))
}

/** Collects this thread whenever it is idle and a collection would free memory. */
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
