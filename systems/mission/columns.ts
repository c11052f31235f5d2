/** Missions players are at, and what each player has done. Source: missions.md sections 1, 11. */
import { OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { defineEntity, f64, ref, text, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** An accepted mission keeps its own copy of what was offered: places and pay. */
export const Mission = defineEntity('mission', ROWS.missions, {
  player: ref('player', 'who is at it'),
  template: text('id of the template'),
  base: ref('base', 'where it was offered'),
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

/** What a player has to do with missions besides those he is at. */
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

/** By player number. */
export const MISSION_RECORDS = defineRecords<MissionRecord>('mission_records', ROWS.players)
