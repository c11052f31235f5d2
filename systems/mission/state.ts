/** Missions players are at, and what each player has done. Source: missions.md sections 1, 11. */
import { type MissionRow, OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { defineEntity, f64, ref, text, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Shares of players in collections that are not paid yet. */
const COMMUNITY_SHARE_ROWS = 200_000
const COMMUNITY_POOL_ROWS = 1_000
/** Shares of a full collection paid in one tick, and missions ended in one. */
export const COMMUNITY_PAID_PER_TICK_MAX = 1_000
/** Ticks between a full collection and the next of its kind. */
export const COMMUNITY_REST_TICKS = 8_640

/** Rescues beside the five missions: worlds of rules before 6 gave them to pilots unasked. */
export const RESCUES_BESIDE_MAX = 3

/** An accepted mission keeps its own copy of what was offered: places and pay. */
export const Mission = defineEntity('mission', ROWS.missions, {
  player: ref('player', 'who is at it'),
  template: text('id of the template, or of the posting'),
  base: ref('base', 'where it was offered; 0 of a rescue'),
  posting: ref('posting', 'the posting of a faction that it is of; 0 none'),
  signal: ref('signal', 'the distress signal that it answers; 0 none'),
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

/** A template completed: wall time of the last time, ms, and how often. */
export type Completion = readonly [atMs: number, times: number]

/** What a player has to do with missions besides those they are at. */
export interface MissionRecord {
  readonly done: Readonly<Record<string, Completion>>
  /** Epoch of `offers`: those completed in it, `template@base number`. */
  readonly epoch: number
  readonly offers: readonly string[]
  /** Day of `paid`, credits of NPC missions. */
  readonly day: number
  readonly paid: number
  /** Ids of missions that lapsed, the oldest first. */
  readonly lapsed: readonly string[]
}

/** What has been given to a collection, and how far its pay is. Source: missions.md section 2. */
export interface Pool {
  /** Units given in this round. */
  readonly given: number
  readonly phase: 'open' | 'paying' | 'closing' | 'resting'
  /** While it rests: first tick of the next round. */
  readonly opensTick: number
  /** Credits that shares came to so far. */
  readonly due: number
  /** Number of whoever gave most of those paid so far, and their units; 0 nobody. */
  readonly best: number
  readonly bestUnits: number
}

/** By template. */
export const POOLS = defineRecords<Pool>('community_pools', COMMUNITY_POOL_ROWS)
/** Units by `template:player number`, of rounds that are not paid. */
export const SHARES = defineRecords<number>('community_shares', COMMUNITY_SHARE_ROWS)

/** By player number. */
export const MISSION_RECORDS = defineRecords<MissionRecord>('mission_records', ROWS.players)

/** Numbers of those who have given, by template, in the order of their first gift. */
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
  /** To the farthest target. */
  readonly jumps: number
  readonly credits: number
  /** First tick in which it is offered no more. */
  readonly expireTick: number
  /** The posting of a faction that it is; 0 none. */
  readonly posting: Row
}

/** Boards of the epoch that were looked at. */
export const BOARDS = defineIndex('mission.boards', () => ({
  epoch: -1,
  of: new Map<Eid, Offer[]>(),
}))

/** Lanes never change: jumps from a system to every other are worked out once. */
export const JUMPS = defineIndex('mission.jumps', () => new Map<Eid, Uint16Array>())

/** Missions by player in the order of acceptance, those that end by tick, and news of this tick. */
export const MISSIONS_OF = defineIndex('mission.open', () => ({
  of: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
  /** Objective that moved last, by mission. */
  moved: new Map<Row, number>(),
  /** Players whose missions are others than before the tick, in the last tick that had any. */
  changed: { tick: 0, players: new Set<Eid>() },
  /** By distress signal. */
  answering: new Map<Row, Row[]>(),
  /** Those of collections, by template. */
  giving: new Map<string, Set<Row>>(),
}))
