/**
 * Archive writes of the batches that a standby has applied, until they are known to be written: a
 * leader that is killed leaves out the last ones, and who leads from a replica replays no journal.
 */
import { type ArchiveWrite, isProjected } from '../core/archive-calls.ts'
import type { JournalRow } from '../core/ports.ts'
import { rowsOf } from '../storage/projector.ts'

export interface KeptBatch {
  readonly row: JournalRow
  readonly writes: readonly ArchiveWrite[]
}

export interface KeptWrites {
  add(row: JournalRow, writes: readonly ArchiveWrite[]): void
  /** The archive has all that follows from the batches up to this one. */
  written(batch: number): void
  /** The first batch from which on nothing has been dropped unwritten. */
  from(): number
  batches(): readonly KeptBatch[]
}

/**
 * Makes an empty list of kept writes; `batch`: the last one before those that will be added; `max`:
 * the most rows kept.
 */
export function createKeptWrites(batch: number, max: number): KeptWrites {
  let kept: KeptBatch[] = []
  let rows = 0
  let from = batch + 1
  const sizeOf = ({ writes }: KeptBatch): number =>
    writes.reduce((sum, write) => sum + rowsOf(write), 0)
  return {
    add(row, all) {
      const writes = all.filter(isProjected)
      if (writes.length === 0) return
      kept.push({ row, writes })
      rows += sizeOf(kept[kept.length - 1])
      while (rows > max) {
        const [oldest, ...others] = kept
        from = oldest.row.batch + 1
        rows -= sizeOf(oldest)
        kept = others
      }
    },
    written(upTo) {
      const left = kept.filter(({ row }) => row.batch > upTo)
      if (left.length === kept.length) return
      kept = left
      rows = kept.reduce((sum, one) => sum + sizeOf(one), 0)
    },
    from: () => from,
    batches: () => kept,
  }
}
