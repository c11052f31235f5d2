/**
 * Wormholes: one-way paths that open between two mouths, are found, flown and shared, and collapse.
 * Mouths are places of the chart, fixed once they are made; paths come and go between them. Source:
 * travel.md sections 1, 4.
 */
import { defineComponent, defineEntity, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import { Poi } from '../travel/state.ts'

/**
 * Mouths in the galaxy, and paths open at once. ours: mouths stay where they are so that no
 * reference to a place ever dangles; with four times as many mouths as paths, paths vary.
 */
export const MOUTHS_MAX = 96
export const PATHS_OPEN_MAX = 24
/** Rows for open paths, and for collapsed ones whose mouths have not settled yet. */
const PATH_ROWS = MOUTHS_MAX / 2

/** Lane jumps between the two mouths of a path, at least. Source: travel.md section 4. */
export const PATH_JUMPS_MIN = 5
/** Ticks from opening to collapse. */
export const LIFE_TICKS = { min: 2_160, max: 25_920 } as const
/** Ticks for which the mouths of a collapsed path cannot open again. */
export const SETTLING_TICKS = 360
/** Ticks from one attempt to open a path to the next. */
export const OPENING_TICKS = 360
export const STABILITY_MAX = 5
/** Level of wormhole_navigation that predicts the far end, for each point of stability. */
export const LEVEL_PER_STABILITY = 20

export const Wormhole = defineEntity('wormhole', PATH_ROWS, {
  entrance: ref('poi', 'mouth where ships enter'),
  exit: ref('poi', 'mouth where ships come out'),
  stability: u8('1-5: how much skill it takes to predict the far end'),
  isCollapsed: u8('1 once no ship can enter any more'),
  endTick: u32('tick in which it collapses; once collapsed, in which its mouths have settled'),
})

/** States of a mouth; the place shows them by its class. */
export const DORMANT = 1
export const ENTRANCE = 2
export const EXIT = 3
export const COLLAPSED = 4
export type MouthState = typeof DORMANT | typeof ENTRANCE | typeof EXIT | typeof COLLAPSED

export const Mouth = defineComponent(Poi, 'mouth', {
  state: u8('1 dormant, 2 entrance, 3 exit, 4 collapsed; 0: the place is not a mouth'),
})

/** A path that a player knows. */
export interface KnownPath {
  /** Number of the wormhole. */
  readonly path: number
  /** Day of the last transit by which the player trained; -1 none. */
  readonly trainedDay: number
}

/** Paths that players know, by player number: mostly open ones; others are removed later. */
export const KNOWN_PATHS = defineRecords<readonly KnownPath[]>('known_paths', ROWS.players)
/** Paths that factions know: faction number → wormhole numbers. */
export const FACTION_PATHS = defineRecords<readonly number[]>('faction_paths', ROWS.factions)
