/**
 * The bus between the nodes of a world: it may lose, delay and double. Whatever crosses it is
 * checked against the journal, which alone is true. Source: SCALE 3 and 4.
 */
import type { Answer } from './ports.ts'
import type { Submission } from './types.ts'

export interface Bus {
  /** Sends to all who listen; nobody says whether it came. */
  publish(subject: string, bytes: Uint8Array): void
  /** Takes what is sent, with the way to answer a request; returns a function that ends it. */
  subscribe(subject: string, take: TakeMessage): () => void
  /** Resolves with the first answer; rejects where none comes in time. */
  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array>
  /** False while no server answers. */
  isUp(): boolean
  /** Returns the bytes of the largest message that was sent so far. */
  largest(): number
  close(): Promise<void>
}

type TakeMessage = (bytes: Uint8Array, reply: (bytes: Uint8Array) => void) => void

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

/** What the leader says of itself, every LEADER_BEAT_MS. */
export interface LeaderBeat {
  readonly leadership: number
  /** The last batch before it led: who has not applied it may not know what became of a command. */
  readonly from: number
  /** The last durable batch. */
  readonly head: number
}

/** What a node says of itself, every NODE_BEAT_MS. */
export interface NodeBeat {
  /** Incarnation of the process. */
  readonly node: number
  readonly role: 'world' | 'gateway' | 'standby'
  /** It leads the world. */
  readonly leads: boolean
  /** The leadership it leads by, or follows; 0: it knows of none. */
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

/** The leader's answer to a request to hand over; `text`: why it does not. */
export interface StepDownReply {
  readonly ok: boolean
  readonly text?: string
}

/** Commands of a node for the leader; without any it says that the node lives. */
export interface Slice {
  readonly node: number
  /** Incarnation of the world thread that sends. */
  readonly sender: number
  /** Grows from 1; the same one may come again. */
  readonly slice: number
  /** Answers taken so far. */
  readonly got: number
  /** The last batch applied. */
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
  /** The slice was not looked at: the node has to apply batches first. */
  readonly isBehind?: true
}

/** A part of a journal row on its way to the replicas. */
export interface RowPart {
  readonly batch: number
  readonly part: number
  readonly parts: number
  readonly bytes: Uint8Array
}
