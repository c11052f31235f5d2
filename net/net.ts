/**
 * Assembles net: state, routes, sweeps, and the handling of published batches. The composition root
 * passes the world link and the ports of storage. Source: DESIGN 5.
 */
import type { PublishedBatch } from '../core/ports.ts'
import type { Registry } from '../core/registry.ts'
import { counted } from '../core/say.ts'
import { RULES_VERSION } from '../core/version.ts'
import { createAddresses } from './addresses.ts'
import { countElsewhere, routeOrphan } from './dispatch.ts'
import { helpHandlers } from './help.ts'
import { accountRoutes } from './http/account-api.ts'
import { createAnswers, sweepAnswers } from './http/answer.ts'
import { createBodies, sweepBodies } from './http/body.ts'
import { createDoor, enter } from './http/door.ts'
import { createHealth, type Health, type NodeRole } from './http/health.ts'
import { createHttpFloods } from './http/http.ts'
import { operatorRoutes } from './http/operator-routes.ts'
import { createPublicRoutes } from './http/public-routes.ts'
import { httpV1Routes } from './http/v1.ts'
import { httpV2Routes } from './http/v2.ts'
import { loadSdk } from './mcp/endpoint.ts'
import { createMetrics, readNode, recordCommit, recordSnapshot, recordTick } from './metrics.ts'
import { refillSuggestions } from './nearest.ts'
import {
  type AccountsPort,
  type ArchivePort,
  type Clock,
  type Log,
  type NetConfig,
  SYSTEM_CLOCK,
} from './ports.ts'
import type { Feed } from './public/feed.ts'
import { feedRoute } from './public/feed-route.ts'
import { createPublicFrames } from './public/frames.ts'
import { keepFrames } from './public/keeper.ts'
import { openFeed } from './public/live.ts'
import { namelessFrame } from './public/nameless.ts'
import { createOps, type Ops } from './public/ops.ts'
import { publishPosts } from './public/posts.ts'
import { actionError, actionResult } from './publish/frames.ts'
import { createOverloadWatch } from './publish/overload.ts'
import { createFanOut, publishBatch } from './publish/publish.ts'
import { createRouter, type Route, route } from './router.ts'
import { listen, WS_PATHS } from './server.ts'
import { addressKey, clientAddress, isOriginAllowed } from './session/address.ts'
import { authHandlers } from './session/auth.ts'
import { createGate } from './session/gate.ts'
import { notificationsHandler } from './session/get-notifications.ts'
import { bindAgain, endedElsewhere, endSession } from './session/logins.ts'
import { enqueue, IMPORTANCE } from './session/notifications.ts'
import {
  createBindings,
  createPools,
  expiredSessions,
  type Session,
  sessionCount,
} from './session/session.ts'
import type { Net, Reply } from './session/types.ts'
import { createUnread, type Unread } from './session/unread.ts'
import { createValidators } from './validate.ts'
import type { WorldLink } from './world-link.ts'
import { formatOf } from './ws/codec.ts'
import { createSockets, type Sockets } from './ws/conn.ts'
import { joinFrames } from './ws/frames.ts'
import type { Listener, ServerHandlers } from './ws/listener.ts'
import { WS_V1 } from './ws/v1.ts'
import { WS_V2 } from './ws/v2.ts'
import { closeSockets, deliverOutcome, openConn, sweepSockets } from './ws/ws.ts'

const SWEEP_INTERVAL_MS = 1_000
/**
 * Longest time that one sweep counts, so that nobody is closed because our own process was stopped
 * or blocked.
 */
const SWEEP_ELAPSED_MS_MAX = 2_000

interface NetOptions {
  readonly registry: Registry
  readonly link: WorldLink
  readonly accounts: AccountsPort
  readonly archive: ArchivePort
  readonly config: NetConfig
  readonly log: Log
  readonly clock?: Clock
  /** Names this history of the world; absent: named by the start of the process. */
  readonly epoch?: string
  /** Incarnation and role of this node; absent for a single server. */
  readonly node?: number
  readonly role?: NodeRole
  /** True for a node without players, which serves only operators. */
  readonly isForOperators?: boolean
  /** Returns additional routes (tests). */
  routes?(net: Net): readonly Route[]
}

