/**
 * Citizenship: pending petitions, the fees held for them, and what was decided. Citizenships
 * themselves are a column of the player. Source: factions.md section 9.
 */
import { defineEntity, defineTable, f64, i8, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Maximum pending petitions of all players together. */
const CITIZEN_PETITIONS_MAX = 100_000
/** Maximum petitions of one player within CITIZEN_PETITION_DAY_TICKS. */
export const CITIZEN_PETITIONS_PER_DAY = 10
export const CITIZEN_PETITION_DAY_TICKS = 8_640
/** Ticks after which an empire decides on a petition that it does not grant at once. */
export const CITIZEN_DECISION_TICKS = 360
/** Maximum decisions listed for a player. */
export const CITIZEN_DECISIONS_SHOWN_MAX = 5

/** Holds the fees of pending petitions; its row is added with the first petition. */
export const CitizenOffice = defineTable(
  'citizen_office',
  4,
  { escrow: ref('account', 'fees of all pending petitions') },
  { fixed: true },
)

/** A petition is a row while it is pending. */
export const CitizenPetition = defineEntity('citizen_petition', CITIZEN_PETITIONS_MAX, {
  player: ref('player', 'the applicant'),
  empire: u8('the empire they apply to: index into EMPIRES'),
  fee: f64('paid into escrow, credits'),
  credits: f64('in the wallet once the fee was paid, credits'),
  reputation: i8('standing with the empire when applying, -100…100'),
  held: u8('bits by EMPIRES: citizenships held when applying'),
  createdMs: f64('wall time of the petition, ms since 1970'),
  dueTick: u32('tick in which the empire decides'),
})

/** A petition that was decided, with the fields that its row had. */
export interface Decision {
  readonly number: number
  readonly empire: number
  readonly fee: number
  readonly credits: number
  readonly reputation: number
  readonly held: number
  readonly createdMs: number
  readonly status: 'granted' | 'rejected'
  readonly words: string
  readonly decidedMs: number
}

/** What is recorded of a player's petitions. */
export interface CitizenBook {
  /** Ticks of the latest petitions, as many as a day allows, oldest first. */
  readonly asked: readonly number[]
  /** The latest decisions, newest first. */
  readonly decided: readonly Decision[]
}

/** Player number → the ticks of their latest petitions, and the latest decisions. */
export const CITIZEN_BOOKS = defineRecords<CitizenBook>('citizen_books', ROWS.players)

/* Finding */

/** Pending petitions by player, and by the tick in which they are decided; the oldest first. */
export const PENDING = defineIndex('citizenship.pending', () => ({
  byPlayer: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
}))
