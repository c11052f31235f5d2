/**
 * Matches in the arena. A match is a battle of its own kind; this is what it adds to a battle:
 * who is in it, the saved state of each ship, the challenge. Rare and small, so records. Source:
 * combat.md section 14.
 */
import { defineComponent, ref, u8 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

/** Most ships on a side of a match. Source: combat.md section 14, as for the limits below. */
export const ARENA_SIDE_SIZE_MAX = 5
/** Most matches at one arena at a time. */
export const MATCHES_PER_ARENA_MAX = 50
/** Most open challenges to one player; a player may have made one. */
export const DUELS_INCOMING_MAX = 5
/** Ticks after which a challenge without an answer expires. */
export const DUEL_TICKS = 30
/** Most rebuffs (challenges that one player declined or let expire) within REBUFF_TICKS. */
export const REBUFFS_MAX = 3
export const REBUFF_TICKS = 360

/** A ship in a match: it is absent from its place for everybody outside. */
export const ShipMatch = defineComponent(Ship, 'contest', {
  match: ref('battle', 'the match it is in; 0 none'),
  fighter: u8('of a ship of the house: index into FIGHTERS plus 1'),
  flees: u8('1 for a ship of the house that tries to leave the ring'),
})

/** Sides of a match: the challenger or the players, and the challenged or the house. */
export const OWN_SIDE = 1
export const OTHER_SIDE = 2

/** What a match adds to its battle. */
export interface Match {
  /** Number of the arena's place. */
  readonly poi: number
  /** Id of the challenge of the house; empty for a duel. */
  readonly challenge: string
  readonly startTick: number
  /** Numbers of all players who entered, both sides. */
  readonly players: readonly number[]
  /** Bits of the waves that have come. */
  readonly waves: number
  /** An enemy that flees has left the ring. */
  readonly escaped: boolean
}

/** Matches by number of their battle. */
export const MATCHES = defineRecords<Match>('arena_matches', ROWS.battles)

/** State of a ship that is restored after a match. */
export interface SavedShip {
  readonly hull: number
  readonly shield: number
  readonly fuel: number
  readonly issueFuel: number
  readonly crewFit: number
  readonly crewInjured: number
  readonly marinesFit: number
  readonly marinesInjured: number
  /** Number, rounds, kind of ammunition, cooldown of each module. */
  readonly modules: readonly (readonly [number, number, number, number])[]
  /** Item and units. */
  readonly cargo: readonly (readonly [number, number])[]
  /** Item and last tick. */
  readonly buffs: readonly (readonly [number, number])[]
  readonly aggressiveUntil: number
  readonly graceUntil: number
  readonly lastBattle: number
  readonly cloakReadyTick: number
  readonly cloaked: boolean
}

/** Saved states of ships in matches, by number of the player. */
export const SAVED_SHIPS = defineRecords<SavedShip>('arena_stakes', ROWS.participants)

/** An open challenge of one player to another. */
export interface Duel {
  readonly number: number
  /** Numbers of the players and of the place. */
  readonly challenger: number
  readonly challenged: number
  readonly poi: number
  readonly maxSideSize: number
  readonly expiresTick: number
}

/** Open challenges between players, by number. */
export const DUELS = defineRecords<Duel>('arena_duels', ROWS.players)

/** Recent ticks in which a challenge was declined or expired, by both numbers: `a:b`. */
export const REBUFFS = defineRecords<readonly number[]>('arena_rebuffs', ROWS.players)

/** Challenges of the house a player has won, and how often: by number of the player. */
export const WINS = defineRecords<Readonly<Record<string, number>>>('arena_wins', ROWS.players)

/** Arenas by circuit, in the order of the map, which never changes. */
export const ARENAS = defineIndex('arena.places', () => new Map<string, readonly Eid[]>())
