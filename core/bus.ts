/**
 * The bus between the nodes of a world: it may lose, delay and duplicate messages. Receivers check
 * them against the journal, which alone is authoritative. Source: SCALE 3 and 4.
 */
import { REFS_OF_INCARNATION } from './limits-cluster.ts'
import type { Answer } from './ports.ts'
import type { Submission } from './types.ts'

export interface Bus {
  /** Sends to all subscribers; delivery is not confirmed. */
  publish(subject: string, bytes: Uint8Array): void
  /** Calls `take` with each message and a function to reply; returns a function to unsubscribe. */
  subscribe(subject: string, take: TakeMessage): () => void
  /** Resolves with the first answer; rejects if none comes in time. */
  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array>
  /** False while no server answers. */
  isUp(): boolean
  /** Returns the bytes of the largest message that was sent so far. */
  largest(): number
  close(): Promise<void>
}

type TakeMessage = (bytes: Uint8Array, reply: (bytes: Uint8Array) => void) => void

/** Returns the incarnation of the process that numbered a command. */
export const processOf = (ref: number): number => Math.floor(ref / REFS_OF_INCARNATION)

/** Returns the subjects of a world; a world is named by its epoch, which a restore changes. */
export const subjectsOf = (world: string) => ({
  rows: `orrery.${world}.rows`,
  leader: `orrery.${world}.leader`,
  /** `leadership`: the epoch of the lease of the world thread that leads. */
  commands: (leadership: number) => `orrery.${world}.cmd.${leadership}`,
  node: (node: number) => `orrery.${world}.node.${node}`,
  nodes: `orrery.${world}.nodes`,
  /** Asks the leader to hand over. */
  stepDown: (leadership: number) => `orrery.${world}.step_down.${leadership}`,
})

/** The heartbeat of the leader, sent every LEADER_BEAT_MS. */
export interface LeaderBeat {
  readonly leadership: number
  /** The last batch before it led: nodes must apply it to know the outcome of older commands. */
  readonly from: number
  /** The last durable batch. */
  readonly head: number
}

/** The heartbeat of a node, sent every NODE_BEAT_MS. */
export interface NodeBeat {
  /** Incarnation of the process. */
  readonly node: number
  readonly role: 'world' | 'gateway' | 'standby'
  /** True for the node that leads the world. */
  readonly leads: boolean
  /** The leadership that it holds or follows; 0 if it knows none. */
  readonly leadership: number
  /** The last batch it has, and the last one that it knows to be durable. */
  readonly applied: number
  readonly head: number
  readonly tick: number
  /** Name of its machine, its process there and its release. */
  readonly host: string
  readonly pid: number
  readonly release: string
}

/** The leader's answer to a request to hand over; `text` gives the reason of a refusal. */
export interface StepDownReply {
  readonly ok: boolean
  readonly text?: string
}

/** Commands of a node for the leader; a slice without commands shows that the node is alive. */
export interface Slice {
  readonly node: number
  /** Incarnation of the world thread that sends. */
  readonly sender: number
  /** Number of the slice, from 1; a slice may be sent again under its number. */
  readonly slice: number
  /** Number of answers received from this leader so far. */
  readonly got: number
  /** The last batch that the node has applied. */
  readonly applied: number
  readonly commands: readonly Submission[]
}

/** Answers that no replica can make, numbered from 1 in each leadership. */
export interface NodeAnswers {
  readonly leadership: number
  readonly sender: number
  /** Number of the first one. */
  readonly first: number
  readonly answers: readonly Answer[]
  /** The leader ignored the slice: the node must apply more batches first. */
  readonly isBehind?: true
}

/** A part of a journal row on its way to the replicas. */
export interface RowPart {
  readonly batch: number
  readonly part: number
  readonly parts: number
  readonly bytes: Uint8Array
}
