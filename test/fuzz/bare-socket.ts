/**
 * A bare WebSocket client for floods: writes frames as bytes, several at once, and counts the
 * answers it reads. It keeps nothing of what it received.
 */
import { connect, type Socket } from 'node:net'
import { CLOSE, handshake, TEXT } from './raw.ts'

export interface BareSocket {
  readonly isOpen: boolean
  /** Sends the bytes of frames; resolves with the answers, fewer when the connection ends. */
  send(bytes: Buffer, answers: number): Promise<readonly string[]>
  /** Ends the connection at once. */
  drop(): void
}

/** How every answer begins. */
const ANSWER = /^\{"type":"(?:ok|error|result|logged_in)"/

interface State {
  received: Buffer
  isUpgraded: boolean
  isOpen: boolean
  /** Bytes that wait for the end of the handshake: the server does not read what comes with it. */
  unsent: Buffer[]
  answers: string[]
  wanted: number
  resolve: ((answers: readonly string[]) => void) | undefined
}

function settle(state: State): void {
  const { resolve, answers } = state
  if (!resolve || (state.isOpen && answers.length < state.wanted)) return
  state.resolve = undefined
  state.answers = []
  resolve(answers)
}

/** Returns the length of a frame's head and payload; undefined until all of it has arrived. */
function frameAt(received: Buffer): { head: number; length: number } | undefined {
  if (received.length < 2) return undefined
  const short = received[1] & 0x7f
  if (short < 126) return { head: 2, length: short }
  if (received.length < 10) return undefined
  if (short === 126) return { head: 4, length: received.readUInt16BE(2) }
  return { head: 10, length: Number(received.readBigUInt64BE(2)) }
}

function takeFrame(state: State): boolean {
  const { received } = state
  const frame = frameAt(received)
  if (!frame || received.length < frame.head + frame.length) return false
  const opcode = received[0] & 0x0f
  const end = frame.head + frame.length
  // The longest answers are recognised by their beginning.
  const text = received.toString('utf8', frame.head, Math.min(end, frame.head + 400))
  state.received = received.subarray(end)
  if (opcode === TEXT && ANSWER.test(text)) state.answers.push(text)
  if (opcode === CLOSE) state.isOpen = false
  return true
}

function onData(state: State, socket: Socket, chunk: Buffer): void {
  state.received = state.received.length === 0 ? chunk : Buffer.concat([state.received, chunk])
  if (!state.isUpgraded) {
    const index = state.received.indexOf('\r\n\r\n')
    if (index < 0) return
    if (!state.received.toString('latin1', 0, 12).endsWith('101')) state.isOpen = false
    state.isUpgraded = true
    state.received = state.received.subarray(index + 4)
    for (const bytes of state.unsent.splice(0)) socket.write(bytes)
  }
  while (takeFrame(state));
  settle(state)
}

function end(state: State): void {
  state.isOpen = false
  settle(state)
}

/** Opens a connection and sends its handshake without waiting; `headers` are whole lines. */
export function openBare(port: number, path: string, headers = ''): BareSocket {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const state: State = {
    received: Buffer.alloc(0),
    isUpgraded: false,
    isOpen: true,
    unsent: [],
    answers: [],
    wanted: 0,
    resolve: undefined,
  }
  socket.on('data', (chunk) => onData(state, socket, chunk))
  socket.on('error', () => end(state))
  socket.on('close', () => end(state))
  socket.on('end', () => socket.destroy())
  socket.write(handshake(path, headers))
  return {
    get isOpen() {
      return state.isOpen
    },
    send: (bytes, answers) =>
      new Promise((resolve) => {
        Object.assign(state, { wanted: answers, resolve })
        if (!state.isUpgraded) state.unsent.push(bytes)
        else if (state.isOpen) socket.write(bytes)
        settle(state)
      }),
    drop() {
      socket.destroy()
      end(state)
    },
  }
}
