/**
 * Boardings: who boards whom, their progress, and the figures that decide them. Marines who
 * board stay counted in their ship's `marinesFit`. combat.maneuver leaves an order to board, and
 * any stance order of a boarding ship, in `Participant.orderStance` for boarding.close.
 */
import { defineComponent, defineTable, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { relation } from '../../core/relation.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Battle, type PARTICIPANT_KINDS, Participant } from '../combat/state.ts'

/** ours: creatures, drones, stations and police cannot be boarded. Source: combat.md section 10. */
export const BOARDABLE_KINDS: readonly (typeof PARTICIPANT_KINDS)[number][] = [
  'player',
  'pirate',
  'npc',
  'prize',
]
/** Phases of a boarding, in the order that they are stored in. Source: combat.md section 10. */
export const LINK_PHASES = ['closing', 'assault', 'withdrawing'] as const
/**
 * How a boarding ended; `closing_stalled` is a withdrawal. ours: a restart cancels none, since
 * the journal restores them. Source: combat.md section 10.
 */
export const BOARDING_OUTCOMES = [
  'none',
  'captured',
  'plundered',
  'boarding_force_defeated',
  'withdrawn',
  'closing_stalled',
  'attacker_destroyed',
  'target_destroyed',
  'target_self_destructed',
] as const
/** Answers to a request to board, given in the tick of the request. */
export const BOARDING_ANSWERS = [
  'none',
  'started',
  'contested_same_tick',
  'already_linked',
  'invalid_target',
  'no_marines',
] as const

/** One ship boarding another. A hull takes part in at most one. */
export const Link = defineTable('link', ROWS.links, {
  number: f64('durable number: its operation id is a function of it'),
  battle: ref('battle', 'battle it is part of'),
  attacker: ref('participant', 'the boarding ship'),
  target: ref('participant', 'the boarded ship'),
  next: ref('link', 'next of the battle, in order of starting'),
  phase: u8('index into LINK_PHASES'),
  progress: u8('progress of latching on, 0-100'),
  attached: u8('1 from latching on until the boarding ends'),
  committed: u16('marines sent and still fit'),
  timer: u8('closing: ticks without progress; withdrawing: ticks left'),
  startTick: u32('tick of the request'),
  outcome: u8('index into BOARDING_OUTCOMES, set in the tick in which it ends'),
})

/** A participant's part in boardings. */
export const Boarding = defineComponent(Participant, 'boarding', {
  link: ref('link', 'the boarding it takes part in, on either side; 0 none'),
  locked: u8('1 while boarders are attached to it: no flight, no warp, no cloak'),
  wanted: ref('participant', 'ship it requests to board; 0 none; cleared in phase fight'),
  marines: u16('marines it requests to send'),
  answer: u8('index into BOARDING_ANSWERS: the answer to its request'),
  stanceAfter: u8('index into STANCES plus 1: stance after a withdrawal; 0 none'),
  // Figures of the fit, frozen at joining.
  capable: u8('1 with boarding capability'),
  uncapturable: u8('1 for a hull that may not be captured'),
  plunders: u8('1 for a crew that plunders a hull instead of capturing it'),
  latchStrength: u8('strength of latching on, points'),
  latchResistance: u8('resistance to latching on, points'),
  marineBonusPct: u16('combat bonus of its marines, %'),
  crewBonusPct: u16('combat bonus of its crew, %'),
  defenseBonusPct: u16('bonus of all defenders aboard, %'),
  contactDefense: u8('weapons that hurt boarders in contact'),
  triagePct: u8('deaths by weapon fire on its side that its hospital prevents, %'),
})

/** A battle's part in boardings. */
export const BattleBoarding = defineComponent(Battle, 'battle_boarding', {
  asked: u8('1 while a request is pending'),
  first: ref('link', 'head of its list of boardings'),
  triage: u8('1 once a ship with a hospital took part'),
})

/* For the battle log */

/** A public entry of the log, so without numbers of people. Source: combat.md section 16. */
export interface BoardingNote {
  readonly event: 'boarding_started' | 'boarding_rejected' | 'latched' | 'withdrawing' | 'ended'
  readonly operation_id?: string
  readonly attacker_id: string
  readonly target_id: string
  /** Why a request was rejected, or why the boarding ended. */
  readonly reason?: string
  readonly outcome?: string
}

/** Notes of the tick being fought, by battle. */
export const NOTES = defineIndex('boarding.notes', () => new Map<Row, BoardingNote[]>())

/** The boardings of a battle, in order of starting. */
export const LINKS_OF = relation('boardings of a battle', {
  many: Link,
  via: 'battle',
  next: 'next',
  one: BattleBoarding,
  head: 'first',
  order: 'oldest-first',
})
