/** A world thread as main sees it: what it is started with, and the way to it. */
import type { ToMain, ToWorld } from '../core/ports.ts'

/** A running world: a worker thread, or an engine in this process (tests). */
export interface WorldThread {
  post(message: ToWorld): void
  onMessage(handler: (message: ToMain) => void): void
  /** Called once, whatever ended it. */
  onExit(handler: (reason: string) => void): void
  terminate(): void
}

export interface SpawnOptions {
  /** Last batch that was handed to the sockets; 0 at a process start. */
  readonly lastPublished: number
  /** Layout: core/wire/progress.ts. */
  readonly progress: SharedArrayBuffer
  /** False when it replaces a dead one: presence then stands. */
  readonly firstStart: boolean
  /** Kernel threads ended too often: the world runs without them. */
  readonly alone: boolean
}
