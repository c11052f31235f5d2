/** A WebSocket client for tests: frames in order, closes as values. */
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { PASSWORD } from './fake-net.ts'

type Frame = { type: string; request_id?: string; payload: Record<string, unknown> }

export interface Client {
  readonly ws: WebSocket
  readonly frames: Frame[]
  send(frame: unknown): void
  /** Resolves to the next frame that has not been returned yet. */
  next(): Promise<Frame>
  closed: Promise<{ code: number; reason: string }>
}

export function connect(port: number, path: string, options: object = {}): Client {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
  const frames: Frame[] = []
  const waiting: ((frame: Frame) => void)[] = []
  let read = 0
  ws.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame
    frames.push(frame)
    if (waiting.length > 0) {
      read += 1
      waiting.shift()?.(frame)
    }
  })
  ws.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  return {
    ws,
    frames,
    closed,
    send: (frame) => ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: () => {
      if (read < frames.length) {
        read += 1
        return Promise.resolve(frames[read - 1])
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}

export const LOGIN = { username: 'ada', password: PASSWORD }

/** Logs in over a new WebSocket; returns the client. */
export async function loggedIn(
  port: number,
  path: '/ws' | '/ws/v2',
  username = 'ada',
): Promise<Client> {
  const client = connect(port, path)
  await client.next()
  const payload = { ...LOGIN, username }
  client.send(
    path === '/ws' ? { type: 'login', payload } : { tool: 'game_auth', action: 'login', payload },
  )
  expect((await client.next()).type).toBe('logged_in')
  return client
}
