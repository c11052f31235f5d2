/**
 * A bare HTTP/1.1 client on one keep-alive connection: requests are written as bytes, several at
 * once if wished, and answers are read in order. It costs a tenth of the library's client.
 */
import { connect, type Socket } from 'node:net'
import type { Message } from './driver.ts'

export interface PipeReply {
  readonly status: number
  /** Names in lower case. */
  header(name: string): string
  readonly text: string
}

interface Waiting {
  readonly isHead: boolean
  give(reply: PipeReply | undefined): void
}

export interface Pipe {
  readonly isOpen: boolean
  /** Resolves with the answer; with undefined when the connection ends first. */
  send(bytes: Buffer, isHead: boolean): Promise<PipeReply | undefined>
  /** Ends the connection at once. */
  drop(): void
}

const END_OF_HEAD = '\r\n\r\n'

/** Returns the bytes of a request; headers of the message may occur twice. */
export function bytesOf(message: Message): Buffer {
  const { method = 'POST', path = '/', headers = {}, body } = message
  let head = `${method} ${path} HTTP/1.1\r\n`
  if (headers.host === undefined) head += 'host: 127.0.0.1\r\n'
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`
  head += `content-length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

interface State {
  readonly waiting: Waiting[]
  received: Buffer
  isOpen: boolean
}

function headerOf(head: string, name: string): string {
  const index = head.toLowerCase().indexOf(`\r\n${name}:`)
  if (index < 0) return ''
  const end = head.indexOf('\r\n', index + 2)
  return head.slice(index + name.length + 3, end < 0 ? undefined : end).trim()
}

const BODILESS = new Set([204, 304])

/** Takes one whole answer off what was received; returns whether there was one. */
function takeReply(state: State): boolean {
  const [first] = state.waiting
  if (!first) return false
  const headBytes = state.received.indexOf(END_OF_HEAD)
  if (headBytes < 0) return false
  const head = state.received.toString('latin1', 0, headBytes)
  const status = Number(head.slice(9, 12))
  const length = Number(headerOf(head, 'content-length') || 0)
  const bodyBytes = first.isHead || BODILESS.has(status) ? 0 : length
  const from = headBytes + END_OF_HEAD.length
  if (state.received.length < from + bodyBytes) return false
  const text = state.received.toString('utf8', from, from + bodyBytes)
  state.received = state.received.subarray(from + bodyBytes)
  state.waiting.shift()
  first.give({ status, header: (name) => headerOf(head, name), text })
  return true
}

function end(state: State): void {
  state.isOpen = false
  for (const { give } of state.waiting.splice(0)) give(undefined)
}

function watch(socket: Socket, state: State): void {
  socket.on('data', (chunk) => {
    state.received = state.received.length === 0 ? chunk : Buffer.concat([state.received, chunk])
    while (takeReply(state));
  })
  socket.on('end', () => {
    end(state)
    socket.destroy()
  })
  socket.on('close', () => end(state))
}

/** Opens a connection to 127.0.0.1. */
export function openPipe(port: number): Promise<Pipe> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const state: State = { waiting: [], received: Buffer.alloc(0), isOpen: true }
    watch(socket, state)
    socket.on('error', () => end(state))
    socket.once('error', reject)
    const pipe: Pipe = {
      get isOpen() {
        return state.isOpen
      },
      send: (bytes, isHead) =>
        new Promise((give) => {
          if (!state.isOpen) {
            give(undefined)
            return
          }
          state.waiting.push({ isHead, give })
          socket.write(bytes)
        }),
      drop() {
        end(state)
        socket.destroy()
      },
    }
    socket.once('connect', () => resolve(pipe))
  })
}
