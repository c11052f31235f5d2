/** Rooms that factions furnish at stations where they have a commons. Source: factions.md 7. */
import { defineEntity, f64, ref, text, u8 } from '../../core/columns.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Limit of rooms of all factions; their texts are in the world, up to 16 KB each. */
const ROOMS_MAX = 40_000
/** Limit of rooms of one faction at all stations: as many as twenty of the largest commons have. */
export const ROOMS_PER_FACTION_MAX = 240
export const ROOM_NAME_CHARACTERS_MAX = 64
export const ROOM_TEXT_CHARACTERS_MAX = 4_000
/** Limit of rooms in one list. */
export const ROOMS_LISTED_MAX = 100

/** Who may enter a room: values of `access` (append only). */
export const ROOM_ACCESS = ['public', 'members', 'officers'] as const
export type RoomAccess = (typeof ROOM_ACCESS)[number]

/** A room. */
export const Room = defineEntity('room', ROOMS_MAX, {
  faction: ref('faction', 'faction that it belongs to'),
  base: ref('base', 'station where it is'),
  name: text('name on the door, at most 64 characters'),
  description: text('text that visitors read, at most 4,000 characters; may be empty'),
  access: u8('index into ROOM_ACCESS'),
  author: ref('player', 'player who last changed it'),
  createdMs: f64('wall time of creation, ms since 1970'),
  updatedMs: f64('wall time of the last change, ms since 1970'),
})

/** Rooms by station and by faction, oldest first. */
export const ROOMS = defineIndex('room.placed', () => ({
  byBase: new Map<Row, Row[]>(),
  byFaction: new Map<Row, Row[]>(),
}))
