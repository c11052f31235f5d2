/**
 * Limits of what strangers read (the public frame, its bodies and its addresses), and of what
 * accounts read about themselves.
 */

/** Minimum wall time between two public frames. */
export const PUBLIC_FRAME_MS_MIN = 1_000
/** Slowly changing sections are read once in this many ticks. */
export const PUBLIC_ROUND_TICKS = 60
/** Approximate size of a frame that follows another; keyed sections get what is left of it. */
export const PUBLIC_CROSSING_BYTES = 224 * 1024
/** A frame larger than this has only counts of what takes most room. */
export const PUBLIC_FRAME_BYTES_MAX = 4 * 1024 * 1024
/** Bytes of all frames that wait to become public. */
export const PUBLIC_RING_BYTES_MAX = 64 * 1024 * 1024
/** How many ticks the public view may be behind. */
export const SPECTATOR_DELAY_MAX = 60
/** Requests of an address a minute for bodies that are cached. */
export const PAGE_REQUESTS_PER_MINUTE = 600
/** Cached bodies, by request, and their bytes. */
export const PUBLIC_BODIES_MAX = 256
export const PUBLIC_BODIES_BYTES_MAX = 16 * 1024 * 1024
/** A body of at least this size is sent compressed to clients that accept it. */
export const PUBLIC_GZIP_BYTES_MIN = 1_024
/** Names listed for a place. */
export const PUBLIC_NAMES_A_POI_MAX = 50
/** Characters of an id or name in an address. */
export const PUBLIC_QUERY_CHARACTERS_MAX = 128
/** Minimum bytes in a frame for changes of keyed sections, and maximum for whole sections. */
export const PUBLIC_SECTIONS_BYTES_MIN = 16 * 1024
export const PUBLIC_WHOLE_BYTES_MAX = 1024 * 1024
/** Bytes of changed order books in a frame, and levels of each side of a book. */
export const PUBLIC_BOOKS_BYTES_MAX = 48 * 1024
export const PUBLIC_LEVELS_MAX = 50
/** Rows of a board, and of each list of movers. */
export const PUBLIC_BOARD_ROWS_MAX = 100
export const PUBLIC_MOVERS_MAX = 20
/** Each station and faction is read once in this many ticks. */
export const PUBLIC_LOOK_TICKS = 6
/** Players whose cards are read in a tick, besides those who are online. */
export const PUBLIC_CARDS_A_TICK = 128
export const PUBLIC_WHOLE_BOOKS_BYTES_MAX = 2 * 1024 * 1024
/** Ticks between two frames that the archive keeps whole. */
export const FRAME_KEPT_TICKS = 60
/** Bytes kept of the frames in between: those of days, or of weeks where little happens. */
export const PUBLIC_STEPS_BYTES_MAX = 512 * 1024 * 1024
/** Writes that may wait for the archive; if it is slower than that, the past has gaps. */
export const PUBLIC_WRITES_MAX = 8

/* The intel map of an account (WEB 1.4) */
/** Rows of each of its lists of systems, places and wormholes. */
export const INTEL_MAP_ROWS_MAX = 1_000
/** Factions, their own and allied ones, whose intel it includes. */
export const INTEL_SOURCES_MAX = 8
/** Contacts of one kind at a place. */
export const INTEL_CONTACTS_MAX = 50
/** Jumps in an answer, and how many minutes it covers. */
export const INTEL_MOVEMENTS = { default: 500, max: 1_000 } as const
export const INTEL_MINUTES = { default: 1_440, max: 10_080 } as const
/** Latest moves of a player that are searched for jumps. */
export const INTEL_MOVES_SEARCHED_MAX = 2_000
