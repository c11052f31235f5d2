/**
 * The channel between operators' tools and a running server: small, rare requests ("take a snapshot
 * now") and replies over LISTEN and NOTIFY, so that a tool needs only the database.
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
/** PostgreSQL's limit on a notification (8,000), less a margin. */
const PAYLOAD_BYTES_MAX = 7_500
const ACKNOWLEDGE_MS = 2_000
/** Sent first to check whether a server takes requests. It has no effect. */
const HELLO: ToolRequest = { kind: 'hello' }
const CHANNEL_CHARACTERS_MAX = 55
const DIGEST_CHARACTERS = 16

/**
 * Returns the channel of a schema: channels are shared by a database, which may have several
 * worlds. A truncated name ends with a digest of the whole, so that no two worlds share a channel.
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

/** Answers tools until the returned function is called; reconnects after the database was away. */
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

/** The request was not sent and has no effect. */
export class UnsentError extends Error {
  override name = 'UnsentError'
}

const NO_SERVER = 'no server runs on this database, it is an older release, or too busy to answer'

/** Creates a promise with its resolve functions, for the reply to a message. */
function createDeferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((done, failed) => {
    resolve = done
    reject = failed
  })
  // Avoids an unhandled rejection if nobody awaits it any more.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

/** Rejects a promise after a deadline; returns a function that cancels the deadline. */
function setDeadline(
  pending: { reject(error: Error): void },
  ms: number,
  error: () => Error,
): () => void {
  const timer = setTimeout(() => pending.reject(error()), ms)
  return () => clearTimeout(timer)
}

/**
 * Sends a request to the running server. Rejects with UnsentError if none answers, with another
 * error if it does not finish in time. The request is sent only after the server has answered a
 * greeting, so that it never runs after its sender was told that it would not.
 */
export async function callTools(
  sql: Sql,
  request: ToolRequest,
  timeoutMs: number = WAIT_MS,
): Promise<ToolReply> {
  const [hello, token] = [randomUUID(), randomUUID()]
  const channel = channelOf(sql)
  const greeted = createDeferred<void>()
  const answered = createDeferred<ToolReply>()
  const listening = await sql.listen(channel, (text) => {
    const envelope = read(text)
    if (envelope?.token === hello && envelope.taken) greeted.resolve()
    if (envelope?.token === token && envelope.reply) answered.resolve(envelope.reply)
  })
  const greetingMs = Math.min(ACKNOWLEDGE_MS, timeoutMs)
  const cancels = [setDeadline(greeted, greetingMs, () => new UnsentError(NO_SERVER))]
  try {
    await send(sql, channel, { token: hello, request: HELLO })
    await greeted.promise
    const late = () => new Error(`the server did not finish in ${timeoutMs} ms`)
    cancels.push(setDeadline(answered, timeoutMs, late))
    await send(sql, channel, { token, request })
    return await answered.promise
  } finally {
    for (const cancel of cancels) cancel()
    await listening.unlisten()
  }
}
