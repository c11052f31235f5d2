/**
 * How operators' tools talk to a running server: small, rare requests ("take a snapshot now") and
 * replies over LISTEN and NOTIFY, so a tool needs the database and nothing else.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Sql } from './db.ts'

interface ToolRequest {
  readonly kind: string
  readonly args?: Readonly<Record<string, unknown>>
}

export interface ToolReply {
  readonly ok: boolean
  readonly text?: string
  readonly result?: unknown
}

export type ToolHandler = (request: ToolRequest) => Promise<ToolReply>

const WAIT_MS = 60_000
/** PostgreSQL's bound on a notification (8,000), less a margin. */
const PAYLOAD_BYTES_MAX = 7_500
const ACKNOWLEDGE_MS = 2_000
/** Asked first: whether a server is there to take the request. It has no effect. */
const HELLO: ToolRequest = { kind: 'hello' }
const CHANNEL_CHARACTERS_MAX = 55
const DIGEST_CHARACTERS = 16

/**
 * Names the channel of a schema: a database, which shares its channels, may hold several worlds. A
 * name that is cut has a digest of the whole: two worlds never hear what is for the other.
 */
function channelOf(sql: Sql): string {
  const schema = String(sql.options.connection.search_path ?? '')
  const channel = `orrery_tools_${schema}`
  if (channel.length <= CHANNEL_CHARACTERS_MAX) return channel
  const digest = createHash('sha256').update(schema).digest('hex').slice(0, DIGEST_CHARACTERS)
  return `${channel.slice(0, CHANNEL_CHARACTERS_MAX - DIGEST_CHARACTERS - 1)}_${digest}`
}

const send = async (sql: Sql, channel: string, message: object): Promise<void> => {
  const text = JSON.stringify(message)
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) throw new UnsentError('the message is too long')
  await sql.notify(channel, text)
}

interface Envelope {
  readonly token: string
  readonly request?: ToolRequest
  readonly taken?: true
  readonly reply?: ToolReply
}

const read = (text: string): Envelope | undefined => {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined
  }
}

/**
 * Answers tools until the returned function is called; reconnects to a database that was away.
 */
export async function listenTools(sql: Sql, handler: ToolHandler): Promise<() => Promise<void>> {
  const channel = channelOf(sql)
  const handle = async ({ token, request }: Envelope): Promise<void> => {
    if (!request) return
    await send(sql, channel, { token, taken: true })
    let reply: ToolReply
    try {
      reply = await handler(request)
    } catch (error) {
      reply = { ok: false, text: error instanceof Error ? error.message : String(error) }
    }
    await send(sql, channel, { token, reply })
  }
  const listening = await sql.listen(channel, (text) => {
    const envelope = read(text)
    // A tool that gets no answer because the database went away reports that itself.
    if (envelope) void handle(envelope).catch(() => {})
  })
  return () => listening.unlisten()
}

/** The request was not sent: nothing will come of it. */
export class UnsentError extends Error {
  override name = 'UnsentError'
}

const NO_SERVER = 'no server runs on this database, it is an older release, or too busy to answer'

/** What one exchange of messages waits for. */
function waiting<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((done, failed) => {
    resolve = done
    reject = failed
  })
  // Its end is awaited, or nobody asks for it any more.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

/** Rejects what is waited for when it takes too long; returns what keeps it from that. */
function limit(waits: { reject(error: Error): void }, ms: number, error: () => Error): () => void {
  const timer = setTimeout(() => waits.reject(error()), ms)
  return () => clearTimeout(timer)
}

/**
 * Sends a request to the running server; rejects with UnsentError when none answers, and when it
 * is not done in time. A server that is too busy to say that it is there is not sent the request:
 * nothing is done after its sender was told that it is not.
 */
export async function callTools(
  sql: Sql,
  request: ToolRequest,
  timeoutMs: number = WAIT_MS,
): Promise<ToolReply> {
  const [hello, token] = [randomUUID(), randomUUID()]
  const channel = channelOf(sql)
  const greeted = waiting<void>()
  const answered = waiting<ToolReply>()
  const listening = await sql.listen(channel, (text) => {
    const envelope = read(text)
    if (envelope?.token === hello && envelope.taken) greeted.resolve()
    if (envelope?.token === token && envelope.reply) answered.resolve(envelope.reply)
  })
  const greetMs = Math.min(ACKNOWLEDGE_MS, timeoutMs)
  const forget = [limit(greeted, greetMs, () => new UnsentError(NO_SERVER))]
  try {
    await send(sql, channel, { token: hello, request: HELLO })
    await greeted.promise
    const late = () => new Error(`the server did not finish in ${timeoutMs} ms`)
    forget.push(limit(answered, timeoutMs, late))
    await send(sql, channel, { token, request })
    return await answered.promise
  } finally {
    for (const one of forget) one()
    await listening.unlisten()
  }
}
