/** Bounds of what factions know, with their units and reasons. Source: factions.md section 6. */

/** Systems in one submission, places in one of them, and what one may say in all, bytes. */
export const INTEL_SYSTEMS_MAX = 20
export const INTEL_POIS_MAX = 100
export const INTEL_SYSTEM_BYTES_MAX = 8_192
/** Lanes of a system, and deposits of a place, in a submission: more than any has. */
export const INTEL_LANES_MAX = 50
export const INTEL_DEPOSITS_MAX = 32
/** Characters of a name or an id in a submission, and of a description. */
export const INTEL_NAME_CHARACTERS_MAX = 128
export const INTEL_TEXT_CHARACTERS_MAX = 2_000
/** Submitted text of a faction, bytes: then its oldest entries give way. */
export const INTEL_FACTION_BYTES_MAX = 1_048_576
/** Submitted text of all factions, bytes: it stands in memory and in every snapshot. */
export const INTEL_WORLD_BYTES_MAX = 134_217_728
/** Systems known to factions, counted once a faction. */
export const INTEL_ENTRIES_MAX = 400_000
export const INTEL_PAGE_DEFAULT = 50
export const INTEL_PAGE_MAX = 100

/** Stations in one submission of prices, and items of one. */
export const PRICES_STATIONS_MAX = 20
export const PRICES_ITEMS_MAX = 500
/** Quotes a faction keeps: its oldest stations give way. Ours: what 150 exchanges trade in. */
export const PRICES_PER_FACTION_MAX = 20_000
/** Stations whose prices factions know, counted once a faction. */
export const PRICE_NOTES_MAX = 200_000
/** Share of the rows of looks that factions may fill, percent: players remember theirs there. */
export const INTEL_LOOKS_FILL_PCT = 60
export const PRICES_PAGE_DEFAULT = 20
export const PRICES_PAGE_MAX = 50

/** Players, pirates or ships of empires that a sensor lists, each. */
export const SENSED_ROWS_MAX = 200

/** What a base remembers of what was ordered, built and bought there, and for how long. */
export const FACTS_PER_BASE_MAX = 32
export const FACT_TICKS = 8_640
/** Purchases worth remembering, credits. */
export const FACT_CREDITS_MIN = 10_000
/** Ticks that espionage takes, and from its order to the next one. */
export const ESPIONAGE_TICKS = 8
export const ESPIONAGE_COOLDOWN_TICKS = 30
