/**
 * Commits a batch, and finishes and packs its answers and events meanwhile: in slices, so that
 * queries and the database's answers do not wait behind thousands of outcomes. Nothing is published
 * before the batch is durable.
 */
import type { ArchiveWrite } from '../core/archive-calls.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import { marksToStore } from '../core/id-marks.ts'
import { FINISH_SLICE_MS } from '../core/limits.ts'
import type {
  BatchStore,
  CommitFigures,
  JournalRow,
  Messages,
  PublishedBatch,
} from '../core/ports.ts'
import { finishSteps } from '../core/wire/describe.ts'
import { packingSink } from '../core/wire/packed.ts'
import { inSlices, nextTurn, type SliceFigures } from './slices.ts'

interface CommitOptions {
  readonly engine: Engine
  readonly store: BatchStore
  readonly monotonicMs: () => number
  /** Called before and after work that must not hang. */
  readonly busy: (busy: boolean) => void
  /** Called once the batch is durable. */
  onDurable(): void
  /** Takes what may cross to main before the batch; absent: nothing does. */
  readonly ahead?: Ahead
}

export interface Ahead {
  /** Takes messages of a tick. */
  take(messages: Messages): void
  /** Called when the tick is durable before the last of its messages is built. */
  durable(): void
}

interface Committed extends SliceFigures {
  readonly batch: PublishedBatch
  readonly commit: CommitFigures
}

/** Commits a batch; resolves with the packed batch once it may be published. */
export async function commitBatch(
  { engine, store, monotonicMs, busy, onDurable, ahead }: CommitOptions,
  run: BatchRun,
  row: JournalRow,
  writes: readonly ArchiveWrite[],
): Promise<Committed> {
  const slices = { monotonicMs, busy, sliceMsMax: FINISH_SLICE_MS }
  const isEarly = !waitsForArchive(run, writes)
  let isFinished = !isEarly
  const finishAndPack = async (stored: JournalRow) => {
    const steps = packedSteps(engine, run, stored, isEarly ? ahead?.take : undefined)
    const finished = await inSlices(slices, steps)
    isFinished = true
    return finished
  }
  const startedMs = monotonicMs()
  const bytesBefore = store.writtenBytes?.() ?? 0
  let ms = 0
  const written = store
    .commit({ ...row, idMarks: marksToStore(engine.world) }, writes)
    .then((durableRow) => {
      ms = monotonicMs() - startedMs
      onDurable()
      if (!isFinished) ahead?.durable()
      return durableRow
    })
  // Awaited below, unless finishing fails first.
  written.catch(() => {})
  // The row leaves first: the database works on it while the messages are built.
  await nextTurn()
  const early = isEarly ? await finishAndPack(row) : undefined
  const durableRow = await written
  const { result: batch, busyMs, sliceMs } = early ?? (await finishAndPack(durableRow))
  const bytes = (store.writtenBytes?.() ?? 0) - bytesBefore
  const commit = { ms, bytes, split: store.lastSplit?.() }
  return { batch, commit, busyMs, sliceMs }
}

/** Returns true when an answer depends on the outcome of an archive write. */
const waitsForArchive = (run: BatchRun, writes: readonly ArchiveWrite[]): boolean =>
  run.archived.length > 0 || writes.some(({ ref }) => ref !== undefined)

/** Finishes the batch, and packs a tick, in steps of one answer or event. */
export const packedSteps = (
  engine: Engine,
  run: BatchRun,
  row: JournalRow,
  ahead?: Ahead['take'],
): Generator<void, PublishedBatch> =>
  finishSteps(engine, run, row, row.part === 0 ? packingSink(ahead) : undefined)
