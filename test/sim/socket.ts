/**
 * A bot's WebSocket in memory: frames go through the real connection code, and every frame that is
 * received is checked.
 */
import type { CommandDef } from '../../core/command.ts'
import { type Conn, connControl, connDrained } from '../../net/ws/conn.ts'
import { connClosed, connMessage } from '../../net/ws/ws.ts'
import type { Front } from './front.ts'
import type { Payload, Requests } from './requests.ts'
import type { Stage } from './stage.ts'

/** Buffered bytes at which the server queues frames itself instead of writing them. */
const STUCK_BYTES = 128 * 1024

export interface PortOptions {
  readonly name: string
  readonly front: Front
  readonly stage: Stage
  readonly requests: Requests
  readonly ip: string
  /** Called with each answer and event that the player reads. */
  seen(payload: Payload, code?: string): void
  loggedIn(payload: Payload): void
}

/** A connection of a player, on any channel. */
export interface Port {
  readonly front: Front
  readonly isSocket: boolean
  isOpen(): boolean
  /** Sends a command; parameters have their v1 names. */
  send(def: CommandDef, params: Payload): void
  sendJunk(text: string): void
  /** Returns the code the connection was closed with; 0 if it is open. */
  closeCode(): number
  /** Reads nothing for this many steps. */
  stall(steps: number): void
  step(): void
  /** Ends the connection as a client does that crashes. */
  vanish(): void
  /** Returns the events that must have arrived but have not. */
  missing(): readonly string[]
}

interface Frame {
  readonly type: string
  readonly payload?: Payload
  readonly request_id?: string
  readonly text: string
}

/** Returns the parameters under their v2 names. */
export function toV2Names(def: CommandDef, params: Payload): Payload {
  const names = def.v2?.rename ?? {}
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [names[name] ?? name, value]),
  )
}

const asPayload = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {}

const SESSION_FRAMES = new Set(['welcome', 'reconnected'])

interface Socket {
  readonly options: PortOptions
  conn: Conn | undefined
  isOpen: boolean
  code: number
  /** Id of the pending login: the logged_in frame of a registration has none. */
  loginId: string | undefined
  /** Number of frames sent whose errors carry no id. */
  junk: number
  stallSteps: number
}

function onEvent(socket: Socket, frame: Frame): void {
  const { stage, name, front, seen, requests } = socket.options
  const queue = socket.conn && front.expected.get(socket.conn)
  const next = queue?.shift()
  if (next !== frame.text) {
    stage.broken(
      `I10: ${name} got event ${frame.text.slice(0, 200)}, next was ${next?.slice(0, 200)}`,
    )
  }
  requests.event()
  seen(asPayload(frame.payload))
}

function onLoggedIn(socket: Socket, frame: Frame): void {
  const { requests, seen, loggedIn, stage, name } = socket.options
  const payload = asPayload(frame.payload)
  const login = frame.request_id ?? socket.loginId
  socket.loginId = undefined
  if (login === undefined) {
    stage.broken(`${name} is logged in without asking`)
    return
  }
  requests.final(login, { isPlain: true }, socket)
  loggedIn(payload)
  seen(payload)
}

function onAnonymous(socket: Socket, frame: Frame): void {
  const { stage, name } = socket.options
  if (frame.type !== 'error') {
    onEvent(socket, frame)
    return
  }
  socket.junk -= 1
  if (socket.junk < 0) stage.broken(`${name} got an error for nothing: ${frame.text}`)
}

/** Handles a frame that carries a request_id. */
function onAnswer(socket: Socket, id: string, frame: Frame): void {
  const { requests, seen, stage, name } = socket.options
  const { type } = frame
  const payload = asPayload(frame.payload)
  if (type === 'error' || type === 'action_error') {
    if (id === socket.loginId) socket.loginId = undefined
    const { code, message, tick } = payload as Record<string, never>
    requests.final(id, { code, message, tick, isPlain: type === 'error' }, socket)
    seen(payload, code)
  } else if (type === 'action_result') {
    requests.final(id, { tick: payload.tick as number, isPlain: false }, socket)
    seen(asPayload(payload.result))
  } else if (type === 'ok' || type === 'result') {
    const result = type === 'result' ? asPayload(payload.structuredContent) : payload
    if (result.pending === true) requests.acknowledged(id, result)
    else {
      requests.final(id, { isPlain: true }, socket)
      seen(result)
    }
  } else stage.broken(`${name} got a frame ${type} by id`)
}

