/**
 * A batch on its way out of the world: made durable, and what it tells put together meanwhile. In
 * slices, so that queries and the database's answers are not kept waiting behind thousands of
 * outcomes; nothing leaves before the batch is durable.
 */

import type { ArchiveWrite } from '../core/archive-calls.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import { marksToStore } from '../core/id-marks.ts'
import { FINISH_SLICE_MS } from '../core/limits.ts'
import type { BatchStore, CommitFigures, JournalRow, PublishedBatch } from '../core/ports.ts'
import { finishSteps } from '../core/wire/describe.ts'
import { packSteps } from '../core/wire/packed.ts'

interface CommitOptions {
  readonly engine: Engine
  readonly store: BatchStore
  readonly monotonicMs: () => number
  /** Told before and after work that must not hang. */
  readonly busy: (busy: boolean) => void
  /** The batch is durable. */
  durable(): void
}

interface Committed {
  readonly batch: PublishedBatch
  readonly commit: CommitFigures
  /** Milliseconds of work. */
  readonly busyMs: number
  /** The longest slice of it, in which the world did nothing else. */
  readonly sliceMs: number
}

/** Resolves when the batch may leave. */
export async function commitBatch(
  { engine, store, monotonicMs, busy, durable }: CommitOptions,
  run: BatchRun,
  row: JournalRow,
  writes: readonly ArchiveWrite[],
): Promise<Committed> {
  const slices = { monotonicMs, busy, busyMs: 0, sliceMs: 0 }
  const ready = async (known: JournalRow): Promise<PublishedBatch> => {
    const batch = await inSlices(slices, finishSteps(engine, run, known))
    return inSlices(slices, packSteps(batch))
  }
  const begunMs = monotonicMs()
  const bytesBefore = store.writtenBytes?.() ?? 0
  let ms = 0
  const written = store
    .commit({ ...row, idMarks: marksToStore(engine.world) }, writes)
    .finally(() => {
      ms = monotonicMs() - begunMs
    })
  // Awaited below, when what is told does not fail first.
  written.catch(() => {})
  const early = waitsForArchive(run, writes) ? undefined : await ready(row)
  const known = await written
  durable()
  const batch = early ?? (await ready(known))
  const commit = { ms, bytes: (store.writtenBytes?.() ?? 0) - bytesBefore }
  return { batch, commit, busyMs: slices.busyMs, sliceMs: slices.sliceMs }
}

/** True when the archive decides what somebody is answered. */
const waitsForArchive = (run: BatchRun, writes: readonly ArchiveWrite[]): boolean =>
  run.archived.length > 0 || writes.some(({ ref }) => ref !== undefined)

interface Slices {
  readonly monotonicMs: () => number
  readonly busy: (busy: boolean) => void
  busyMs: number
  sliceMs: number
}

/** Runs the steps; between slices whatever else waits for this thread has its turn. */
async function inSlices<T>(slices: Slices, steps: Generator<void, T>): Promise<T> {
  const { monotonicMs, busy } = slices
  for (;;) {
    const sinceMs = monotonicMs()
    busy(true)
    let step = steps.next()
    while (!step.done && monotonicMs() - sinceMs < FINISH_SLICE_MS) step = steps.next()
    busy(false)
    const tookMs = monotonicMs() - sinceMs
    slices.busyMs += tookMs
    slices.sliceMs = Math.max(slices.sliceMs, tookMs)
    if (step.done) return step.value
    await new Promise((resolve) => setImmediate(resolve))
  }
}
