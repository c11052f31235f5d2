/**
 * Composition root of the main thread: database, world thread, network; start and stop. main.ts
 * runs it as a process, end-to-end tests within theirs.
 */
import type { Worker } from 'node:worker_threads'
import type { Config } from './config.ts'
import { RELEASES, VERSION } from './core/catalog/changelog.ts'
import type { NodeFigures } from './core/ports.ts'
import { createRegistry } from './core/registry.ts'
import { heapOptions, parseFault } from './engine/faults.ts'
import { spawnThread } from './engine/spawn.ts'
import { threadCpuMs, threadWaitedMs } from './engine/thread-cpu.ts'
import type { WorldThreadData } from './engine/thread-data.ts'
import { faultLineIn } from './fault-text.ts'
import { createLog } from './log.ts'
import { createNet, type NetServer } from './net/net.ts'
import { type Clock, type Log, SYSTEM_CLOCK, withContext } from './net/ports.ts'
import { createWorldLink, type WorldLink } from './net/world-link.ts'
import type { SpawnOptions, WorldThread } from './net/world-thread.ts'
import { addressesAt, authOf, netConfig, websiteOf } from './net-config.ts'
import { answerTools } from './operator-tools.ts'
import { type StandBy, standBy } from './stand-by.ts'
import { createAccounts } from './storage/accounts.ts'
import { createArchive } from './storage/archive/index.ts'
import { createPruneState, pruneArchive } from './storage/archive/prune.ts'
import { type OpenDatabase, openDatabase } from './storage/database.ts'
import { connect, disconnect } from './storage/db.ts'
import { readEpoch } from './storage/epoch.ts'
import { takeIncarnation } from './storage/incarnation.ts'
import { leaseKeeper } from './storage/lease.ts'
import { makeProofKey } from './storage/proofs.ts'
import { listenTools } from './storage/tools-channel.ts'
import { DOMAINS } from './systems/registry.ts'

export interface Server {
  readonly port: number
  readonly url: string
  readonly link: WorldLink
  /** Stops cleanly: last tick, snapshot (none if it hands over), close code 1000 to all sockets. */
  stop(handsOver?: boolean): Promise<void>
}

export interface ServerHooks {
  readonly log?: Log
  /** The clock of limits and sessions (tests move it). */
  readonly clock?: Clock
  /** Called when the process must exit; the server has not been stopped by then. */
  onFatal?(text: string): void
  /** Called when an operator requests a hand-over: the process should stop. */
  onStepDown?(): void
  /** Called with the Worker of each world thread that starts (tests terminate it). */
  onWorldThread?(worker: Worker): void
  /** The first world thread, started ahead and waiting for its data. */
  readonly thread?: Worker
  /** Starts world threads in place of new Workers (tests reuse threads). */
  readonly startThread?: (data: WorldThreadData) => WorldThread
  /** Called with the network before it listens (tests sweep it by hand). */
  onNet?(net: NetServer): void
  /**
   * A fault to arm, as ORRERY_FAULT does; or a function called at the start of each world thread.
   */
  readonly fault?: string | (() => string | undefined)
}

const POOL_CONNECTIONS = 8
/** For anonymous reads, which may not be slow; and for logins, which do not wait for any read. */
const SMALL_POOL_CONNECTIONS = 4
const PUBLIC_STATEMENT_MS = 3_000
/** Sockets get this long to read the warning before they are closed. */
const WARNING_S = 1
const PRUNE_EVERY_MS = 120_000

interface Node {
  /** Incarnation of this process. */
  readonly incarnation: number
  /** The epoch of the world. */
  readonly epoch: string
}

/** Returns what the world thread needs to know about other nodes; nothing without any. */
function clusterOf({ role, busUrl }: Config, { incarnation, epoch }: Node) {
  if (role === 'all' || busUrl === undefined) return {}
  return { cluster: { role, busUrl, world: epoch, node: incarnation } }
}

function spawnWorld(config: Config, database: OpenDatabase, node: Node, hooks: ServerHooks) {
  // Database sessions carry the node: the next lease holder ends those of the previous one.
  const named = config.role === 'all' ? {} : { node: node.incarnation }
  const connection = { ...database.connection, ...named }
  const armed = hooks.fault ?? process.env.ORRERY_FAULT
  const shared = typeof armed === 'function' ? undefined : parseFault(armed)
  let ahead = hooks.thread
  return (options: SpawnOptions): WorldThread => {
    const fault = typeof armed === 'function' ? parseFault(armed()) : shared
    const data: WorldThreadData = {
      connection,
      progress: options.progress,
      lastPublished: options.firstStart ? undefined : options.lastPublished,
      seed: config.seed,
      tickMs: config.tickMs,
      manual: config.manualTicks,
      maxEntities: config.maxEntities,
      workers: options.withoutKernels ? 0 : config.workers,
      snapshotEvery: config.snapshotEvery,
      snapshotKeep: config.snapshotKeep,
      checkEvery: config.checkEvery,
      hashEvery: config.hashEvery,
      fault,
      quarantined: options.quarantined,
      ...clusterOf(config, node),
    }
    if (hooks.startThread) return hooks.startThread(data)
    const worker = ahead ?? spawnThread({ workerData: data, ...heapOptions(fault) })
    if (ahead) {
      worker.ref()
      worker.postMessage(data)
      ahead = undefined
    }
    hooks.onWorldThread?.(worker)
    let reason = 'ended'
    worker.on('error', (error) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      reason = faultLineIn(text) ?? text
    })
    return {
      post: (message) => worker.postMessage(message),
      onMessage: (handler) => void worker.on('message', handler),
      onExit: (handler) => void worker.on('exit', (code) => handler(`${reason} (exit ${code})`)),
      terminate: () => void worker.terminate(),
    }
  }
}

