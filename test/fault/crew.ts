/**
 * Players who work on all channels while faults hit the server: each has one mutation under way at
 * a time, and some immediate writes in between. They reconnect after every loss, and record what
 * they sent and how it was answered; audit.ts compares these records with the world.
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
/** Mutations for each immediate write. */
const WRITE_EVERY = 4
const CHAT_EVERY = 12
const PATIENCE_MS = 240_000

/** What became of one request. */
export interface Deed {
  readonly player: string
  readonly channel: Channel
  readonly command: string
  /** Sent with that request_id (WebSocket only). */
  readonly requestId?: string
  /** `lost`: the connection ended first. */
  state: 'sent' | 'ok' | 'refused' | 'lost'
  /** The answer was the outcome of a tick or of an immediate, not an early refusal. */
  isOutcome: boolean
  /** Outcomes that arrived; a second one is a broken promise. */
  outcomes: number
  code?: string
}

interface Member {
  readonly name: string
  readonly channel: Channel
  password: string
  miner: Miner | undefined
  client: Client | undefined
  /** Connections so far. */
  lives: number
}

export interface Crew {
  readonly members: readonly Member[]
  readonly deeds: readonly Deed[]
  /** Texts said in chat and acknowledged. */
  readonly said: readonly string[]
  /** Units of ore whose yield was acknowledged, by player. */
  readonly mined: ReadonlyMap<string, number>
  /** Commands on a socket that ended before the answer. */
  readonly dropped: readonly string[]
  /** Resolves when everyone is logged in. */
  everyoneIn(): Promise<void>
  /** Ends the work; resolves when every answer has come. */
  rest(): Promise<void>
}

interface CrewOptions {
  /** Where they log in; asked anew after every loss. */
  readonly url: string | (() => string)
  readonly players: number
  /** Names and what is done when follow from it. */
  readonly seed: number
}

interface Book {
  readonly url: () => string
  readonly deeds: Deed[]
  readonly byRequestId: Map<string, Deed>
  readonly said: string[]
  readonly mined: Map<string, number>
  readonly dropped: string[]
  isResting: boolean
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function startCrew({ url, players, seed }: CrewOptions): Crew {
  const book: Book = {
    url: typeof url === 'string' ? () => url : url,
    deeds: [],
    byRequestId: new Map(),
    said: [],
    mined: new Map(),
    dropped: [],
    isResting: false,
  }
  const members = Array.from(
    { length: players },
    (_, i): Member => ({
      name: `Crew ${seed} ${i}`,
      channel: CHANNELS[i % CHANNELS.length],
      password: '',
      miner: undefined,
      client: undefined,
      lives: 0,
    }),
  )
  const lives = members.map((member, i) => live(book, member, i))
  return {
    members,
    deeds: book.deeds,
    said: book.said,
    mined: book.mined,
    dropped: book.dropped,
    async everyoneIn() {
      const end = performance.now() + PATIENCE_MS
      while (!members.every((member) => member.client && !member.client.closed)) {
        if (performance.now() > end) throw new Error('not everyone is logged in')
        await sleep(RETRY_MS)
      }
    },
    async rest() {
      book.isResting = true
      await Promise.all(lives)
      for (const { client } of members) await client?.close()
    },
  }
}

/** Connects, works until the connection ends, connects again. */
async function live(book: Book, member: Member, index: number): Promise<void> {
  while (!book.isResting) {
    const client = await enter(book, member, index).catch(() => undefined)
    if (!client) {
      await sleep(RETRY_MS)
      continue
    }
    member.client = client
    for (let i = 1; !book.isResting && member.client; i++) await workOnce(book, member, i)
  }
}

/** Logs a member in; returns undefined when the server cannot be reached. */
async function enter(book: Book, member: Member, index: number): Promise<Client | undefined> {
  member.lives += 1
  const idPrefix = `${member.name}/${member.lives}/`
  const client = recorded(book, member, await connect(book.url(), member.channel, { idPrefix }))
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
function recorded(book: Book, member: Member, client: Client): Client {
  client.onPush = (push) => hear(book, push)
  return {
    ...client,
    get closed() {
      return client.closed
    },
    async call(command, params) {
      const deed: Deed = {
        player: member.name,
        channel: member.channel,
        command,
        state: 'sent',
        isOutcome: false,
        outcomes: 0,
      }
      book.deeds.push(deed)
      const reply = await client.call(command, params)
      const { requestId } = reply
      if (requestId !== undefined) {
        Object.assign(deed, { requestId })
        book.byRequestId.set(requestId, deed)
      }
      if (reply.code === LOST) {
        deed.state = 'lost'
        if (member.channel === 'ws1' || member.channel === 'ws2')
          book.dropped.push(`${member.name} on ${member.channel}: ${reply.message}`)
        return reply
      }
      deed.state = reply.ok ? 'ok' : 'refused'
      deed.code = reply.code
      deed.isOutcome = reply.tick !== undefined
      deed.outcomes += 1
      if (command === 'register' && reply.ok) member.password = String(reply.result.password)
      if (command === 'mine' && reply.ok) noteYield(book, member.name, reply.result)
      return reply
    },
  }
}

function noteYield(book: Book, name: string, result: Params): void {
  const units = Number(result.quantity ?? 0)
  book.mined.set(name, (book.mined.get(name) ?? 0) + units)
}

/** Records a pushed outcome: of a command whose connection was lost, or one that came twice. */
function hear(book: Book, push: Push): void {
  if (push.requestId === undefined) return
  const deed = book.byRequestId.get(push.requestId)
  if (!deed) return
  deed.outcomes += 1
  if (deed.state === 'lost') {
    deed.state = push.type === 'action_result' ? 'ok' : 'refused'
    deed.isOutcome = true
    const result = push.payload.result as Params | undefined
    if (deed.command === 'mine' && result)
      noteYield(book, deed.player, (result.details ?? result) as Params)
    deed.code = push.payload.code === undefined ? undefined : String(push.payload.code)
  }
}

const LOGGED_OUT = new Set([LOST, 'session_invalid', 'session_required', 'not_authenticated'])
const WRITES = ['set_status', 'captains_log_add']

async function workOnce(book: Book, member: Member, i: number): Promise<void> {
  const { miner, client } = member
  if (!miner || !client) return
  const reply = await workOn(miner)
  if (!reply.ok && reply.code !== undefined) {
    if (LOGGED_OUT.has(reply.code)) return leave(member, client)
    // A command that is refused at once would otherwise be repeated without a pause.
    if (reply.tick === undefined) await sleep(RETRY_MS)
  }
  if (i % CHAT_EVERY === 0) {
    const content = `${member.name} says ${member.lives}/${i}`
    const said = await client.call('chat', { channel: 'local', content })
    if (said.ok) book.said.push(content)
    if (said.code === LOST) await leave(member, client)
  } else if (i % WRITE_EVERY === 0) {
    const command = WRITES[(i / WRITE_EVERY) % WRITES.length]
    const text = `${member.name} at ${member.lives}/${i}`
    const params = command === 'set_status' ? { status_message: text } : { entry: text }
    const done = await client.call(command, params)
    if (done.code === LOST) await leave(member, client)
  }
}

async function leave(member: Member, client: Client): Promise<void> {
  member.client = undefined
  await client.close()
}
