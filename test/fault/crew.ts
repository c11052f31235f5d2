/**
 * Players who work on all channels while faults strike the server: each has one mutation in flight
 * at a time, and sends some immediate writes in between. They reconnect after every loss, and
 * record what they sent and how it was answered; audit.ts compares these records with the world.
 */
import {
  CHANNELS,
  type Channel,
  type Client,
  LOST,
  type Params,
  type Push,
} from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { type Miner, startMiner, workOn } from '../../bench/miner.ts'

const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
const RETRY_MS = 100
/** An immediate write, or a chat message, follows every so many mutations. */
const WRITE_EVERY = 4
const CHAT_EVERY = 12
const PATIENCE_MS = 240_000

/** A command that was sent, and how it was answered. */
export interface CommandRecord {
  readonly player: string
  readonly channel: Channel
  readonly command: string
  /** The request_id (WebSocket only). */
  readonly requestId?: string
  /** `lost`: the connection ended first. */
  state: 'sent' | 'ok' | 'refused' | 'lost'
  /** True for the outcome of a tick or of an immediate, as opposed to an early refusal. */
  isOutcome: boolean
  /** Number of outcomes that arrived; a second one is a broken promise. */
  outcomes: number
  code?: string
}

interface Member {
  readonly name: string
  readonly channel: Channel
  password: string
  miner: Miner | undefined
  client: Client | undefined
  /** Number of connections so far. */
  connections: number
}

export interface Crew {
  readonly members: readonly Member[]
  readonly records: readonly CommandRecord[]
  /** Chat messages that were acknowledged. */
  readonly chatMessages: readonly string[]
  /** Units of ore whose yield was acknowledged, by player. */
  readonly mined: ReadonlyMap<string, number>
  /** Descriptions of commands on a socket that ended before the answer. */
  readonly dropped: readonly string[]
  /** Resolves when everyone is logged in. */
  untilLoggedIn(): Promise<void>
  /** Ends the work; resolves when every command is answered. */
  finish(): Promise<void>
}

interface CrewOptions {
  /** Where they log in; a function is called again after every loss. */
  readonly url: string | (() => string)
  readonly players: number
  /** Determines their names. */
  readonly seed: number
}

