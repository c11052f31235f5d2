/** Active missions, and what each player has completed. Source: missions.md sections 1, 11. */
import { type MissionRow, OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { defineComponent, defineEntity, f64, ref, text, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Managed } from '../market/state.ts'

/** Limit of unpaid shares of players in collections. */
const COMMUNITY_SHARE_ROWS = 200_000
const COMMUNITY_POOL_ROWS = 1_000
/** Limit of shares that a full collection pays, and of missions that it ends, in one tick. */
export const COMMUNITY_PAID_PER_TICK_MAX = 1_000
/** Ticks between a full collection and its next round. */
export const COMMUNITY_REST_TICKS = 8_640

/** Ticks of an epoch: how long a board lasts. */
export const EPOCH_TICKS = 360
/** Limit of errands of one base for a player in an epoch. Source: balance.md section 6. */
export const ERRANDS_PER_BOARD_MAX = 3
/** Limit of pilots for one errand of a board, for each hundred active players; at least one. */
export const ERRAND_TAKERS = 2
/** Limit of records of errands: all boards of an epoch and of the one before. */
const ERRAND_ROWS = 50_000

/**
 * What managers sold when the epoch began. Boards are drawn from this, so that trading does not
 * change them. Source: balance.md section 5.
 */
export const Advertised = defineComponent(Managed, 'advertised', {
  ask: f64('lowest ask of the manager when the epoch began, credits; 0 if it sold none'),
})

/** Rescues that may exceed MISSIONS_MAX: until version 6 of the rules pilots got them unasked. */
export const RESCUES_ABOVE_MAX = 3

/** An accepted mission, with its own copy of the targets and pay that were offered. */
export const Mission = defineEntity('mission', ROWS.missions, {
  player: ref('player', 'player who has accepted it'),
  template: text('id of the template, or of the posting'),
  base: ref('base', 'where it was offered; 0 for a rescue'),
  posting: ref('posting', 'the faction posting that it belongs to; 0 = none'),
  signal: ref('signal', 'the distress signal that it answers; 0 = none'),
  convoy: f64('durable number of the convoy to escort; 0 = none'),
  stops: u8('escort: stops of the convoy at which the player must be present; 0 = no escort'),
  near: u8('1 for a rescue that was accepted in the system of the call'),
  epoch: u32('epoch of the offer'),
  acceptedTick: u32('tick of acceptance'),
  acceptedMs: f64('wall time of acceptance, ms since 1970'),
  expireTick: u32('last tick in which it can be completed'),
  credits: f64('pay, credits'),
  progress: f64('units counted of each objective', { width: OBJECTIVES_MAX }),
  toBase: ref('base', 'target base of each objective; 0 = none', { width: OBJECTIVES_MAX }),
  toSystem: ref('system', 'target system of each objective; 0 = none', { width: OBJECTIVES_MAX }),
})

/** When a template was last completed, ms since 1970, and how often. */
export type Completion = readonly [atMs: number, times: number]

/** Data about a player's missions other than the active ones. */
export interface MissionRecord {
  /** Completed missions, by template. */
  readonly done: Readonly<Record<string, Completion>>
  /** Epoch of `offers`. */
  readonly epoch: number
  /** Offers completed in that epoch, as `template@base number`. */
  readonly offers: readonly string[]
  /** Day of `paid`. */
  readonly day: number
  /** Credits that the missions faucet paid on that day. */
  readonly paid: number
  /** Ids of missions that lapsed, oldest first. */
  readonly lapsed: readonly string[]
}

/** What has been given to a collection, and the progress of its payment. Source: missions.md 2. */
export interface Pool {
  /** Units given in this round. */
  readonly given: number
  readonly phase: 'open' | 'paying' | 'closing' | 'resting'
  /** First tick of the next round, while the phase is `resting`. */
  readonly opensTick: number
  /** Credits of the shares paid so far. */
  readonly due: number
  /** Number of the player with the largest share paid so far; 0 if none. */
  readonly best: number
  /** Units of that share. */
  readonly bestUnits: number
}

/** How many pilots have taken an errand, and in which epoch. */
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

/** Records of missions by player number. */
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
  /** The faction posting that it shows; 0 if none. */
  readonly posting: Row
  /** Durable number of the convoy to escort. */
  readonly convoy?: number
}

/** A base that sells a good, and its lowest ask. */
export interface Seller {
  readonly base: Eid
  readonly ask: number
}

/** Boards drawn in this epoch, and the sellers of goods in it. */
export const BOARDS = defineIndex('mission.boards', () => ({
  epoch: -1,
  /** Rate at which faucets paid when the boards were drawn, thousandths. */
  rate: 0,
  byBase: new Map<Eid, readonly Offer[]>(),
  /** Sellers by item; empty until a board is drawn. */
  sellers: new Map<number, Seller[]>(),
}))

/** Jumps from a system to every other; lanes never change. */
export const JUMPS = defineIndex('mission.jumps', () => new Map<Eid, Uint16Array>())

/** Goods that can be mined outside of hidden places, by system; deposits never move. */
export const MINED_IN = defineIndex('mission.dug', () => new Map<Eid, Set<number>>())

/** Descriptions of where goods come from, by base and good. */
export const SOURCES = defineIndex('mission.sources', () => new Map<string, readonly string[]>())

/** Active missions by the keys that they are looked up by. */
export const ACTIVE = defineIndex('mission.open', () => ({
  /** In the order of acceptance. */
  byPlayer: new Map<Eid, Row[]>(),
  /** By the tick in which they expire. */
  due: new Map<number, Row[]>(),
  /** Index of the objective that progressed last in this tick, by mission. */
  moved: new Map<Row, number>(),
  /** Players whose missions changed in the last tick that changed any. */
  changed: { tick: 0, players: new Set<Eid>() },
  bySignal: new Map<Row, Row[]>(),
  /** Escort missions, by the durable number of their convoy. */
  byConvoy: new Map<number, Row[]>(),
  /** Missions of collections, by template. */
  byCollection: new Map<string, Set<Row>>(),
}))
