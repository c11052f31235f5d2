/** Tables of notes. */
import { defineEntity, f64, ref, text, u32 } from '../../core/columns.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/* Notes (social.md 3) */
/** Notes of all players; each is a row among the packages too. */
const NOTES_MAX = 200_000
export const NOTE_TITLE_CHARACTERS_MAX = 100
export const NOTE_CHARACTERS_MAX = 100_000
/** Text of a call: as long as a frame may be, so that what is too long is called so. */
export const NOTE_PARAM_CHARACTERS_MAX = 500_000
/** Of one author, wherever they are: notes that there still are, and characters of them all. */
export const NOTES_PER_AUTHOR_MAX = 100
export const NOTE_CHARACTERS_PER_AUTHOR_MAX = 1_000_000

export const NOTES_PAGE = { usual: 20, max: 100 } as const

export const PREFIX = 'note:'

/** True for a text that can only mean a note. */
export const isNoteId = (id: string): boolean => id.toLowerCase().startsWith(PREFIX)

/** What of an author's there is. */
export interface Written {
  readonly notes: number
  readonly characters: number
}

export const WRITTEN = defineIndex('note.written', () => new Map<Eid, Written>())

export const Note = defineEntity('note', NOTES_MAX, {
  pkg: ref('package', 'its row among what stands in containers'),
  author: ref('player', 'who wrote it, and alone may write it anew'),
  title: text('its title, at most 100 characters'),
  characters: u32('length of its text, code points'),
  createdMs: f64('wall time of its making, ms since 1970'),
  updatedMs: f64('wall time of the last writing, ms since 1970'),
})
