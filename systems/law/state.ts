/**
 * Records of the law of empires: bounties, detention, warrants and offences. Policies are catalogue
 * data; reputation is a column of the player.
 */
import { defineComponent, defineTable, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineTag } from '../../core/query.ts'
import { relation } from '../../core/relation.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'

/** A player's record with each empire. Source: combat.md section 12; factions.md section 10. */
export const CriminalRecord = defineComponent(Player, 'criminal_record', {
  bounty: u32('owed to each of EMPIRES, credits', { width: EMPIRES_WIDTH }),
  lost: u16('points of reputation that crimes cost since the debt to each of EMPIRES began', {
    width: EMPIRES_WIDTH,
  }),
  warned: u8('bits by EMPIRES: warned that they are no longer welcome there'),
  jailEmpire: u8('index into EMPIRES plus 1 of the empire that detains them; 0 = at liberty'),
  jailUntil: u32('tick in which they are released, paid or not'),
  firstOffence: ref('offence', 'head of the list of their offences, the latest first'),
  firstWarrant: ref('warrant', 'head of the list of their warrants'),
})

/** Players whom an empire detains. */
export const Jailed = defineTag('player', 'jailed')

/** Kinds of victims (append only). */
export const VICTIM_KINDS = ['player', 'official', 'prize', 'station'] as const
export type VictimKind = (typeof VICTIM_KINDS)[number]

/** Bits of `charged`. */
export const CHARGED = { attack: 1, kill: 2 } as const

/**
 * A player's unlawful attack on a victim in a battle. It makes the player a confirmed aggressor,
 * and ensures that each crime is charged once.
 */
export const Offence = defineTable('offence', ROWS.offences, {
  offender: ref('player', 'player who attacked'),
  kind: u8('index into VICTIM_KINDS'),
  number: f64('durable number of the victim: player, ship or base'),
  player: ref('player', 'player who may retaliate: the victim, or claimant of the prize; 0 none'),
  battle: f64('durable number of the battle; 0 outside of any'),
  tick: u32('of the attack'),
  until: u32('last tick in which it counts after that battle'),
  charged: u8('bits of CHARGED'),
  next: ref('offence', 'next of the offender'),
})

/** A warrant on a player in a system, with the state of the pursuit. */
export const Warrant = defineTable('warrant', ROWS.warrants, {
  player: ref('player', 'player who is hunted'),
  system: ref('system', 'system in which it is valid'),
  empire: u8('index into EMPIRES plus 1: whose police'),
  until: u32('last tick of it; 0 = ended, its drones are recalled'),
  respondTick: u32('tick from which drones may launch; 0 = none are called'),
  poi: ref('poi', 'place of the pursuit; 0 while there is none'),
  next: ref('warrant', 'next of the player'),
})

/** Offences of a player, the latest first. */
export const OFFENCES_OF = relation('offences of a player', {
  many: Offence,
  via: 'offender',
  next: 'next',
  one: CriminalRecord,
  head: 'firstOffence',
  order: 'latest-first',
})

/** Warrants on a player, the latest first. */
export const WARRANTS_OF = relation('warrants of a player', {
  many: Warrant,
  via: 'player',
  next: 'next',
  one: CriminalRecord,
  head: 'firstWarrant',
  order: 'latest-first',
})
