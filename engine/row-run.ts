/** Runs a row of the journal on a replica that answers queries meanwhile. */
import type { Engine } from '../core/engine.ts'
import { COMPUTE_SLICE_MS, FINISH_SLICE_MS } from '../core/limits.ts'
import type { JournalRow, PublishedBatch } from '../core/ports.ts'
import { packedSteps } from './commit.ts'
import type { LoopOptions } from './options.ts'
import type { Reception } from './reception.ts'
import { inSlices } from './slices.ts'
import { rowSteps } from './start.ts'

interface Running extends Pick<LoopOptions, 'busy' | 'clock'> {
  readonly engine: Engine
  readonly reception: Reception
}

/** Runs a row in slices, with queries answered in between; resolves with the batch to publish. */
export async function runRow(
  { engine, reception, busy, clock }: Running,
  row: JournalRow,
): Promise<PublishedBatch> {
  const { monotonicMs } = clock
  const compute = { monotonicMs, busy, sliceMsMax: COMPUTE_SLICE_MS }
  reception.hold()
  const { result: run } = await inSlices(compute, rowSteps(engine, row))
  reception.release()
  const finish = { monotonicMs, busy, sliceMsMax: FINISH_SLICE_MS }
  return (await inSlices(finish, packedSteps(engine, run, row))).result
}

/**
 * Returns a reception that calls `forward` after it has taken commands: queries leave marks of what
 * was read in its inbox, and only the leader may write them.
 */
export function forwardingNotes(reception: Reception, forward: () => void): Reception {
  return {
    ...reception,
    take(commands) {
      reception.take(commands)
      forward()
    },
    release() {
      reception.release()
      forward()
    },
  }
}
