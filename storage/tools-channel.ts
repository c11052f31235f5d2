/**
 * How operators' tools talk to a running server: small, rare requests ("take a snapshot now") and
 * replies over LISTEN and NOTIFY, so a tool needs the database and nothing else.
 */
import { randomUUID } from 'node:crypto'
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

/**
 * Names the channel of a schema: a database, which shares its channels, may hold several worlds.
 */
const channelOf = (sql: Sql): string =>
  `orrery_tools_${String(sql.options.connection.search_path ?? '')}`.slice(0, 55)

const send = async (sql: Sql, channel: string, message: object): Promise<void> => {
  const text = JSON.stringify(message)
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) throw new Error('the message is too long')
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

/** Sends a request to the running server; rejects when none answers, or not in time. */
export async function callTools(
  sql: Sql,
  request: ToolRequest,
  timeoutMs: number = WAIT_MS,
): Promise<ToolReply> {
  const token = randomUUID()
  const channel = channelOf(sql)
  let settle: (reply: ToolReply) => void = () => {}
  let abandon: (error: Error) => void = () => {}
  const answered = new Promise<ToolReply>((resolve, reject) => {
    settle = resolve
    abandon = reject
  })
  const giveUp = (ms: number, text: string): NodeJS.Timeout =>
    setTimeout(() => abandon(new Error(text)), ms)
  const unacknowledged = giveUp(
    Math.min(ACKNOWLEDGE_MS, timeoutMs),
    'no server runs on this database, or it is an older release',
  )
  const unfinished = giveUp(timeoutMs, `the server did not finish in ${timeoutMs} ms`)
  const listening = await sql.listen(channel, (text) => {
    const envelope = read(text)
    if (envelope?.token !== token) return
    if (envelope.taken) clearTimeout(unacknowledged)
    if (envelope.reply) settle(envelope.reply)
  })
  try {
    await send(sql, channel, { token, request })
    return await answered
  } finally {
    clearTimeout(unacknowledged)
    clearTimeout(unfinished)
    await listening.unlisten()
  }
}
