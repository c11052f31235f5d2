/**
 * Citizenship: petitions that wait for a decision, the fees held for them, and what was decided.
 * Who is a citizen of what is a column of the player. Source: factions.md section 9.
 */
import { defineEntity, defineTable, f64, i8, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/* Citizenship (factions.md 9) */
/** Petitions that wait for a decision. */
const CITIZEN_PETITIONS_MAX = 100_000
/** Petitions of one player within this many ticks. */
export const CITIZEN_PETITIONS_PER_DAY = 10
export const CITIZEN_PETITION_DAY_TICKS = 8_640
/** Ticks in which an empire that decides by itself looks at a petition. */
export const CITIZEN_DECISION_TICKS = 360
/** Decisions that a player's list shows. */
export const CITIZEN_DECISIONS_SHOWN_MAX = 5

/** One row, made with the first petition. */
export const CitizenOffice = defineTable(
  'citizen_office',
  4,
  { escrow: ref('account', 'fees of all pending petitions') },
  { fixed: true },
)

/** A petition is a row while it is pending. */
export const CitizenPetition = defineEntity('citizen_petition', CITIZEN_PETITIONS_MAX, {
  player: ref('player', 'who asks'),
  empire: u8('index into EMPIRES of whom they ask'),
  fee: f64('paid into escrow, credits'),
  credits: f64('in the wallet once the fee was paid, credits'),
  reputation: i8('standing with the empire when asking, -100…100'),
  held: u8('bits by EMPIRES: citizenships held when asking'),
  createdMs: f64('wall time of the petition, ms since 1970'),
  dueTick: u32('tick in which the empire decides'),
})

/** What became of a petition; the fields are those of the row it was. */
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

export interface CitizenBook {
  /** Ticks of the latest petitions, as many as a day allows, oldest first. */
  readonly asked: readonly number[]
  /** The latest decisions, newest first. */
  readonly decided: readonly Decision[]
}

/** Player number → their open requests and the latest decisions. */
export const CITIZEN_BOOKS = defineRecords<CitizenBook>('citizen_books', ROWS.players)

/* Finding */

/** Pending petitions by player, and by the tick in which they are decided; the oldest first. */
export const PENDING = defineIndex('citizenship.pending', () => ({
  of: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
}))
