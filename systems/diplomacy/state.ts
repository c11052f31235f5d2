/**
 * How factions stand to each other. Two factions are neutral unless a pact says otherwise; enemy
 * flags and proposals have a direction. Numbers here are durable numbers of factions.
 */
import { DIPLOMACY_ROWS } from '../../core/limits-diplomacy.ts'
import { defineRecords } from '../../core/records.ts'

/** Two factions; of what has no direction `from` is the lower number. */
export interface Pair {
  readonly from: number
  readonly to: number
}

export interface War {
  /** Number of the faction that declared it. */
  readonly declaredBy: number
  /** Empty without one. */
  readonly reason: string
  /** Tick from which attacks between the two are no crime. */
  readonly lawFromTick: number
  /** Ships of the other that members of `from`, and of `to`, have destroyed. */
  readonly fromKills: number
  readonly toKills: number
}

/** An alliance, or a war. */
export interface Pact extends Pair {
  /** Of all there ever were: lists are in this order. */
  readonly number: number
  readonly sinceMs: number
  /** Absent from an alliance. */
  readonly war?: War
}

/** By numbers `from:to`. */
export const PACTS = defineRecords<Pact>('faction_pacts', DIPLOMACY_ROWS.pacts)

export interface EnemyFlag extends Pair {
  readonly sinceMs: number
}

/** Whom a faction calls its enemy, by numbers `from:to`. */
export const ENEMIES = defineRecords<EnemyFlag>('faction_enemies', DIPLOMACY_ROWS.enemies)

export interface Proposal extends Pair {
  readonly kind: 'ally' | 'peace'
  /** Of a peace; empty without any. */
  readonly terms: string
  readonly atMs: number
  readonly expiresTick: number
}

/** Open proposals by numbers `from:to`, the oldest first: at war of peace, else of alliance. */
export const PROPOSALS = defineRecords<Proposal>('faction_proposals', DIPLOMACY_ROWS.proposals)

/** Tick from which the two may go to war again, by numbers `from:to`; the oldest peace first. */
export const TRUCES = defineRecords<number>('faction_truces', DIPLOMACY_ROWS.truces)

/** How two stood when the tick began in which that changed. Gone with the next tick. */
export const CHANGES = defineRecords<{ readonly pact: Pact | null }>(
  'faction_relation_changes',
  DIPLOMACY_ROWS.changes,
)

/** A war of a faction that a player has left. */
export interface OldWar {
  readonly faction: number
  readonly enemy: number
  readonly lawFromTick: number
  readonly untilTick: number
}

/** Wars a leaver keeps for a while, by the number of the player; who left longest ago first. */
export const OLD_WARS = defineRecords<readonly OldWar[]>('faction_old_wars', DIPLOMACY_ROWS.oldWars)
