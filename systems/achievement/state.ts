/**
 * What players and factions have earned, and what is counted for it in addition to the lifetime
 * counters of players. Source: missions.md sections 6, 11.
 */
import { defineComponent, f64, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { Faction } from '../faction/state.ts'

/** Words of 32 bits that a player and a faction have: an achievement's number is its bit. */
export const PLAYER_FEAT_WORDS = 10
export const FACTION_FEAT_WORDS = 4
/** Room for counters besides the lifetime ones of players, and for those of factions. */
export const PLAYER_COUNTERS_WIDTH = 16
export const FACTION_COUNTERS_WIDTH = 32

/** Counters of players that no other domain keeps, in the order of their column (append only). */
export const OWN_COUNTERS = [
  'arena_challenges_won',
  'bounty_earned',
  'creatures_hunted',
  'drone_actions',
  'factions_founded',
  'fleet_jumps_led',
  'ships_captured',
  'skill_levels_gained',
  'surveys_made',
  'wrecks_emptied',
] as const
export type OwnCounter = (typeof OWN_COUNTERS)[number]

/** Counters of factions that hold the highest value a figure ever had. */
const FACTION_PEAKS = ['members', 'treasury', 'roles'] as const
export type FactionPeak = (typeof FACTION_PEAKS)[number]

/**
 * Counters of factions, in the order of their column (append only). Those that bear the name of a
 * player's counter are sums of what members do while they belong.
 */
export const FACTION_COUNTERS = [
  ...FACTION_PEAKS,
  'facilities',
  'ships_destroyed',
  'pirates_destroyed',
  'bases_destroyed',
  'damage_dealt',
  'creatures_hunted',
  'ships_captured',
  'ore_mined',
  'items_crafted',
  'missions_completed',
  'jumps_completed',
  'systems_visited',
  'deep_core_pois_discovered',
  'wrecks_emptied',
  'exchange_credits_earned',
  'fleet_jumps_led',
  'times_destroyed',
] as const
export type FactionCounter = (typeof FACTION_COUNTERS)[number]

/** What a player has earned. */
export const PlayerFeats = defineComponent(Player, 'player_feats', {
  earned: u32('achievements earned: bit n for number n', { width: PLAYER_FEAT_WORDS }),
  counters: f64('lifetime counters by OWN_COUNTERS', { width: PLAYER_COUNTERS_WIDTH }),
  paid: f64('credits that achievements have paid, at most ACHIEVEMENT_CREDITS_SUM_MAX'),
})

/** What a faction has earned. */
export const FactionFeats = defineComponent(Faction, 'faction_feats', {
  earned: u32('achievements earned: bit n for number n', { width: FACTION_FEAT_WORDS }),
  counters: f64('counters by FACTION_COUNTERS', { width: FACTION_COUNTERS_WIDTH }),
})

/** Number of an achievement and the wall time in ms at which it was earned. */
export type Earned = readonly [no: number, atMs: number]

/** What was earned, in that order, by number of the player and of the faction. */
export const PLAYER_EARNED = defineRecords<readonly Earned[]>('player_earned', ROWS.players)
export const FACTION_EARNED = defineRecords<readonly Earned[]>('faction_earned', ROWS.factions)

/* Marks */

/** By row of the player or the faction: counters that have passed a target since the last check. */
export type Marks = Map<Row, Set<number>>

/** Derived: after a start, counters that meet the target of an unearned achievement are marked. */
export const MARKS = defineIndex('achievement.marks', () => ({
  players: new Map() as Marks,
  factions: new Map() as Marks,
}))
