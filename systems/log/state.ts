/** Categories of the action log, and the bulk write of a batch. */
import type { ArchivedAction, ArchiveWrite } from '../../core/archive-calls.ts'
import { defineIndex } from '../../core/world.ts'

/** Categories of entries. Source: social.md section 8. */
export const LOG_CATEGORIES = [
  'combat',
  'trading',
  'ship',
  'crafting',
  'faction',
  'mission',
  'skill',
  'salvage',
  'storage',
  'achievement',
  'mining',
  'navigation',
  'exploration',
  'reputation',
  'drone',
  'session',
  'other',
] as const
export type LogCategory = (typeof LOG_CATEGORIES)[number]

/** Data of an entry: scalars only, since people read it and programs filter by it. */
export type LogData = Readonly<Record<string, string | number | boolean>>

/** The bulk write of the current batch; stale once the outbox has been taken. */
export const OPEN_WRITE = defineIndex('log.open_write', () => ({
  position: 0,
  write: undefined as ArchiveWrite | undefined,
  rows: [] as ArchivedAction[],
}))
