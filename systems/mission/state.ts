/** Active missions, and what each player has completed. Source: missions.md sections 1, 11. */
import { type MissionRow, OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { defineComponent, defineEntity, f64, ref, text, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Managed } from '../market/state.ts'

/** Shares of players in collections that are not paid yet. */
const COMMUNITY_SHARE_ROWS = 200_000
const COMMUNITY_POOL_ROWS = 1_000
/** Shares of a full collection that are paid, and missions that are ended, in one tick. */
export const COMMUNITY_PAID_PER_TICK_MAX = 1_000
/** Ticks between a full collection and the next of its kind. */
export const COMMUNITY_REST_TICKS = 8_640

/** Ticks of an epoch: how long a board lasts. */
export const EPOCH_TICKS = 360
/** Errands that one base hands to a player in an epoch. Source: balance.md section 6. */
export const ERRANDS_PER_BOARD_MAX = 3
/** Pilots who may take the same errand of a board, for a hundred active players; one at least. */
export const ERRAND_TAKERS = 2
/** Errands of all boards of an epoch, with room for the one before. */
const ERRAND_ROWS = 50_000

/**
 * What managers sold as the epoch began, which boards go by: they do not change while trade does.
 * Source: balance.md section 5.
 */
export const Advertised = defineComponent(Managed, 'advertised', {
  ask: f64('lowest ask of the manager then, credits; 0 where it sold none'),
})

/** Rescues beside the five missions: before rules 6 pilots were given them unasked. */
export const RESCUES_BESIDE_MAX = 3

/** An accepted mission keeps its own copy of what was offered: places and pay. */
export const Mission = defineEntity('mission', ROWS.missions, {
  player: ref('player', 'who is at it'),
  template: text('id of the template, or of the posting'),
  base: ref('base', 'where it was offered; 0 of a rescue'),
  posting: ref('posting', 'the posting of a faction that it is of; 0 none'),
  signal: ref('signal', 'the distress signal that it answers; 0 none'),
  convoy: f64('durable number of the convoy that it is to escort; 0 none'),
  stops: u8('of an escort: stops of the convoy to be there at; 0 of others'),
  near: u8('1 of a rescue that was taken in the system of the call'),
  epoch: u32('epoch of the offer'),
  acceptedTick: u32('tick of acceptance'),
  acceptedMs: f64('wall time of acceptance, ms since 1970'),
  expireTick: u32('last tick in which it can be completed'),
  credits: f64('what it pays'),
  progress: f64('units counted of each objective', { width: OBJECTIVES_MAX }),
  toBase: ref('base', 'target of each objective; 0 none', { width: OBJECTIVES_MAX }),
  toSystem: ref('system', 'target of each objective; 0 none', { width: OBJECTIVES_MAX }),
})

/** When a template was last completed, ms since 1970, and how often. */
export type Completion = readonly [atMs: number, times: number]

/** What is kept of a player's missions besides the active ones. */
export interface MissionRecord {
  readonly done: Readonly<Record<string, Completion>>
  /** Epoch of `offers`. */
  readonly epoch: number
  /** Offers completed in the epoch, as `template@base number`. */
  readonly offers: readonly string[]
  /** Day of `paid`. */
  readonly day: number
  /** Credits of NPC missions. */
  readonly paid: number
  /** Ids of missions that lapsed, the oldest first. */
  readonly lapsed: readonly string[]
}

/** What has been given to a collection, and how far its payment is. Source: missions.md 2. */
export interface Pool {
  /** Units given in this round. */
  readonly given: number
  readonly phase: 'open' | 'paying' | 'closing' | 'resting'
  /** First tick of the next round, while it rests. */
  readonly opensTick: number
  /** Credits of the shares paid so far. */
  readonly due: number
  /** Number of the player with the largest share paid so far; 0 none. */
  readonly best: number
  /** Units of that share. */
  readonly bestUnits: number
}

/** How many have taken an errand, and in which epoch. */
interface Taken {
  readonly epoch: number
  readonly pilots: number
}

/** Errands of this epoch that somebody has taken, as `template@base number`. */
export const ERRANDS_TAKEN = defineRecords<Taken>('errands_taken', ERRAND_ROWS)

/** Collections by template. */
export const POOLS = defineRecords<Pool>('community_pools', COMMUNITY_POOL_ROWS)
/** Units by `template:player number`, of rounds that are not paid yet. */
export const SHARES = defineRecords<number>('community_shares', COMMUNITY_SHARE_ROWS)

/** By player number. */
export const MISSION_RECORDS = defineRecords<MissionRecord>('mission_records', ROWS.players)

/** Numbers of the players who have given, by template, in the order of their first gift. */
export const GIVERS = defineIndex('mission.givers', () => new Map<string, Set<number>>())

/** A template bound to a base and an epoch. */
export interface Offer {
  readonly id: string
  readonly template: MissionRow
  readonly base: Eid
  readonly epoch: number
  /** Target of each objective; 0 for none. */
  readonly toBase: readonly Eid[]
  readonly toSystem: readonly Eid[]
  /** Jumps to the farthest target. */
  readonly jumps: number
  readonly credits: number
  /** First tick in which it is no longer offered. */
  readonly expireTick: number
  /** The posting of a faction that it is; 0 none. */
  readonly posting: Row
  /** Durable number of the convoy that it is to escort. */
  readonly convoy?: number
}

/** A base that sells a good, and its price. */
export interface Seller {
  readonly base: Eid
  readonly ask: number
}

/** Boards of an epoch that have been drawn, and who sells what while they last. */
export const BOARDS = defineIndex('mission.boards', () => ({
  epoch: -1,
  /** What faucets pay, in thousandths, as they were drawn. */
  rate: 0,
  byBase: new Map<Eid, readonly Offer[]>(),
  /** Sellers by item; empty until a board is drawn. */
  sellers: new Map<number, Seller[]>(),
}))

/** Jumps from a system to every other; lanes never change. */
export const JUMPS = defineIndex('mission.jumps', () => new Map<Eid, Uint16Array>())

/** Goods with deposits that are not hidden, by system; where deposits lie never changes. */
export const MINED_IN = defineIndex('mission.dug', () => new Map<Eid, Set<number>>())

/** Where goods come from, in words, by base and good. */
export const SOURCES = defineIndex('mission.sources', () => new Map<string, readonly string[]>())

/** Active missions by what they are looked up by. */
export const ACTIVE = defineIndex('mission.open', () => ({
  /** In the order of acceptance. */
  byPlayer: new Map<Eid, Row[]>(),
  /** By the tick they expire in. */
  due: new Map<number, Row[]>(),
  /** Index of the objective that progressed last in this tick, by mission. */
  moved: new Map<Row, number>(),
  /** Players whose missions changed in the last tick that changed any. */
  changed: { tick: 0, players: new Set<Eid>() },
  bySignal: new Map<Row, Row[]>(),
  /** Escorts, by the number of the convoy. */
  byConvoy: new Map<number, Row[]>(),
  /** Those of collections, by template. */
  byCollection: new Map<string, Set<Row>>(),
}))
