/**
 * The embedded database: a real PostgreSQL from npm in DATA_DIR, brought up on first use, found
 * again when it already runs (a tool beside the server, an orphan of a killed one), stopped by the
 * process that owns it.
 */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { type ConnectionOptions, connect, disconnect, sleep, withDeadline } from './db.ts'
import {
  findPlaces,
  isAlive,
  isOurs,
  linkLibraries,
  newSettings,
  ourselves,
  type Places,
  readSettings,
  type Settings,
  writeSettings,
} from './embedded-files.ts'
import {
  clearRemains,
  launch,
  makeCluster,
  type Running,
  readPostmaster,
  shutDown,
  writeAccess,
} from './embedded-server.ts'
import { DatabaseSetupError } from './errors.ts'
import { withStartLock } from './start-lock.ts'
import { systemFault } from './system-fault.ts'

interface EmbeddedOptions {
  readonly dataDir: string
  readonly schema: string
  /** The server takes over a database whose process is gone; a tool leaves it as it found it. */
  readonly adopt: boolean
  readonly log?: (text: string) => void
}

interface EmbeddedDatabase {
  /** For the server: rows only. */
  readonly connection: ConnectionOptions
  /** For migrations: may create. */
  readonly owner: ConnectionOptions
  /** Process of the database; another one after it was killed and started again. */
  readonly pid: number
  /** False: it ran already. */
  readonly started: boolean
  /** Stops it if it is ours to stop and nobody else uses it. */
  stop(): Promise<void>
}

const ADMIN = 'orrery_admin'
export const SERVER_ROLE = 'orrery_server'
const DATABASE = 'orrery'
const START_MS = 60_000
const POLL_MS = 15
const WATCH_MS = 500
const REVIVE_PAUSE_MS = 2_000
const connectionOf = (
  places: Places,
  settings: Settings,
  as: { readonly username: string; readonly password: string; readonly schema: string },
): ConnectionOptions => ({
  ...as,
  database: DATABASE,
  host: '127.0.0.1',
  port: settings.port,
  ...(process.platform === 'win32'
    ? {}
    : { socket: join(places.sockets, `.s.PGSQL.${settings.port}`) }),
})

const HEALTH_MS = 5_000

async function answers(connection: ConnectionOptions): Promise<boolean> {
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
 * Database and roles: one owns everything, the server's may only read and write rows (RELIABILITY
 * 6).
 */
async function prepare(places: Places, settings: Settings): Promise<void> {
  const admin = { username: ADMIN, password: settings.adminPassword, schema: 'public' }
  const sql = connect(
    { ...connectionOf(places, settings, admin), database: 'postgres' },
    { name: 'prepare' },
  )
  try {
    const found = await sql<{ role: boolean; database: boolean }[]>`
      select exists (select from pg_roles where rolname = ${SERVER_ROLE}) as role,
        exists (select from pg_database where datname = ${DATABASE}) as database`
    if (!found[0].role) {
      // The password is hexadecimal digits of our own making.
      await sql.unsafe(`create role ${SERVER_ROLE} login password '${settings.serverPassword}'`)
    }
    if (!found[0].database) await sql.unsafe(`create database ${DATABASE}`)
  } finally {
    await disconnect(sql)
  }
}

interface Found {
  readonly running: Running
  readonly settings: Settings
  readonly started: boolean
}

/** The running server of this folder, if it is healthy; one that does not answer is ended. */
async function findRunning(
  places: Places,
  settings: Settings,
  log: (text: string) => void,
): Promise<Running | undefined> {
  const end = performance.now() + START_MS
  for (;;) {
    const found = readPostmaster(places)
    if (!found) return undefined
    const { running } = found
    if (!found.ready && performance.now() < end) {
      await sleep(POLL_MS)
      continue
    }
    const admin = { username: ADMIN, password: settings.adminPassword, schema: 'public' }
    const here = { ...connectionOf(places, { ...settings, port: running.port }, admin) }
    if (await answers({ ...here, database: 'postgres' })) return running
    log(`the database process ${running.pid} does not answer; ending it`)
    await shutDown(places, running.pid)
  }
}

