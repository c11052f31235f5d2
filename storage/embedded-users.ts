/**
 * Registers the users of the embedded database: a file for each handle, written and read under the
 * lock of the data folder. Connections alone do not show users: a process that has found the
 * database running opens its first one a moment later.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClusterPaths, isAlive, type Owner, thisProcess } from './embedded-files.ts'

let handles = 0

/** Registers this process as a user of the database; returns a function that removes the entry. */
export function registerUser({ users }: ClusterPaths): () => void {
  mkdirSync(users, { recursive: true, mode: 0o700 })
  const file = join(users, `${process.pid}-${++handles}`)
  writeFileSync(file, JSON.stringify(thisProcess()))
  return () => rmSync(file, { force: true })
}

function userIn(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner
  } catch {
    // A crash or a full disk left an incomplete file.
    return undefined
  }
}

/** Returns another running process that uses the database, if any; removes entries of dead ones. */
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
