/** The data that the world thread starts with, and what it shares with everything it runs. */
import type { NodeBeat } from '../core/bus.ts'
import type { BatchStore, ToMain, ToWorld } from '../core/ports.ts'
import type { ProgressCell } from '../core/wire/progress.ts'
import type { ConnectionOptions } from '../storage/db.ts'
import type { Keeping } from '../storage/keeping.ts'
import type { StoreLog } from '../storage/store-log.ts'
import type { Fault } from './faults.ts'
import type { LoopOptions } from './options.ts'

/** Data that main starts the thread with: plain data and shared memory. */
export interface WorldThreadData {
  readonly connection: ConnectionOptions
  readonly progress: SharedArrayBuffer
  readonly lastPublished: number | undefined
  readonly seed: number
  readonly tickMs: number
  /** Ticks are stepped by hand, and wall time follows from the tick. */
  readonly manual: boolean
  readonly maxEntities: number
  readonly workers: number
  readonly snapshotEvery: number
  readonly snapshotKeep: Keeping
  readonly checkEvery: number
  readonly hashEvery: number
  readonly fault: Fault | undefined
  /** Refs of commands of other nodes that ended threads of this process. */
  readonly quarantined?: readonly number[]
  /** Absent: the world has one process. */
  readonly cluster?: ClusterData
}

/** What makes a process a node of a cluster. */
export interface ClusterData {
  readonly role: NodeBeat['role']
  readonly busUrl: string
  /** The epoch of the world; the subjects on the bus carry it. */
  readonly world: string
  /** Incarnation of the process. */
  readonly node: number
}

/** Data of a process that is one node of several. */
export type NodeData = WorldThreadData & { readonly cluster: ClusterData }

/** Clock, port and kernel threads, shared by everything the thread may run. */
export interface Shared extends Omit<LoopOptions, 'store' | 'seed'> {
  readonly cell: ProgressCell
  /** Lets faults and main observe the commits of a store. */
  readonly arm: (store: BatchStore) => BatchStore
}

/** What the thread runs. */
export interface Running {
  receive(message: ToWorld): void
  /** Called after the message `stop`. */
  close(): Promise<void>
}

/** Returns a log that sends its lines to main, which writes them. */
export const logTo =
  (post: (message: ToMain) => void): StoreLog =>
  (level, fields, text) =>
    post({ kind: 'log', level, fields, text })
