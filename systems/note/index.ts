/** Notes: documents that players write, carry, trade and read. */
import type { DomainDef } from '../../core/registry.ts'
import { notesHold } from './checks.ts'
import { createNote, deleteNote, getNotes, readNote, writeNote } from './commands.ts'
import { rebuildWritten } from './rules.ts'
import { Note } from './state.ts'

export const noteDomain: DomainDef = {
  name: 'note',
  tables: [Note],
  commands: [createNote, writeNote, readNote, getNotes, deleteNote],
  checks: [notesHold],
  rebuild: rebuildWritten,
}
