/**
 * The mark of a folder in which a fork is being made: until it is gone no server and no tool opens
 * the database there, whatever ended the process that made it.
 */
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { isAlive, makeFolder, type Owner, thisProcess } from './embedded-files.ts'
import { DatabaseSetupError } from './errors.ts'

const markOf = (dataDir: string): string => join(resolve(dataDir), 'fork-under-way.json')

/** Throws DatabaseSetupError for a folder whose fork is not whole. */
export function refuseUnfinished(dataDir: string): void {
  if (!existsSync(markOf(dataDir))) return
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

/** Takes away the mark of a fork that was ended; another process may do so too, and set its own. */
function takeOver(folder: string, mark: string): void {
  if (isAlive(makerIn(mark))) throw beingMade(folder)
  const taken = `${mark}.${process.pid}`
  renameSync(mark, taken)
  if (isAlive(makerIn(taken))) {
    linkSync(taken, mark)
    rmSync(taken)
    throw beingMade(folder)
  }
  rmSync(taken)
}

/**
 * Claims a folder for a fork: a new or an empty one, or one that a fork which was ended has left.
 * Throws DatabaseSetupError for any other.
 */
export function claimFolder(dataDir: string): void {
  const folder = resolve(dataDir)
  const mark = markOf(folder)
  makeFolder(folder)
  if (existsSync(mark)) takeOver(folder, mark)
  else if (readdirSync(folder).length > 0) {
    throw new DatabaseSetupError(
      `${folder} is not empty, and a fork overwrites nothing: name a new folder.`,
    )
  }
  try {
    writeFileSync(mark, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? beingMade(folder) : error
  }
}

/** Takes the mark away: what stands in the folder is whole, or nothing. */
export const releaseFolder = (dataDir: string): void => rmSync(markOf(dataDir), { force: true })
