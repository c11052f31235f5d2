/**
 * Sockets to the database that do not wait for ever: one on which a statement went out, and whose
 * answer falls silent before its end, ends itself. Without this a snapshot whose connection was
 * forgotten on the way would keep all later ones waiting for hours. Over TLS the driver takes the
 * socket's events for itself; the system's keepalive decides there.
 */
import { connect, type Socket } from 'node:net'

/** The part of the driver's options that says where to. */
interface Where {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string
}

/** "Ready for the next statement, and in no transaction": the end of the database's answer. */
const IDLE = Buffer.from('Z\0\0\0\x05I')

/** For the driver's `socket` option. */
export function watchedSockets(silentMs: number): (where: Where) => Socket {
  let attempts = 0
  return ({ host, port, path }) => {
    const turn = attempts++ % host.length
    // The driver may write at once: what is written waits for the connection.
    const socket = path ? connect(path) : connect(port[turn], host[turn])
    // It reads them for TLS.
    Object.assign(socket, { host: host[turn], port: port[turn] })
    let isAsked = false
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
    socket.write = (...args: unknown[]): boolean => {
      isAsked = true
      return write(...args)
    }
    socket.on('data', (data) => {
      if (data.subarray(-IDLE.length).equals(IDLE)) isAsked = false
    })
    socket.setTimeout(silentMs)
    socket.on('timeout', () => {
      // Without an error: between that and the close the driver would still send, and forget it.
      if (isAsked) socket.destroy()
    })
    return socket
  }
}
