/**
 * Sockets to the database with a response timeout: a socket closes if a statement has been sent and
 * its answer stalls. Without this a snapshot over a half-open connection would block all later ones
 * for hours. Over TLS the driver takes over the events of the socket, so only the keepalive of the
 * system applies.
 */
import { connect, type Socket } from 'node:net'

/** The target in the options of the driver. */
interface Target {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string
}

/** ReadyForQuery outside of a transaction, the end of an answer of the database. */
const IDLE = Buffer.from('Z\0\0\0\x05I')

/** Returns the driver's `socket` option. */
export function watchedSockets(responseTimeoutMs: number): (where: Target) => Socket {
  let attempts = 0
  return ({ host, port, path }) => {
    const index = attempts++ % host.length
    // The driver may write at once; the socket buffers it until it is connected.
    const socket = path ? connect(path) : connect(port[index], host[index])
    // The driver reads these for TLS.
    Object.assign(socket, { host: host[index], port: port[index] })
    let isWaiting = false
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
    socket.write = (...args: unknown[]): boolean => {
      isWaiting = true
      return write(...args)
    }
    socket.on('data', (data) => {
      if (data.subarray(-IDLE.length).equals(IDLE)) isWaiting = false
    })
    socket.setTimeout(responseTimeoutMs)
    socket.on('timeout', () => {
      // Without an error: otherwise the driver would send statements before the close and lose
      // them.
      if (isWaiting) socket.destroy()
    })
    return socket
  }
}
