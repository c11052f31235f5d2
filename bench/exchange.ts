/**
 * The whole way of a command without sockets: frames of players through main's end, the port, an
 * engine and back, each stage in turn and on its own clock. Both threads are one here, but what
 * passes between them is copied by a real port, and every function is the server's.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { assert } from '../core/assert.ts'
import { createInbox, takeMutations } from '../core/inbox.ts'
import { COMPUTE_SLICE_MS, FINISH_SLICE_MS } from '../core/limits.ts'
import type { JournalRow, ToMain, ToWorld } from '../core/ports.ts'
import { tickSteps } from '../core/tick.ts'
import { RULES_VERSION } from '../core/version.ts'
import { finishSteps } from '../core/wire/describe.ts'
import { packSteps } from '../core/wire/packed.ts'
import { createReception } from '../engine/reception.ts'
import { inSlices } from '../engine/slices.ts'
import { createNet } from '../net/net.ts'
import type { AccountsPort } from '../net/ports.ts'
import { describeWith } from '../net/publish/frames.ts'
import { bindSocket } from '../net/session/session.ts'
import { createUnread } from '../net/session/unread.ts'
import { createWorldLink } from '../net/world-link.ts'
import type { Frame } from '../net/ws/codec.ts'
import { type Conn, createSockets } from '../net/ws/conn.ts'
import { WS_V1 } from '../net/ws/v1.ts'
import { WS_V2 } from '../net/ws/v2.ts'
import { connMessage, openConn } from '../net/ws/ws.ts'
import { NET_CONFIG, silentLog } from '../test/unit/net/fake-net.ts'
import type { Client, Params, Reply } from './client.ts'
import { type Frame as Message, named, replyIn } from './clients.ts'
import type { BenchWorld } from './worlds.ts'

/** In the order of a command's way, with the thread that each runs on. */
export const STAGES = {
  read: 'main: read, check, submit',
  'post commands': 'main: post to the world',
  'take commands': 'world: take from the port',
  accept: 'world: accept',
  'post acks': 'world: post acknowledgements',
  'take acks': 'main: take them from the port',
  acknowledge: 'main: frames of them',
  run: 'world: run',
  finish: 'world: finish (sections)',
  pack: 'world: pack (JSON)',
  'post batch': 'world: post the batch',
  'take batch': 'main: take it from the port',
  publish: 'main: join, frame, hand over',
} as const
export type Stage = keyof typeof STAGES

