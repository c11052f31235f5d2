/** Bounds of passengers and lounges, with their units and reasons. crafting.md section 9. */

/** People waiting at one base. */
export const PASSENGERS_WAITING_MAX = 200
/**
 * People of one base who wait or travel. ours: who takes hundreds aboard and brings them nowhere
 * empties one base, not the world.
 */
export const PASSENGERS_OF_BASE_MAX = 400
/** People that one call takes aboard. */
export const PASSENGERS_LOADED_MAX = 100
/** Places a base has travellers for: the nearest. */
export const DESTINATIONS_MAX = 24
/** Jumps to the farthest of them. */
export const DESTINATION_JUMPS_MAX = 15
/** Ticks before the end of a journey at which a faction hears of its guests in a lounge. */
export const LOUNGE_WARNING_TICKS = 60
/** Parts in which ships serve their passengers, one a tick. Source: crafting.md section 9. */
export const SERVICE_TICKS = 30
