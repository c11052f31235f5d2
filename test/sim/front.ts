/**
 * The main thread's half of the server without its listening socket: the real link, sessions,
 * dispatch, framings and fan-out. Sockets are objects in memory. After the end of a process, a new
 * front uses the same storage.
 */
import { MUTE_CHANNELS, type MuteChannel } from '../../core/event.ts'
import type { PublishedBatch, PublishedEmission } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import { wholeEmission } from '../../core/wire/packed.ts'
import { type Addresses, createAddresses } from '../../net/addresses.ts'
import { routeOrphan } from '../../net/dispatch.ts'
import { helpHandlers } from '../../net/help.ts'
import type { Exchange } from '../../net/http/exchange.ts'
import { createHttpFloods } from '../../net/http/http.ts'
import { httpV1Routes } from '../../net/http/v1.ts'
import { httpV2Routes } from '../../net/http/v2.ts'
import { createMetrics, type Metrics } from '../../net/metrics.ts'
import type { Log, NetConfig } from '../../net/ports.ts'
import { createPublicFrames } from '../../net/public/frames.ts'
import { actionError, actionResult } from '../../net/publish/frames.ts'
import { createFanOut, publishBatch } from '../../net/publish/publish.ts'
import type { Turns } from '../../net/publish/turns.ts'
import { createRouter, route } from '../../net/router.ts'
import { authHandlers } from '../../net/session/auth.ts'
import { createGate } from '../../net/session/gate.ts'
import { notificationsHandler } from '../../net/session/get-notifications.ts'
import { bindAgain, endedElsewhere, endSession } from '../../net/session/logins.ts'
import { enqueue, IMPORTANCE } from '../../net/session/notifications.ts'
import { createBindings, createPools, expiredSessions } from '../../net/session/session.ts'
import type { Net } from '../../net/session/types.ts'
import { createUnread } from '../../net/session/unread.ts'
import { createValidators, type Validators } from '../../net/validate.ts'
import { createWorldLink, type WorldLink } from '../../net/world-link.ts'
import { type Conn, createSockets } from '../../net/ws/conn.ts'
import type { RawSocket } from '../../net/ws/outbound.ts'
import { WS_V1 } from '../../net/ws/v1.ts'
import { WS_V2 } from '../../net/ws/v2.ts'
import { deliverOutcome, openConn, sweepSockets } from '../../net/ws/ws.ts'
import { createFeedModel, type FeedModel } from '../feed-model.ts'
import type { Audit } from './audit.ts'
import type { Saboteur } from './canary.ts'
import type { FaultPlan } from './faults.ts'
import type { Stage } from './stage.ts'
import type { SimStorage } from './storage.ts'
import type { WorldHost } from './world-life.ts'

const CONFIG: NetConfig = {
  version: '0.0.0',
  release: '0.0.0',
  releaseDate: '2027-01-15',
  releaseNotes: [],
  gameInfo: 'A simulation.',
  website: 'http://127.0.0.1',
  helpText: 'None.',
  terms: 'None.',
  limits: true,
  registration: 'open',
  trustedProxies: 0,
  allowedOrigins: ['*'],
  spectatorDelay: 0,
  spectatorNames: true,
  allowedHosts: ['*'],
}

/** Errors that main is expected to log when a fault strikes. */
const EXPECTED_ERRORS =
  /^(world thread ended at|command quarantined|a command failed|the snapshot of tick)/

interface FrontOptions {
  readonly registry: Registry
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly storage: SimStorage
  readonly audit: Audit
  readonly host: Pick<WorldHost, 'spawn' | 'cut'>
  readonly saboteur: Saboteur
  /** Absent for a server without other nodes. */
  readonly node?: NodeOptions
}

/** Options of a front that is one of several nodes. */
interface NodeOptions {
  readonly incarnation: number
  /** Runs a function in the node's process. */
  enter(run: () => void): void
}

export interface Front {
  readonly net: Net
  readonly link: WorldLink
  /** Frames of events that a socket must get next, in order. */
  readonly expected: WeakMap<object, string[]>
  openSocket(framing: 'ws1' | 'ws2', raw: RawSocket, ip: string): Conn | undefined
  readonly sockets: ReturnType<typeof createSockets>
  request(exchange: Exchange): void
  /** Runs input from outside in the process of the front. */
  enter(run: () => void): void
  sweep(elapsedMs: number): void
  /** Ends the process: sockets and sessions are dropped, and clients are not notified. */
  cut(): void
}

interface Shared {
  readonly metrics: Metrics
  readonly validators: Validators
  readonly addresses: Addresses
}

