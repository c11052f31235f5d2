/**
 * Missions that factions post: their objectives and rewards. The reward is put in escrow at once,
 * so that it is certain to be paid. Source: factions.md section 7.
 */
import type { MissionRow, ObjectiveType, PirateTier } from '../../core/catalog/index.ts'
import { defineEntity, f64, ref, u8, u32 } from '../../core/columns.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Limit of postings of all factions together. */
const POSTING_ROWS = 50_000
export const POSTING_TITLE_CHARACTERS_MAX = 100
/** Limit of the description, each line of dialog and the text of each objective. */
export const POSTING_TEXT_CHARACTERS_MAX = 2_000
/** Limit of the type, and of the name and title of the giver. */
export const POSTING_NAME_CHARACTERS_MAX = 64
export const POSTING_HOURS_DEFAULT = 72
export const POSTING_HOURS_MAX = 720
/** Ticks that a player has to complete a posting. */
export const POSTING_HELD_TICKS = 8_640
/** Limit of kinds of goods in the reward of one posting. */
export const POSTING_REWARD_KINDS_MAX = 10
export const POSTING_KILLS_MAX = 1_000
export const POSTING_TRIGGERS_MAX = 10
/** Limit of postings that a board shows to a player. */
export const POSTINGS_SHOWN_MAX = 50
/** Limit of players who dropped a posting and are not offered it again; the latest are kept. */
export const POSTING_SPURNED_MAX = 50
/** Ticks until a refund that the treasury had no room for is retried. */
export const POSTING_RETRY_TICKS = 360

/** A posting; its text is in POSTING_TEXTS. */
export const Posting = defineEntity('posting', POSTING_ROWS, {
  faction: ref('faction', 'the faction that posted it'),
  base: ref('base', 'the base whose board shows it'),
  poster: ref('player', 'the member who posted it'),
  isOpen: u8('1: any player may accept it; otherwise only members'),
  credits: f64('credits of the reward'),
  escrow: ref('account', 'account that holds these credits'),
  goods: ref('container', 'goods of the reward; 0 = none'),
  expireTick: u32('first tick in which it can no longer be accepted'),
  mission: ref('mission', 'mission of the player who has accepted it; 0 = none'),
})

/** An objective of a posting; places and players are stored by their durable numbers. */
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
  /** Number of the base to deliver to. */
  readonly base?: number
  /** Number of the system to visit. */
  readonly system?: number
  readonly text?: string
}

/** What a posting says and requires; the columns of its row hold the rest. */
export interface PostingText {
  readonly title: string
  readonly type: string
  readonly description: string
  readonly difficulty: number
  readonly giver: { readonly name: string; readonly title: string }
  readonly dialog: Readonly<Record<'offer' | 'accept' | 'decline' | 'complete', string>>
  readonly objectives: readonly PostedObjective[]
  /** Goods of the reward, units by id. */
  readonly items: Readonly<Record<string, number>>
  /** Numbers of the players who dropped it, latest last. */
  readonly spurned: readonly number[]
}

/** Texts by number of the posting. */
export const POSTING_TEXTS = defineRecords<PostingText>('posting_texts', POSTING_ROWS)

/** Postings by base, oldest first; by the tick in which they expire; and as mission templates. */
export const POSTINGS = defineIndex('posting.all', () => ({
  at: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
  templates: new Map<Row, MissionRow>(),
}))