const CHANNELS = ['ws1', 'ws2'] as const
const WALL_MS = 1_800_000_000_000
/** Where the request_id of a frame stands. */
const HEAD = /^\{"type":"[a-z_]+","request_id":"([0-9]+)",/
const HEAD_CHARACTERS = 80
/** As the native socket encodes text. */
const ENCODED = Buffer.allocUnsafeSlow(1 << 20)
/** Address of all of them. */
const IP = '127.0.0.1'

/** Processor time by stage, µs. */
export type Clock = Record<Stage, number>
const newClock = (): Clock =>
  Object.fromEntries(Object.keys(STAGES).map((stage) => [stage, 0])) as Clock

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

export interface Exchange {
  readonly clients: readonly Client[]
  /** Answers the queries sent until now, and returns how many these were. */
  answerQueries(): Promise<number>
  /** Runs a tick with the mutations sent until now; returns how many these were. */
  tick(): Promise<number>
  /** Since the last call: processor time of mutations and of queries, and the frames sent. */
  readings(): { readonly mutations: Clock; readonly queries: Clock; readonly frames: Buffer[] }
  /** Of all frames that were sent. */
  hash(): string
  close(): Promise<void>
}

interface Sent {
  readonly conn: Conn
  readonly frame: Buffer
}

/** A call under way; unread: it goes without the result, since reading it would take longest. */
interface Waiting {
  readonly isUnread: boolean
  resolve(reply: Reply): void
}

const UNREAD: Reply = { ok: true, result: {} }

/** Everyone of a world on a connection, v1 and v2 in turns. */
export async function openExchange(bench: BenchWorld): Promise<Exchange> {
  const { engine, players } = bench
  const { world, registry } = engine
  const toMain: ToMain[] = []
  const toWorld: ToWorld[] = []
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
    log: silentLog(),
    clock: { wallMs: () => WALL_MS, monoMs: () => performance.now() },
  })
  const { net } = createNet({
    registry,
    link,
    accounts: {} as AccountsPort,
    archive: { read: () => Promise.reject(new Error('there is no archive')) },
    config: { ...NET_CONFIG, limits: false },
    log: silentLog(),
    clock: { wallMs: () => WALL_MS, monoMs: () => performance.now() },
  })
  const { tick, batch, seed, tickMs } = world
  onMessage({ kind: 'ready', tick, batch, seed, tickMs, held: [] })
  await link.ready

  const inbox = createInbox()
  const options = {
    busy: () => {},
    heartbeat: () => {},
    describe: describeWith(registry),
    post: (message: ToMain) => void toMain.push(message),
  }
  const reception = createReception(engine, inbox, options, { count: () => {} })

  /* ---- clients ---- */

  const sockets = createSockets(createUnread(false))
  const mutations: Sent[] = []
  const queries: Sent[] = []
  const received: (readonly [place: number, frame: Frame])[] = []
  const waiting: Map<string, Waiting>[] = []

  const clientOf = (player: number, place: number): Client => {
    const channel = CHANNELS[place % CHANNELS.length]
    const raw = {
      send: (frame: Buffer) => void received.push([place, frame]),
      sendText: (text: string) => {
        const bytes = ENCODED.write(text)
        received.push([place, text])
        return bytes
      },
      cork: (sendAll: () => void) => sendAll(),
      buffered: () => 0,
      ping: () => {},
      end: () => {},
      destroy: () => {},
    }
    const conn = openConn(net, sockets, { wire: channel === 'ws1' ? WS_V1 : WS_V2, raw, ip: IP })
    assert(conn, 'nobody is turned away')
    const identity = { player, playerId: `${player}`, username: `${player}`, empire: '' }
    bindSocket(net.bindings, identity, conn)
    const calls = new Map<string, Waiting>()
    waiting.push(calls)
    let next = 1
    const send = (command: string, params: Params, isUnread: boolean): Promise<Reply> => {
      const id = String(next++)
      const text = JSON.stringify({ ...named(channel, command, params), request_id: id })
      const isQuery = registry.commands.get(command)?.kind === 'query'
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

  const everySent = createHash('sha256')
  let frames: Buffer[] = []
  /** Has the clients read what came for them, and lets them think. */
  const deliverAll = async (): Promise<void> => {
    for (const [place, sent] of received.splice(0)) {
      const frame = typeof sent === 'string' ? Buffer.from(sent) : sent
      everySent.update(frame)
      frames.push(frame)
      const [, id] = HEAD.exec(frame.toString('latin1', 0, HEAD_CHARACTERS)) ?? []
      const call = id === undefined ? undefined : waiting[place].get(id)
      if (id === undefined || !call) continue
      const channel = CHANNELS[place % CHANNELS.length]
      const reply = call.isUnread
        ? UNREAD
        : replyIn(channel, JSON.parse(frame.toString()) as Message)
      if (!reply) continue
      waiting[place].delete(id)
      call.resolve(reply)
    }
    await setImmediate()
  }

  /* ---- stages ---- */

  const { port1: mainEnd, port2: worldEnd } = new MessageChannel()
  let clock = newClock()
  const timed = async <T>(stage: Stage, work: () => T | Promise<T>): Promise<T> => {
    const since = cpuUs()
    const result = await work()
    clock[stage] += cpuUs() - since
    return result
  }
  const cross = async <T>(
    messages: T[],
    [from, posting]: readonly [MessagePort, Stage],
    [to, taking]: readonly [MessagePort, Stage],
  ): Promise<T[]> => {
    const posted = messages.splice(0)
    await timed(posting, () => {
      for (const message of posted) from.postMessage(message)
    })
    return timed(taking, () => posted.map(() => receiveMessageOnPort(to)?.message as T))
  }
  const readAll = async (sent: Sent[]): Promise<void> => {
    const frames = sent.splice(0)
    await timed('read', async () => {
      for (const { conn, frame } of frames) connMessage(conn, frame, false)
      await setImmediate()
    })
  }
  const accept = async (): Promise<void> => {
    const there = await cross(toWorld, [mainEnd, 'post commands'], [worldEnd, 'take commands'])
    await timed('accept', () => {
      for (const message of there) if (message.kind === 'submit') reception.take(message.commands)
    })
    const back = await cross(toMain, [worldEnd, 'post acks'], [mainEnd, 'take acks'])
    await timed('acknowledge', () => back.forEach(onMessage))
  }
  const rowOf = (inputs: JournalRow['inputs']): JournalRow => ({
    batch: world.batch + 1,
    tick: world.tick,
    part: 0,
    rulesVersion: RULES_VERSION,
    wallMs: world.wallMs,
    inputs,
    archived: {},
    hash: null,
  })
  const slices = { monotonicMs: () => performance.now(), busy: () => {} }
  const inSteps = async <T>(stage: Stage, sliceMsMax: number, steps: Generator<void, T>) =>
    (await timed(stage, () => inSlices({ ...slices, sliceMsMax }, steps))).result

  const mutationClock = newClock()
  const queryClock = newClock()
  /** Adds what was measured since to one of both. */
  const bookTo = (sum: Clock): void => {
    for (const stage of Object.keys(clock) as Stage[]) sum[stage] += clock[stage]
    clock = newClock()
  }

  // Everyone is bound, as after a login.
  for (const player of players) {
    const params = { player, channel: 'ws' }
    bench.immediate(player, 'internal:bind', params)
  }
  const clients = players.map(clientOf)
  received.length = 0

  return {
    clients,
    async answerQueries() {
      const count = queries.length
      await readAll(queries)
      await accept()
      bookTo(queryClock)
      await deliverAll()
      return count
    },
    async tick() {
      const count = mutations.length
      await readAll(mutations)
      await accept()
      await engine.section.settled()
      const steps = tickSteps(engine, takeMutations(inbox), WALL_MS + world.tick * tickMs)
      const run = await inSteps('run', COMPUTE_SLICE_MS, steps)
      const row = rowOf(run.inputs)
      const finished = await inSteps('finish', FINISH_SLICE_MS, finishSteps(engine, run, row))
      const packed = await inSteps('pack', FINISH_SLICE_MS, packSteps(finished))
      toMain.push({ kind: 'batch', batch: packed })
      const there = await cross(toMain, [worldEnd, 'post batch'], [mainEnd, 'take batch'])
      await timed('publish', async () => {
        there.forEach(onMessage)
        while (toWorld.length === 0) await setImmediate()
      })
      toWorld.length = 0
      bookTo(mutationClock)
      await deliverAll()
      return count
    },
    readings() {
      const read = { mutations: { ...mutationClock }, queries: { ...queryClock }, frames }
      Object.assign(mutationClock, newClock())
      Object.assign(queryClock, newClock())
      frames = []
      return read
    },
    hash: () => everySent.copy().digest('hex').slice(0, 16),
    async close() {
      mainEnd.close()
      worldEnd.close()
      await bench.close()
    },
  }
}
