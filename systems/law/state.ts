/**
 * What the law of empires remembers: debts, detention, who is hunted where, and what was done to
 * whom. Policies are catalogue data; standing itself is a column of the player.
 */
import { defineComponent, defineTable, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineTag } from '../../core/query.ts'
import { relation } from '../../core/relation.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'

/** Source: combat.md section 12; factions.md section 10. */
export const CriminalRecord = defineComponent(Player, 'criminal_record', {
  bounty: u32('owed to each of EMPIRES, credits', { width: EMPIRES_WIDTH }),
  lost: u16('points of reputation that crimes cost since the debt to each of EMPIRES began', {
    width: EMPIRES_WIDTH,
  }),
  warned: u8('bits by EMPIRES: notified that it is not welcome there any more'),
  jailEmpire: u8('index into EMPIRES plus 1 of the empire that detains it; 0 = at liberty'),
  jailUntil: u32('tick in which it is let go, paid or not'),
  firstOffence: ref('offence', 'head of the list of its offences, the last one first'),
  firstWarrant: ref('warrant', 'head of the list of its warrants'),
})

/** Players whom an empire detains. */
export const Jailed = defineTag('player', 'jailed')

/** Whom a crime was done to (append only). */
export const VICTIM_KINDS = ['player', 'official', 'prize', 'station'] as const
export type VictimKind = (typeof VICTIM_KINDS)[number]

/** Bits of `charged`. */
export const CHARGED = { attack: 1, kill: 2 } as const

/**
 * One player's unlawful attack on one victim in one battle. It is what charges once, and what makes
 * a confirmed aggressor.
 */
export const Offence = defineTable('offence', ROWS.offences, {
  offender: ref('player', 'who did it'),
  kind: u8('index into VICTIM_KINDS'),
  number: f64('durable number of the victim: player, ship or base'),
  player: ref('player', 'who may pay it back: the victim, or who has claimed the prize; 0 nobody'),
  battle: f64('durable number of the battle; 0 outside of any'),
  tick: u32('of the attack'),
  until: u32('last tick in which it counts once that battle is over'),
  charged: u8('bits of CHARGED'),
  next: ref('offence', 'next of the offender'),
})

/** A player whom the police of a system are after. */
export const Warrant = defineTable('warrant', ROWS.warrants, {
  player: ref('player', 'who is hunted'),
  system: ref('system', 'where'),
  empire: u8('index into EMPIRES plus 1: whose police'),
  until: u32('last tick of it; 0 = ended, its drones are to go home'),
  respondTick: u32('tick from which drones may come; 0 = none are called'),
  poi: ref('poi', 'place of the pursuit; 0 while nobody pursues'),
  next: ref('warrant', 'next of the player'),
})

/** What a player has done to others, the last one first. */
export const OFFENCES_OF = relation('offences of a player', {
  many: Offence,
  via: 'offender',
  next: 'next',
  one: CriminalRecord,
  head: 'firstOffence',
  order: 'latest-first',
})

/** Where a player is wanted, the last system first. */
export const WARRANTS_OF = relation('warrants of a player', {
  many: Warrant,
  via: 'player',
  next: 'next',
  one: CriminalRecord,
  head: 'firstWarrant',
  order: 'latest-first',
})
