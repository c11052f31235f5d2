/**
 * Notes: documents that change hands as goods do. Where a note stands is told by the row it has
 * among packages; its text is in the archive. Source: social.md section 3.
 */
import { defineEntity, f64, ref, text, u32 } from '../../core/columns.ts'
import { NOTES_MAX } from '../../core/limits-society.ts'

export const Note = defineEntity('note', NOTES_MAX, {
  pkg: ref('package', 'its row among what stands in containers'),
  author: ref('player', 'who wrote it, and alone may write it anew'),
  title: text('its title, at most 100 characters'),
  characters: u32('length of its text, code points'),
  createdMs: f64('wall time of its making, ms since 1970'),
  updatedMs: f64('wall time of the last writing, ms since 1970'),
})
