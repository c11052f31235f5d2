/**
 * One transaction: archive writes in order, then the journal row with their outcomes and the
 * world's new head. Does not retry; journal-writer.ts handles failures.
 */
import type { ArchiveWrite } from '../core/archive-calls.ts'
import { assert } from '../core/assert.ts'
import { fail, type Outcome } from '../core/errors.ts'
import type { IdMarks } from '../core/id-marks.ts'
import type { JournalRow } from '../core/ports.ts'
import type { WriteContext, WriteMethod } from './archive/call.ts'
import { ARCHIVE_WRITES } from './archive/index.ts'
import { isDataError, type Queryable, type Sql, type Tx } from './db.ts'
import { type EncodedRow, encodeJournalRow } from './journal-row.ts'
import type { StoreLog } from './store-log.ts'

/** The row of the world no longer has our head or our token. */
export class LostHeadError extends Error {
  override name = 'LostHeadError'
}

/** The last assigned archive time, microseconds since 1970. */
export interface LastAt {
  us: number
}

interface WriteOptions {
  readonly lastAt: LastAt
  /**
   * Runs each archive write in a savepoint, so that one whose data the database refuses fails
   * alone.
   */
  readonly savepoints: boolean
  readonly log: StoreLog
}

interface BatchOptions extends WriteOptions {
  readonly writer: string
  readonly head: { readonly batch: number; readonly checksum: Uint8Array }
  /** True if the archive is complete up to this batch. */
  readonly isProjected: boolean
}

interface Committed {
  readonly row: JournalRow
  readonly encoded: EncodedRow
  /** Duration of the encoding. */
  readonly encodeMs: number
}

/** Encodes a row; returns it with the duration. */
function timedEncode(row: JournalRow, previous: Uint8Array): [EncodedRow, number] {
  const sinceMs = performance.now()
  const encoded = encodeJournalRow(row, previous)
  return [encoded, performance.now() - sinceMs]
}

/** Commits a batch; throws LostHeadError if another batch or server has written meanwhile. */
export async function commitBatch(
  sql: Sql,
  row: JournalRow,
  writes: readonly ArchiveWrite[],
  options: BatchOptions,
): Promise<Committed> {
  if (writes.length === 0) {
    const [encoded, encodeMs] = timedEncode(row, options.head.checksum)
    await insertRow(sql, encoded, row.idMarks, options)
    return { row, encoded, encodeMs }
  }
  return sql.begin(async (tx) => {
    const archived = { ...row.archived, ...(await runWrites(tx, row, writes, options)) }
    const filled: JournalRow = { ...row, archived }
    const [encoded, encodeMs] = timedEncode(filled, options.head.checksum)
    await insertRow(tx, encoded, row.idMarks, options)
    return { row: filled, encoded, encodeMs }
  })
}

/**
 * Writes head and row in one statement, which without archive writes is the whole transaction in
 * one round trip.
 */
async function insertRow(
  sql: Queryable,
  row: EncodedRow,
  idMarks: IdMarks | undefined,
  { head, writer, isProjected }: BatchOptions,
): Promise<void> {
  const rows = await sql`
    with moved as (
      update world set head_batch = ${row.batch}, head_checksum = ${row.checksum},
        id_marks = coalesce(${idMarks ? JSON.stringify(idMarks) : null}::text::json, id_marks)
      where writer = ${writer}::uuid and head_batch = ${head.batch}
        and head_checksum = ${head.checksum}
      returning 1
    ), projected as (
      update projection set batch = ${row.batch}
      where ${isProjected}::boolean and exists (select from moved)
    )
    insert into journal (batch, tick, part, rules_version, wall_ms, body, hash, checksum)
    select ${row.batch}::bigint, ${row.tick}::bigint, ${row.part}::int, ${row.rulesVersion}::int,
      ${row.wallMs}::bigint, ${row.body}::bytea, ${row.hash}::text, ${row.checksum}::bytea
    from moved
    returning batch`
  if (rows.length !== 1) throw new LostHeadError(`batch ${row.batch} found another head`)
}

type Outcomes = Record<string, Outcome<unknown>>

async function runWrites(
  tx: Tx,
  row: JournalRow,
  writes: readonly ArchiveWrite[],
  options: WriteOptions,
): Promise<Outcomes> {
  const archived: Outcomes = {}
  for (const group of groupByMethod(writes, options.savepoints)) {
    const outcomes = await runGroup(tx, row, group, options)
    assert(outcomes.length === group.length, `${group[0].method} lost an outcome`)
    for (const [index, { ref, method }] of group.entries()) {
      const outcome = outcomes[index]
      if (ref !== undefined) archived[ref] = outcome
      else assert(outcome.ok || options.savepoints, `${method} refused, but nobody waits for it`)
    }
  }
  return archived
}

/** Groups consecutive writes of one method: hundreds of chat lines are one statement. */
export function groupByMethod(
  writes: readonly ArchiveWrite[],
  savepoints: boolean,
): ArchiveWrite[][] {
  const groups: ArchiveWrite[][] = []
  for (const write of writes) {
    const last = groups.at(-1)
    if (!savepoints && last?.[0].method === write.method) last.push(write)
    else groups.push([write])
  }
  return groups
}

/** Runs consecutive writes of one method; returns their outcomes. */
export async function runGroup(
  tx: Tx,
  row: Pick<JournalRow, 'batch' | 'tick' | 'wallMs'>,
  group: readonly ArchiveWrite[],
  { lastAt, savepoints, log }: WriteOptions,
): Promise<Outcome<unknown>[]> {
  const name = group[0].method
  // All writes of a group have the same method, and arguments match the method.
  const method = ARCHIVE_WRITES[name] as WriteMethod<never>
  const contextOf = (inside: Tx): WriteContext => ({
    tx: inside,
    batch: row.batch,
    tick: row.tick,
    at: new Date(row.wallMs),
    nextAtUs: () => {
      lastAt.us = Math.max(row.wallMs * 1000, lastAt.us + 1)
      return lastAt.us
    },
  })
  if (!savepoints) return method(contextOf(tx), group as readonly never[])
  try {
    return (await tx.savepoint((inside) =>
      method(contextOf(inside), group as readonly never[]),
    )) as Outcome<unknown>[]
  } catch (error) {
    if (!isDataError(error)) throw error
    const text = error instanceof Error ? error.message : String(error)
    log('error', { batch: row.batch, method: name }, `an archive write was refused: ${text}`)
    return group.map(() => fail('internal_error'))
  }
}
