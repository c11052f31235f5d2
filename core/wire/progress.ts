/**
 * The cell of shared memory in which the world thread shows main that it makes progress, which
 * command it runs, and the state of its journal. The world thread writes, main reads
 * (RELIABILITY 3, Quarantine).
 */
import { JOURNAL_STALL_MS, WORLD_STALL_MS, WORLD_STARVED_MS } from '../limits.ts'

const PROGRESS_BYTES = 32
const COUNTER = 0
const BUSY = 1
const COMMITS = 2
const AWAY = 3

export interface ProgressCell {
  readonly buffer: SharedArrayBuffer
  /**
   * Int32: [0] incremented after each command, system and slice; [1] 1 while a batch or query runs;
   * [2] incremented at the start and end of each commit, so odd during one; [3] 1 while the
   * database is away.
   */
  readonly ints: Int32Array
  /** Float64: [0] ref of the running command, 0 for none. */
  readonly running: Float64Array
  /** Int32: [0] the number that the system gives the world thread; 0 if it is not known. */
  readonly thread: Int32Array
}

/** Returns the cell in a buffer, by default in a new one. */
export function progressCell(
  buffer: SharedArrayBuffer = new SharedArrayBuffer(PROGRESS_BYTES),
): ProgressCell {
  return {
    buffer,
    ints: new Int32Array(buffer, 0, 4),
    running: new Float64Array(buffer, 16, 1),
    thread: new Int32Array(buffer, 24, 1),
  }
}

/** Shows progress; called by the world thread after each command, system and slice. */
export function bump(cell: ProgressCell): void {
  Atomics.add(cell.ints, COUNTER, 1)
}

/**
 * Marks the world thread as busy, or not, around each piece of work: main ends a busy thread that
 * makes no progress.
 */
export function setBusy(cell: ProgressCell, busy: boolean): void {
  Atomics.store(cell.ints, BUSY, busy ? 1 : 0)
  Atomics.add(cell.ints, COUNTER, 1)
}

/** Names the command that the world thread is about to run; 0 when it is done. */
export function setRunning(cell: ProgressCell, ref: number): void {
  cell.running[0] = ref
}

/** Tells main the number of the world thread; called by it at its start. */
export function setThread(cell: ProgressCell, thread: number): void {
  cell.thread[0] = thread
}

/** Counts the start and the end of each commit; called by the world thread. */
export function bumpCommits(cell: ProgressCell): void {
  Atomics.add(cell.ints, COMMITS, 1)
}

/**
 * Marks the database as away when it stops taking batches, and as back when it does again; called
 * by the world thread.
 */
export function setDatabaseAway(cell: ProgressCell, isAway: boolean): void {
  Atomics.store(cell.ints, AWAY, isAway ? 1 : 0)
}

const isBusy = (cell: ProgressCell): boolean => Atomics.load(cell.ints, BUSY) === 1
const readCounter = (cell: ProgressCell): number => Atomics.load(cell.ints, COUNTER)
/** Returns the ref of the running command; 0 for none. */
export const readRunning = (cell: ProgressCell): number => cell.running[0]
/** Returns the number of the world thread; 0 if it is not known. */
export const readThread = (cell: ProgressCell): number => cell.thread[0]

/**
 * How often main reads the cell. It counts its own wake-ups instead of time, so that a process that
 * was suspended for a while does not count as stalled.
 */
export const WATCH_EVERY_MS = 100
const COMMIT_WAKINGS_MAX = JOURNAL_STALL_MS / WATCH_EVERY_MS

/** What main has seen of the cell so far. */
export interface Watchdog {
  readonly cell: ProgressCell
  lastCounter: number
  stalledWakings: number
  /** How long the thread had waited for a processor when it was first seen without progress. */
  waitedMs: number
  lastCommits: number
  /** Wake-ups of main since it first saw the commit in progress. */
  commitWakings: number
}

export const createWatchdog = (): Watchdog => ({
  cell: progressCell(),
  lastCounter: 0,
  stalledWakings: 0,
  waitedMs: 0,
  lastCommits: 0,
  commitWakings: 0,
})

/** Checks whether the same commit is still in progress. */
function watchCommit(watchdog: Watchdog): void {
  const commits = Atomics.load(watchdog.cell.ints, COMMITS)
  const isCommitting = commits % 2 !== 0
  if (isCommitting && commits === watchdog.lastCommits) watchdog.commitWakings += 1
  else watchdog.commitWakings = 0
  watchdog.lastCommits = commits
}

/**
 * Returns what keeps batches from becoming durable, as of the last check; undefined if nothing
 * does.
 */
export function journalTrouble({
  cell,
  commitWakings,
}: Watchdog): 'database_away' | 'journal_stalled' | undefined {
  if (Atomics.load(cell.ints, AWAY) === 1) return 'database_away'
  return commitWakings >= COMMIT_WAKINGS_MAX ? 'journal_stalled' : undefined
}

/**
 * Checks the cell; returns whether the world thread was busy without progress for too long. On an
 * overloaded machine the thread waits for a processor most of the time, as `waitedMs` tells: that
 * is no stall, and a new thread would wait as long.
 */
export function looksStalled(watchdog: Watchdog, waitedMs: () => number): boolean {
  watchCommit(watchdog)
  const counter = readCounter(watchdog.cell)
  if (counter !== watchdog.lastCounter || !isBusy(watchdog.cell)) {
    watchdog.lastCounter = counter
    watchdog.stalledWakings = 0
    return false
  }
  watchdog.stalledWakings += 1
  if (watchdog.stalledWakings === 1) watchdog.waitedMs = waitedMs()
  const stalledMs = watchdog.stalledWakings * WATCH_EVERY_MS
  if (stalledMs < WORLD_STALL_MS) return false
  const isStarved = stalledMs - (waitedMs() - watchdog.waitedMs) < WORLD_STALL_MS
  if (isStarved && stalledMs < WORLD_STARVED_MS) return false
  watchdog.stalledWakings = 0
  return true
}
