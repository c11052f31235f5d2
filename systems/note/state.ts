/** Tables of notes. */
import { defineEntity, f64, ref, text, u32 } from '../../core/columns.ts'
import { NOTES_MAX } from '../../core/limits-society.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

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
