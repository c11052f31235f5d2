/**
 * The whole path of a command without sockets: from the frame of a player through the network code
 * of the main thread, the port and the engine, and back, with each stage timed separately. Both
 * threads are one here, but a real port copies the messages, and all functions are the server's.
 */
import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { assert } from '../core/assert.ts'
import { createInbox, type Inbox, takeMutations } from '../core/inbox.ts'
import { COMPUTE_SLICE_MS, FINISH_SLICE_MS } from '../core/limits.ts'
import type { ToMain, ToWorld } from '../core/ports.ts'
import { tickSteps } from '../core/tick.ts'
import { rowOfBatch } from '../core/wire/describe.ts'
import { packedSteps } from '../engine/commit.ts'
import { createReception, type Reception } from '../engine/reception.ts'
import { inSlices } from '../engine/slices.ts'
import { createNet } from '../net/net.ts'
import type { AccountsPort } from '../net/ports.ts'
import { describeWith } from '../net/publish/frames.ts'
import { bindSocket } from '../net/session/session.ts'
import type { Net } from '../net/session/types.ts'
import { createUnread } from '../net/session/unread.ts'
import { createWorldLink } from '../net/world-link.ts'
import type { Frame } from '../net/ws/codec.ts'
import { type Conn, createSockets, type Sockets } from '../net/ws/conn.ts'
import type { RawSocket } from '../net/ws/outbound.ts'
import { WS_V1 } from '../net/ws/v1.ts'
import { WS_V2 } from '../net/ws/v2.ts'
import { connMessage, openConn } from '../net/ws/ws.ts'
import { NET_CONFIG, silentLog } from '../test/unit/net/fake-net.ts'
import type { Client, Params, Reply } from './client.ts'
import { type Frame as Message, named, replyIn } from './clients.ts'
import type { BenchWorld } from './worlds.ts'

/** The stages in the order of a command's path, with the thread that each runs on. */
export const STAGES = {
  read: 'main: read, check, submit',
  'post commands': 'main: post to the world',
  'take commands': 'world: take from the port',
  accept: 'world: accept',
  'post acks': 'world: post acknowledgements',
  'take acks': 'main: take them from the port',
  acknowledge: 'main: frames of them',
  run: 'world: run',
  finish: 'world: finish (sections), pack (JSON)',
  'post batch': 'world: post the batch',
  'take batch': 'main: take it from the port',
  publish: 'main: join, frame, hand over',
} as const
export type Stage = keyof typeof STAGES

