/**
 * The lock of a data folder: one process at a time starts or stops its database. A lock without a
 * living owner does not count, whatever ended the one who wrote it, or kept it from writing.
 */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { sleep } from './db.ts'
import { isAlive, isOurs, type Owner, ourselves } from './embedded-files.ts'
import { DatabaseSetupError } from './errors.ts'

interface StartLockOptions {
  readonly log: (text: string) => void
  /** How long a living owner is waited for. */
  readonly waitMs?: number
}

/** Longer than a start of the database on a slow disk, and than a stop. */
const WAIT_MS = 120_000
const POLL_MS = 15
/** ours: a start is silent for so long before it says whom it waits for. */
const SILENT_MS = 2_000
/** Whoever cleared away the same dead lock has done so within this time. */
const CONTEST_MS = 50
/** Looks at a lock without content, which a crash or a full disk left, before it counts as dead. */
const UNREADABLE_LOOKS = 4

/**
 * Writes our lock; false when there is one. It has its content from the first moment that others
 * see it: a process held up between making and writing it would be taken for a dead one.
 */
function take(file: string): boolean {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(ourselves()))
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Who holds the lock; undefined when that cannot be read. */
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

/** Waits for the lock; throws DatabaseSetupError when a living process keeps it too long. */
async function acquire(file: string, { log, waitMs = WAIT_MS }: StartLockOptions): Promise<void> {
  const since = performance.now()
  let isTold = false
  let unreadable = 0
  let isContested = false
  for (;;) {
    if (take(file)) {
      if (!isContested) return
      // Another who found the same dead lock may have cleared away ours for it.
      await sleep(CONTEST_MS)
      if (isOurs(ownerIn(file))) return
    }
    const owner = ownerIn(file)
    unreadable = owner ? 0 : unreadable + 1
    if (owner ? !isAlive(owner) : unreadable >= UNREADABLE_LOOKS) {
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
    if (owner && waitedMs > SILENT_MS && !isTold) {
      isTold = true
      log(`waiting for ${who}`)
    }
    await sleep(POLL_MS)
  }
}

/** Does work that only one process at a time may do in a data folder. */
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
