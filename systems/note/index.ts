/** Notes: documents that players write, carry, trade and read. */
import type { DomainDef } from '../../core/registry.ts'
import { rebuildWritten } from './book-rules.ts'
import { notesHold } from './checks.ts'
import { Note } from './columns.ts'
import { createNote, deleteNote, writeNote } from './commands.ts'
import { getNotes, readNote } from './queries.ts'

export const noteDomain: DomainDef = {
  name: 'note',
  tables: [Note],
  commands: [createNote, writeNote, readNote, getNotes, deleteNote],
  checks: [notesHold],
  rebuild: rebuildWritten,
}