export interface NetServer {
  readonly net: Net
  /** Starts listening; resolves with the port. */
  listen(host: string, port: number): Promise<number>
  /** Marks the server as stopping: /readyz reports it from then on. */
  drain(): void
  /** Notifies everyone on a socket that a restart is near. */
  warn(seconds: number, targetVersion?: string): void
  /** Accepts no new connections and closes every socket with 1000. */
  close(): Promise<void>
  /** Runs one sweep of sockets and sessions; a timer calls this. */
  sweep(elapsedMs: number): void
  /** Returns the number of readers of the public feed. */
  watchers(): number
  /** Registers a handler that is called after each batch has been handed over. */
  onBatch(handler: BatchHandler): void
}

/**
 * Queues the outcome of a mutation for sessions without a pending request. Source: WIRE 3, item 5.
 */
function queueOutcome(net: Net, sessions: readonly Session[], reply: Reply): void {
  const { outcome } = reply
  const own = { type: 'system', importance: IMPORTANCE.own, wallMs: net.clock.wallMs() }
  for (const { framing, queue } of sessions) {
    if (outcome.ok) {
      const data = actionResult(framing, reply)
      net.fan.dropped += enqueue(queue, { ...own, msgType: 'action_result', data })
    } else {
      const data = actionError(framing, reply, outcome)
      net.fan.dropped += enqueue(queue, { ...own, msgType: 'action_error', data })
    }
  }
}

function createState(options: NetOptions): Net {
  const { registry, link, accounts, archive, config, log, clock = SYSTEM_CLOCK } = options
  const bindings = createBindings()
  const pools = createPools(clock, config.limits)
  const fan = createFanOut({ registry, bindings, clock })
  const metrics = createMetrics(registry.gauges, options.role !== undefined)
  readNode(metrics, link.cluster)
  const cpuS = (figures?: string): number => (clock.cpuMs?.(figures) ?? 0) / 1000
  metrics.read({
    threadCpu: () => ({ main: cpuS(), world: cpuS(link.state().cpuFigures ?? '') }),
    sessions: () => sessionCount(pools),
    playersOnline: () => bindings.players.size,
    commandsWaiting: () => link.waiting(),
    worldThreadEnds: () => link.ends(),
    kernelThreadEnds: () => link.kernels().ends,
    kernelThreadsOff: () => (link.kernels().isOff ? 1 : 0),
    tick: () => link.state().tick,
    tickLength: () => link.state().tickMs / 1000,
    notificationsDropped: () => fan.dropped,
  })
  const { release, version } = config
  const rules = String(RULES_VERSION)
  metrics.buildInfo.set({ version: release, interface: version, node: process.version, rules }, 1)
  const net: Net = {
    ...(options.node === undefined ? {} : { node: options.node }),
    registry,
    link,
    accounts,
    archive,
    config,
    log,
    clock,
    gate: createGate(config, clock),
    addresses: createAddresses(registry),
    validators: createValidators(),
    bindings,
    pools,
    fan,
    frames: createPublicFrames({
      delay: config.spectatorDelay,
      ...(options.epoch === undefined ? {} : { epoch: options.epoch }),
      clock,
      log,
      tickMs: () => link.state().tickMs,
      ask: () => link.askFrame(),
      ...(config.spectatorNames ? {} : { shown: namelessFrame }),
    }),
    metrics,
    mainHandlers: new Map(),
    deliverOutcome,
    queueOutcome: (sessions, reply) => queueOutcome(net, sessions, reply),
  }
  return net
}

/** Adds the commands that run on main: session commands, notifications, help. */
function addMainHandlers(net: Net): void {
  for (const [name, handler] of authHandlers(net)) net.mainHandlers.set(name, handler)
  net.mainHandlers.set('get_notifications', notificationsHandler(net))
  for (const [name, handler] of helpHandlers(net.registry)) net.mainHandlers.set(name, handler)
}

