/** Bounds of stations and outposts of factions, with their units. Source: crafting.md section 8. */

export const STATIONS_PER_FACTION_MAX = 5
export const OUTPOSTS_PER_FACTION_MAX = 8
/** Places a system takes beside those it was made with. */
export const MADE_POIS_PER_SYSTEM_MAX = 10
export const STATION_NAME_CHARACTERS_MAX = 60
export const STATION_DESCRIPTION_CHARACTERS_MAX = 500
/** Names a station is given within a day. */
export const STATION_NAMINGS_PER_DAY_MAX = 10
/** Entries of each list of a station: players let in, factions let in, players banned. */
export const STATION_LIST_MAX = 200
/** Ticks after which a new price of fuel or repair holds. */
export const STATION_NOTICE_TICKS = 30
/** Bounds of what an owner may ask: percent, credits a unit of fuel, credits a point of hull. */
export const STATION_FEE_PCT_MAX = 10
export const STATION_FUEL_PRICE_MAX = 40
export const STATION_REPAIR_PRICE_MAX = 50
