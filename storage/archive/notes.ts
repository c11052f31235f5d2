/**
 * The texts of notes. A replaced text is kept as long as a restore from a snapshot could need it.
 * Source: social.md section 3.
 */
import type { ArchiveReadArgs } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { arrayLiteral, type Sql, type Tx } from '../db.ts'
import type { WriteCall, WriteContext } from './call.ts'
import { storableText } from './fields.ts'

const SLICE_ROWS = 1_000

const endTexts = (tx: Tx, batch: number, notes: readonly number[]) => tx`
  update note_text set until_batch = ${batch}
  where note = any(${arrayLiteral(notes)}::bigint[]) and until_batch is null`

/** `writeNote` { note, content }: replaces the note's text. */
export async function writeNotes(
  { tx, batch, at }: WriteContext,
  calls: readonly WriteCall<'writeNote'>[],
): Promise<Outcome<unknown>[]> {
  for (const { args } of calls) {
    const note = args.note
    await endTexts(tx, batch, [note])
    await tx`
      insert into note_text (note, content, batch, at)
      values (${note}, ${storableText(args.content)}, ${batch}, ${at})`
  }
  return calls.map(() => ok({}))
}

/** `dropNote` { note }: ends the note's text. One statement for all calls. */
export async function dropNotes(
  { tx, batch }: WriteContext,
  calls: readonly WriteCall<'dropNote'>[],
): Promise<Outcome<unknown>[]> {
  await endTexts(
    tx,
    batch,
    calls.map(({ args }) => args.note),
  )
  return calls.map(() => ok({}))
}

/** `readNote` { note, view }: adds the text to the view of a note. Refuses: note_not_found. */
export async function readNote(
  sql: Sql,
  args: ArchiveReadArgs['readNote'],
): Promise<Outcome<unknown>> {
  const rows = await sql<{ content: string }[]>`
    select content from note_text where note = ${args.note} and until_batch is null`
  if (rows.length === 0) return fail('note_not_found')
  return ok({ ...(args.view as object), content: rows[0].content })
}

/** Deletes texts that no kept snapshot can need any more. */
export async function pruneNotes(sql: Sql): Promise<number> {
  const done = await sql`
    delete from note_text where id in (
      select id from note_text
      where until_batch <= (select min(batch) from snapshot) limit ${SLICE_ROWS})`
  return done.count
}
