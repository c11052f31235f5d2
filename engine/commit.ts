/**
 * Commits a batch, and finishes and packs its answers and events meanwhile: in slices, so that
 * queries and the database's answers do not wait behind thousands of outcomes. Nothing is published
 * before the batch is durable.
 */
import type { ArchiveWrite } from '../core/archive-calls.ts'
import type { BatchRun, Engine } from '../core/engine.ts'
import { marksToStore } from '../core/id-marks.ts'
import { FINISH_SLICE_MS } from '../core/limits.ts'
import type { BatchStore, CommitFigures, JournalRow, PublishedBatch } from '../core/ports.ts'
import { finishSteps } from '../core/wire/describe.ts'
import { packingSink } from '../core/wire/packed.ts'
import { inSlices, type SliceFigures } from './slices.ts'

interface CommitOptions {
  readonly engine: Engine
  readonly store: BatchStore
  readonly monotonicMs: () => number
  /** Called before and after work that must not hang. */
  readonly busy: (busy: boolean) => void
  /** Called once the batch is durable. */
  onDurable(): void
  /** Takes messages of a tick before it is durable; absent: they all stay in the batch. */
  readonly ahead?: Ahead
}

type Ahead = NonNullable<Parameters<typeof packingSink>[0]>

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

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
  const finishAndPack = (stored: JournalRow) =>
    inSlices(slices, packedSteps(engine, run, stored, ahead))
  const startedMs = monotonicMs()
  const bytesBefore = store.writtenBytes?.() ?? 0
  let ms = 0
  const written = store
    .commit({ ...row, idMarks: marksToStore(engine.world) }, writes)
    .then((durableRow) => {
      ms = monotonicMs() - startedMs
      onDurable()
      return durableRow
    })
  // Awaited below, unless finishing fails first.
  written.catch(() => {})
  // The row leaves first: the database works on it while the messages are built.
  await nextTurn()
  const early = waitsForArchive(run, writes) ? undefined : await finishAndPack(row)
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
  ahead?: Ahead,
): Generator<void, PublishedBatch> =>
  finishSteps(engine, run, row, row.part === 0 ? packingSink(ahead) : undefined)
