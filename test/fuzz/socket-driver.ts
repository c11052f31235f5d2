/** The driver of both WebSocket versions. It remembers every request_id it sent. */
import { once } from 'node:events'
import WebSocket from 'ws'
import type { CommandDef } from '../../core/command.ts'
import {
  type Answer,
  asJson,
  type Driver,
  ended,
  type Late,
  parse,
  requestIdIn,
  TEXT_SHOWN,
} from './driver.ts'
import { createSpacing } from './patience.ts'

/** Below the flood guard of a connection, 100 frames a second. */
const FRAME_EVERY_MS = 11
const ANSWERS = new Set(['ok', 'error', 'result', 'logged_in'])
/** Frames that may carry the sender's request_id. */
const WITH_ID = new Set([...ANSWERS, 'registered', 'action_result', 'action_error'])

export interface SocketDriver extends Driver {
  readonly framing: 'ws1' | 'ws2'
  /** Sends all messages at once; resolves with as many first answers. */
  blast(bodies: readonly Buffer[]): Promise<Answer[]>
  /** Frames since the last call that answered nothing. */
  late(): Late[]
  /** Code of the last close. */
  closedWith(): number | undefined
  /** Breaches of I13 by frames since the last call. */
  breaches(): string[]
}

interface State {
  readonly base: string
  readonly framing: 'ws1' | 'ws2'
  socket: WebSocket | undefined
  waiting: ((answer: Answer) => void) | undefined
  /** Answers still to come of a blast; `waiting` takes them all. */
  expected: number
  registered: Record<string, unknown> | undefined
  readonly sentIds: Set<string>
  late: Late[]
  breaches: string[]
  readonly turn: () => Promise<void>
  closeCode: number | undefined
}

function answerOf(state: State, frame: Record<string, unknown>, text: string): Answer {
  const payload = asJson(frame.payload)
  const isError = frame.type === 'error'
  const own = frame.type === 'result' ? asJson(payload.structuredContent) : payload
  return {
    isReply: true,
    ok: !isError,
    pending: !isError && own.pending === true,
    code: isError ? String(payload.code) : '',
    requestId: frame.request_id,
    result: frame.type === 'logged_in' ? { ...state.registered, ...own } : own,
    text: text.slice(0, TEXT_SHOWN),
  }
}

function onFrame(state: State, text: string): void {
  const frame = parse(text)
  if (!frame) {
    state.breaches.push(`a frame is no JSON object: ${text.slice(0, TEXT_SHOWN)}`)
    return
  }
  const { request_id: id } = frame
  const type = String(frame.type)
  if (id !== undefined && !(typeof id === 'string' && state.sentIds.has(id)))
    state.breaches.push(`request_id ${JSON.stringify(id)} was never sent here: ${type}`)
  if (id !== undefined && !WITH_ID.has(type))
    state.breaches.push(`an event carries a request_id: ${text.slice(0, TEXT_SHOWN)}`)
  if (type === 'registered') state.registered = asJson(frame.payload)
  else if (ANSWERS.has(type) && state.waiting) {
    const give = state.waiting
    state.expected -= 1
    if (state.expected <= 0) state.waiting = undefined
    give(answerOf(state, frame, text))
  } else state.late.push({ type, payload: asJson(frame.payload), requestId: id })
}

async function open(state: State): Promise<void> {
  const path = state.framing === 'ws1' ? '/ws' : '/ws/v2'
  const socket = new WebSocket(`${state.base.replace(/^http/, 'ws')}${path}`)
  state.socket = socket
  socket.on('message', (data) => onFrame(state, String(data)))
  socket.on('error', () => {})
  socket.on('close', (code) => {
    if (state.socket === socket) {
      state.socket = undefined
      state.closeCode = code
    }
    state.waiting?.(ended(code))
    state.waiting = undefined
  })
  await once(socket, 'open')
}

function compose(
  framing: State['framing'],
  def: CommandDef,
  params: string,
  requestId?: string,
): string {
  const id = requestId === undefined ? '' : `,"request_id":${requestId}`
  if (framing === 'ws1') return `{"type":"${def.name}","payload":${params}${id}}`
  const action = def.v2?.action ? `"action":"${def.v2.action}",` : ''
  return `{"tool":"${def.v2?.tool}",${action}"payload":${params}${id}}`
}

/** Remembers the request_id of a message, if it has one. */
function rememberId(state: State, body: Buffer): void {
  const id = requestIdIn(body)
  if (typeof id === 'string') state.sentIds.add(id)
}

export function createSocketDriver(base: string, framing: 'ws1' | 'ws2'): SocketDriver {
  const state: State = {
    base,
    framing,
    socket: undefined,
    waiting: undefined,
    expected: 0,
    registered: undefined,
    sentIds: new Set(),
    late: [],
    breaches: [],
    turn: createSpacing(FRAME_EVERY_MS),
    closeCode: undefined,
  }
  return {
    framing,
    open: () => open(state),
    get isOpen() {
      return state.socket !== undefined
    },
    compose: (def, params, requestId) => ({
      body: Buffer.from(compose(framing, def, params, requestId)),
    }),
    async send(message) {
      await state.turn()
      const { socket } = state
      if (!socket) return ended()
      rememberId(state, message.body)
      return new Promise((resolve) => {
        state.waiting = resolve
        state.expected = 1
        socket.send(message.body, { binary: message.isBinary ?? false })
      })
    },
    blast(bodies) {
      const { socket } = state
      const answers: Answer[] = []
      for (const body of bodies) rememberId(state, body)
      return new Promise((resolve) => {
        state.expected = bodies.length
        state.waiting = (answer) => {
          answers.push(answer)
          if (answers.length === bodies.length || !answer.isReply) resolve(answers)
        }
        for (const body of bodies) socket?.send(body, { binary: false })
      })
    },
    late() {
      return state.late.splice(0)
    },
    closedWith: () => state.closeCode,
    breaches() {
      return state.breaches.splice(0)
    },
    async close() {
      const { socket } = state
      if (!socket) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}