/** Parts that are costly to make and hold no state of a run. */
let shared: Shared | undefined

function sharedParts(registry: Registry): Shared {
  shared ??= {
    metrics: createMetrics(),
    validators: createValidators(),
    addresses: createAddresses(registry),
  }
  return shared
}

function logOf(stage: Stage): Log {
  return {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields, text) => {
      if (EXPECTED_ERRORS.test(text)) return
      const { err } = fields as { err?: unknown }
      stage.broken(`main logged: ${text} ${err instanceof Error ? err.stack : ''}`)
    },
  }
}

function createState(
  options: FrontOptions,
  link: WorldLink,
  log: Log,
  onTurn: (player: number) => void,
): Net {
  const { registry, stage, storage, node } = options
  const clock = stage.netClock
  const bindings = createBindings()
  const watched = {
    players: {
      get(player: number) {
        onTurn(player)
        return bindings.players.get(player)
      },
    },
  }
  const net: Net = {
    ...(node ? { node: node.incarnation } : {}),
    registry,
    link,
    accounts: storage.accounts,
    archive: storage.archive,
    config: CONFIG,
    log,
    clock,
    gate: createGate(CONFIG, clock),
    bindings,
    pools: createPools(clock),
    fan: createFanOut({ registry, bindings: watched, clock }),
    frames: createPublicFrames({ delay: CONFIG.spectatorDelay, clock, log, tickMs: () => 10_000 }),
    mainHandlers: new Map(),
    ...sharedParts(registry),
    deliverOutcome,
    queueOutcome: (sessions, reply) => {
      for (const session of sessions) {
        const { outcome } = reply
        const data = outcome.ok
          ? actionResult(session.framing, reply)
          : actionError(session.framing, reply, outcome)
        const msgType = outcome.ok ? 'action_result' : 'action_error'
        const { own: importance } = IMPORTANCE
        const about = { type: 'system', importance, wallMs: clock.wallMs() }
        enqueue(session.queue, { ...about, msgType, data })
      }
    },
  }
  for (const [name, handler] of authHandlers(net)) net.mainHandlers.set(name, handler)
  net.mainHandlers.set('get_notifications', notificationsHandler(net))
  for (const [name, handler] of helpHandlers(registry)) net.mainHandlers.set(name, handler)
  return net
}

/** An event that a player must get, and its frame. */
interface Due {
  readonly type: string
  readonly channel: MuteChannel | undefined
  readonly payload: Readonly<Record<string, unknown>>
  readonly text: string
}

/** The model of the fan-out: the events of the current batch that each player must get. */
interface Mailbox {
  readonly due: Map<number, Due[]>
  readonly feeds: FeedModel
  readonly queues: WeakMap<object, string[]>
}

/** Returns the texts of an emission's frames: one for all, or one for each recipient. */
function expectedTexts(feeds: FeedModel, net: Net, emission: PublishedEmission): string[] {
  const { type, payload } = wholeEmission(emission)
  const shape = net.registry.events.get(type)?.feed
  if (!shape) return [JSON.stringify({ type, payload })]
  return feeds.follow(emission, shape).map((frame) => JSON.stringify(frame))
}

function fillMailbox(net: Net, mailbox: Mailbox, batch: PublishedBatch): void {
  mailbox.due.clear()
  for (const emission of batch.emissions) {
    const { type, payload, to } = wholeEmission(emission)
    const channel = net.registry.events.get(type)?.channel?.(payload as never)
    const isInternal = type.startsWith('internal:')
    const texts = isInternal ? [''] : expectedTexts(mailbox.feeds, net, emission)
    for (const [index, player] of to.entries()) {
      const due = mailbox.due.get(player) ?? []
      due.push({ type, channel, payload, text: texts[index] ?? texts[0] })
      mailbox.due.set(player, due)
    }
  }
}

/** Expects a player's due events on the socket that is bound when their turn comes. */
function expectDue(net: Net, { due, queues }: Mailbox, player: number): void {
  const bound = net.bindings.players.get(player)
  const queue = bound?.socket && queues.get(bound.socket)
  let mask = bound?.mask ?? 0
  for (const { type, channel, payload, text } of due.get(player) ?? []) {
    if (type === 'internal:mask') mask = Number(payload.mask)
    const isSent = !type.startsWith('internal:') && !(channel && isMuted(mask, channel))
    if (isSent) queue?.push(text)
  }
  due.delete(player)
}

/** Recipients in a slice of a slow publication. */
const SLOW_SLICE = 8

