/**
 * Relations between factions. Two factions are neutral unless a pact says otherwise; enemy flags
 * and proposals have a direction. Numbers here are durable numbers of factions.
 */
import { defineRecords } from '../../core/records.ts'

/** Most alliances of a faction, and most factions that it may mark as enemies. */
export const FACTION_ALLIES_MAX = 50
export const FACTION_ENEMIES_MAX = 50
/** Most open proposals of a faction. */
export const FACTION_PROPOSALS_OPEN_MAX = 50
/** Most wars that a faction has declared. */
export const FACTION_WARS_DECLARED_MAX = 10
/** ours: most wars of a faction, declared by either side; a list shows all, a leaver keeps all. */
export const FACTION_WARS_MAX = 100
/** ours: most proposals from others that faction_info lists, the latest first. */
export const FACTION_PROPOSALS_SHOWN_MAX = 100
/** Ticks after which an unanswered proposal expires: seven days. */
export const PROPOSAL_TICKS = 60_480
/** Ticks after a peace in which the two cannot go to war again: a day. */
export const WAR_COOLDOWN_TICKS = 8_640
/** Ticks between the declaration of a war and the tick from which its attacks are no crime. */
export const WAR_NOTICE_TICKS = 60
/** Ticks after which a new member counts as one for the law. */
export const WAR_MEMBER_TICKS = 60
/** Ticks for which a player who left a faction keeps its wars. */
export const WAR_LEAVER_TICKS = 30
/** ours: most wars that a leaver keeps; those of the faction left last come first. */
export const OLD_WARS_KEPT_MAX = 200
/** Longest reason of a war, and terms of a peace; code points. */
export const DIPLOMACY_TEXT_CHARACTERS_MAX = 500

/** Most records of each kind: a few for every faction there can be. */
const DIPLOMACY_ROWS = {
  pacts: 200_000,
  enemies: 200_000,
  proposals: 200_000,
  truces: 100_000,
  changes: 100_000,
  oldWars: 100_000,
} as const

/** Two factions; in a relation without direction `from` is the lower number. */
export interface Pair {
  readonly from: number
  readonly to: number
}

/** What a pact of war adds. */
export interface War {
  /** Number of the faction that declared it. */
  readonly declaredBy: number
  /** Empty if none was given. */
  readonly reason: string
  /** Tick from which attacks between the two are no crime. */
  readonly lawFromTick: number
  /** Ships of the other that members of `from`, and of `to`, have destroyed. */
  readonly fromKills: number
  readonly toKills: number
}

/** An alliance, or a war. */
export interface Pact extends Pair {
  /** Counts all pacts ever made; lists are in this order. */
  readonly number: number
  readonly sinceMs: number
  /** Absent from an alliance. */
  readonly war?: War
}

/** Pacts by numbers `from:to`. */
export const PACTS = defineRecords<Pact>('faction_pacts', DIPLOMACY_ROWS.pacts)

interface EnemyFlag extends Pair {
  readonly sinceMs: number
}

/** Factions marked as enemies, by numbers `from:to`. */
export const ENEMIES = defineRecords<EnemyFlag>('faction_enemies', DIPLOMACY_ROWS.enemies)

/** An offer of alliance or peace from one faction to another. */
export interface Proposal extends Pair {
  readonly kind: 'ally' | 'peace'
  /** Terms of a peace; empty if none were given. */
  readonly terms: string
  readonly atMs: number
  readonly expiresTick: number
}

/** Open proposals by numbers `from:to`, the oldest first: of peace in a war, else of alliance. */
export const PROPOSALS = defineRecords<Proposal>('faction_proposals', DIPLOMACY_ROWS.proposals)

/** Tick from which the two may go to war again, by numbers `from:to`; the oldest peace first. */
export const TRUCES = defineRecords<number>('faction_truces', DIPLOMACY_ROWS.truces)

/** Pacts as of the start of the tick in which they changed. Removed in the next tick. */
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

/** Wars that leavers keep for a while, by number of the player; the earliest leaver first. */
export const OLD_WARS = defineRecords<readonly OldWar[]>('faction_old_wars', DIPLOMACY_ROWS.oldWars)