interface Book {
  readonly url: () => string
  readonly records: CommandRecord[]
  readonly byRequestId: Map<string, CommandRecord>
  readonly chatMessages: string[]
  readonly mined: Map<string, number>
  readonly dropped: string[]
  isFinishing: boolean
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function startCrew({ url, players, seed }: CrewOptions): Crew {
  const book: Book = {
    url: typeof url === 'string' ? () => url : url,
    records: [],
    byRequestId: new Map(),
    chatMessages: [],
    mined: new Map(),
    dropped: [],
    isFinishing: false,
  }
  const members = Array.from(
    { length: players },
    (_, i): Member => ({
      name: `Crew ${seed} ${i}`,
      channel: CHANNELS[i % CHANNELS.length],
      password: '',
      miner: undefined,
      client: undefined,
      connections: 0,
    }),
  )
  const working = members.map((member, i) => work(book, member, i))
  return {
    members,
    records: book.records,
    chatMessages: book.chatMessages,
    mined: book.mined,
    dropped: book.dropped,
    async untilLoggedIn() {
      const end = performance.now() + PATIENCE_MS
      while (!members.every((member) => member.client && !member.client.closed)) {
        if (performance.now() > end) throw new Error('not everyone is logged in')
        await sleep(RETRY_MS)
      }
    },
    async finish() {
      book.isFinishing = true
      await Promise.all(working)
      for (const { client } of members) await client?.close()
    },
  }
}

/** Connects, works until the connection ends, and connects again. */
async function work(book: Book, member: Member, index: number): Promise<void> {
  while (!book.isFinishing) {
    const client = await logIn(book, member, index).catch(() => undefined)
    if (!client) {
      await sleep(RETRY_MS)
      continue
    }
    member.client = client
    for (let i = 1; !book.isFinishing && member.client; i++) await workOnce(book, member, i)
  }
}

/** Logs a member in; returns undefined when the server cannot be reached. */
async function logIn(book: Book, member: Member, index: number): Promise<Client | undefined> {
  member.connections += 1
  const idPrefix = `${member.name}/${member.connections}/`
  const connected = await connect(book.url(), member.channel, { idPrefix })
  const client = recordingClient(book, member, connected)
  if (member.miner) {
    const { name: username, password } = member
    const reply = await client.call('login', { username, password })
    if (!reply.ok) {
      await client.close()
      return undefined
    }
    member.miner = { ...member.miner, client }
    return client
  }
  if (member.password === '') {
    const empire = EMPIRES[index % EMPIRES.length]
    member.miner = await startMiner(client, member.name, empire)
    if (member.password === '') throw new Error(`${member.name} has no password`)
    return client
  }
  return undefined
}

/** Returns a client that records everything it sends and receives. */
function recordingClient(book: Book, member: Member, client: Client): Client {
  client.onPush = (push) => recordPush(book, push)
  return {
    ...client,
    get closed() {
      return client.closed
    },
    async call(command, params) {
      const record: CommandRecord = {
        player: member.name,
        channel: member.channel,
        command,
        state: 'sent',
        isOutcome: false,
        outcomes: 0,
      }
      book.records.push(record)
      const reply = await client.call(command, params)
      const { requestId } = reply
      if (requestId !== undefined) {
        Object.assign(record, { requestId })
        book.byRequestId.set(requestId, record)
      }
      if (reply.code === LOST) {
        record.state = 'lost'
        if (member.channel === 'ws1' || member.channel === 'ws2')
          book.dropped.push(`${member.name} on ${member.channel}: ${reply.message}`)
        return reply
      }
      record.state = reply.ok ? 'ok' : 'refused'
      record.code = reply.code
      record.isOutcome = reply.tick !== undefined
      record.outcomes += 1
      if (command === 'register' && reply.ok) member.password = String(reply.result.password)
      if (command === 'mine' && reply.ok) recordYield(book, member.name, reply.result)
      return reply
    },
  }
}

function recordYield(book: Book, name: string, result: Params): void {
  const units = Number(result.quantity ?? 0)
  book.mined.set(name, (book.mined.get(name) ?? 0) + units)
}

/** Records an outcome that was pushed: after the connection was lost, or a second time. */
function recordPush(book: Book, push: Push): void {
  if (push.requestId === undefined) return
  const record = book.byRequestId.get(push.requestId)
  if (!record) return
  record.outcomes += 1
  if (record.state === 'lost') {
    record.state = push.type === 'action_result' ? 'ok' : 'refused'
    record.isOutcome = true
    const result = push.payload.result as Params | undefined
    if (record.command === 'mine' && result)
      recordYield(book, record.player, (result.details ?? result) as Params)
    record.code = push.payload.code === undefined ? undefined : String(push.payload.code)
  }
}

const LOGGED_OUT = new Set([LOST, 'session_invalid', 'session_required', 'not_authenticated'])
const WRITES = ['set_status', 'captains_log_add']

async function workOnce(book: Book, member: Member, i: number): Promise<void> {
  const { miner, client } = member
  if (!miner || !client) return
  const reply = await workOn(miner)
  if (!reply.ok && reply.code !== undefined) {
    if (LOGGED_OUT.has(reply.code)) return disconnect(member, client)
    // A command that is refused at once would otherwise be repeated without a pause.
    if (reply.tick === undefined) await sleep(RETRY_MS)
  }
  if (i % CHAT_EVERY === 0) {
    const content = `${member.name} says ${member.connections}/${i}`
    const chat = await client.call('chat', { channel: 'local', content })
    if (chat.ok) book.chatMessages.push(content)
    if (chat.code === LOST) await disconnect(member, client)
  } else if (i % WRITE_EVERY === 0) {
    const command = WRITES[(i / WRITE_EVERY) % WRITES.length]
    const text = `${member.name} at ${member.connections}/${i}`
    const params = command === 'set_status' ? { status_message: text } : { entry: text }
    const written = await client.call(command, params)
    if (written.code === LOST) await disconnect(member, client)
  }
}

async function disconnect(member: Member, client: Client): Promise<void> {
  member.client = undefined
  await client.close()
}