/** Returns turns whose slices wait for virtual time to pass. */
function slowTurns(stage: Stage, turns: Turns): Turns {
  let checks = 0
  return {
    ...turns,
    sliceMs: () => (++checks % SLOW_SLICE === 0 ? Number.POSITIVE_INFINITY : 0),
    next: () => new Promise((resolve) => stage.worldClock.at(stage.nowMs() + 1, resolve)),
  }
}

const areForSockets = (net: Net, emissions: PublishedBatch['emissions']): boolean =>
  emissions.some(
    ({ type, to }) =>
      !type.startsWith('internal:') &&
      to.some((player) => net.bindings.players.get(player)?.socket !== undefined),
  )

const isMuted = (mask: number, channel: MuteChannel): boolean =>
  (mask & (1 << MUTE_CHANNELS.indexOf(channel))) !== 0

export function createFront(options: FrontOptions): Front {
  const { stage, plan, audit, host, saboteur } = options
  const log = logOf(stage)
  const link = createWorldLink({
    spawn: (spawned) => host.spawn(spawned),
    onFatal: (text) => stage.broken(`the process stops: ${text}`),
    incarnations: {
      first: options.node?.incarnation ?? stage.takeIncarnation(),
      take: async () => stage.takeIncarnation(),
    },
    log,
    clock: stage.netClock,
  })
  const outlet = audit.outlet()
  const enter = options.node?.enter ?? ((run) => run())
  const expected = new WeakMap<object, string[]>()
  const mailbox: Mailbox = { due: new Map(), feeds: createFeedModel(), queues: expected }
  const net: Net = createState(options, link, log, (player) => expectDue(net, mailbox, player))
  link.attach({
    orphan: (answer) => routeOrphan(net, answer),
    publish: async (batch, answer, turns) => {
      outlet.published(batch)
      fillMailbox(net, mailbox, batch)
      // Sabotage loses events but no feeds: net itself detects a feed that misses a tick.
      const feeds = batch.emissions.filter(({ feed }) => feed !== undefined)
      const events = batch.emissions.filter(({ feed }) => feed === undefined)
      const losesEvents = areForSockets(net, events) && saboteur.strikes('lost_event')
      const published = losesEvents ? { ...batch, emissions: feeds } : batch
      const isSlow = plan.strikes('slow_publish')
      await publishBatch(net.fan, published, answer, isSlow ? slowTurns(stage, turns) : turns)
      for (const player of [...mailbox.due.keys()]) expectDue(net, mailbox, player)
    },
    ended: (logins) => endedElsewhere(net, logins),
    unbound: () => bindAgain(net),
  })
  const sockets = createSockets(createUnread(true))
  let otherId = ''
  const floods = createHttpFloods()
  const router = createRouter([...httpV1Routes(net, floods), ...httpV2Routes(net, floods)])
  const unbindAll = {
    player: 0,
    command: 'internal:unbind_all',
    params: {},
    framing: 'ws2',
  } as const
  if (!options.node) void link.ready.then(() => link.ask(unbindAll))
  return {
    net,
    link,
    expected,
    sockets,
    openSocket(framing, raw, ip) {
      const sendText = (text: string): number => {
        const id = /"request_id":"([^"]+)"/.exec(text)?.[1]
        const isFinal = id !== undefined && !text.includes('"pending":true')
        const isOther = isFinal && otherId !== '' && otherId.split('-')[0] !== id.split('-')[0]
        const isWrong = isOther && saboteur.strikes('wrong_id')
        const bytes = raw.sendText(isWrong ? text.replace(id, otherId) : text)
        if (isFinal && saboteur.strikes('double_answer')) raw.sendText(text)
        if (isFinal) otherId = id
        return bytes
      }
      const send = (head: Buffer, tail?: Buffer): void => {
        sendText((tail ? Buffer.concat([head, tail]) : head).toString())
      }
      const wire = framing === 'ws1' ? WS_V1 : WS_V2
      let conn: Conn | undefined
      enter(() => {
        conn = openConn(net, sockets, { wire, raw: { ...raw, send, sendText }, ip })
      })
      if (conn) expected.set(conn, [])
      return conn
    },
    enter,
    request: (exchange) =>
      enter(() => {
        route(net, router, exchange).catch((error: unknown) => {
          stage.broken(`an exchange failed: ${String(error)}`)
        })
      }),
    sweep: (elapsedMs) =>
      enter(() => {
        sweepSockets(sockets, elapsedMs)
        for (const session of expiredSessions(net.pools)) endSession(net, session, false)
      }),
    cut() {
      host.cut()
      for (const conn of sockets.all) conn.gone = true
      sockets.all.clear()
      // The link's timer would otherwise outlive the process.
      void link.stop()
    },
  }
}
