/**
 * Who holds a note, who may write it, and how much one author may write. Source: social.md
 * section 3.
 */
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import {
  NOTE_CHARACTERS_MAX,
  NOTE_CHARACTERS_PER_AUTHOR_MAX,
  NOTE_TITLE_CHARACTERS_MAX,
  NOTES_PER_AUTHOR_MAX,
} from '../../core/limits-society.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { lockerOf } from '../cargo/rules.ts'
import { factionOf } from '../faction/rules.ts'
import { Package } from '../package/columns.ts'
import { holdsPackage, packagesIn } from '../package/rules.ts'
import { Ship } from '../ship/columns.ts'
import { shipsOf } from '../ship/rules.ts'
import { noteById, writtenBy } from './book-rules.ts'
import { Note } from './columns.ts'

export { isNoteId, noteById, noteId, noteTitle } from './book-rules.ts'

/* Finding */

const noNote = (id: string): Failure => fail('note_not_found', { note_id: id })

/**
 * A note in a hold or locker of the player's own, wherever that is. Refusal: note_not_found, of one
 * that others hold too.
 */
export function ownNote(view: WorldView, player: Eid, id: string): Outcome<Row> {
  const note = noteById(view, id)
  if (note === 0 || !holdsPackage(view, player, view.read(Note).pkg[note])) return noNote(id)
  return ok(note)
}

/** The same, or in a store of the player's faction: he may read it. */
export function readableNote(view: WorldView, player: Eid, id: string): Outcome<Row> {
  const note = noteById(view, id)
  const pkg = view.read(Note).pkg[note]
  if (note === 0 || !holdsPackage(view, player, pkg, factionOf(view, player))) return noNote(id)
  return ok(note)
}

/** An own note that the player has written himself. Refusal: note_not_found. */
export function writableNote(view: WorldView, player: Eid, id: string): Outcome<Row> {
  const found = ownNote(view, player, id)
  if (!found.ok || view.read(Note).author[found.result] === player) return found
  return fail('note_not_found', { note_id: id }, 'Only who wrote a note may write it anew.')
}

/** Notes in holds and lockers of a player, the oldest first. O(ships + bases + what is there). */
export function notesOf(view: WorldView, player: Eid): Row[] {
  const { hold } = view.read(Ship)
  const places = shipsOf(view, player).map((ship) => hold[ship])
  for (let base = 1; base <= view.highOf(Base); base++) places.push(lockerOf(view, player, base))
  const { note } = view.read(Package)
  const notes = places.flatMap((place) => packagesIn(view, place).map((pkg) => note[pkg]))
  const { seq } = view.read(Note)
  return notes.filter((row) => row !== 0).sort((a, b) => seq[a] - seq[b])
}

/* Writing */

/** A title as it is kept: one line. Refusals: invalid_payload, too_long. */
export function titleOf(value: string): Outcome<string> {
  const field = 'title'
  const title = cleanText(value, { max: NOTE_TITLE_CHARACTERS_MAX, unit: 'codepoints', field })
  if (!title.ok || !/[\n\t]/.test(title.result)) return title
  return badFields({ field, expected: 'one line' })
}

/** A text as it is kept. Refusals: invalid_payload, too_long. */
export const contentOf = (value: string): Outcome<string> =>
  cleanText(value, { max: NOTE_CHARACTERS_MAX, unit: 'codepoints', field: 'content' })

/** Refuses an author so many more notes and characters. Refusal: limit_reached. */
export function refusesMore(
  view: WorldView,
  author: Eid,
  more: { readonly notes: number; readonly characters: number },
): Failure | undefined {
  const { notes, characters } = writtenBy(view, author)
  if (notes + more.notes > NOTES_PER_AUTHOR_MAX) {
    const words = 'You have written all the notes there may be of one author; delete some.'
    return fail('limit_reached', { max: NOTES_PER_AUTHOR_MAX, have: notes }, words)
  }
  const max = NOTE_CHARACTERS_PER_AUTHOR_MAX
  if (characters + more.characters <= max) return undefined
  const words = 'Your notes together would be longer than one author may write; delete some.'
  return fail('limit_reached', { max, have: characters }, words)
}
