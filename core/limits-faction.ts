/** Bounds of factions, with their units and reasons; the rest is in limits.ts. factions.md 1-4. */

export const FACTION_NAME_CHARACTERS_MAX = 32
export const FACTION_DESCRIPTION_CHARACTERS_MAX = 500
export const FACTION_CHARTER_CHARACTERS_MAX = 4_000
export const FACTION_INVITES_OPEN_MAX = 100
export const FACTION_INVITES_INCOMING_MAX = 20
/** Roles of a faction beside the four it begins with. */
export const FACTION_ROLES_MAX = 20
export const FACTION_ROLE_NAME_CHARACTERS_MAX = 32
/** Factions a player may found within FACTION_FOUNDING_TICKS. */
export const FACTIONS_FOUNDED_MAX = 3
export const FACTION_FOUNDING_TICKS = 8_640
/** Ticks in which nobody takes the name or the tag of a faction that is no more. */
export const FACTION_NAME_KEPT_TICKS = 360
/** Ticks in which an invitation is answered, or lapses. */
export const FACTION_INVITE_TICKS = 60_480
/** Refusals of one player within so many ticks, after which the faction waits. */
export const FACTION_DECLINES_MAX = 3
export const FACTION_DECLINE_TICKS = 360
/** Ticks without its leader after which another leads a faction. */
export const FACTION_LEADER_AWAY_TICKS = 259_200
/** Ticks in which every faction is looked at for that once. */
export const FACTION_REVIEW_TICKS = 360
/** Moves of a faction's goods and credits that its storage shows. */
export const FACTION_ACTIVITY_ROWS_MAX = 50
/** Value of goods or credits whose withdrawal is told to the treasurers, credits. */
export const FACTION_WITHDRAWAL_TOLD_CREDITS = 10_000
export const FACTION_PAGE_MAX = 100
/** Crew, and marines, that a faction keeps in reserve at a base. */
export const FACTION_RESERVE_PEOPLE_MAX = 500
