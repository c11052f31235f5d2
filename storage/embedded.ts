/**
 * The embedded database: a real PostgreSQL from npm in DATA_DIR, started on first use, reused if it
 * already runs (a tool beside the server, an orphan of a killed one), stopped by the process that
 * owns it.
 */
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { type ConnectionOptions, connect, disconnect, sleep, withDeadline } from './db.ts'
import {
  type ClusterPaths,
  findClusterPaths,
  isAlive,
  isOurs,
  linkLibraries,
  newSettings,
  readSettings,
  type Settings,
  thisProcess,
  writeSettings,
} from './embedded-files.ts'
import {
  makeCluster,
  readPostmaster,
  removeStaleFiles,
  type ServerProcess,
  startServer,
  stopServer,
  writeAccess,
} from './embedded-server.ts'
import { findOtherUser, registerUser } from './embedded-users.ts'
import { DatabaseSetupError } from './errors.ts'
import { refuseUnfinished } from './fork-folder.ts'
import { withStartLock } from './start-lock.ts'
import { systemFault } from './system-fault.ts'

interface EmbeddedOptions {
  readonly dataDir: string
  readonly schema: string
  /**
   * True for the server, which takes over a database whose owner is gone; a tool does so only if it
   * has to restart one.
   */
  readonly adopt: boolean
  /** True for the process that makes a fork in the folder; no other may open it. */
  readonly isFork?: boolean
  readonly log?: (text: string) => void
}

interface EmbeddedDatabase {
  /** Connection of the server, which may only read and write rows. */
  readonly connection: ConnectionOptions
  /** Connection for migrations, which may create tables. */
  readonly owner: ConnectionOptions
  /** Process of the database; changes when it is restarted after a kill. */
  readonly pid: number
  /** False if it was already running. */
  readonly started: boolean
  /** Stops the database if this process owns it and nobody else uses it. */
  stop(): Promise<void>
}

const ADMIN = 'orrery_admin'
export const SERVER_ROLE = 'orrery_server'
const DATABASE = 'orrery'
const START_MS = 60_000
/** How long a new process waits for an answer of a database that another process uses. */
const BUSY_MS = 10_000
const POLL_MS = 15
const WATCH_MS = 500
const RESTART_PAUSE_MS = 2_000

const connectionOf = (
  paths: ClusterPaths,
  settings: Settings,
  as: { readonly username: string; readonly password: string; readonly schema: string },
): ConnectionOptions => ({
  ...as,
  database: DATABASE,
  host: '127.0.0.1',
  port: settings.port,
  ...(process.platform === 'win32'
    ? {}
    : { socket: join(paths.sockets, `.s.PGSQL.${settings.port}`) }),
})

const HEALTH_MS = 5_000

async function isResponsive(connection: ConnectionOptions): Promise<boolean> {
  const sql = connect(connection, { name: 'health' })
  try {
    await withDeadline(sql`select 1`, HEALTH_MS)
    return true
  } catch {
    return false
  } finally {
    await disconnect(sql, 0)
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(new Error('no free port')),
      )
    })
  })

const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Creates the database and the server's role, which may only read and write rows (RELIABILITY 6).
 */
async function createRoleAndDatabase(paths: ClusterPaths, settings: Settings): Promise<void> {
  const admin = { username: ADMIN, password: settings.adminPassword, schema: 'public' }
  const sql = connect(
    { ...connectionOf(paths, settings, admin), database: 'postgres' },
    { name: 'prepare' },
  )
  try {
    const found = await sql<{ role: boolean; database: boolean }[]>`
      select exists (select from pg_roles where rolname = ${SERVER_ROLE}) as role,
        exists (select from pg_database where datname = ${DATABASE}) as database`
    if (!found[0].role) {
      // Safe to inline: the password is hexadecimal digits that we generated.
      await sql.unsafe(`create role ${SERVER_ROLE} login password '${settings.serverPassword}'`)
    }
    if (!found[0].database) await sql.unsafe(`create database ${DATABASE}`)
  } finally {
    await disconnect(sql)
  }
}

