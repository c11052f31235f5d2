/**
 * The mark of a folder in which a fork is being made: until it is gone no server and no tool opens
 * the database there, whatever ended the process that made it. And the folder for a fork's files.
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

/** Lists the marks in a folder: also one that was being taken over. */
const marksIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(MARK)) : []

/** Throws DatabaseSetupError for a folder whose fork is not whole. */
export function refuseUnfinished(dataDir: string): void {
  if (marksIn(resolve(dataDir)).length === 0) return
  throw new DatabaseSetupError(
    `${resolve(dataDir)} holds a fork that is not whole: let "npx orrery fork" end, or run it to ` +
      'that folder again, or delete the folder.',
  )
}

/** Returns the process that set a mark; undefined where a crash left half of it. */
function makerIn(mark: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(mark, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

const beingMade = (folder: string): DatabaseSetupError =>
  new DatabaseSetupError(`Another process is making a fork in ${folder}.`)

/**
 * Takes the mark of a fork that was ended; another process may do so too, and set its own. Returns
 * what it is named now: the folder stays closed until that is gone.
 */
function takeOver(folder: string, mark: string): string {
  if (isAlive(makerIn(mark))) throw beingMade(folder)
  const taken = `${mark}.${process.pid}`
  renameSync(mark, taken)
  if (!isAlive(makerIn(taken))) return taken
  linkSync(taken, mark)
  rmSync(taken)
  throw beingMade(folder)
}

/**
 * Claims a folder for a fork: a new or an empty one, or one that a fork which was ended has left.
 * Throws DatabaseSetupError for any other.
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
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? beingMade(folder) : error
  } finally {
    for (const left of taken) rmSync(left, { force: true })
  }
}

/** Takes the mark away: what stands in the folder is whole, or nothing. */
export const releaseFolder = (dataDir: string): void => rmSync(markOf(dataDir), { force: true })

const TEMPORARY = /^orrery-fork-(\d+)-/

/** Makes a folder for the files of a fork, and removes those whose process was ended. */
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
  // A signal ends the process before what waits for the fork has taken it away.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
