/** Bounds of achievements, with their units and reasons. missions.md 6, 11. */

/** Words of 32 bits for what a player and a faction have earned: numbers stay below all bits. */
export const PLAYER_FEAT_WORDS = 10
export const FACTION_FEAT_WORDS = 4
/** Room for counters beside the lifetime ones of players, and for those of factions. */
export const PLAYER_COUNTERS_WIDTH = 16
export const FACTION_COUNTERS_WIDTH = 32
