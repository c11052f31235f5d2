/**
 * Rows, ids and texts of notes, and how much each author has written. Where a note is, is stored in
 * its package (systems/cargo).
 */
import { assert } from '../../core/assert.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { holdsPackage } from '../cargo/model.ts'
import {
  isNoteId,
  NOTE_CHARACTERS_MAX,
  NOTE_CHARACTERS_PER_AUTHOR_MAX,
  NOTE_ID_PREFIX,
  NOTE_TITLE_CHARACTERS_MAX,
  NOTES_PER_AUTHOR_MAX,
  Note,
  WRITTEN,
  type Written,
} from './state.ts'

/** Returns the id of a note on the wire: `note:<uuid>`. */
export const noteId = (view: WorldView, note: Row): string =>
  NOTE_ID_PREFIX + idOf(view, Note, note)

/** Returns the note with a wire id; 0 if there is none. */
export const noteById = (view: WorldView, id: string): Row =>
  isNoteId(id) ? rowOfId(view, Note, id.slice(NOTE_ID_PREFIX.length)) : 0

export const noteTitle = (view: WorldView, note: Row): string =>
  view.texts.get(view.read(Note).title[note])

const NONE: Written = { notes: 0, characters: 0 }

/** Returns how many notes and characters of an author exist. */
export const writtenBy = (view: WorldView, author: Eid): Written =>
  view.index(WRITTEN).get(author) ?? NONE

/** Adds to the counts of an author; negative numbers subtract. */
function countWritten(world: World, author: Eid, notes: number, characters: number): void {
  const written = world.index(WRITTEN)
  const before = written.get(author) ?? NONE
  const after = { notes: before.notes + notes, characters: before.characters + characters }
  assert(after.notes >= 0 && after.characters >= 0, `author ${author} has a negative count`)
  if (after.notes === 0) written.delete(author)
  else written.set(author, after)
}

/** Rebuilds the index from the table, after a restore. */
export function rebuildWritten(world: World): void {
  world.index(WRITTEN).clear()
  const { alive, author, characters } = world.read(Note)
  for (let note = 1; note <= world.highOf(Note); note++) {
    if (alive[note] === 1) countWritten(world, author[note], 1, characters[note])
  }
}

/** A note to create. */
export interface NoteDraft {
  readonly author: Eid
  readonly title: string
  readonly content: string
  /** Length of the content, code points. */
  readonly characters: number
}

/** Creates the row of a note and sends its text to the archive; the caller checks for room. */
export function enterNote(
  world: World,
  pkg: Row,
  { author, title, content, characters }: NoteDraft,
) {
  const note = world.take(Note)
  const columns = world.write(Note)
  columns.pkg[note] = pkg
  columns.author[note] = author
  columns.createdMs[note] = world.wallMs
  world.setText(Note, 'title', note, title)
  countWritten(world, author, 1, 0)
  rewriteNote(world, note, content, characters)
  return note
}

/** Replaces the text of a note. */
export function rewriteNote(world: World, note: Row, content: string, characters: number): void {
  const columns = world.write(Note)
  countWritten(world, columns.author[note], 0, characters - columns.characters[note])
  columns.characters[note] = characters
  columns.updatedMs[note] = world.wallMs
  const args = { note: columns.seq[note], content }
  world.outbox.writes.push({ method: 'writeNote', args })
}

/** Removes a note and its text. */
export function burnNote(world: World, note: Row): void {
  const { seq, author, characters } = world.read(Note)
  countWritten(world, author[note], -1, -characters[note])
  world.outbox.writes.push({ method: 'dropNote', args: { note: seq[note] } })
  world.release(Note, note)
}

/* Who may read and write a note, and how much one author may write. Source: social.md 3. */

export const noteNotFound = (id: string): Failure<'note_not_found'> =>
  fail('note_not_found', { note_id: id })

/**
 * Finds a note in any hold or locker of the player. Refusal: note_not_found, also for a note that
 * someone else holds.
 */
export function ownNote(view: WorldView, player: Eid, id: string): Outcome<Row, 'note_not_found'> {
  const note = noteById(view, id)
  if (note === 0 || !holdsPackage(view, player, view.read(Note).pkg[note])) return noteNotFound(id)
  return ok(note)
}

/** Finds a note that the player holds and has written. Refusal: note_not_found. */
export function writableNote(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Row, 'note_not_found'> {
  const found = ownNote(view, player, id)
  if (!found.ok || view.read(Note).author[found.result] === player) return found
  return fail('note_not_found', { note_id: id }, 'Only the author of a note may rewrite it.')
}

/** Cleans a title, which must be one line. Refusals: invalid_payload, too_long. */
export const titleOf = (value: string): Outcome<string, 'invalid_payload' | 'too_long'> =>
  cleanText(value, {
    max: NOTE_TITLE_CHARACTERS_MAX,
    unit: 'codepoints',
    field: 'title',
    oneLine: true,
  })

/** Cleans the text of a note. Refusals: invalid_payload, too_long. */
export const contentOf = (value: string): Outcome<string, 'invalid_payload' | 'too_long'> =>
  cleanText(value, { max: NOTE_CHARACTERS_MAX, unit: 'codepoints', field: 'content' })

/** Refuses an author who would exceed the limit of notes or characters. Refusal: limit_reached. */
export function tooManyRefusal(
  view: WorldView,
  author: Eid,
  added: { readonly notes: number; readonly characters: number },
): Failure<'limit_reached'> | undefined {
  const { notes, characters } = writtenBy(view, author)
  if (notes + added.notes > NOTES_PER_AUTHOR_MAX) {
    const message = 'You have reached the limit of notes that one author may have; delete some.'
    return fail('limit_reached', { max: NOTES_PER_AUTHOR_MAX, have: notes }, message)
  }
  const max = NOTE_CHARACTERS_PER_AUTHOR_MAX
  if (characters + added.characters <= max) return undefined
  const message = 'All your notes together would be too long; delete some.'
  return fail('limit_reached', { max, have: characters }, message)
}
