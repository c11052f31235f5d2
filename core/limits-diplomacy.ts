/** Bounds of relations between factions, with units and reasons. factions.md sections 1, 5. */

/** Alliances a faction may be in, and factions it may call enemies. */
export const FACTION_ALLIES_MAX = 50
export const FACTION_ENEMIES_MAX = 50
/** Proposals of a faction that wait for an answer. */
export const FACTION_PROPOSALS_OPEN_MAX = 50
/** Wars a faction has declared. */
export const FACTION_WARS_DECLARED_MAX = 10
/** ours: wars it is in, whoever declared them: what a list shows and a leaver takes along. */
export const FACTION_WARS_MAX = 100
/** ours: proposals from others that faction_info lists, the latest first. */
export const FACTION_PROPOSALS_SHOWN_MAX = 100
/** Ticks in which a proposal is answered, or lapses: seven days. */
export const PROPOSAL_TICKS = 60_480
/** Ticks after a peace in which the two do not go to war again: a day. */
export const WAR_COOLDOWN_TICKS = 8_640
/** Ticks between the declaration of a war and the day the law looks away. */
export const WAR_NOTICE_TICKS = 60
/** Ticks after which a new member counts as one for the law. */
export const WAR_MEMBER_TICKS = 60
/** Ticks for which who left a faction keeps its wars. */
export const WAR_LEAVER_TICKS = 30
/** ours: wars a leaver keeps at most; who hops on keeps those of the faction left last. */
export const OLD_WARS_KEPT_MAX = 200
/** Longest reason of a war, and terms of a peace; code points. */
export const DIPLOMACY_TEXT_CHARACTERS_MAX = 500
/** ours: members and allies a single attack calls to the side of a victim, as many as pirates. */
export const ALLIES_CALLED_MAX = 24

/** Records of each kind: a few for every faction there can be. */
export const DIPLOMACY_ROWS = {
  pacts: 200_000,
  enemies: 200_000,
  proposals: 200_000,
  truces: 100_000,
  changes: 100_000,
  oldWars: 100_000,
} as const
