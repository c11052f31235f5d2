/**
 * Sockets to the database with a response timeout: one on which a statement was sent, and whose
 * answer falls silent before its end, closes itself. Without this a snapshot over a half-open
 * connection would keep all later ones waiting for hours. Over TLS the driver takes the socket's
 * events for itself; the system's keepalive decides there.
 */
import { connect, type Socket } from 'node:net'

/** The part of the driver's options that says where to. */
interface Target {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string
}

/** "Ready for the next statement, and in no transaction": the end of the database's answer. */
const IDLE = Buffer.from('Z\0\0\0\x05I')

/** Returns the driver's `socket` option. */
export function watchedSockets(responseTimeoutMs: number): (where: Target) => Socket {
  let attempts = 0
  return ({ host, port, path }) => {
    const index = attempts++ % host.length
    // The driver may write at once: what is written waits for the connection.
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
      // Without an error: between that and the close the driver would still send, and forget it.
      if (isWaiting) socket.destroy()
    })
    return socket
  }
}