function onFrame(socket: Socket, frame: Frame): void {
  const { type, request_id: id } = frame
  if (SESSION_FRAMES.has(type)) return
  if (type === 'registered') socket.options.loggedIn(asPayload(frame.payload))
  else if (type === 'logged_in') onLoggedIn(socket, frame)
  else if (id === undefined) onAnonymous(socket, frame)
  else onAnswer(socket, id, frame)
}

/** Handles the end of a socket, whether server or client closed it. */
function onEnd(socket: Socket, code: number): void {
  if (!socket.isOpen) return
  socket.isOpen = false
  socket.code = code
  const { front, requests } = socket.options
  requests.lose(socket)
  const { conn } = socket
  if (conn) front.enter(() => connClosed(front.sockets, conn))
}

export function openSocketPort(options: PortOptions, framing: 'ws1' | 'ws2'): Port {
  const { front, requests, ip } = options
  const socket: Socket = {
    options,
    conn: undefined,
    isOpen: true,
    code: 0,
    loginId: undefined,
    junk: 0,
    stallSteps: 0,
  }
  /** Frames that arrive while the socket is being opened. */
  let earlyFrames: string[] | undefined = []
  const handle = (text: string): void => {
    if (socket.isOpen) onFrame(socket, { ...(JSON.parse(text) as Frame), text })
  }
  socket.conn = front.openSocket(
    framing,
    {
      send(buffer) {
        const text = buffer.toString()
        if (earlyFrames) earlyFrames.push(text)
        else handle(text)
      },
      sendText(text) {
        if (earlyFrames) earlyFrames.push(text)
        else handle(text)
        return Buffer.byteLength(text)
      },
      cork: (sendAll) => sendAll(),
      buffered: () => (socket.stallSteps > 0 ? STUCK_BYTES : 0),
      ping() {
        const { conn } = socket
        if (conn && socket.stallSteps === 0) front.enter(() => connControl(conn))
      },
      end: (code) => onEnd(socket, code),
      destroy: () => onEnd(socket, 1006),
    },
    ip,
  )
  for (const text of earlyFrames) handle(text)
  earlyFrames = undefined
  const write = (text: string): void => {
    const { conn } = socket
    if (!conn || !socket.isOpen) return
    front.enter(() => connMessage(conn, Buffer.from(text), false))
  }
  return {
    front,
    isSocket: true,
    isOpen: () => socket.isOpen && socket.conn !== undefined,
    send(def, params) {
      const { id } = requests.record(def, params, socket, true)
      if (/^(login|register)$/.test(def.name)) socket.loginId = id
      const frame =
        framing === 'ws2'
          ? { tool: def.v2?.tool, action: def.v2?.action, payload: toV2Names(def, params) }
          : { type: def.name, payload: params }
      write(JSON.stringify({ ...frame, request_id: id }))
      // The server may have closed it while it was opened: nobody reads what is sent then.
      if (!socket.isOpen) requests.lose(socket)
    },
    sendJunk(text) {
      socket.junk += 1
      write(text)
    },
    closeCode: () => socket.code,
    stall(steps) {
      socket.stallSteps = steps
    },
    step() {
      if (socket.stallSteps === 0) return
      socket.stallSteps -= 1
      const { conn } = socket
      if (socket.stallSteps === 0 && conn && socket.isOpen) front.enter(() => connDrained(conn))
    },
    vanish: () => onEnd(socket, 1006),
    missing: () => (socket.isOpen && socket.conn ? (front.expected.get(socket.conn) ?? []) : []),
  }
}
