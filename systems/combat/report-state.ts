/**
 * State for reporting battles: notices to pilots and drafts of log rows, which last a tick, and a
 * record for the summary at the end, which lasts as long as the battle.
 */
import { BATTLE_SIDES_MAX, ROWS } from '../../core/limits.ts'
import type { Capture, EndedParticipant } from '../../core/public/battle-log.ts'
import type { BattleSummary } from '../../core/public/past.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/* Notices */

/** What has happened in battles since phase fight last sent notices. Empty between ticks. */
export interface Notices {
  started: Row[]
  joined: Row[]
  left: Departure[]
  /** Pirates on their way to a battle. */
  called: { readonly battle: Row; readonly ship: Eid; readonly ticks: number }[]
}
interface Departure {
  readonly battle: Row
  readonly player: Eid
  /** Built while the player still had a participant, which names them. */
  readonly payload: { player_id: string; username: string; reason: string }
}
/** Notices that phase fight has yet to send. */
export const NOTICES = defineIndex<Notices>('combat.notices', () => ({
  started: [],
  joined: [],
  left: [],
  called: [],
}))

/* The feed */

/** What a battle's feed sends, gathered in one walk; arrays may be longer than `count`. */
export interface Scan {
  count: number
  rows: Int32Array
  ids: Int32Array
  codes: Int32Array
  /** Number of participants by side. */
  readonly sides: Uint32Array
  /** Pilots who are online, with their participants. */
  pilots: { readonly player: Eid; readonly row: Row }[]
}

/** Returns the arrays of a scan, long enough for `count` participants. */
export const scanArrays = (count: number): Pick<Scan, 'rows' | 'ids' | 'codes'> => ({
  rows: new Int32Array(count),
  ids: new Int32Array(count),
  codes: new Int32Array(count),
})

/** One scan, reused for one battle after the other. */
export const SCAN = defineIndex(
  'combat.scan',
  (): Scan => ({
    ...scanArrays(0),
    count: 0,
    sides: new Uint32Array(BATTLE_SIDES_MAX + 1),
    pilots: [],
  }),
)

/* The log */

/** An entry of a list in the battle log. */
export type Entry = Record<string, unknown>

/** A log row that is being written. A list appears with its first entry. */
export interface BattleLogDraft {
  /** Durable number of the battle. */
  readonly battle: number
  readonly id: string
  readonly system: string
  readonly lists: Record<string, Entry[]>
  /** Whether strangers may read about the battle. */
  readonly isCharted: boolean
  ended?: Entry
  summary?: Entry
  /** The summary for strangers, if the battle is charted. */
  publicSummary?: BattleSummary
}

/** Rows of the tick being fought, by battle. Empty between ticks. */
export const DRAFTS = defineIndex('combat.log', () => new Map<Row, BattleLogDraft>())

/* The record of a battle */

/** The outcome of a battle. */
export interface Ending {
  readonly reason: string
  /** The side that has won; below 1: none. */
  readonly winner: number
}

/**
 * Who left a battle before its end, which players lost their ship, and captured hulls. Few battles
 * have a record.
 */
export interface BattleRecord {
  readonly departed: readonly EndedParticipant[]
  /** Numbers of the players who lost their ship: they are sent battle_ended wherever they are. */
  readonly lost: readonly number[]
  readonly captures: readonly Capture[]
}

/** Records by battle number; a battle has one from its first departure or capture on. */
export const BATTLE_RECORDS = defineRecords<BattleRecord>('battle_rolls', ROWS.battles)
