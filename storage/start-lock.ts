/**
 * The lock of a data folder: one process at a time starts or stops its database. A lock whose owner
 * no longer runs, or without content, is stale and does not count.
 */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { sleep } from './db.ts'
import { isAlive, isOurs, type Owner, thisProcess } from './embedded-files.ts'
import { DatabaseSetupError } from './errors.ts'

interface StartLockOptions {
  readonly log: (text: string) => void
  /** How long to wait for a running owner. */
  readonly waitMs?: number
}

/** Longer than a start or stop of the database on a slow disk. */
const WAIT_MS = 120_000
const POLL_MS = 15
/** ours: time after which a waiting start logs the owner. */
const LOG_AFTER_MS = 2_000
/** Time in which another process finishes removing the same stale lock. */
const CONTEST_MS = 50
/**
 * Number of reads after which a lock without content (from a crash or a full disk) counts as stale.
 */
const UNREADABLE_READS_MAX = 4

/**
 * Writes our lock; returns false if there is one already. The file appears together with its
 * content: otherwise a process delayed between creating and writing it would look dead.
 */
function tryLock(file: string): boolean {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(thisProcess()))
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Returns the owner of the lock; undefined if it cannot be read. */
function ownerIn(file: string): Owner | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner>
    return Number.isInteger(pid) && typeof started === 'string'
      ? { pid: Number(pid), started }
      : undefined
  } catch {
    return undefined
  }
}

/** Waits for the lock; throws DatabaseSetupError if a running process keeps it too long. */
async function acquire(file: string, { log, waitMs = WAIT_MS }: StartLockOptions): Promise<void> {
  const since = performance.now()
  let isLogged = false
  let unreadable = 0
  let isContested = false
  for (;;) {
    if (tryLock(file)) {
      if (!isContested) return
      // Another process that found the same stale lock may have removed ours.
      await sleep(CONTEST_MS)
      if (isOurs(ownerIn(file))) return
    }
    const owner = ownerIn(file)
    unreadable = owner ? 0 : unreadable + 1
    if (owner ? !isAlive(owner) : unreadable >= UNREADABLE_READS_MAX) {
      isContested = true
      rmSync(file, { force: true, recursive: true })
      continue
    }
    const waitedMs = performance.now() - since
    const who = `process ${owner?.pid}, which starts or stops the database (${file})`
    if (owner && waitedMs > waitMs) {
      throw new DatabaseSetupError(
        `waited ${Math.round(waitMs / 1000)} s for ${who}: let it finish, or end it`,
      )
    }
    if (owner && waitedMs > LOG_AFTER_MS && !isLogged) {
      isLogged = true
      log(`waiting for ${who}`)
    }
    await sleep(POLL_MS)
  }
}

/** Runs work under the lock of a data folder. */
export async function withStartLock<T>(
  file: string,
  work: () => Promise<T>,
  options: StartLockOptions,
): Promise<T> {
  await acquire(file, options)
  try {
    return await work()
  } finally {
    if (isOurs(ownerIn(file))) rmSync(file, { force: true })
  }
}
