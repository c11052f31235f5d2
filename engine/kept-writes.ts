/**
 * Keeps the archive writes of the batches that a standby has applied until they are known to be
 * written: a leader that is killed may not have written the last ones, and a standby that takes
 * over from its replica replays no journal.
 */
import { type ArchiveWrite, isProjected } from '../core/archive-calls.ts'
import type { JournalRow } from '../core/ports.ts'
import { rowsOf } from '../storage/projector.ts'

/** A batch with the archive writes that follow from it. */
export interface KeptBatch {
  readonly row: JournalRow
  readonly writes: readonly ArchiveWrite[]
}

export interface KeptWrites {
  add(row: JournalRow, writes: readonly ArchiveWrite[]): void
  /** Drops the writes of batches up to this one: the archive has them. */
  written(batch: number): void
  /** Returns the first batch from which on no unwritten batch has been dropped. */
  from(): number
  batches(): readonly KeptBatch[]
}

/**
 * Creates an empty list of kept writes. `batch`: the last batch before the first that is added;
 * `max`: how many archive rows are kept at most.
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
      rows = kept.reduce((sum, keptBatch) => sum + sizeOf(keptBatch), 0)
    },
    from: () => from,
    batches: () => kept,
  }
}
