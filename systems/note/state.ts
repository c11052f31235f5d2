/** Tables and bounds of notes. Source: social.md section 3. */
import { defineEntity, f64, ref, text, u32 } from '../../core/columns.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Notes of all players; each is also a row of the packages. */
const NOTES_MAX = 200_000
export const NOTE_TITLE_CHARACTERS_MAX = 100
export const NOTE_CHARACTERS_MAX = 100_000
/** Of a parameter: as long as a frame may be, so that a longer text is refused as too_long. */
export const NOTE_PARAM_CHARACTERS_MAX = 500_000
/** Notes of one author that exist, wherever they are, and their characters in all. */
export const NOTES_PER_AUTHOR_MAX = 100
export const NOTE_CHARACTERS_PER_AUTHOR_MAX = 1_000_000

export const NOTES_PAGE = { default: 20, max: 100 } as const

export const NOTE_ID_PREFIX = 'note:'

/** Returns whether an id can only mean a note. */
export const isNoteId = (id: string): boolean => id.toLowerCase().startsWith(NOTE_ID_PREFIX)

/** Notes of an author that exist. */
export interface Written {
  readonly notes: number
  readonly characters: number
}

export const WRITTEN = defineIndex('note.written', () => new Map<Eid, Written>())

export const Note = defineEntity('note', NOTES_MAX, {
  pkg: ref('package', 'its row among the packages'),
  author: ref('player', 'who wrote it, and alone may rewrite it'),
  title: text('its title, at most 100 characters'),
  characters: u32('length of its text, code points'),
  createdMs: f64('wall time of creation, ms since 1970'),
  updatedMs: f64('wall time of the last change, ms since 1970'),
})
