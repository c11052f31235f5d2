/**
 * Who uses the embedded database: a file for each handle, written and read under the lock of the
 * data folder. Connections alone do not show it: a process that has found the database running
 * opens its first one a moment later.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClusterPaths, isAlive, type Owner, thisProcess } from './embedded-files.ts'

let handles = 0

/** Notes that this process uses the database; returns what removes the note. */
export function enterUser({ users }: ClusterPaths): () => void {
  mkdirSync(users, { recursive: true, mode: 0o700 })
  const file = join(users, `${process.pid}-${++handles}`)
  writeFileSync(file, JSON.stringify(thisProcess()))
  return () => rmSync(file, { force: true })
}

function userIn(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner
  } catch {
    // A crash or a full disk left half of it.
    return undefined
  }
}

/** Returns another process that uses the database, if any runs; forgets those that are gone. */
export function findOtherUser({ users }: ClusterPaths): Owner | undefined {
  mkdirSync(users, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(users).sort()) {
    const file = join(users, name)
    const user = userIn(file)
    if (!isAlive(user)) rmSync(file, { force: true })
    else if (user?.pid !== process.pid) return user
  }
  return undefined
}