/** Closes the parts in reverse order; one that fails does not prevent the others from closing. */
async function closeAll(closers: (() => Promise<unknown>)[], log: Log): Promise<void> {
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: unknown) => log.error({ err: error }, 'a part did not close'))
  }
}

/** Starts a server in its role; a failed start closes what it has opened. */
export async function startServer(config: Config, hooks: ServerHooks = {}): Promise<Server> {
  const log = hooks.log ?? createLog(config.logLevel)
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await startParts(config, { ...hooks, log }, closers)
  } catch (error) {
    await closeAll(closers, log)
    throw error
  }
}

async function openStorage(config: Config, log: Log, closers: (() => Promise<unknown>)[]) {
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    schema: config.databaseSchema,
    adopt: true,
    log: (text) => log.info({}, text),
  })
  closers.push(() => database.stop())
  const { applied } = await database.migrate()
  if (applied.length > 0) log.info({ steps: applied }, 'brought the tables up to date')
  const sql = connect(database.connection, {
    name: 'orrery main',
    connectionsMax: POOL_CONNECTIONS,
    usesCustomPlans: true,
  })
  closers.push(() => disconnect(sql))
  const publicSql = connect(database.connection, {
    name: 'orrery public',
    connectionsMax: SMALL_POOL_CONNECTIONS,
    statementTimeoutMs: PUBLIC_STATEMENT_MS,
    usesCustomPlans: true,
  })
  closers.push(() => disconnect(publicSql))
  const accountsSql = connect(database.connection, {
    name: 'orrery accounts',
    connectionsMax: SMALL_POOL_CONNECTIONS,
  })
  closers.push(() => disconnect(accountsSql))
  await makeProofKey(sql)
  const accounts = createAccounts(accountsSql)
  const state = createPruneState()
  // One node, the leader, prunes for all.
  const duties = { prunes: config.role === 'all' }
  let isPruning = false
  const prune = async (): Promise<void> => {
    if (!duties.prunes || isPruning) return
    isPruning = true
    try {
      await Promise.all([pruneArchive(sql, state, new Date()), accounts.sweep()])
    } catch (error) {
      log.warn({ err: error }, 'the archive was not pruned; it is tried again')
    } finally {
      isPruning = false
    }
  }
  const timer = setInterval(() => void prune(), PRUNE_EVERY_MS)
  timer.unref()
  closers.push(async () => clearInterval(timer))
  return { database, sql, archive: createArchive(sql, undefined, publicSql), accounts, duties }
}

/** The parts that every role has. */
interface Parts extends Awaited<ReturnType<typeof openStorage>> {
  readonly config: Config
  readonly settings: ReturnType<typeof netConfig>
  readonly hooks: ServerHooks
  readonly log: Log
  readonly node: Node
  readonly link: WorldLink
  /** Resolves when the world is ready; rejects when it never will be. */
  readonly ready: WorldLink['ready']
  readonly closers: (() => Promise<unknown>)[]
  /** Resolves once this node leads the world. */
  readonly leads: Promise<void>
  /** True: another node has the world in memory, so a stop needs no snapshot. */
  readonly ending: { handsOver: boolean }
}

async function startParts(
  config: Config,
  hooks: ServerHooks & { log: Log },
  closers: (() => Promise<unknown>)[],
): Promise<Server> {
  let tickOf = (): object => ({})
  const log = withContext(hooks.log, () => ({ world: config.databaseSchema, ...tickOf() }))
  const about = { version: RELEASES[0].release, interface: VERSION, node: process.version }
  log.info({ ...about, ...(config.role === 'all' ? {} : { role: config.role }) }, 'starting')
  const storage = await openStorage(config, log, closers)
  const { database, sql } = storage
  const settings = netConfig(config, await authOf(config, storage.accounts))
  const node = { incarnation: await takeIncarnation(sql), epoch: await readEpoch(sql) }
  let giveUp: (text: string) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    giveUp = (text) => reject(new Error(text))
  })
  failed.catch(() => {})
  const onFatal = (text: string): void => {
    giveUp(text)
    hooks.onFatal?.(text)
  }
  const lease = leaseKeeper(database.connection, node.incarnation, onFatal)
  closers.push(lease.release)
  let lead = (): void => {}
  const leads = new Promise<void>((resolve) => {
    lead = resolve
  })
  const ending = { handsOver: false }
  const link = createWorldLink({
    spawn: spawnWorld(config, database, node, hooks),
    onFatal,
    node: {
      leads() {
        lease.keep()
        storage.duties.prunes = true
        lead()
      },
      stepDown() {
        log.info({}, 'stepping down: an operator has a standby take over')
        hooks.onStepDown?.()
      },
    },
    incarnations: { first: node.incarnation, take: () => takeIncarnation(sql) },
    log,
    clock: { ...SYSTEM_CLOCK, waitedMs: threadWaitedMs },
  })
  closers.push(() => link.stop(ending.handsOver))
  const ready = Promise.race([link.ready, failed])
  tickOf = () => (link.isUp() ? { tick: link.state().tick } : {})
  const parts = {
    ...storage,
    config,
    settings,
    hooks,
    log,
    node,
    link,
    ready,
    closers,
    leads,
    ending,
  }
  const servesPlayers = config.role === 'all' || config.role === 'gateway'
  return servesPlayers ? servePlayers(parts) : serveOperators(parts)
}

