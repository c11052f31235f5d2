/**
 * The listener on node:http and ws, used if no native build loads or UWS_USE_FALLBACK=true is set.
 * It has the same handlers and behaves the same, but is slower.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { PARSER_BYTES_MAX } from '../../core/limits.ts'
import { nodeExchange, nodeHead, statusText } from '../http/exchange.ts'
import { chooseProtocol } from './codec.ts'
import { type Conn, connControl, connDrained } from './conn.ts'
import type { Listener, ServerHandlers } from './listener.ts'
import type { RawSocket } from './outbound.ts'
import { connClosed, connMessage } from './ws.ts'

/** How long the peer has to answer a close frame. */
const CLOSE_GRACE_MS = 5_000
/** Time limit of headers and body of a request; the native library has the same. */
const REQUEST_MS = 12_000
/**
 * Interval at which node checks for slow requests; with its default of 30 s, 12 s could become 42.
 */
const REQUEST_CHECK_MS = 1_000

/** Connects a socket of ws to a connection until either closes. */
function attach(ws: WebSocket, handlers: ServerHandlers, req: IncomingMessage, path: string): void {
  let conn: Conn | undefined
  let isClosed = false
  const binary = ws.protocol !== ''
  const closed = (): void => {
    if (isClosed) return
    isClosed = true
    if (conn) connClosed(handlers.sockets, conn)
  }
  const raw: RawSocket = {
    send: (head, tail) => {
      if (isClosed) return
      const sent = (): void => {
        if (conn) connDrained(conn)
      }
      if (!tail) ws.send(head, { binary }, sent)
      else {
        ws.send(head, { binary, fin: false })
        ws.send(tail, { binary, fin: true }, sent)
      }
    },
    sendText: (text) => {
      const frame = Buffer.from(text)
      raw.send(frame)
      return frame.byteLength
    },
    cork: (sendAll) => sendAll(),
    buffered: () => ws.bufferedAmount,
    ping: () => {
      if (!isClosed) ws.ping()
    },
    end: (code, reason) => {
      if (isClosed) return
      ws.close(code, reason)
      setTimeout(() => ws.terminate(), CLOSE_GRACE_MS).unref()
      closed()
    },
    destroy: () => ws.terminate(),
  }
  ws.on('error', () => ws.terminate())
  ws.on('close', closed)
  ws.on('message', (data: Buffer, isBinary: boolean) => {
    if (conn && !isClosed) connMessage(conn, data, isBinary)
  })
  for (const control of ['ping', 'pong']) ws.on(control, () => conn && connControl(conn))
  conn = handlers.opened(raw, {
    path,
    origin: '',
    remote: req.socket.remoteAddress ?? '',
    forwardedFor: String(req.headers['x-forwarded-for'] ?? ''),
    protocol: ws.protocol,
  })
}

function upgrade(
  wss: WebSocketServer,
  handlers: ServerHandlers,
  request: { readonly req: IncomingMessage; readonly socket: Socket; readonly head: Buffer },
): void {
  const { req, socket, head } = request
  const path = (req.url ?? '').split('?')[0]
  socket.on('error', () => socket.destroy())
  const status = handlers.upgradeStatus(path, req.headers.origin ?? '')
  if (status !== 101) {
    socket.end(`HTTP/1.1 ${statusText(status)}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    return
  }
  wss.handleUpgrade(req, socket, head, (ws) => attach(ws, handlers, req, path))
}

/** Listens on node:http; rejects if the port is taken. */
export function listenNode(
  host: string,
  port: number,
  handlers: ServerHandlers,
): Promise<Listener> {
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: PARSER_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered) => chooseProtocol([...offered].join()) || false,
  })
  const server: Server = createServer(
    {
      requestTimeout: REQUEST_MS,
      headersTimeout: REQUEST_MS,
      connectionsCheckingInterval: REQUEST_CHECK_MS,
    },
    (req, res) => {
      const { door } = handlers
      const head = nodeHead(req)
      const admission = door.admit(head)
      if (admission === 'cut_off') req.socket.destroy()
      else handlers.request(nodeExchange({ req, res }, head, door), admission)
    },
  )
  server.on('upgrade', (req, socket, head) =>
    upgrade(wss, handlers, { req, socket: socket as Socket, head }),
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve({
        port: (server.address() as AddressInfo).port,
        stop: () => {
          server.close()
          server.closeIdleConnections()
        },
      })
    })
  })
}
