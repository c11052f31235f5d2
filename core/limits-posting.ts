/**
 * Bounds of missions that factions post, of collections and of distress signals, with unit and
 * reason. factions.md 7, missions.md 2 and 4.
 */

/** Postings open at once, of all factions. */
export const POSTING_ROWS = 50_000
export const POSTING_TITLE_CHARACTERS_MAX = 100
/** Of the description, of each line of dialog and of each objective's words. */
export const POSTING_TEXT_CHARACTERS_MAX = 2_000
/** Of the type, and of the giver's name and title. */
export const POSTING_NAME_CHARACTERS_MAX = 64
export const POSTING_HOURS_DEFAULT = 72
export const POSTING_HOURS_MAX = 720
/** Ticks for which whoever has taken a posting holds it. */
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

/** Shares of players in collections that are not paid yet. */
export const COMMUNITY_SHARE_ROWS = 200_000
export const COMMUNITY_POOL_ROWS = 1_000
/** Shares of a full collection paid in one tick, and missions ended in one. */
export const COMMUNITY_PAID_PER_TICK_MAX = 1_000
/** Ticks between a full collection and the next of its kind. */
export const COMMUNITY_REST_TICKS = 8_640

/** Distress signals on the air at once. */
export const SIGNAL_ROWS = 5_000
/** Jumps that a distress signal reaches. */
export const DISTRESS_RADIUS = 5
/** Ticks from one signal of a player to the next. */
export const DISTRESS_COOLDOWN_TICKS = 360
export const DISTRESS_TICKS = 180
/** Rescues beside the five missions: worlds of rules before 6 gave them to pilots unasked. */
export const RESCUES_BESIDE_MAX = 3
/** Ticks between two messages on the emergency channel of a system. */
export const EMERGENCY_QUIET_TICKS = 6
/** Rescues of a day for which a helper is paid. */
export const RESCUES_PAID_PER_DAY_MAX = 5

/** Players whose damage to one pirate is told apart: the least gives way to another. */
export const MAULERS_MAX = 8
/** Of all pirates being fought. */
export const MAULING_ROWS = 100_000
