/**
 * The listening socket: µWebSockets on one port for WebSocket and HTTP. If no native build of it
 * loads (net/ws/native.ts), net/ws/fallback.ts serves the same handlers. Source: RELIABILITY 2,
 * PERFORMANCE pitfall 4.
 */
import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  WebSocket,
} from 'uWebSockets.js'
import { OUTBOUND_BYTES_MAX, PARSER_BYTES_MAX } from '../core/limits.ts'
import { headersOf, nativeHead, serveNative, statusText } from './http/exchange.ts'
import { chooseProtocol } from './ws/codec.ts'
import { type Conn, connControl, connDrained } from './ws/conn.ts'
import { listenNode } from './ws/fallback.ts'
import type { Listener, ServerHandlers, SocketLibrary, UpgradeInfo } from './ws/listener.ts'
import { findNative, type Uws } from './ws/native.ts'
import type { RawSocket } from './ws/outbound.ts'
import { connClosed, connMessage } from './ws/ws.ts'

export const WS_PATHS = ['/ws', '/ws/v2'] as const

/** A safety net behind our own sweep, which closes after 60 s with a code and a reason. */
const LIBRARY_IDLE_SECONDS = 120
/**
 * Our own frames use only a small part of this. Beyond it the library drops its own answers to the
 * pings of a client that does not read.
 */
const LIBRARY_BACKPRESSURE_BYTES = OUTBOUND_BYTES_MAX

interface SocketData {
  readonly info: UpgradeInfo
  conn: Conn | undefined
  isClosed: boolean
}

/**
 * Makes a second server on the port fail instead of sharing it. The types of the library lack this
 * overload.
 */
const EXCLUSIVE_PORT = 1
type ListenExclusive = (
  host: string,
  port: number,
  options: number,
  done: (token: us_listen_socket | false) => void,
) => void

/**
 * Scratch buffer in which text frames are encoded. The library copies its input, so all frames can
 * share it.
 */
const ENCODED = Buffer.allocUnsafeSlow(256 * 1024)
/** Largest number of UTF-8 bytes of a UTF-16 code unit. */
const BYTES_PER_UNIT_MAX = 3

const encoded = (text: string): Buffer =>
  text.length * BYTES_PER_UNIT_MAX > ENCODED.byteLength
    ? Buffer.from(text)
    : ENCODED.subarray(0, ENCODED.write(text))

function rawSocket(ws: WebSocket<SocketData>): RawSocket {
  const data = ws.getUserData()
  const isBinary = data.info.protocol !== ''
  return {
    send: (head, tail) => {
      if (data.isClosed) return
      if (!tail) ws.send(head, isBinary)
      else {
        ws.cork(() => {
          ws.sendFirstFragment(head, isBinary)
          ws.sendLastFragment(tail)
        })
      }
    },
    sendText: (text) => {
      const frame = encoded(text)
      if (!data.isClosed) ws.send(frame, isBinary)
      return frame.byteLength
    },
    cork: (sendAll) => {
      if (data.isClosed) sendAll()
      else ws.cork(sendAll)
    },
    buffered: () => (data.isClosed ? 0 : ws.getBufferedAmount()),
    ping: () => {
      if (!data.isClosed) ws.ping()
    },
    end: (code, reason) => {
      // The library runs the close handler before `end` returns.
      if (!data.isClosed) ws.end(code, reason)
    },
    destroy: () => {
      if (!data.isClosed) ws.close()
    },
  }
}

/** The port cannot be opened; the message says what to do. */
class ListenError extends Error {
  override name = 'ListenError'
  constructor(host: string, port: number) {
    super(
      `cannot listen on ${host}:${port}: it is taken or not allowed. Stop that process, or set ` +
        'another port (PORT; --serve, for a past world).',
    )
  }
}

function upgradeNative(handlers: ServerHandlers, path: string) {
  return (res: HttpResponse, req: HttpRequest, context: object): void => {
    const headers = headersOf(req)
    const origin = headers.get('origin') ?? ''
    const status = handlers.upgradeStatus(path, origin)
    if (status !== 101) {
      const why = Buffer.from(statusText(status))
      // Ends the connection: upgrades do not count as requests, and a body would remain unread.
      res.onAborted(() => undefined)
      res.cork(() => res.writeStatus(statusText(status)).end(why, true))
      return
    }
    const info: UpgradeInfo = {
      path,
      origin,
      remote: Buffer.from(res.getRemoteAddressAsText()).toString(),
      forwardedFor: headers.get('x-forwarded-for') ?? '',
      protocol: chooseProtocol(headers.get('sec-websocket-protocol') ?? ''),
    }
    const data: SocketData = { info, conn: undefined, isClosed: false }
    res.upgrade(
      data,
      req.getHeader('sec-websocket-key'),
      // A client that offers only unknown protocols is connected without one.
      info.protocol,
      req.getHeader('sec-websocket-extensions'),
      context,
    )
  }
}

function serveSockets(app: TemplatedApp, uws: Uws, handlers: ServerHandlers): void {
  for (const path of WS_PATHS) {
    app.ws<SocketData>(path, {
      compression: uws.DISABLED,
      maxPayloadLength: PARSER_BYTES_MAX,
      maxBackpressure: LIBRARY_BACKPRESSURE_BYTES,
      idleTimeout: LIBRARY_IDLE_SECONDS,
      sendPingsAutomatically: false,
      upgrade: upgradeNative(handlers, path),
      open: (ws) => {
        const data = ws.getUserData()
        data.conn = handlers.opened(rawSocket(ws), data.info)
      },
      message: (ws, message, isBinary) => {
        const { conn } = ws.getUserData()
        if (conn) connMessage(conn, Buffer.from(message), isBinary)
      },
      ping: (ws) => {
        const { conn } = ws.getUserData()
        if (conn) connControl(conn)
      },
      pong: (ws) => {
        const { conn } = ws.getUserData()
        if (conn) connControl(conn)
      },
      drain: (ws) => {
        const { conn } = ws.getUserData()
        if (conn) connDrained(conn)
      },
      close: (ws) => {
        const data = ws.getUserData()
        data.isClosed = true
        if (data.conn) connClosed(handlers.sockets, data.conn)
      },
    })
  }
}

function listenNative(
  uws: Uws,
  address: { readonly host: string; readonly port: number },
  handlers: ServerHandlers,
): Promise<Listener> {
  const { host, port } = address
  const app = uws.App()
  serveSockets(app, uws, handlers)
  const { door } = handlers
  app.any('/*', (res, req) => {
    const head = nativeHead(res, req)
    const admission = door.admit(head)
    if (admission === 'cut_off') res.close()
    else serveNative({ res, head, door }, (exchange) => handlers.request(exchange, admission))
  })
  return new Promise((resolve, reject) => {
    const open = app.listen.bind(app) as unknown as ListenExclusive
    open(host, port, EXCLUSIVE_PORT, (token) => {
      if (!token) {
        reject(new ListenError(host, port))
        return
      }
      resolve({
        port: uws.us_socket_local_port(token),
        stop: () => uws.us_listen_socket_close(token),
      })
    })
  })
}

/** Listens on one port; rejects if it is taken. Port 0 picks a free one. */
export async function listen(
  host: string,
  port: number,
  handlers: ServerHandlers,
): Promise<Listener & SocketLibrary> {
  const { native, refused } = findNative()
  const listener = native
    ? await listenNative(native.uws, { host, port }, handlers)
    : await listenNode(host, port, handlers)
  return { ...listener, library: native?.build ?? 'node', refused }
}
