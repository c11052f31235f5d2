/** What a listening socket is, and what it hands to the rest of net. */
import type { Door, Exchange } from '../http/exchange.ts'
import type { Admission } from '../session/gate.ts'
import type { Conn, Sockets } from './conn.ts'
import type { RawSocket } from './outbound.ts'

export interface UpgradeInfo {
  readonly path: string
  readonly origin: string
  readonly remote: string
  readonly forwardedFor: string
  /** The subprotocol it is spoken with; empty for none. */
  readonly protocol: string
}

export interface ServerHandlers {
  readonly sockets: Sockets
  readonly door: Door
  request(exchange: Exchange, admission: Admission): void
  /** 101, or the status that refuses the upgrade. */
  mayUpgrade(path: string, origin: string): number
  /** A socket is open; undefined when it was turned away. */
  opened(raw: RawSocket, info: UpgradeInfo): Conn | undefined
}

export interface Listener {
  readonly port: number
  /** Takes no new connections. */
  stop(): void
}

/** What the sockets are served by: the package of a native build, or `node` itself. */
export interface SocketLibrary {
  readonly library: string
  /** Why packages that come first were not taken. */
  readonly refused: readonly string[]
}
