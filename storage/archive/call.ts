/** What a call of the archive is: its arguments, what a write knows of its batch, the two kinds. */
import type { ArchiveReadArgs, ArchiveWriteArgs } from '../../core/archive-calls.ts'
import type { Outcome } from '../../core/errors.ts'
import type { Sql, Tx } from '../db.ts'

export type WriteName = keyof ArchiveWriteArgs
export type ReadName = keyof ArchiveReadArgs

export interface WriteCall<M extends WriteName> {
  readonly args: ArchiveWriteArgs[M]
  readonly secret?: Readonly<Record<string, string>>
}

/** What a write knows of its batch. */
export interface WriteContext {
  readonly tx: Tx
  readonly batch: number
  readonly tick: number
  readonly at: Date
  /** A time in microseconds since 1970, later than every one handed out before. */
  nextAtUs(): number
}

/**
 * One outcome a call, in order. A refusal is decided before the call's first write; a throw ends
 * the transaction.
 */
export type WriteMethod<M extends WriteName> = (
  context: WriteContext,
  calls: readonly WriteCall<M>[],
) => Promise<Outcome<unknown>[]>

export type ReadMethod<M extends ReadName> = (
  sql: Sql,
  args: ArchiveReadArgs[M],
) => Promise<Outcome<unknown>>
