/**
 * Describes faults of the operating system (a full disk, a folder of another user) in sentences
 * with a remedy: one table for the start of the server and for every tool.
 */
import { getSystemErrorMap } from 'node:util'

/** The cause and remedy of each error code. */
const FAULTS: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  ENOSPC: ['the disk is full', 'Make room on it and try again.'],
  EDQUOT: ['the disk quota of this user is used up', 'Make room or raise it, and try again.'],
  EROFS: [
    'it is on a file system that is mounted read-only',
    'Mount it writable, or name another place.',
  ],
  EACCES: ['this user may not use it', 'Run as its owner, or let this user read and write it.'],
  EPERM: ['this user may not change it', 'Run as its owner, or let this user read and write it.'],
  ENOENT: ['there is no such file or folder', 'Check the path.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Name a folder, or move the file away.'],
  EEXIST: ['a file is where a folder is needed', 'Name a folder, or move the file away.'],
  EISDIR: ['it is a folder, not a file', 'Name a file.'],
  ENAMETOOLONG: ['the path is too long', 'Name a shorter one.'],
  ELOOP: ['its symbolic links form a loop', 'Name a path without them.'],
  EBUSY: ['something else uses it', 'End that and try again.'],
  EIO: ['the disk reports an error', 'Check the disk and its cables before you start again.'],
  EMFILE: ['this process has too many files open', 'Raise its limit (ulimit -n).'],
  ENFILE: ['the machine has too many files open', 'Raise its limit (sysctl fs.file-max).'],
}

const sentence = (subject: string, [cause, remedy]: readonly [string, string]): string =>
  `${subject}: ${cause}. ${remedy}`

/** Returns the sentence for an error of the file system; undefined for any other. */
export function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, path } = error as NodeJS.ErrnoException
  const fault = code === undefined || syscall === undefined ? undefined : FAULTS[code]
  return fault && sentence(path ?? 'A file that is needed', fault)
}

/** Error codes with the standard text that every program prints for them. */
const CODES = [...getSystemErrorMap().values()].filter(([code]) => FAULTS[code] !== undefined)

/** Returns the remedy for an error that another program has printed; empty if unknown. */
export function remedyFor(printed: string): string {
  const text = printed.toLowerCase()
  const found = CODES.find(([, message]) => text.includes(message))
  return found ? ` ${FAULTS[found[0]][1]}` : ''
}

/** Adds the path to errors of an open file, which the system reports without it. */
export async function atPath<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && !('path' in error)) {
      Object.assign(error, { path })
    }
    throw error
  }
}
