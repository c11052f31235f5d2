/**
 * The lock of a data folder: one process at a time starts or stops its database. A lock whose owner
 * no longer runs, or that was never filled in, does not count.
 */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { sleep } from './db.ts'
import { isAlive, isOurs, type Owner, thisProcess } from './embedded-files.ts'
import { DatabaseSetupError } from './errors.ts'

interface StartLockOptions {
  readonly log: (text: string) => void
  /** How long a running owner is waited for. */
  readonly waitMs?: number
}

/** Longer than a start of the database on a slow disk, and than a stop. */
const WAIT_MS = 120_000
const POLL_MS = 15
/** ours: how long a start waits before it logs whom it waits for. */
const LOG_AFTER_MS = 2_000
/** Time within which another process has finished removing the same stale lock. */
const CONTEST_MS = 50
/**
 * Reads of a lock without content, which a crash or a full disk left, before it counts as stale.
 */
const UNREADABLE_READS_MAX = 4

/**
 * Writes our lock; false when there is one. It appears with its content: a process held up between
 * creating and writing it would be taken for a dead one.
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

/** Returns who holds the lock; undefined when that cannot be read. */
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

/** Waits for the lock; throws DatabaseSetupError when a running process keeps it too long. */
async function acquire(file: string, { log, waitMs = WAIT_MS }: StartLockOptions): Promise<void> {
  const since = performance.now()
  let isLogged = false
  let unreadable = 0
  let isContested = false
  for (;;) {
    if (tryLock(file)) {
      if (!isContested) return
      // Another process that found the same stale lock may have removed ours instead.
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

/** Runs work that only one process at a time may do in a data folder. */
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
