/**
 * What running and publishing batches needs besides the world, and what a batch that ran leaves.
 */
import { assert } from './assert.ts'
import type { ArchiveDef, ArchiveScope, CommandDef } from './command.ts'
import type { Outcome } from './errors.ts'
import type { ParallelSection } from './parallel.ts'
import type { Answer } from './ports.ts'
import type { Registry } from './registry.ts'
import type { Schedule } from './schedule.ts'
import type { Phase } from './system.ts'
import type { JournalInput, Outbox, PendingAnswer, World } from './types.ts'

/** What running batches needs besides the world. */
export interface Engine {
  readonly world: World
  readonly registry: Registry
  readonly schedule: Schedule
  readonly section: ParallelSection
  /** Told when a phase of a tick is over: the loop measures them. */
  phaseOver?(phase: Phase): void
  /** Full checks and a hash every so many ticks; 1 in tests. */
  readonly checkEvery: number
  readonly hashEvery: number
  /** A system that writes a table it does not declare fails: in tests and simulations. */
  readonly checksWrites: boolean
  /**
   * Told before each command (its ref) and after each system (0): the watchdog's sign of life, and
   * what is running.
   */
  beat(ref: number): void
}

/** An archive command of the batch: its answer is known once the write is durable. */
export interface Archived {
  readonly def: ArchiveDef
  readonly input: JournalInput
  readonly scope: ArchiveScope
  readonly pending: PendingAnswer | undefined
}

export interface BatchRun {
  /** What goes into the journal row. */
  readonly inputs: readonly JournalInput[]
  readonly outbox: Outbox
  readonly archived: readonly Archived[]
  /** Answers known already: immediates, and refusals. */
  readonly answers: Answer[]
  readonly hash: string | null
}

export function definitionOf(registry: Registry, key: string): CommandDef {
  const def = registry.commands.get(key)
  assert(def, `command ${key} is not registered`)
  return def
}

/** The input of a pending answer, as the journal keeps it. */
export function inputOf(pending: PendingAnswer): JournalInput {
  const { ref, player, command, params, framing, requestId } = pending
  return requestId === undefined
    ? { ref, player, command, params, framing }
    : { ref, player, command, params, framing, requestId }
}

export function answerTo(world: World, input: JournalInput, outcome: Outcome<unknown>): Answer {
  const { ref, player, command, framing, requestId } = input
  return { ref, player, command, framing, requestId, stage: 'final', tick: world.tick, outcome }
}
