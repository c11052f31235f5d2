/**
 * Everything net's parts share: explicit state, made once by `createNet`.
 */
import type { Registry } from '../core/registry.ts'
import type { Addresses } from './addresses.ts'
import type { MainHandler, Reply } from './dispatch.ts'
import type { Gate } from './gate.ts'
import type { Metrics } from './metrics.ts'
import type { AccountsPort, ArchivePort, Clock, Log, NetConfig } from './ports.ts'
import type { FanOut } from './publish.ts'
import type { Bindings, Session, SessionPools, SocketClient } from './session.ts'
import type { Validators } from './validate.ts'
import type { WorldLink } from './world-link.ts'

export interface Net {
  readonly registry: Registry
  readonly link: WorldLink
  readonly accounts: AccountsPort
  readonly archive: ArchivePort
  readonly config: NetConfig
  readonly log: Log
  readonly clock: Clock
  readonly gate: Gate
  readonly addresses: Addresses
  readonly validators: Validators
  readonly bindings: Bindings
  readonly pools: SessionPools
  readonly fan: FanOut
  readonly metrics: Metrics
  /** Commands that main runs itself, by name. */
  readonly mainHandlers: Map<string, MainHandler>
  /** Frames the outcome of a mutation for a socket. */
  deliverOutcome(socket: SocketClient, reply: Reply): void
  /** Queues the outcome of a mutation for sessions that nobody waits on. */
  queueOutcome(sessions: readonly Session[], reply: Reply): void
}
