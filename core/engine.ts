/**
 * The engine: a world with everything that is needed to run and publish its batches; and the result
 * of a batch.
 */
import { assert } from './assert.ts'
import type { ArchiveDef, ArchiveScope, CommandDef } from './command.ts'
import type { Failure, Outcome } from './errors.ts'
import type { ParallelSection } from './parallel.ts'
import type { Answer } from './ports.ts'
import type { Registry } from './registry.ts'
import type { Schedule } from './schedule.ts'
import type { Phase } from './system.ts'
import type { Eid, JournalInput, Outbox, PendingAnswer, World, WorldView } from './types.ts'

export interface Engine {
  readonly world: World
  readonly registry: Registry
  readonly schedule: Schedule
  readonly section: ParallelSection
  /** Called when a phase of a tick is over, so that the loop can measure it. */
  phaseOver?(phase: Phase): void
  /** Ticks between two full checks, and between two hashes; 1 in tests. */
  readonly checkEvery: number
  readonly hashEvery: number
  /** Fails systems that write a table they do not declare: on in tests and simulations. */
  readonly checksWrites: boolean
  /** On one node of several: selects the answers and players that it serves. Absent: all. */
  readonly here?: {
    hasAnswer(answer: { readonly ref: number; readonly player: number }): boolean
    hasPlayer(player: Eid): boolean
  }
  /**
   * Called before each command (with its ref) and after each system (with 0): shows the watchdog
   * that the world is alive, and what it runs.
   */
  heartbeat(ref: number): void
}

/** An archive command of the batch: its answer is known once the write is durable. */
export interface Archived {
  readonly def: ArchiveDef
  readonly input: JournalInput
  readonly scope: ArchiveScope
  readonly pending: PendingAnswer | undefined
}

/** The result of a batch that has run and is not journalled yet. */
export interface BatchRun {
  /** The inputs of the journal row. */
  readonly inputs: readonly JournalInput[]
  readonly outbox: Outbox
  readonly archived: readonly Archived[]
  /** Answers known already: immediates, and refusals. */
  readonly answers: Answer[]
  readonly hash: string | null
  /** Number of checks that ran in full; absent if no check ran. */
  readonly fullChecks?: number
}

/** Returns the refusal of the first domain that does not admit the command at present. */
export function admissionRefusal(
  view: WorldView,
  registry: Registry,
  def: CommandDef,
  player: Eid,
): Failure | undefined {
  for (const domain of registry.admitting) {
    const refused = domain.admission(view, player, def)
    if (refused) return refused
  }
  return undefined
}

/** Returns the definition of a command; asserts that it is registered. */
export function definitionOf(registry: Registry, key: string): CommandDef {
  const def = registry.commands.get(key)
  assert(def, `command ${key} is not registered`)
  return def
}

/** Returns an input as the journal keeps it. */
export function inputOf(input: JournalInput): JournalInput {
  const { ref, player, command, params, framing, requestId } = input
  return requestId === undefined
    ? { ref, player, command, params, framing }
    : { ref, player, command, params, framing, requestId }
}

/** Returns the final answer to a command. */
export function answerTo(view: WorldView, input: JournalInput, outcome: Outcome<unknown>): Answer {
  const { ref, player, command, framing, requestId } = input
  return { ref, player, command, framing, requestId, stage: 'final', tick: view.tick, outcome }
}