interface Found {
  readonly running: ServerProcess
  readonly settings: Settings
  readonly started: boolean
}

/**
 * Returns the running server of this folder, if it is healthy. One that does not answer is stopped,
 * unless another live process owns it: it may only be busy, and its owner has a watchdog.
 */
async function findRunning(
  paths: ClusterPaths,
  settings: Settings,
  log: (text: string) => void,
): Promise<ServerProcess | undefined> {
  const begin = performance.now()
  let busyMs: number | undefined
  const { owner } = settings
  const isOthers = isAlive(owner) && !isOurs(owner)
  for (;;) {
    const found = readPostmaster(paths)
    if (!found) return undefined
    const { running } = found
    if (!found.ready && performance.now() - begin < START_MS) {
      await sleep(POLL_MS)
      continue
    }
    const admin = { username: ADMIN, password: settings.adminPassword, schema: 'public' }
    const target = connectionOf(paths, { ...settings, port: running.port }, admin)
    busyMs ??= performance.now()
    if (await isResponsive({ ...target, database: 'postgres' })) return running
    if (isOthers && performance.now() - busyMs < BUSY_MS) {
      // One that has no connection to spare refuses at once.
      await sleep(POLL_MS)
      continue
    }
    if (isOthers) {
      throw new DatabaseSetupError(
        `The database of ${paths.cluster} (process ${running.pid}) does not answer. Process ` +
          `${owner?.pid} uses it: try again once that is less busy, or end it first.`,
      )
    }
    log(`the database process ${running.pid} does not answer; ending it`)
    await stopServer(running.pid)
  }
}

async function bringUp(paths: ClusterPaths, options: EmbeddedOptions): Promise<Found> {
  const log = options.log ?? (() => {})
  linkLibraries(paths)
  let settings = readSettings(paths)
  if (settings && existsSync(paths.cluster)) {
    const running = await findRunning(paths, settings, log)
    if (running) {
      const orphan = !isAlive(settings.owner)
      if (orphan) log(`found the database of a process that is gone (process ${running.pid})`)
      const owner = orphan && options.adopt ? thisProcess() : settings.owner
      settings = { ...settings, port: running.port, owner }
      if (!settings.prepared) await createRoleAndDatabase(paths, settings)
      settings = { ...settings, prepared: true }
      writeSettings(paths, settings)
      return { running, settings, started: false }
    }
  }
  if (!existsSync(paths.cluster)) {
    settings = newSettings(await freePort())
    writeSettings(paths, settings)
    log(`making the embedded database in ${paths.cluster}: this takes some seconds, once`)
    await makeCluster(paths, { name: ADMIN, password: settings.adminPassword })
  }
  if (!settings) {
    throw new DatabaseSetupError(
      `${paths.settings} is missing, but its database is still in ${paths.cluster}: put the file ` +
        'back from a backup, or delete that folder too, which starts a new world',
    )
  }
  if (!(await isPortFree(settings.port))) settings = { ...settings, port: await freePort() }
  writeAccess(paths)
  await removeStaleFiles(paths)
  const running = await startServer(paths, settings.port)
  settings = { ...settings, owner: thisProcess() }
  if (!settings.prepared) {
    await createRoleAndDatabase(paths, settings)
    settings = { ...settings, prepared: true }
  }
  writeSettings(paths, settings)
  return { running, settings, started: true }
}

/**
 * Starts the database of a data folder, or finds it running; throws DatabaseSetupError with a
 * remedy if the folder cannot be used.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await openFolder(options)
  } catch (error) {
    const fault = systemFault(error)
    if (fault === undefined) throw error
    throw new DatabaseSetupError(
      `The folder of the embedded database, ${resolve(options.dataDir)}, cannot be used. ${fault} ` +
        'set DATA_DIR to another folder, or DATABASE_URL to a database of your own.',
    )
  }
}

/** Runs work under the start lock of a data folder: one start or stop at a time. */
const locked = <T>(
  paths: ClusterPaths,
  options: EmbeddedOptions,
  work: () => Promise<T>,
): Promise<T> => withStartLock(paths.startLock, work, { log: options.log ?? (() => {}) })

