/** Tables of the logs. */
import type { ArchiveWrite } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Source: social.md section 8. */
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

/** Scalars only: an entry is read by people and filtered by programs. */
export type LogData = Readonly<Record<string, string | number | boolean>>

/**
 * What the archive method `logActions` gets, in posting order; the archive numbers and dates the
 * entries.
 */
export interface ActionLogRow {
  /** Durable number of the player. */
  readonly player: number
  /** Wire id of the faction whose log it belongs to, instead of the player's. */
  readonly factionId?: string
  readonly category: LogCategory
  /** category.verb */
  readonly eventType: string
  readonly summary: string
  readonly data: LogData
}

/** The bulk write of the batch being made; stale once the outbox has been taken. */
export const OPEN_WRITE = defineIndex('log.open_write', () => ({
  at: 0,
  write: undefined as ArchiveWrite | undefined,
  rows: [] as ActionLogRow[],
}))
