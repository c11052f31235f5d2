/** Notes: documents that players write, carry, trade and read. */
import type { DomainDef } from '../../core/registry.ts'
import { createNote, deleteNote, getNotes, readNote, writeNote } from './commands.ts'
import { rebuildWritten } from './model.ts'
import { Note } from './state.ts'
import { notesHold } from './systems.ts'

export const noteDomain: DomainDef = {
  name: 'note',
  tables: [Note],
  commands: [createNote, writeNote, readNote, getNotes, deleteNote],
  checks: [notesHold],
  rebuild: rebuildWritten,
}