type BatchHandler = (batch: PublishedBatch) => void

/** Connects the messages of the world to sockets, queues and metrics. */
function attachLink(
  net: Net,
  health: Health,
  ops: Ops,
  batchHandlers: readonly BatchHandler[],
): void {
  const overloaded = createOverloadWatch({
    fan: net.fan,
    clock: net.clock,
    players: () => net.bindings.players.keys(),
    tickMs: () => net.link.state().tickMs,
  })
  net.link.attach({
    orphan: (answer) => routeOrphan(net, answer),
    publish: async (batch, answer, turns, arriving) => {
      const before = net.fan.frames
      await publishBatch(net.fan, batch, answer, turns, arriving)
      net.metrics.frames.inc(net.fan.frames - before)
      net.metrics.batches.inc({ kind: batch.tick === 0 ? 'immediate' : 'tick' })
      if (batch.tick !== 0) health.recordTick()
      for (const handler of batchHandlers) handler(batch)
    },
    ahead: (answers) => joinFrames(net, answers),
    tickOver: (figures, publishing) => {
      recordTick(net.metrics, figures, publishing)
      health.recordStretch(figures.stretch)
      ops.tickOver(figures)
      overloaded(figures.stretch).catch((error: unknown) => {
        net.log.error({ err: error }, 'overload could not be announced')
      })
    },
    ended: (logins) => endedElsewhere(net, logins),
    unbound: () => bindAgain(net),
    ranElsewhere: (commands) => countElsewhere(net, commands),
    frame: (frame) => net.frames.take(frame),
    applied: (delayMs) => net.metrics.replicaDelay.observe(delayMs / 1_000),
    committed: (commit) => {
      recordCommit(net.metrics, commit)
      ops.committed(commit)
    },
    snapshot: (message) => {
      recordSnapshot(net.metrics, message, net.clock)
      ops.snapshot(message)
    },
  })
}

function countByWire({ all }: Sockets): { readonly ws1: number; readonly ws2: number } {
  let ws1 = 0
  for (const { wire } of all) if (wire === WS_V1) ws1 += 1
  return { ws1, ws2: all.size - ws1 }
}

/** Registers the metrics of sockets, unread bytes and health. */
function measure(net: Net, sockets: Sockets, unread: Unread, health: Health): void {
  net.metrics.read({
    sockets: () => sockets.all.size,
    unread: () => unread.bytes,
    ready: () => (health.readiness().status === 'ready' ? 1 : 0),
    notReady: () => health.reasons(),
  })
}