const CHANNELS = ['ws1', 'ws2'] as const
const WALL_MS = 1_800_000_000_000
/** Matches the request_id of a frame. */
const HEAD = /^\{"type":"[a-z_]+","request_id":"([0-9]+)",/
const HEAD_CHARACTERS = 80
/** The target for encoding text, which the native socket also does. */
const ENCODED = Buffer.allocUnsafeSlow(1 << 20)
/** The address of all clients. */
const IP = '127.0.0.1'

/** Processor time by stage, in µs. */
export type Clock = Record<Stage, number>
const newClock = (): Clock =>
  Object.fromEntries(Object.keys(STAGES).map((stage) => [stage, 0])) as Clock

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

export interface Exchange {
  readonly clients: readonly Client[]
  /** Answers the queries sent so far; returns how many there were. */
  answerQueries(): Promise<number>
  /** Runs a tick with the mutations sent so far; returns how many there were. */
  tick(): Promise<number>
  /** Returns processor time of mutations and of queries, and the frames, since the last call. */
  readings(): { readonly mutations: Clock; readonly queries: Clock; readonly frames: Buffer[] }
  /** Returns the hash of all frames sent. */
  hash(): string
  close(): Promise<void>
}

interface Sent {
  readonly conn: Conn
  readonly frame: Buffer
}

/** A pending call; unread if its result is not parsed, which would take most of the time. */
interface PendingCall {
  readonly isUnread: boolean
  resolve(reply: Reply): void
}

const UNREAD: Reply = { ok: true, result: {} }

/** Everything between the frames of players and their answers. */
interface State {
  readonly bench: BenchWorld
  readonly net: Net
  readonly inbox: Inbox
  readonly reception: Reception
  readonly toMain: ToMain[]
  readonly toWorld: ToWorld[]
  /** Handles a message of the world on the main thread. */
  readonly onMessage: (message: ToMain) => void
  readonly mainEnd: MessagePort
  readonly worldEnd: MessagePort
  readonly mutations: Sent[]
  readonly queries: Sent[]
  readonly received: (readonly [place: number, frame: Frame])[]
  readonly waiting: Map<string, PendingCall>[]
  readonly everySent: Hash
  frames: Buffer[]
  /** Time of the commands in progress. */
  clock: Clock
  readonly clocks: { readonly mutations: Clock; readonly queries: Clock }
}

const CLOCK = { wallMs: () => WALL_MS, monoMs: () => performance.now() }

/** Opens the network code of the main thread, with our port in place of the world thread. */
async function openMain({ engine: { registry, world } }: BenchWorld, toWorld: ToWorld[]) {
  let onMessage = (_message: ToMain): void => {}
  const link = createWorldLink({
    spawn: () => ({
      post: (message) => void toWorld.push(message),
      onMessage: (handler) => {
        onMessage = handler
      },
      onExit: () => {},
      terminate: () => {},
    }),
    onFatal: (text) => assert(false, text),
    incarnations: { first: 1, take: async () => 2 },
    log: silentLog(),
    clock: CLOCK,
  })
  const { net } = createNet({
    registry,
    link,
    accounts: {} as AccountsPort,
    archive: { read: () => Promise.reject(new Error('there is no archive')) },
    config: { ...NET_CONFIG, limits: false },
    log: silentLog(),
    clock: CLOCK,
  })
  const { tick, batch, seed, tickMs } = world
  onMessage({ kind: 'ready', tick, batch, seed, tickMs, held: [] })
  await link.ready
  return { net, onMessage }
}

async function openState(bench: BenchWorld): Promise<State> {
  const { engine } = bench
  const toMain: ToMain[] = []
  const toWorld: ToWorld[] = []
  const inbox = createInbox()
  const options = {
    busy: () => {},
    heartbeat: () => {},
    describe: describeWith(engine.registry),
    post: (message: ToMain) => void toMain.push(message),
  }
  const { port1: mainEnd, port2: worldEnd } = new MessageChannel()
  return {
    bench,
    inbox,
    toMain,
    toWorld,
    mainEnd,
    worldEnd,
    ...(await openMain(bench, toWorld)),
    reception: createReception(engine, inbox, options, { count: () => {} }),
    mutations: [],
    queries: [],
    received: [],
    waiting: [],
    frames: [],
    everySent: createHash('sha256'),
    clock: newClock(),
    clocks: { mutations: newClock(), queries: newClock() },
  }
}

/* ---- clients ---- */

/** Returns a socket that collects frames, and encodes text as the native one does. */
const rawSocket = ({ received }: State, place: number): RawSocket => ({
  send: (frame) => void received.push([place, frame]),
  sendText: (text) => {
    received.push([place, text])
    return ENCODED.write(text)
  },
  cork: (sendAll) => sendAll(),
  buffered: () => 0,
  ping: () => {},
  end: () => {},
  destroy: () => {},
})

function clientOf(state: State, sockets: Sockets, player: number, place: number): Client {
  const { net, bench, mutations, queries, waiting } = state
  const channel = CHANNELS[place % CHANNELS.length]
  const wire = channel === 'ws1' ? WS_V1 : WS_V2
  const conn = openConn(net, sockets, { wire, raw: rawSocket(state, place), ip: IP })
  assert(conn, 'no connection is refused')
  const identity = { player, playerId: `${player}`, username: `${player}`, empire: '' }
  bindSocket(net.bindings, identity, conn)
  const calls = new Map<string, PendingCall>()
  waiting.push(calls)
  let next = 1
  const send = (command: string, params: Params, isUnread: boolean): Promise<Reply> => {
    const id = String(next++)
    const text = JSON.stringify({ ...named(channel, command, params), request_id: id })
    const isQuery = bench.engine.registry.commands.get(command)?.kind === 'query'
    const sent = isQuery ? queries : mutations
    sent.push({ conn, frame: Buffer.from(text) })
    return new Promise((resolve) => calls.set(id, { isUnread, resolve }))
  }
  return {
    channel,
    onPush: undefined,
    closed: undefined,
    pushes: () => [],
    close: () => Promise.resolve(),
    call: (command, params = {}) => send(command, params, false),
    ask: (query) => send(query, {}, true),
  }
}

/** Delivers the received frames to the clients, and lets them react. */
async function deliverAll({ received, waiting, everySent, frames }: State): Promise<void> {
  for (const [place, sent] of received.splice(0)) {
    const frame = typeof sent === 'string' ? Buffer.from(sent) : sent
    everySent.update(frame)
    frames.push(frame)
    const [, id] = HEAD.exec(frame.toString('latin1', 0, HEAD_CHARACTERS)) ?? []
    const call = id === undefined ? undefined : waiting[place].get(id)
    if (id === undefined || !call) continue
    const channel = CHANNELS[place % CHANNELS.length]
    const reply = call.isUnread ? UNREAD : replyIn(channel, JSON.parse(frame.toString()) as Message)
    if (!reply) continue
    waiting[place].delete(id)
    call.resolve(reply)
  }
  await setImmediate()
}

/* ---- stages ---- */

async function timed<T>(state: State, stage: Stage, work: () => T | Promise<T>): Promise<T> {
  const since = cpuUs()
  const result = await work()
  state.clock[stage] += cpuUs() - since
  return result
}

/** Copies messages through a port; empties the list. */
async function cross<T>(
  state: State,
  messages: T[],
  [from, posting]: readonly [MessagePort, Stage],
  [to, taking]: readonly [MessagePort, Stage],
): Promise<T[]> {
  const posted = messages.splice(0)
  await timed(state, posting, () => {
    for (const message of posted) from.postMessage(message)
  })
  return timed(state, taking, () => posted.map(() => receiveMessageOnPort(to)?.message as T))
}

/** Processes frames up to their acknowledgements, and queries up to their answers. */
async function accept(state: State, sent: Sent[]): Promise<number> {
  const { toMain, toWorld, mainEnd, worldEnd, reception, onMessage } = state
  const frames = sent.splice(0)
  await timed(state, 'read', async () => {
    for (const { conn, frame } of frames) connMessage(conn, frame, false)
    await setImmediate()
  })
  const there = await cross(state, toWorld, [mainEnd, 'post commands'], [worldEnd, 'take commands'])
  await timed(state, 'accept', () => {
    for (const message of there) if (message.kind === 'submit') reception.take(message.commands)
  })
  const back = await cross(state, toMain, [worldEnd, 'post acks'], [mainEnd, 'take acks'])
  await timed(state, 'acknowledge', () => {
    for (const message of back) onMessage(message)
  })
  return frames.length
}

const SLICES = { monotonicMs: () => performance.now(), busy: () => {} }

async function inSteps<T>(
  state: State,
  stage: Stage,
  sliceMsMax: number,
  steps: Generator<void, T>,
): Promise<T> {
  return (await timed(state, stage, () => inSlices({ ...SLICES, sliceMsMax }, steps))).result
}

/** Runs a tick and sends its answers to the sockets. */
async function runTick(state: State): Promise<void> {
  const { bench, inbox, toMain, toWorld, mainEnd, worldEnd, onMessage } = state
  const { engine } = bench
  const { world } = engine
  await engine.section.settled()
  const steps = tickSteps(engine, takeMutations(inbox), WALL_MS + world.tick * world.tickMs)
  const run = await inSteps(state, 'run', COMPUTE_SLICE_MS, steps)
  const finishing = packedSteps(engine, run, rowOfBatch(world, run, 0))
  const batch = await inSteps(state, 'finish', FINISH_SLICE_MS, finishing)
  toMain.push({ kind: 'batch', batch })
  const there = await cross(state, toMain, [worldEnd, 'post batch'], [mainEnd, 'take batch'])
  await timed(state, 'publish', async () => {
    for (const message of there) onMessage(message)
    while (toWorld.length === 0) await setImmediate()
  })
  toWorld.length = 0
}

/** Adds the time measured since the last call to a sum. */
function addTime(state: State, sum: Clock): void {
  for (const stage of Object.keys(sum) as Stage[]) sum[stage] += state.clock[stage]
  state.clock = newClock()
}

/** Connects all players of a world, v1 and v2 in turns. */
export async function openExchange(bench: BenchWorld): Promise<Exchange> {
  const state = await openState(bench)
  const { clocks } = state
  // Binds all players to their connections, as after a login.
  for (const player of bench.players)
    bench.immediate(player, 'internal:bind', { player, channel: 'ws' })
  const sockets = createSockets(createUnread(false))
  const clients = bench.players.map((player, place) => clientOf(state, sockets, player, place))
  state.received.length = 0
  return {
    clients,
    async answerQueries() {
      const count = await accept(state, state.queries)
      addTime(state, clocks.queries)
      await deliverAll(state)
      return count
    },
    async tick() {
      const count = await accept(state, state.mutations)
      await runTick(state)
      addTime(state, clocks.mutations)
      await deliverAll(state)
      return count
    },
    readings() {
      const { frames } = state
      const read = { mutations: { ...clocks.mutations }, queries: { ...clocks.queries }, frames }
      Object.assign(clocks.mutations, newClock())
      Object.assign(clocks.queries, newClock())
      state.frames = []
      return read
    },
    hash: () => state.everySent.copy().digest('hex').slice(0, 16),
    async close() {
      state.mainEnd.close()
      state.worldEnd.close()
      await bench.close()
    },
  }
}