/**
 * Listens for operators. If the port is taken, for example by a gateway, the world runs without it.
 */
async function listenOperators({ config, log }: Parts, net: NetServer): Promise<number> {
  try {
    return await net.listen(config.host, config.port)
  } catch (error) {
    const text = 'HOST and PORT cannot be used: this node answers no /readyz and no /metrics'
    log.warn({ err: error, port: config.port }, text)
    return 0
  }
}

/** Starts a node that leads the world or stands by; its port serves only operators. */
async function serveOperators(parts: Parts): Promise<Server> {
  const { config, link, log, sql, closers, leads, ending } = parts
  const net = netOf(parts, { isForOperators: true })
  const port = await listenOperators(parts, net)
  closers.push(() => net.close())
  leads
    .then(async () => closers.push(await listenTools(sql, answerTools(link, undefined))))
    .catch((error: unknown) => log.error({ err: error }, 'operators cannot reach this server'))
  const { tick, tickMs, seed } = await parts.ready
  if (config.role === 'world') await leads
  log.info({ role: config.role, port, tick, tickMs, seed }, 'ready')
  return {
    port,
    url: `http://${config.host}:${port}`,
    link,
    async stop(handsOver = false) {
      ending.handsOver = handsOver
      net.drain()
      await closeAll(closers, log)
    },
  }
}

function netOf(parts: Parts, { isForOperators }: { readonly isForOperators: boolean }): NetServer {
  const { config, settings, hooks, log, node, link, accounts, archive } = parts
  const net = createNet({
    registry: createRegistry(DOMAINS),
    link,
    accounts,
    archive,
    config: settings,
    log,
    epoch: node.epoch,
    ...(config.role === 'all' ? {} : { node: node.incarnation, role: config.role }),
    isForOperators,
    clock: hooks.clock ?? { ...SYSTEM_CLOCK, cpuMs: threadCpuMs },
  })
  hooks.onNet?.(net)
  return net
}

/**
 * Runs a second world thread of a gateway as a standby; while it leads, this process answers
 * operators' tools.
 */
function runStandby({ config, database, sql, log, node, duties }: Parts): Promise<StandBy> {
  const { epoch } = node
  return standBy({
    ...{ sql, log, connection: database.connection },
    spawn: (incarnation) =>
      spawnWorld({ ...config, role: 'standby' }, database, { incarnation, epoch }, {}),
    async leads(link) {
      duties.prunes = true
      const unlisten = await listenTools(sql, answerTools(link, undefined))
      return () => {
        duties.prunes = false
        return unlisten()
      }
    },
  })
}

/** Starts serving players: as a single server or as a gateway. */
async function servePlayers(parts: Parts): Promise<Server> {
  const { config, settings, log, link, sql, closers } = parts
  const isAlone = config.role === 'all'
  let beside: StandBy | undefined
  const figures = (): NodeFigures | undefined => beside?.figures(link.cluster()) ?? link.cluster()
  const known = config.standsBy ? { ...parts, link: { ...link, cluster: figures } } : parts
  const net = netOf(known, { isForOperators: false })
  const world = await parts.ready
  if (isAlone) {
    await link.ask({ player: 0, command: 'internal:unbind_all', params: {}, framing: 'ws2' })
    closers.push(await listenTools(sql, answerTools(link, net)))
  }
  if (config.standsBy) {
    const standing = await runStandby(parts)
    closers.push(standing.stop)
    beside = standing
  }
  const port = await net.listen(config.host, config.port)
  settings.website = websiteOf(config, port)
  log.info({ port, tick: world.tick, tickMs: world.tickMs, seed: world.seed }, 'ready')
  log.info(addressesAt(settings.website), 'open to players at these addresses')
  return {
    port,
    url: `http://${config.host}:${port}`,
    link,
    async stop() {
      net.drain()
      net.warn(WARNING_S)
      await link.stop()
      await net.close()
      await closeAll(closers, log)
    },
  }
}
