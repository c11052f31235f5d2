/** Bounds of rooms, citizenship and notes, with their units and reasons. */

/* Rooms of factions (factions.md 7) */
/** Rooms of all factions: their texts are part of the world, some 16 KB each at most. */
export const ROOMS_MAX = 40_000
/** Of one faction at all its stations: twenty houses of the largest kind. */
export const ROOMS_PER_FACTION_MAX = 240
export const ROOM_NAME_CHARACTERS_MAX = 64
export const ROOM_TEXT_CHARACTERS_MAX = 4_000
/** Rooms in one list. */
export const ROOMS_LISTED_MAX = 100

/* Citizenship (factions.md 9) */
/** Petitions that wait for a decision. */
export const CITIZEN_PETITIONS_MAX = 100_000
/** Petitions of one player within so many ticks. */
export const CITIZEN_PETITIONS_PER_DAY = 10
export const CITIZEN_PETITION_DAY_TICKS = 8_640
/** Ticks in which an empire that decides by itself looks at a petition. */
export const CITIZEN_DECISION_TICKS = 360
/** Decisions that a player's list shows. */
export const CITIZEN_DECISIONS_SHOWN_MAX = 5

/* Notes (social.md 3) */
/** Notes of all players; each is a row among the packages too. */
export const NOTES_MAX = 200_000
export const NOTE_TITLE_CHARACTERS_MAX = 100
export const NOTE_CHARACTERS_MAX = 100_000
/** Text of a call: as long as a frame may be, so that what is too long is called so. */
export const NOTE_PARAM_CHARACTERS_MAX = 500_000
/** Of one author, wherever they are: notes that there still are, and characters of them all. */
export const NOTES_PER_AUTHOR_MAX = 100
export const NOTE_CHARACTERS_PER_AUTHOR_MAX = 1_000_000
/** Space of a note in a hold. */
export const NOTE_SIZE = 1
export const NOTES_LISTED_DEFAULT = 20
export const NOTES_LISTED_MAX = 100
