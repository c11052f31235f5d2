/**
 * The process of the embedded database: creates its cluster, starts it, finds it by its pid file,
 * stops it. embedded.ts decides who may do so and when.
 */
import { execFile, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sleep } from './db.ts'
import { type ClusterPaths, changeOwner, libraryPath, startTimeOf } from './embedded-files.ts'
import { DatabaseSetupError } from './errors.ts'
import { remedyFor, systemFault } from './system-fault.ts'

const START_MS = 60_000
const STOP_MS = 60_000
const POLL_MS = 15
const WORKERS_EXIT_MS = 20_000
const LOG_BYTES_MAX = 4 * 1024 * 1024

/** `fsync`, `synchronous_commit` and `full_page_writes` stay at their safe defaults. */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  // A server opens up to 22, and a tool that finds none free ends with an error.
  max_connections: '200',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  min_wal_size: '80MB',
  wal_compression: 'on',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  dynamic_shared_memory_type: 'posix',
}

/**
 * Trusts connections on the socket, whose folder only the database's user can enter; requires scram
 * on loopback, where any local user can connect.
 */
const ACCESS = `local all all trust
host all all 127.0.0.1/32 scram-sha-256
`

const run = promisify(execFile)

export interface ServerProcess {
  readonly pid: number
  readonly port: number
}

/** Reads the lines of a file; returns undefined if there is none. */
function linesOf(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Returns the postmaster of a cluster, if it runs, and whether it is ready. Lines of the pid file:
 * pid, folder, start, port, sockets, address, key, state.
 */
export function readPostmaster(
  paths: ClusterPaths,
): { running: ServerProcess; ready: boolean } | undefined {
  const lines = linesOf(join(paths.cluster, 'postmaster.pid'))
  if (!lines) return undefined
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || startTimeOf(pid) === undefined) return undefined
  if (!isPostgres(pid, paths)) return undefined
  return { running: { pid, port: Number(lines[3]) }, ready: lines[7]?.trim() === 'ready' }
}

/**
 * Returns true for a postmaster of the cluster: after a reboot the pid may be that of any process.
 */
function isPostgres(pid: number, paths: ClusterPaths): boolean {
  if (process.platform !== 'linux') return true
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return command[0].includes('postgres') && command.includes(paths.cluster)
  } catch {
    return false
  }
}

const environment = (paths: ClusterPaths): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TZ: 'UTC',
  LC_ALL: 'C',
  ...libraryPath(paths),
})

const identity = (paths: ClusterPaths): { uid?: number; gid?: number } =>
  paths.runAs ? { uid: paths.runAs.uid, gid: paths.runAs.gid } : {}

/** The superuser of a new cluster. */
interface ClusterUser {
  readonly name: string
  readonly password: string
}

/**
 * Creates the cluster under a temporary name and renames it, so that an interrupted start leaves no
 * partial cluster.
 */
export async function makeCluster(paths: ClusterPaths, user: ClusterUser): Promise<void> {
  const making = `${paths.cluster}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  changeOwner(making, paths.runAs)
  const passwords = join(paths.sockets, 'password')
  writeFileSync(passwords, `${user.password}\n`, { mode: 0o600 })
  changeOwner(passwords, paths.runAs)
  try {
    const flags = ['--encoding=UTF8', '--locale=C', '--no-instructions', '--auth=scram-sha-256']
    await run(
      join(paths.native, 'bin', 'initdb'),
      [`--pgdata=${making}`, `--username=${user.name}`, `--pwfile=${passwords}`, ...flags],
      { ...identity(paths), env: environment(paths), cwd: '/' },
    )
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    const text = (stderr?.trim() || systemFault(error)) ?? String(error)
    throw new DatabaseSetupError(
      `the embedded database could not be made: ${text}${remedyFor(text)}`,
    )
  } finally {
    rmSync(passwords, { force: true })
  }
  renameSync(making, paths.cluster)
}

/** Writes the access rules of a cluster (pg_hba.conf). */
export function writeAccess(paths: ClusterPaths): void {
  const file = join(paths.cluster, 'pg_hba.conf')
  writeFileSync(file, ACCESS, { mode: 0o600 })
  changeOwner(file, paths.runAs)
}

function openLog(paths: ClusterPaths): number {
  if (existsSync(paths.log) && statSync(paths.log).size > LOG_BYTES_MAX) {
    renameSync(paths.log, `${paths.log}.old`)
  }
  return openSync(paths.log, 'a', 0o600)
}

const tailOf = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-6).join('\n') : ''

/** Counts processes that work in a cluster: children of a server outlive it for a moment. */
function countWorkers(paths: ClusterPaths): number {
  if (process.platform !== 'linux') return 0
  const folder = realpathSync(paths.cluster)
  let count = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (readlinkSync(`/proc/${name}/cwd`) === folder && startTimeOf(Number(name))) count++
    } catch {
      // Ended meanwhile, or not readable.
    }
  }
  return count
}

/**
 * Removes the files of a dead server: pid file, socket, the socket's lock. The next server would do
 * so itself, but not while the pid belongs to another process or to a zombie that is never reaped
 * (as under the first process of a container).
 */
export async function removeStaleFiles(paths: ClusterPaths): Promise<void> {
  if (readPostmaster(paths)) return
  const end = performance.now() + WORKERS_EXIT_MS
  while (countWorkers(paths) > 0) {
    if (performance.now() > end) {
      throw new DatabaseSetupError(`processes of a dead database still work in ${paths.cluster}`)
    }
    await sleep(POLL_MS)
  }
  rmSync(join(paths.cluster, 'postmaster.pid'), { force: true })
  for (const name of readdirSync(paths.sockets)) rmSync(join(paths.sockets, name))
}

/** Starts the server of a cluster and waits until it accepts connections. */
export async function startServer(paths: ClusterPaths, port: number): Promise<ServerProcess> {
  const log = openLog(paths)
  const flags = Object.entries({
    ...SERVER_SETTINGS,
    unix_socket_directories: process.platform === 'win32' ? '' : paths.sockets,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached into its own session: Ctrl-C on the terminal must not end it before the last snapshot
  // is stored.
  const child = spawn(
    join(paths.native, 'bin', 'postgres'),
    ['-D', paths.cluster, '-p', String(port), ...flags],
    {
      ...identity(paths),
      env: environment(paths),
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
    },
  )
  closeSync(log)
  let ended: string | undefined
  child.once('error', (error) => {
    ended = systemFault(error) ?? error.message
  })
  child.once('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? `code ${code}`}`
  })
  child.unref()
  const end = performance.now() + START_MS
  while (ended === undefined && performance.now() < end) {
    const found = readPostmaster(paths)
    if (found?.ready && found.running.pid === child.pid) return found.running
    await sleep(POLL_MS)
  }
  const logTail = tailOf(paths.log)
  throw new DatabaseSetupError(
    `the embedded database did not start: ${ended ?? 'it took too long'}${remedyFor(logTail)}\n${logTail}`,
  )
}

/** Stops a server: by fast shutdown, then immediate shutdown, then by force. */
export async function stopServer(pid: number): Promise<void> {
  const started = startTimeOf(pid)
  for (const [signal, waitMs] of [
    ['SIGINT', STOP_MS],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (started === undefined || startTimeOf(pid) !== started) return
    process.kill(pid, signal)
    const end = performance.now() + waitMs
    while (performance.now() < end) {
      if (startTimeOf(pid) !== started) return
      await sleep(POLL_MS)
    }
  }
  throw new Error(`the embedded database (process ${pid}) does not end`)
}