async function bringUp(places: Places, options: EmbeddedOptions): Promise<Found> {
  const log = options.log ?? (() => {})
  linkLibraries(places)
  let settings = readSettings(places)
  if (settings && existsSync(places.cluster)) {
    const running = await findRunning(places, settings, log)
    if (running) {
      const orphan = !isAlive(settings.owner)
      if (orphan) log(`found the database of a process that is gone (process ${running.pid})`)
      const owner = orphan && options.adopt ? ourselves() : settings.owner
      settings = { ...settings, port: running.port, owner }
      if (!settings.prepared) await prepare(places, settings)
      settings = { ...settings, prepared: true }
      writeSettings(places, settings)
      return { running, settings, started: false }
    }
  }
  if (!existsSync(places.cluster)) {
    settings = newSettings(await freePort())
    writeSettings(places, settings)
    log(`making the embedded database in ${places.cluster}`)
    await makeCluster(places, { name: ADMIN, password: settings.adminPassword })
  }
  if (!settings) {
    throw new DatabaseSetupError(`${places.settings} is gone, but the cluster beside it is not`)
  }
  if (!(await isPortFree(settings.port))) settings = { ...settings, port: await freePort() }
  writeAccess(places)
  await clearRemains(places)
  const running = await launch(places, settings.port)
  settings = { ...settings, owner: ourselves() }
  if (!settings.prepared) {
    await prepare(places, settings)
    settings = { ...settings, prepared: true }
  }
  writeSettings(places, settings)
  return { running, settings, started: true }
}

/**
 * Brings up the database of a data folder, or finds it running; throws DatabaseSetupError with what
 * to do when the folder cannot be used.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await openFolder(options)
  } catch (error) {
    const fault = systemFault(error)
    if (fault === undefined) throw error
    throw new DatabaseSetupError(
      `The folder of the embedded database, ${resolve(options.dataDir)}, cannot be used. ${fault} ` +
        'DATA_DIR names another folder, DATABASE_URL a database of your own.',
    )
  }
}

/** One start or stop at a time in a data folder. */
const locked = <T>(places: Places, options: EmbeddedOptions, work: () => Promise<T>): Promise<T> =>
  withStartLock(places.startLock, work, { log: options.log ?? (() => {}) })

async function openFolder(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const places = findPlaces(options.dataDir)
  const found = await locked(places, options, () => bringUp(places, options))
  const { settings, started } = found
  const { schema } = options
  const owner = connectionOf(places, settings, {
    username: ADMIN,
    password: settings.adminPassword,
    schema,
  })
  const connection = connectionOf(places, settings, {
    username: SERVER_ROLE,
    password: settings.serverPassword,
    schema,
  })
  const watch = options.adopt ? keepRunning(places, options, found.running.pid) : undefined
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
      await locked(places, options, () => stop(places, owner, { options, pid: pidNow() }))
    },
  }
}

interface Watch {
  readonly pid: number
  end(): Promise<void>
}

/** False also when it cannot be told, as while too many files are open. */
function isGone(places: Places): boolean {
  try {
    return readPostmaster(places) === undefined
  } catch {
    return false
  }
}

/** A database process that was killed is started again; who writes to it waits meanwhile. */
function keepRunning(places: Places, options: EmbeddedOptions, first: number): Watch {
  const log = options.log ?? (() => {})
  let pid = first
  let ended = false
  let reviving: Promise<void> | undefined
  const revive = async (): Promise<void> => {
    log(`the database process ${pid} is gone; starting it again`)
    try {
      pid = (await locked(places, options, () => bringUp(places, options))).running.pid
    } catch (error) {
      log(error instanceof Error ? error.message : String(error))
      await sleep(REVIVE_PAUSE_MS)
    }
    reviving = undefined
  }
  const timer = setInterval(() => {
    if (ended || reviving || !isGone(places)) return
    reviving = revive()
  }, WATCH_MS)
  timer.unref()
  return {
    get pid() {
      return pid
    },
    async end() {
      ended = true
      clearInterval(timer)
      await reviving
    },
  }
}

async function stop(
  places: Places,
  owner: ConnectionOptions,
  { options, pid }: { options: EmbeddedOptions; pid: number },
): Promise<void> {
  const settings = readSettings(places)
  if (!settings) return
  const abandoned = options.adopt && !isAlive(settings.owner)
  if (!isOurs(settings.owner) && !abandoned) return
  if (readPostmaster(places)?.running.pid !== pid) return
  // Whoever else is connected (a server that came while a tool ran) keeps it.
  if (await isUsedByOthers(owner)) writeSettings(places, { ...settings, owner: undefined })
  else await shutDown(places, pid)
}

/** Counts after a grace: connections that have just been closed show a little longer. */
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
