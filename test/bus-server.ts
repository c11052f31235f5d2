/**
 * A bus server for tests: the part of the NATS protocol that the server uses, in this process, so
 * that a test can stop it and bring it back. TEST_BUS_URL may name a real one instead.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { freePort } from './servers.ts'

export interface BusServer {
  readonly url: string
  /** Closes every connection, and accepts none until `up`. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

interface TestBusServer extends BusServer {
  /** Sets whether the credentials of clients are accepted; they are at first. */
  trusts(isTrusting: boolean): void
  /** Sets whether bytes are dropped unanswered, as in a network that loses them. */
  swallows(isSwallowing: boolean): void
  /** The CONNECT options that clients have sent. */
  readonly connects: Readonly<Record<string, unknown>>[]
}

interface Peer {
  readonly socket: Socket
  /** Patterns of subjects by the subscription id that the peer chose. */
  readonly subjects: Map<string, string>
  rest: Buffer
}

const matches = (pattern: string, subject: string): boolean => {
  const [wanted, given] = [pattern.split('.'), subject.split('.')]
  const isOpen = wanted.at(-1) === '>'
  if (!isOpen && wanted.length !== given.length) return false
  return wanted.every((word, i) => word === '>' || word === '*' || word === given[i])
}

function deliver(peers: ReadonlySet<Peer>, [subject, reply]: string[], payload: Buffer): void {
  for (const { socket, subjects } of peers) {
    for (const [sid, pattern] of subjects) {
      if (!matches(pattern, subject)) continue
      const head = [subject, sid, ...(reply ? [reply] : []), payload.length].join(' ')
      socket.write(Buffer.concat([Buffer.from(`MSG ${head}\r\n`), payload, Buffer.from('\r\n')]))
    }
  }
}

/** Runs one operation of those a peer has sent; returns false where it is not complete yet. */
function runNextOperation(peers: ReadonlySet<Peer>, peer: Peer): boolean {
  const end = peer.rest.indexOf('\r\n')
  if (end < 0) return false
  const [operation, ...words] = peer.rest.subarray(0, end).toString().split(' ')
  let used = end + 2
  if (operation === 'PUB') {
    const length = Number(words.at(-1))
    if (peer.rest.length < used + length + 2) return false
    deliver(peers, words.slice(0, -1), peer.rest.subarray(used, used + length))
    used += length + 2
  } else if (operation === 'SUB') peer.subjects.set(words.at(-1) ?? '', words[0])
  else if (operation === 'UNSUB') peer.subjects.delete(words[0])
  else if (operation === 'PING') peer.socket.write('PONG\r\n')
  peer.rest = peer.rest.subarray(used)
  return true
}

const INFO = { server_id: 'test', version: '2.12.0', proto: 1, headers: true }

interface BusServerOptions {
  /** Bytes of the longest message. */
  readonly maxPayload?: number
}

export async function startBusServer(options: BusServerOptions = {}): Promise<TestBusServer> {
  const { maxPayload = 1 << 20 } = options
  const port = await freePort()
  const peers = new Set<Peer>()
  const connects: Readonly<Record<string, unknown>>[] = []
  let isTrusting = true
  let isSwallowing = false
  const server: Server = createServer((socket) => {
    const peer: Peer = { socket, subjects: new Map(), rest: Buffer.alloc(0) }
    peers.add(peer)
    socket.on('error', () => {})
    socket.on('close', () => peers.delete(peer))
    socket.on('data', (bytes) => {
      if (!isTrusting) {
        socket.end("-ERR 'Authorization Violation'\r\n")
        return
      }
      if (isSwallowing) return
      peer.rest = Buffer.concat([peer.rest, bytes])
      const connectOptions = /^CONNECT (.*)\r$/m.exec(String(bytes))?.[1]
      if (connectOptions) connects.push(JSON.parse(connectOptions))
      while (runNextOperation(peers, peer));
    })
    socket.write(`INFO ${JSON.stringify({ ...INFO, max_payload: maxPayload })}\r\n`)
  })
  const up = (): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const down = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const { socket } of peers) socket.destroy()
    })
  const trusts = (value: boolean): void => {
    isTrusting = value
  }
  const swallows = (value: boolean): void => {
    isSwallowing = value
  }
  await up()
  return { connects, swallows, url: `nats://127.0.0.1:${port}`, up, down, trusts, close: down }
}
