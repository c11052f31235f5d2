/** Bounds of fleets, with their units and reasons. factions.md section 8. */

/** Members of a fleet: so many, and one more for every ten levels of its leader, to a cap. */
export const FLEET_SIZE_BASE = 4
export const FLEET_SIZE_LEVELS = 10
export const FLEET_SIZE_MAX = 14
/** Ticks in which an invitation is answered, or lapses. */
export const FLEET_INVITE_TICKS = 30
export const FLEET_INVITES_INCOMING_MAX = 5
/** Refusals of one player within so many ticks, after which a leader waits. */
export const FLEET_DECLINES_MAX = 3
export const FLEET_DECLINE_TICKS = 360
/** Ticks without its leader after which another leads a fleet. */
export const FLEET_LEADER_AWAY_TICKS = 6
/** Ticks after which a member who is offline is dropped. */
export const FLEET_MEMBER_AWAY_TICKS = 360
/** ours: ticks after which who is ashore without a ship is taken home: an hour. */
export const FLEET_ASHORE_TICKS = 360
/** Ticks in which every fleet is looked at for that once; leaders are looked at each tick. */
export const FLEET_REVIEW_TICKS = 6
