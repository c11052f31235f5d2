/** A TCP proxy in front of the database that cuts, refuses or swallows at chosen moments. */
import { connect, createServer, type Socket } from 'node:net'
import type { ConnectionOptions } from '../../../storage/db.ts'

interface CutOptions {
  /** Cuts only connections with this application_name. */
  readonly of?: string
  /** Called as the connection is cut. */
  readonly then?: () => void
}

interface Cut extends CutOptions {
  readonly text: string
}

/** The direction of the bytes that are lost. */
export type Swallowed = 'requests' | 'answers' | 'both'

export interface DatabaseProxy {
  readonly connection: ConnectionOptions
  /** Cuts the connection when the database's answer has this text, before the client sees it. */
  cutAnswer(text: string, cut?: CutOptions): void
  /** Cuts the connection when the client sends this text, before the database sees it. */
  cutRequest(text: string, cut?: CutOptions): void
  /** Drops bytes without a word to either side, until `pass`. */
  swallow(what: Swallowed): void
  pass(): void
  /** Ends every connection and refuses new ones. */
  down(): void
  up(): void
  readonly cuts: number
  close(): Promise<void>
}

const targetOf = (connection: ConnectionOptions): { host: string; port: number } => {
  if (connection.url === undefined) {
    return { host: connection.host ?? '127.0.0.1', port: connection.port ?? 5432 }
  }
  const url = new URL(connection.url)
  return { host: url.hostname, port: Number(url.port || 5432) }
}

const withPort = (connection: ConnectionOptions, port: number): ConnectionOptions => {
  if (connection.url === undefined) return { ...connection, socket: undefined, port }
  const url = new URL(connection.url)
  url.port = String(port)
  return { ...connection, url: url.href }
}

export async function startProxy(connection: ConnectionOptions): Promise<DatabaseProxy> {
  const target = targetOf(connection)
  const sockets = new Set<Socket>()
  let answer: Cut | undefined
  let request: Cut | undefined
  let swallowed: Swallowed | undefined
  let isDown = false
  let cuts = 0

  const server = createServer((client) => {
    if (isDown) {
      client.destroy()
      return
    }
    const database = connect(target.port, target.host)
    let startup: Buffer | undefined
    const meets = (wanted: Cut | undefined, data: Buffer): boolean => {
      if (!wanted || !data.includes(wanted.text)) return false
      return wanted.of === undefined || startup?.includes(`\0${wanted.of}\0`) === true
    }
    const cut = (met: Cut | undefined): void => {
      cuts++
      met?.then?.()
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    client.on('data', (data) => {
      if (swallowed === 'requests' || swallowed === 'both') return
      const isFirst = startup === undefined
      startup ??= data
      if (!isFirst && meets(request, data)) {
        const met = request
        request = undefined
        cut(met)
      } else database.write(data)
    })
    database.on('data', (data) => {
      if (swallowed === 'answers' || swallowed === 'both') return
      if (meets(answer, data)) {
        const met = answer
        answer = undefined
        cut(met)
      } else client.write(data)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    connection: withPort(connection, port),
    cutAnswer: (text, options = {}) => {
      answer = { ...options, text }
    },
    cutRequest: (text, options = {}) => {
      request = { ...options, text }
    },
    swallow(what) {
      swallowed = what
    },
    pass() {
      swallowed = undefined
    },
    down() {
      isDown = true
      for (const socket of sockets) socket.destroy()
    },
    up() {
      isDown = false
    },
    get cuts() {
      return cuts
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
