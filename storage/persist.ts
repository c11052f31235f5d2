/** Runs a transaction until it succeeds, however long the database is away. */
import { isDataError, isTransient, type Sql, sleep } from './db.ts'
import type { JournalSession } from './journal-session.ts'
import type { WorldLock } from './lock.ts'

export interface Attempt {
  /** True if an earlier attempt may have been committed, as its answer was lost. */
  readonly isUncertain: boolean
  /**
   * True if each archive write runs in a savepoint, because the database refused data of an earlier
   * attempt.
   */
  readonly savepoints: boolean
}

interface PersistOptions {
  readonly session: JournalSession
  readonly lock: WorldLock
  isClosed(): boolean
  /** Called if the database is unavailable; another attempt follows. */
  onAway(error: unknown): void
}

const BACKOFF_MS_MAX = 1_000

const backoffMs = (attempts: number): number =>
  Math.min(20 * 2 ** Math.min(attempts, 8), BACKOFF_MS_MAX)

/**
 * Resolves with the result of an attempt; throws errors that are neither transient nor refused
 * data.
 */
export async function persist<T>(
  { session, lock, isClosed, onAway }: PersistOptions,
  attempt: (sql: Sql, how: Attempt) => Promise<T>,
): Promise<T> {
  let [savepoints, isUncertain] = [false, false]
  for (let attempts = 0; ; attempts++) {
    try {
      if (isClosed()) throw new Error('the store is closed')
      await lock.ensure()
      return await session.run((sql) => attempt(sql, { isUncertain, savepoints }), attempts)
    } catch (error) {
      if (isDataError(error) && !savepoints) {
        savepoints = true
        continue
      }
      if (!isTransient(error)) throw error
      isUncertain = true
      onAway(error)
      await sleep(backoffMs(attempts))
      await session.renew()
    }
  }
}
