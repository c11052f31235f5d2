/**
 * The process of the embedded database: making its cluster, starting it, finding it by its pid
 * file, ending it. Who may do so and when is embedded.ts.
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
import { giveTo, libraryPath, type Places, startOf } from './embedded-files.ts'
import { DatabaseSetupError } from './errors.ts'
import { systemFault, wayOutOf } from './system-fault.ts'

const START_MS = 60_000
const STOP_MS = 60_000
const POLL_MS = 15
const WORKERS_GONE_MS = 20_000
const LOG_BYTES_MAX = 4 * 1024 * 1024

/** `fsync`, `synchronous_commit` and `full_page_writes` stay at their safe defaults. */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  max_connections: '60',
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
 * Trust on the socket, whose folder only the database's user can enter; scram on loopback, where
 * any local user can knock.
 */
const ACCESS = `local all all trust
host all all 127.0.0.1/32 scram-sha-256
`

const run = promisify(execFile)

export interface Running {
  readonly pid: number
  readonly port: number
}

/** Undefined when there is no such file. */
function linesOf(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The postmaster of a cluster, if it lives and is ready. Its file: pid, folder, start, port,
 * sockets, address, key, state.
 */
export function readPostmaster(places: Places): { running: Running; ready: boolean } | undefined {
  const lines = linesOf(join(places.cluster, 'postmaster.pid'))
  if (!lines) return undefined
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || startOf(pid) === undefined) return undefined
  if (!isPostgres(pid, places)) return undefined
  return { running: { pid, port: Number(lines[3]) }, ready: lines[7]?.trim() === 'ready' }
}

/** After a reboot the number in the file may be anybody's. */
function isPostgres(pid: number, places: Places): boolean {
  if (process.platform !== 'linux') return true
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return command[0].includes('postgres') && command.includes(places.cluster)
  } catch {
    return false
  }
}

const environment = (places: Places): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TZ: 'UTC',
  LC_ALL: 'C',
  ...libraryPath(places),
})

const identity = (places: Places): { uid?: number; gid?: number } =>
  places.runAs ? { uid: places.runAs.uid, gid: places.runAs.gid } : {}

/** The superuser of a new cluster. */
interface ClusterUser {
  readonly name: string
  readonly password: string
}

/**
 * Makes the cluster beside its place and moves it there whole, so a start that was cut off leaves
 * none half made.
 */
export async function makeCluster(places: Places, user: ClusterUser): Promise<void> {
  const making = `${places.cluster}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  giveTo(making, places.runAs)
  const passwords = join(places.sockets, 'password')
  writeFileSync(passwords, `${user.password}\n`, { mode: 0o600 })
  giveTo(passwords, places.runAs)
  try {
    const flags = ['--encoding=UTF8', '--locale=C', '--no-instructions', '--auth=scram-sha-256']
    await run(
      join(places.native, 'bin', 'initdb'),
      [`--pgdata=${making}`, `--username=${user.name}`, `--pwfile=${passwords}`, ...flags],
      { ...identity(places), env: environment(places), cwd: '/' },
    )
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    const text = (stderr?.trim() || systemFault(error)) ?? String(error)
    throw new DatabaseSetupError(
      `the embedded database could not be made: ${text}${wayOutOf(text)}`,
    )
  } finally {
    rmSync(passwords, { force: true })
  }
  renameSync(making, places.cluster)
}

export function writeAccess(places: Places): void {
  const file = join(places.cluster, 'pg_hba.conf')
  writeFileSync(file, ACCESS, { mode: 0o600 })
  giveTo(file, places.runAs)
}

function openLog(places: Places): number {
  if (existsSync(places.log) && statSync(places.log).size > LOG_BYTES_MAX) {
    renameSync(places.log, `${places.log}.old`)
  }
  return openSync(places.log, 'a', 0o600)
}

const tailOf = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-6).join('\n') : ''

/** Processes that work in a cluster: a server's children outlive it for a moment. */
function countWorkers(places: Places): number {
  if (process.platform !== 'linux') return 0
  const folder = realpathSync(places.cluster)
  let count = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (readlinkSync(`/proc/${name}/cwd`) === folder && startOf(Number(name))) count++
    } catch {
      // Ended meanwhile, or not ours to look at.
    }
  }
  return count
}

/**
 * Removes what a server that is gone left behind: pid file, socket, the socket's lock. The next one
 * would do so itself, but not while the number belongs to another process, or to a dead one that
 * nobody collects (as under a container's first process).
 */
export async function clearRemains(places: Places): Promise<void> {
  if (readPostmaster(places)) return
  const end = performance.now() + WORKERS_GONE_MS
  while (countWorkers(places) > 0) {
    if (performance.now() > end) {
      throw new DatabaseSetupError(`processes of a dead database still work in ${places.cluster}`)
    }
    await sleep(POLL_MS)
  }
  rmSync(join(places.cluster, 'postmaster.pid'), { force: true })
  for (const name of readdirSync(places.sockets)) rmSync(join(places.sockets, name))
}

/** Starts the server of a cluster and waits until it takes connections. */
export async function launch(places: Places, port: number): Promise<Running> {
  const log = openLog(places)
  const flags = Object.entries({
    ...SERVER_SETTINGS,
    unix_socket_directories: process.platform === 'win32' ? '' : places.sockets,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // A session of its own: Ctrl-C on the terminal must not end it before the last snapshot is
  // stored.
  const child = spawn(
    join(places.native, 'bin', 'postgres'),
    ['-D', places.cluster, '-p', String(port), ...flags],
    {
      ...identity(places),
      env: environment(places),
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
    const found = readPostmaster(places)
    if (found?.ready && found.running.pid === child.pid) return found.running
    await sleep(POLL_MS)
  }
  const said = tailOf(places.log)
  throw new DatabaseSetupError(
    `the embedded database did not start: ${ended ?? 'it took too long'}${wayOutOf(said)}\n${said}`,
  )
}

/** Ends a server: fast shutdown, then at once, then by force. */
export async function shutDown(places: Places, pid: number): Promise<void> {
  const started = startOf(pid)
  for (const [signal, waitMs] of [
    ['SIGINT', STOP_MS],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (started === undefined || startOf(pid) !== started) return
    process.kill(pid, signal)
    const end = performance.now() + waitMs
    while (performance.now() < end) {
      if (startOf(pid) !== started || !isPostgres(pid, places)) return
      await sleep(POLL_MS)
    }
  }
  throw new Error(`the embedded database (process ${pid}) does not end`)
}
