/** Bounds of drones and of the arena, with their units and reasons; limits.ts has the rest. */

/* Drones (drones.md 1, 3) */
/** Drones a player, in bays of parked ships and adrift ones included. */
export const DRONES_PER_PLAYER_MAX = 64
/** Deployed drones a place. */
export const DRONES_PER_POI_MAX = 2_000
/** Drones adrift a player; the oldest are lost beyond. */
export const DRONES_ADRIFT_MAX = 20
/** Frames of drone_update a tick and owner. */
export const DRONE_UPDATES_PER_TICK_MAX = 16
export const DRONE_NAME_CHARACTERS_MAX = 32
/** Code points of a script. */
export const DRONE_SCRIPT_CHARACTERS_MAX = 2_000
/** Characters of the parameter: longer scripts get their own refusal up to here. */
export const DRONE_SCRIPT_PARAM_MAX = 100_000
/** Code points of what is said of a fault: our longest sentence has half. */
export const DRONE_FAULT_CHARACTERS_MAX = 200
/** IF in IF. */
export const DRONE_NESTING_MAX = 32
/** Steps of an evaluation. */
export const DRONE_STEPS_MAX = 200
/** Keys and values of a drone's memory, code points. */
export const DRONE_MEMORY_MAX = 512
/** Instructions of a program: the densest script of 2,000 characters has 335. */
export const DRONE_INSTRUCTIONS_MAX = 384
export const DRONE_CODE_WORDS = DRONE_INSTRUCTIONS_MAX * 3
/* Arena (combat.md 14) */
/** Ships a side of a match. */
export const ARENA_SIDE_SIZE_MAX = 5
/** Matches at one arena at a time. */
export const MATCHES_PER_ARENA_MAX = 50
/** Open challenges to one player; each may make one. */
export const DUELS_INCOMING_MAX = 5
/** Ticks in which a challenge is answered, or lapses. */
export const DUEL_TICKS = 30
/** Refusals and lapses of one player by another within so many ticks, after which he waits. */
export const REBUFFS_MAX = 3
export const REBUFF_TICKS = 360
