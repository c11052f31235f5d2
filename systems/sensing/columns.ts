/**
 * What sensing keeps of players: which place they watch, and which cloaked ships they have made
 * out. That a player is cloaked stands in `Player`, hidden places revealed in travel/columns.ts.
 */
import { defineComponent, ref, u8 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import { Player } from '../account/columns.ts'

export const Watch = defineComponent(Player, 'watch', {
  poi: ref('poi', 'place it watches; 0 = none'),
  channel: u8('bit of BOUND it was asked for on'),
  active: u8('1 while it sweeps for cloaked ships'),
  signature: u8('1 if the watcher was told of an unknown signature last'),
})

/** Cloaked ships that a player has made out. */
export interface Contacts {
  /** Number of the other player, and the last tick in which he can be targeted. */
  readonly seen: readonly (readonly [player: number, untilTick: number])[]
  /** Numbers of those that an active watch holds now. */
  readonly locked: readonly number[]
}

/** By the observer's number; there is none while nobody is made out. */
export const CONTACTS = defineRecords<Contacts>('contacts', ROWS.players)
