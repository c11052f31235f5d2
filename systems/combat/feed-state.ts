/** Tables of feed (battles). */
import { BATTLE_SIDES_MAX, ROWS } from '../../core/limits.ts'
import { bools, ints, obj, opt, type Static, strings } from '../../core/params.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/* Finding */

/** The general battle of a system, by system. */
export const GENERAL = defineIndex('combat.general', () => new Map<Eid, Row>())

/* Opening, joining, leaving */

/** What the tick has to tell of battles, until phase fight tells it. Empty between ticks. */
export interface News {
  started: Row[]
  joined: Row[]
  left: Left[]
}
/** Who left, as the others knew them. */
interface Left {
  readonly battle: Row
  readonly player: Eid
  readonly payload: { player_id: string; username: string; reason: string }
}
export const NEWS = defineIndex<News>('combat.news', () => ({ started: [], joined: [], left: [] }))

/** Ships that will join a battle in the next phase fight: those with `engageBattle`. */
export const ENGAGING = defineIndex('combat.engaging', () => new Set<Eid>())

/** How it went for one who took part. */
export const endedParticipantSchema = obj({
  ...strings('player_id', 'username'),
  ...ints('side_id', 'damage_dealt', 'damage_taken', 'kill_count'),
  ...bools('survived'),
  ...opt({ ...strings('kind'), ...bools('is_boss') }),
})

/** A hull that was taken, as everybody may know it. Source: spec, Battle rules 5. */
export const captureSchema = obj({
  ...strings('boarding_operation_id', 'captor_id', 'captor_username', 'ship_id', 'ship_class'),
  ...strings('former_owner_id', 'former_owner_username'),
  ...ints('tick'),
  ...opt(strings('captor_kind', 'prize_id')),
})

/** What there is to tell of a battle, read in one walk. Arrays have room for more. */
export interface Scan {
  count: number
  rows: Int32Array
  ids: Int32Array
  codes: Int32Array
  /** Participants by side. */
  readonly sides: Uint32Array
  /** Pilots who are online, with what their ships are in the battle. */
  pilots: { readonly player: Eid; readonly row: Row }[]
}

/** Used for one battle after the other. */
export const SCAN = defineIndex(
  'combat.scan',
  (): Scan => ({
    ...roomFor(0),
    count: 0,
    sides: new Uint32Array(BATTLE_SIDES_MAX + 1),
    pilots: [],
  }),
)

export const roomFor = (count: number): Pick<Scan, 'rows' | 'ids' | 'codes'> => ({
  rows: new Int32Array(count),
  ids: new Int32Array(count),
  codes: new Int32Array(count),
})

export type Entry = Record<string, unknown>

/** A row in the making. Lists without entries are left out of it. */
export interface Draft {
  /** Durable number of the battle, and its id. */
  readonly battle: number
  readonly id: string
  readonly system: string
  readonly lists: Record<string, Entry[]>
  ended?: Entry
  summary?: Entry
}

/** Rows of the tick being fought, by battle. Empty between ticks. */
export const DRAFTS = defineIndex('combat.log', () => new Map<Row, Draft>())

export type EndedParticipant = Static<typeof endedParticipantSchema>
export type Capture = Static<typeof captureSchema>

export interface Roll {
  readonly departed: readonly EndedParticipant[]
  /** Numbers of the players who lost their ship: they hear of the end wherever they are. */
  readonly lost: readonly number[]
  readonly captures: readonly Capture[]
}

/** By number of the battle; there is none until somebody leaves it. */
export const ROLLS = defineRecords<Roll>('battle_rolls', ROWS.battles)
