/**
 * One connection on a framing, for tests that send what no client would: any bytes can be sent, and
 * whatever comes back is one small answer. Of the server's code it uses only the addresses of
 * commands.
 */
import type { CommandDef } from '../../core/command.ts'
import type { Framing } from '../../core/types.ts'

export type Json = Record<string, unknown>

/** What is sent: a frame, or a request. */
export interface Message {
  readonly body: Buffer
  /** WebSocket: as a binary frame. */
  readonly isBinary?: true
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  /** False: the connection ended, with `closeCode` on a WebSocket. */
  readonly isReply: boolean
  readonly ok: boolean
  /** Acknowledged; the outcome follows. */
  readonly pending: boolean
  /** Of a refusal; empty otherwise. */
  readonly code: string
  readonly result: Json
  /** HTTP and MCP. */
  readonly status?: number
  readonly closeCode?: number
  /** WebSocket: as the answer carries it. */
  readonly requestId?: unknown
  /** The beginning of what was received. */
  readonly text: string
}

export interface Driver {
  readonly framing: Framing
  /** Makes a connection that is not logged in. */
  open(): Promise<void>
  /** A command with parameters as raw JSON text; `requestId` is raw JSON too. */
  compose(def: CommandDef, params: string, requestId?: string): Message
  /** Resolves with the first answer, or the end of the connection. */
  send(message: Message): Promise<Answer>
  readonly isOpen: boolean
  /** HTTP: the id of the session. */
  readonly session?: string
  close(): Promise<void>
}

/** A frame that does not answer the command in flight: an event, or an outcome after its ack. */
export interface Late {
  readonly type: string
  readonly payload: Json
  readonly requestId: unknown
}

export const TEXT_SHOWN = 300

export const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export function parse(text: string): Json | undefined {
  try {
    return asJson(JSON.parse(text))
  } catch {
    return undefined
  }
}

const REQUEST_IDS = new WeakMap<Buffer, { readonly id: unknown }>()

/** Returns the request_id of a message with a JSON body; reads it once. */
export function requestIdIn(body: Buffer): unknown {
  const known = REQUEST_IDS.get(body)
  if (known) return known.id
  const id = body.includes('"request_id"') ? parse(body.toString())?.request_id : undefined
  REQUEST_IDS.set(body, { id })
  return id
}

export const ended = (closeCode?: number): Answer => ({
  isReply: false,
  ok: false,
  pending: false,
  code: '',
  result: {},
  closeCode,
  text: `closed ${closeCode ?? ''}`,
})
