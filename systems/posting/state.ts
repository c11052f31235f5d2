/**
 * Missions that factions post: what each asks and pays. The reward is set aside with it, so that
 * it is there when it has been earned. Source: factions.md section 7.
 */
import type { MissionRow, ObjectiveType, PirateTier } from '../../core/catalog/index.ts'
import { defineEntity, f64, ref, u8, u32 } from '../../core/columns.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Postings of all factions that may exist at once. */
const POSTING_ROWS = 50_000
export const POSTING_TITLE_CHARACTERS_MAX = 100
/** Bounds the description, each line of dialog and the text of each objective. */
export const POSTING_TEXT_CHARACTERS_MAX = 2_000
/** Bounds the type, and the name and title of the giver. */
export const POSTING_NAME_CHARACTERS_MAX = 64
export const POSTING_HOURS_DEFAULT = 72
export const POSTING_HOURS_MAX = 720
/** Ticks for which a player who has taken a posting holds it. */
export const POSTING_HELD_TICKS = 8_640
/** Kinds of goods that one posting pays. */
export const POSTING_REWARD_KINDS_MAX = 10
export const POSTING_KILLS_MAX = 1_000
export const POSTING_TRIGGERS_MAX = 10
/** Postings that a board shows a player: own faction's first, then the oldest. */
export const POSTINGS_SHOWN_MAX = 50
/** Players who dropped a posting and are not offered it again: the oldest is forgotten. */
export const POSTING_SPURNED_MAX = 50
/** Ticks until a refund that found no room is tried again. */
export const POSTING_RETRY_TICKS = 360

export const Posting = defineEntity('posting', POSTING_ROWS, {
  faction: ref('faction', 'the faction that posted it'),
  base: ref('base', 'the base whose board shows it'),
  poster: ref('player', 'the member who posted it'),
  isOpen: u8('1: any player may take it; else only members'),
  credits: f64('credits it pays'),
  escrow: ref('account', 'account that holds these credits'),
  goods: ref('container', 'goods it pays; 0 none'),
  expireTick: u32('last tick in which it may be taken'),
  mission: ref('mission', 'of the player who took it; 0 none'),
})

export interface PostedObjective {
  readonly type: Extract<
    ObjectiveType,
    'deliver_item' | 'visit_system' | 'kill_pirate' | 'kill_player'
  >
  readonly quantity: number
  readonly item?: string
  readonly tier?: PirateTier
  /** Number of the player to destroy. */
  readonly player?: number
  /** Number of the base that takes a delivery. */
  readonly base?: number
  /** Number of the system to visit. */
  readonly system?: number
  readonly text?: string
}

export interface PostingText {
  readonly title: string
  readonly type: string
  readonly description: string
  readonly difficulty: number
  readonly giver: { readonly name: string; readonly title: string }
  readonly dialog: Readonly<Record<'offer' | 'accept' | 'decline' | 'complete', string>>
  readonly objectives: readonly PostedObjective[]
  /** Goods it pays, by id. */
  readonly items: Readonly<Record<string, number>>
  /** Numbers of players who dropped it, the latest last. */
  readonly spurned: readonly number[]
}

/** By number of the posting. */
export const POSTING_TEXTS = defineRecords<PostingText>('posting_texts', POSTING_ROWS)

/** Postings by base, the oldest first; those due by tick; what each is as a template. */
export const POSTINGS = defineIndex('posting.all', () => ({
  at: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
  templates: new Map<Row, MissionRow>(),
}))
