/**
 * What packages are called, and how much room each takes: by id, by name, in sentences. Source:
 * trade-storage.md section 5; of notes social.md section 3.
 */
import { idOf, rowOfId } from '../../core/entity.ts'
import { PACKAGE_SIZE } from '../../core/limits.ts'
import { NOTE_SIZE } from '../../core/limits-society.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { isNoteId, noteById, noteId, noteTitle } from '../note/book-rules.ts'
import { Note } from '../note/columns.ts'
import { Package } from './columns.ts'

const PREFIX = 'package:'

/** True for what is a note, and no package of goods. */
export const isNote = (view: WorldView, pkg: Row): boolean => view.read(Package).note[pkg] !== 0

/** The id of a package on the wire: `package:<uuid>`, or `note:<uuid>`. */
export function packageId(view: WorldView, pkg: Row): string {
  const note = view.read(Package).note[pkg]
  return note === 0 ? PREFIX + idOf(view, Package, pkg) : noteId(view, note)
}

const isSealedId = (id: string): boolean => id.toLowerCase().startsWith(PREFIX)

/** True for a text that can only mean a package. */
export const isPackageId = (id: string): boolean => isSealedId(id) || isNoteId(id)

/** A sealed package by wire id; 0 none. */
export function sealedById(view: WorldView, id: string): Row {
  const pkg = isSealedId(id) ? rowOfId(view, Package, id.slice(PREFIX.length)) : 0
  return isNote(view, pkg) ? 0 : pkg
}

/** A package by wire id; 0 none. */
export const packageById = (view: WorldView, id: string): Row =>
  isNoteId(id) ? view.read(Note).pkg[noteById(view, id)] : sealedById(view, id)

export const labelOf = (view: WorldView, pkg: Row): string =>
  view.texts.get(view.read(Package).label[pkg])

/** How a package is called in lists: by its label, if it has one; a note by its title. */
export function packageName(view: WorldView, pkg: Row): string {
  const note = view.read(Package).note[pkg]
  return note === 0 ? labelOf(view, pkg) || 'Package' : noteTitle(view, note)
}

/** How it is called in lists where nothing but its id is known any more. */
export const kindOfId = (id: string): string => (isNoteId(id) ? 'Note' : 'Package')

/** How it is called in sentences: a label is for its owner, a title for everybody. */
export const packageWords = (view: WorldView, pkg: Row): string =>
  isNote(view, pkg) ? `the note "${packageName(view, pkg)}"` : 'a package'

/** Space of a package in a hold, whatever is in it. */
export const footprintOf = (view: WorldView, pkg: Row): number =>
  isNote(view, pkg) ? NOTE_SIZE : PACKAGE_SIZE
