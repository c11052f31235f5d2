/** Types that the parts of net share: the state that `createNet` creates, requests and replies. */
import type { CommandDef } from '../../core/command.ts'
import type { Outcome } from '../../core/errors.ts'
import type { Answer } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { Framing } from '../../core/types.ts'
import type { Addresses } from '../addresses.ts'
import type { Metrics } from '../metrics.ts'
import type { AccountsPort, ArchivePort, Clock, Log, NetConfig } from '../ports.ts'
import type { PublicFrames } from '../public/frames.ts'
import type { FanOut } from '../publish/publish.ts'
import type { Params, Validators } from '../validate.ts'
import type { WorldLink } from '../world-link.ts'
import type { Gate } from './gate.ts'
import type { Bindings, Client, Identity, Session, SessionPools, SocketClient } from './session.ts'

/** The result of a login; each framing renders it. */
export interface LoginView {
  readonly identity: Identity
  /** Payload of logged_in. */
  readonly state: Params
  /** Only after register, the only time the password is shown. */
  readonly password?: string
  /** Payload of reconnected, if the ship was pilotless. */
  readonly reconnected?: Params
  /** Set for a login as the player that this client is bound to already. */
  readonly isRepeat?: true
}

export interface Net {
  /** Incarnation of this node; absent for a single server. */
  readonly node?: number
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
  /** The public frames. */
  readonly frames: PublicFrames
  readonly metrics: Metrics
  /** Commands that run on main, by name. */
  readonly mainHandlers: Map<string, MainHandler>
  /** Sends the outcome of a mutation to a socket. */
  deliverOutcome(socket: SocketClient, reply: Reply): void
  /** Queues the outcome of a mutation for sessions without a pending request. */
  queueOutcome(sessions: readonly Session[], reply: Reply): void
}

/** The answer to a command, before its framing renders it. */
export interface Reply {
  readonly def: CommandDef
  readonly stage: 'accepted' | 'final'
  /** True for the outcome of a mutation that was acknowledged before. */
  readonly acknowledged: boolean
  readonly tick: number
  readonly outcome: Outcome<unknown>
  readonly requestId?: string
  readonly autoDocked?: true
  readonly autoUndocked?: true
  readonly sections?: Answer['sections']
  /**
   * For a WebSocket: result and sections as JSON, in place of those in `outcome` and `sections`.
   */
  readonly packed?: Answer['packed']
  /** Set by session commands that log in. */
  readonly login?: LoginView
  /** Set if the connection closes after this answer (logout). */
  readonly isLast?: true
}

export interface Request {
  readonly client: Client
  readonly framing: Framing
  readonly def: CommandDef
  /** Parameters as sent; v2 framings may use v2 names. */
  readonly params: Params
  readonly requestId?: string
  /** Length of the frame or body. */
  readonly bytes: number
  /** Takes a reply; returns false if the exchange is gone. */
  reply(reply: Reply): boolean
}

/** Handles a command that runs on main. */
export type MainHandler = (request: Request, params: Params) => Promise<MainAnswer>

export interface MainAnswer {
  readonly outcome: Outcome<unknown>
  readonly login?: LoginView
  readonly isLast?: true
}