async function openFolder(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (!options.isFork) refuseUnfinished(options.dataDir)
  const paths = findClusterPaths(options.dataDir)
  const { found, leave } = await locked(paths, options, async () => {
    const found = await bringUp(paths, options)
    return { found, leave: registerUser(paths) }
  })
  const { settings, started } = found
  const { schema } = options
  const owner = connectionOf(paths, settings, {
    username: ADMIN,
    password: settings.adminPassword,
    schema,
  })
  const connection = connectionOf(paths, settings, {
    username: SERVER_ROLE,
    password: settings.serverPassword,
    schema,
  })
  const watch = options.adopt ? keepRunning(paths, options, found.running.pid) : undefined
  const pidNow = (): number => watch?.pid ?? found.running.pid
  return {
    connection,
    owner,
    get pid() {
      return pidNow()
    },
    started,
    async stop() {
      await watch?.end()
      await locked(paths, options, async () => {
        leave()
        await stop(paths, owner, { options, pid: pidNow() })
      })
    },
  }
}

/** Deletes the embedded database of a folder; it must not be running. */
export function removeEmbedded(dataDir: string): void {
  const { home, cluster } = findClusterPaths(dataDir)
  for (const path of [dirname(cluster), home]) rmSync(path, { recursive: true, force: true })
}

interface Watch {
  readonly pid: number
  end(): Promise<void>
}

/**
 * Returns true if the database process is gone; false also if that is unknown, as with too many
 * open files.
 */
function isGone(paths: ClusterPaths): boolean {
  try {
    return readPostmaster(paths) === undefined
  } catch {
    return false
  }
}

/** Restarts the database process if it is killed; writers wait meanwhile. */
function keepRunning(paths: ClusterPaths, options: EmbeddedOptions, firstPid: number): Watch {
  const log = options.log ?? (() => {})
  let pid = firstPid
  let ended = false
  let restarting: Promise<void> | undefined
  const restart = async (): Promise<void> => {
    log(`the database process ${pid} is gone; starting it again`)
    try {
      pid = (await locked(paths, options, () => bringUp(paths, options))).running.pid
    } catch (error) {
      log(error instanceof Error ? error.message : String(error))
      await sleep(RESTART_PAUSE_MS)
    }
    restarting = undefined
  }
  const timer = setInterval(() => {
    if (ended || restarting || !isGone(paths)) return
    restarting = restart()
  }, WATCH_MS)
  timer.unref()
  return {
    get pid() {
      return pid
    },
    async end() {
      ended = true
      clearInterval(timer)
      await restarting
    },
  }
}

async function stop(
  paths: ClusterPaths,
  owner: ConnectionOptions,
  { options, pid }: { options: EmbeddedOptions; pid: number },
): Promise<void> {
  const settings = readSettings(paths)
  if (!settings) return
  const abandoned = options.adopt && !isAlive(settings.owner)
  if (!isOurs(settings.owner) && !abandoned) return
  if (readPostmaster(paths)?.running.pid !== pid) return
  // Another process (a server started while a tool ran, or a tool beside a server) keeps the
  // database running and stops it at its own end; for a client of another kind it runs on without
  // an owner, until the next server takes it over. A fork has no other users.
  const other = options.isFork ? undefined : findOtherUser(paths)
  const isUsed = !options.isFork && (other !== undefined || (await isUsedByOthers(owner)))
  if (isUsed) writeSettings(paths, { ...settings, owner: other })
  else await stopServer(pid)
}

/**
 * Returns whether others are connected. Retries for a second, since closed connections stay listed
 * for a moment.
 */
async function isUsedByOthers(owner: ConnectionOptions): Promise<boolean> {
  const sql = connect({ ...owner, database: 'postgres', schema: 'public' }, { name: 'stop' })
  try {
    for (let tries = 0; tries < 20; tries++) {
      const rows = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`
      if (rows[0].count === 0) return false
      await sleep(50)
    }
    return true
  } catch {
    return false
  } finally {
    await disconnect(sql, 0)
  }
}
