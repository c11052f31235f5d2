/** Tables and limits of notes. Source: social.md section 3. */
import { defineEntity, f64, ref, text, u32 } from '../../core/columns.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Limit of notes of all players; each note also has a row of Package. */
const NOTES_MAX = 200_000
export const NOTE_TITLE_CHARACTERS_MAX = 100
export const NOTE_CHARACTERS_MAX = 100_000
/**
 * Limit of text parameters: as large as a frame, so that texts above NOTE_CHARACTERS_MAX reach the
 * command and are refused as too_long.
 */
export const NOTE_PARAM_CHARACTERS_MAX = 500_000
/** Limits of existing notes of one author, wherever they are, and of their characters together. */
export const NOTES_PER_AUTHOR_MAX = 100
export const NOTE_CHARACTERS_PER_AUTHOR_MAX = 1_000_000

export const NOTES_PAGE = { default: 20, max: 100 } as const

export const NOTE_ID_PREFIX = 'note:'

/** Returns whether an id can only mean a note. */
export const isNoteId = (id: string): boolean => id.toLowerCase().startsWith(NOTE_ID_PREFIX)

/** How many notes of an author exist, and their characters together. */
export interface Written {
  readonly notes: number
  readonly characters: number
}

/** Counts of existing notes by author. */
export const WRITTEN = defineIndex('note.written', () => new Map<Eid, Written>())

/** A note; its text is in the archive. */
export const Note = defineEntity('note', NOTES_MAX, {
  pkg: ref('package', 'its package'),
  author: ref('player', 'player who wrote it; only they may rewrite it'),
  title: text('its title, at most 100 characters'),
  characters: u32('length of its text, code points'),
  createdMs: f64('wall time of creation, ms since 1970'),
  updatedMs: f64('wall time of the last change, ms since 1970'),
})
