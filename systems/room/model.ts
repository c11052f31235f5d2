/**
 * Rooms: finding them, who may enter, making and ending them. A room is open while a commons of
 * its faction works at the station; what stands in a closed one is kept. Source: factions.md
 * section 7.
 */
import { idOf, rowOfId } from '../../core/entity.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { facilitiesAt, facilityTypeAt, isRunning } from '../facility/model.ts'
import { Facility, OF_FACTION } from '../facility/state.ts'
import { factionOf, hasPermission } from '../faction/model.ts'
import { ROOM_ACCESS, ROOMS, Room, type RoomAccess } from './state.ts'

const COMMONS = 'faction_commons'

/* Finding */

/** The UUID of a room on the wire. */
export const roomId = (view: WorldView, room: Row): string => idOf(view, Room, room)

/** Rooms at a station, closed ones too, the oldest first. */
export const roomsAt = (view: WorldView, base: Row): readonly Row[] =>
  view.index(ROOMS).at.get(base) ?? []

/** Rooms of a faction everywhere, the oldest first. */
export const roomsOf = (view: WorldView, faction: Row): readonly Row[] =>
  view.index(ROOMS).of.get(faction) ?? []

export const roomName = (view: WorldView, room: Row): string =>
  view.texts.get(view.read(Room).name[room])

export const roomAccess = (view: WorldView, room: Row): RoomAccess =>
  ROOM_ACCESS[view.read(Room).access[room]]

/**
 * Factions with a working commons at a station, in the order of their houses, and the rooms each
 * may have there. O(facilities of the station).
 */
export function commonsAt(view: WorldView, base: Row): ReadonlyMap<Row, number> {
  const found = new Map<Row, number>()
  const { ownerKind, faction } = view.read(Facility)
  for (const row of facilitiesAt(view, base)) {
    if (ownerKind[row] !== OF_FACTION || !isRunning(view, row)) continue
    const { faction_service_type, capacity = 0 } = facilityTypeAt(view, row)
    if (faction_service_type !== COMMONS) continue
    found.set(faction[row], Math.max(found.get(faction[row]) ?? 0, capacity))
  }
  return found
}

/** True if a player may enter a room that is open. Asked when they stand at the door. */
export function mayEnter(view: WorldView, player: Eid, room: Row): boolean {
  const access = roomAccess(view, room)
  if (access === 'public') return true
  if (factionOf(view, player) !== view.read(Room).faction[room]) return false
  return access === 'members' || hasPermission(view, player, 'officer_room_access')
}

/**
 * Rooms at a station that a player may enter: those of their own faction first, then the others',
 * the oldest first. `open` are the factions whose commons works there.
 */
export function roomsOpenTo(
  view: WorldView,
  player: Eid,
  base: Row,
  open: ReadonlyMap<Row, number>,
): Row[] {
  const { faction } = view.read(Room)
  const own = factionOf(view, player)
  const rooms = roomsAt(view, base).filter(
    (room) => open.has(faction[room]) && mayEnter(view, player, room),
  )
  const isOwn = (room: Row): boolean => faction[room] === own
  return [...rooms.filter(isOwn), ...rooms.filter((room) => !isOwn(room))]
}

/** The room at a station that an id means; 0 none. */
export function roomByIdAt(view: WorldView, base: Row, id: string): Row {
  const room = rowOfId(view, Room, id)
  return room !== 0 && view.read(Room).base[room] === base ? room : 0
}

/** The first of some rooms that bears a name, in any case; 0 none. */
export function roomNamed(view: WorldView, rooms: readonly Row[], name: string): Row {
  const wanted = name.trim().toLowerCase()
  return rooms.find((room) => roomName(view, room).toLowerCase() === wanted) ?? 0
}
