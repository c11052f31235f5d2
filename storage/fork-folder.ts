/**
 * Marks a folder in which a fork is being made: while the mark exists, no server and no tool opens
 * the database there, even if the process was killed. Also makes the folder for temporary files of
 * a fork.
 */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { isAlive, makeFolder, type Owner, startTimeOf, thisProcess } from './embedded-files.ts'
import { DatabaseSetupError } from './errors.ts'

const MARK = 'fork-under-way.json'

const markOf = (dataDir: string): string => join(resolve(dataDir), MARK)

/** Lists the marks in a folder, including one that was being taken over. */
const marksIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(MARK)) : []

/** Throws DatabaseSetupError for a folder with an unfinished fork. */
export function refuseUnfinished(dataDir: string): void {
  if (marksIn(resolve(dataDir)).length === 0) return
  throw new DatabaseSetupError(
    `${resolve(dataDir)} holds an unfinished fork: let "npx orrery fork" end, or run it to ` +
      'that folder again, or delete the folder.',
  )
}

/** Returns the process that set a mark; undefined if a crash left an incomplete one. */
function ownerOf(mark: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(mark, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

const forkInProgress = (folder: string): DatabaseSetupError =>
  new DatabaseSetupError(`Another process is making a fork in ${folder}.`)

/**
 * Takes over the mark of an aborted fork by renaming it and returns the new name; the folder stays
 * closed until that file is removed. Another process may try the same at once and set its own mark.
 */
function takeOver(folder: string, mark: string): string {
  if (isAlive(ownerOf(mark))) throw forkInProgress(folder)
  const taken = `${mark}.${process.pid}`
  renameSync(mark, taken)
  if (!isAlive(ownerOf(taken))) return taken
  linkSync(taken, mark)
  rmSync(taken)
  throw forkInProgress(folder)
}

/**
 * Claims a folder for a fork: a new or empty one, or one of an aborted fork. Throws
 * DatabaseSetupError for any other.
 */
export function claimFolder(dataDir: string): void {
  const folder = resolve(dataDir)
  const mark = markOf(folder)
  makeFolder(folder)
  const marks = marksIn(folder)
  const taken = marks.map((name) => takeOver(folder, join(folder, name)))
  if (marks.length === 0 && readdirSync(folder).length > 0) {
    throw new DatabaseSetupError(
      `${folder} is not empty, and a fork overwrites nothing: name a new folder.`,
    )
  }
  try {
    writeFileSync(mark, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? forkInProgress(folder) : error
  } finally {
    for (const left of taken) rmSync(left, { force: true })
  }
}

/** Removes the mark; the folder must be complete or empty by then. */
export const releaseFolder = (dataDir: string): void => rmSync(markOf(dataDir), { force: true })

const TEMPORARY = /^orrery-fork-(\d+)-/

/**
 * Creates a folder for temporary files of a fork, and removes those of processes that have ended.
 */
export function makeTemporary(root: string): string {
  const uid = process.getuid?.()
  for (const name of readdirSync(root)) {
    const pid = Number(TEMPORARY.exec(name)?.[1] ?? process.pid)
    if (pid === process.pid || startTimeOf(pid) !== undefined) continue
    const left = join(root, name)
    if (lstatSync(left, { throwIfNoEntry: false })?.uid !== uid) continue
    rmSync(left, { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(root, `orrery-fork-${process.pid}-`))
  // A signal may end the process before the fork has removed it.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
