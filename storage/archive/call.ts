/** Types of archive calls: arguments, the batch context of a write, and the two kinds of method. */
import type { ArchiveReadArgs, ArchiveWriteArgs } from '../../core/archive-calls.ts'
import type { Outcome } from '../../core/errors.ts'
import type { Sql, Tx } from '../db.ts'

export type WriteName = keyof ArchiveWriteArgs
export type ReadName = keyof ArchiveReadArgs

export interface WriteCall<M extends WriteName> {
  readonly args: ArchiveWriteArgs[M]
  readonly secret?: Readonly<Record<string, string>>
}

/** The batch of a write. */
export interface WriteContext {
  readonly tx: Tx
  readonly batch: number
  readonly tick: number
  readonly at: Date
  /** Returns a time in microseconds since 1970, later than all returned before. */
  nextAtUs(): number
}

/**
 * Runs calls and returns one outcome for each, in order. A refusal must precede the call's first
 * write; a throw ends the transaction.
 */
export type WriteMethod<M extends WriteName> = (
  context: WriteContext,
  calls: readonly WriteCall<M>[],
) => Promise<Outcome<unknown>[]>

/** Converts a function for a single call to a write method that runs calls one after the other. */
export const oneByOne =
  <M extends WriteName>(
    one: (context: WriteContext, call: WriteCall<M>) => Promise<Outcome<unknown>>,
  ): WriteMethod<M> =>
  async (context, calls) => {
    const outcomes: Outcome<unknown>[] = []
    for (const call of calls) outcomes.push(await one(context, call))
    return outcomes
  }

export type ReadMethod<M extends ReadName> = (
  sql: Sql,
  args: ArchiveReadArgs[M],
) => Promise<Outcome<unknown>>
