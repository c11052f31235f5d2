/**
 * The book of notes: their rows, ids and texts, and what each author has written that there still
 * is. Where they stand is systems/package; who may do what is rules.ts.
 */
import { assert } from '../../core/assert.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Note } from './columns.ts'

const PREFIX = 'note:'

/** The id of a note on the wire: `note:<uuid>`. */
export const noteId = (view: WorldView, note: Row): string => PREFIX + idOf(view, Note, note)

/** True for a text that can only mean a note. */
export const isNoteId = (id: string): boolean => id.toLowerCase().startsWith(PREFIX)

/** A note by wire id; 0 none. */
export const noteById = (view: WorldView, id: string): Row =>
  isNoteId(id) ? rowOfId(view, Note, id.slice(PREFIX.length)) : 0

export const noteTitle = (view: WorldView, note: Row): string =>
  view.texts.get(view.read(Note).title[note])

/** What of an author's there is. */
export interface Written {
  readonly notes: number
  readonly characters: number
}

const NOTHING: Written = { notes: 0, characters: 0 }
const WRITTEN = defineIndex('note.written', () => new Map<Eid, Written>())

export const writtenBy = (view: WorldView, author: Eid): Written =>
  view.index(WRITTEN).get(author) ?? NOTHING

function count(world: World, author: Eid, notes: number, characters: number): void {
  const written = world.index(WRITTEN)
  const before = written.get(author) ?? NOTHING
  const now = { notes: before.notes + notes, characters: before.characters + characters }
  assert(now.notes >= 0 && now.characters >= 0, `author ${author} has written less than nothing`)
  if (now.notes === 0) written.delete(author)
  else written.set(author, now)
}

/** What a note is made of. */
export interface Draft {
  readonly author: Eid
  readonly title: string
  readonly content: string
  /** Length of the content, code points. */
  readonly characters: number
}

/** Takes a row for a note, and sends its text to the archive; the caller has seen to a row. */
export function enterNote(world: World, pkg: Row, { author, title, content, characters }: Draft) {
  const note = world.take(Note)
  const columns = world.write(Note)
  columns.pkg[note] = pkg
  columns.author[note] = author
  columns.createdMs[note] = world.wallMs
  world.setText(Note, 'title', note, title)
  count(world, author, 1, 0)
  rewriteNote(world, note, content, characters)
  return note
}

/** Replaces the text of a note. */
export function rewriteNote(world: World, note: Row, content: string, characters: number): void {
  const columns = world.write(Note)
  count(world, columns.author[note], 0, characters - columns.characters[note])
  columns.characters[note] = characters
  columns.updatedMs[note] = world.wallMs
  const args = { note: columns.seq[note], content }
  world.outbox.writes.push({ method: 'writeNote', args })
}

/** Ends a note and its text. */
export function burnNote(world: World, note: Row): void {
  const { seq, author, characters } = world.read(Note)
  count(world, author[note], -1, -characters[note])
  world.outbox.writes.push({ method: 'dropNote', args: { note: seq[note] } })
  world.release(Note, note)
}

/** Fills the index from the table, after a restore. */
export function rebuildWritten(world: World): void {
  world.index(WRITTEN).clear()
  const { alive, author, characters } = world.read(Note)
  for (let note = 1; note <= world.highOf(Note); note++) {
    if (alive[note] === 1) count(world, author[note], 1, characters[note])
  }
}