/** Creates and connects all parts of net. It accepts no connection before `listen`. */
export function createNet(options: NetOptions): NetServer {
  const net = createState(options)
  addMainHandlers(net)
  // Public frames are archived by gateways, or by a single server.
  if (!options.isForOperators) keepFrames(net, options.role === undefined)
  const unread = createUnread(net.gate.isLimited)
  const sockets = createSockets(unread)
  const bodies = createBodies()
  const answers = createAnswers(unread)
  const floods = createHttpFloods()
  const publicRoutes = createPublicRoutes(net, floods)
  const health = createHealth(net, options.role)
  const feed = openFeed(net)
  const ops = createOps(net, feed, () => ({ ...countByWire(sockets), unreadBytes: unread.bytes }))
  measure(net, sockets, unread, health)
  const playerRoutes = (): Route[] => [
    ...httpV1Routes(net, floods),
    ...httpV2Routes(net, floods),
    ...accountRoutes(net),
    ...publicRoutes.routes,
    feedRoute(net, feed),
    ops.route(),
    ...(options.routes?.(net) ?? []),
  ]
  const routes = options.isForOperators ? [] : playerRoutes()
  // When another gateway ends, its players log in all at once, so the library is loaded in advance.
  if (options.role === 'gateway') void loadSdk()
  const router = createRouter([...operatorRoutes(net, health), ...routes])
  const batchHandlers: BatchHandler[] = [(batch) => publishPosts(net, feed, batch)]
  attachLink(net, health, ops, batchHandlers)
  const handlers: ServerHandlers = {
    sockets,
    door: createDoor({ net, floods, bodies, answers, mcpLogin: publicRoutes.mcpLogin }),
    request: (exchange, admission) => {
      if (!enter(net, exchange, admission)) return
      route(net, router, exchange).catch((error: unknown) => {
        net.log.error({ err: error, requestId: exchange.requestId }, 'an exchange failed')
      })
    },
    upgradeStatus: (path, origin) => {
      if (options.isForOperators || !(WS_PATHS as readonly string[]).includes(path)) return 404
      return isOriginAllowed(net.config, origin) ? 101 : 403
    },
    opened: (raw, { remote, forwardedFor, path, protocol }) => {
      const ip = addressKey(clientAddress(remote, forwardedFor, net.config.trustedProxies))
      const wire = path === '/ws' ? WS_V1 : WS_V2
      return openConn(net, sockets, { wire, raw, ip, format: formatOf(protocol) })
    },
  }
  const sweep = (elapsedMs: number): void => {
    const passedMs = Math.min(elapsedMs, SWEEP_ELAPSED_MS_MAX)
    sweepSockets(sockets, passedMs)
    sweepBodies(bodies, passedMs)
    sweepAnswers(answers, passedMs)
    feed.sweep(passedMs)
    refillSuggestions(net.addresses)
    for (const session of expiredSessions(net.pools)) endSession(net, session, false)
  }
  return serverOf(net, {
    handlers,
    sockets,
    sweep,
    batchHandlers,
    feed,
    drain: health.drain,
    closeRoutes: () => publicRoutes.close(),
  })
}

interface Wired {
  readonly handlers: ServerHandlers
  readonly sockets: ReturnType<typeof createSockets>
  sweep(elapsedMs: number): void
  readonly batchHandlers: BatchHandler[]
  readonly feed: Feed
  drain(): void
  closeRoutes(): Promise<void>
}

const restartMessage = (seconds: number): string =>
  `The server restarts in ${counted(seconds, 'second')}; your state is saved. Connect again.`

function serverOf(net: Net, wired: Wired): NetServer {
  const { handlers, sockets, sweep, batchHandlers, feed } = wired
  let listener: Listener | undefined
  let lastSweepMs = net.clock.monoMs()
  const timer = setInterval(() => {
    const now = net.clock.monoMs()
    sweep(now - lastSweepMs)
    lastSweepMs = now
  }, SWEEP_INTERVAL_MS)
  timer.unref()
  return {
    net,
    listen: async (host, port) => {
      const { library, refused, ...opened } = await listen(host, port, handlers)
      listener = opened
      net.metrics.socketsInfo.set({ library }, 1)
      const why = refused.length === 0 ? '' : ` (${refused.join('; ')})`
      net.log.info({ host, port: opened.port, sockets: library }, `listening, by ${library}${why}`)
      return opened.port
    },
    drain: wired.drain,
    warn: (seconds, targetVersion) => {
      const version = targetVersion === undefined ? {} : { target_version: targetVersion }
      const payload = {
        message: restartMessage(seconds),
        seconds_until_restart: seconds,
        ...version,
      }
      const emission = {
        type: 'server_restart_warning',
        payload,
        to: [...net.bindings.players.keys()],
      }
      feed.publishEvent('server_announcement', {
        title: 'Restart',
        message: restartMessage(seconds),
      })
      void publishBatch(net.fan, { tick: 0, answers: [], emissions: [emission] }, () => {})
    },
    close: async () => {
      clearInterval(timer)
      listener?.stop()
      closeSockets(sockets, 'server restart')
      feed.close()
      await wired.closeRoutes()
      // Gives the close frames time to be sent.
      await new Promise((resolve) => setTimeout(resolve, 50))
    },
    sweep,
    watchers: () => feed.watchers(),
    onBatch: (handler) => {
      batchHandlers.push(handler)
    },
  }
}
