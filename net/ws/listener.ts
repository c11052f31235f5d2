/** The interface between a socket library and the rest of net. */
import type { Door, Exchange } from '../http/exchange.ts'
import type { Admission } from '../session/gate.ts'
import type { Conn, Sockets } from './conn.ts'
import type { RawSocket } from './outbound.ts'

export interface UpgradeInfo {
  readonly path: string
  readonly origin: string
  readonly remote: string
  readonly forwardedFor: string
  /** The subprotocol that was chosen; empty for none. */
  readonly protocol: string
}

export interface ServerHandlers {
  readonly sockets: Sockets
  readonly door: Door
  request(exchange: Exchange, admission: Admission): void
  /** Returns 101, or the status that refuses the upgrade. */
  upgradeStatus(path: string, origin: string): number
  /** Opens the connection of a new socket; returns undefined if it was refused. */
  opened(raw: RawSocket, info: UpgradeInfo): Conn | undefined
}

export interface Listener {
  readonly port: number
  /** Stops accepting connections. */
  stop(): void
}

/** The library that serves the sockets: the package of a native build, or `node`. */
export interface SocketLibrary {
  readonly library: string
  /** Why the packages tried before it could not be used. */
  readonly refused: readonly string[]
}
