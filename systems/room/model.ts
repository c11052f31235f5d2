/**
 * Rooms: finding them, who may enter, creating and removing them. A room can be visited only while
 * a commons of its faction works at the station; otherwise it is kept. Source: factions.md section
 * 7.
 */
import { assert } from '../../core/assert.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { facilitiesAt, facilityTypeAt, isRunning } from '../facility/model.ts'
import { Facility, OF_FACTION } from '../facility/state.ts'
import { factionOf, hasPermission } from '../faction/model.ts'
import { ROOM_ACCESS, ROOMS, Room, type RoomAccess } from './state.ts'

const COMMONS = 'faction_commons'

/* Finding */

/** Returns the id of a room on the wire. */
export const roomId = (view: WorldView, room: Row): string => idOf(view, Room, room)

/** Returns all rooms at a station, oldest first, those of a closed commons included. */
export const roomsAt = (view: WorldView, base: Row): readonly Row[] =>
  view.index(ROOMS).byBase.get(base) ?? []

/** Returns the rooms of a faction at all stations, oldest first. */
export const roomsOf = (view: WorldView, faction: Row): readonly Row[] =>
  view.index(ROOMS).byFaction.get(faction) ?? []

/** Returns all rooms of a faction at a station, oldest first. */
export const roomsOfAt = (view: WorldView, faction: Row, base: Row): readonly Row[] =>
  roomsAt(view, base).filter((room) => view.read(Room).faction[room] === faction)

export const roomName = (view: WorldView, room: Row): string =>
  view.texts.get(view.read(Room).name[room])

export const roomAccess = (view: WorldView, room: Row): RoomAccess =>
  ROOM_ACCESS[view.read(Room).access[room]]

/**
 * Returns how many rooms each faction with a working commons at a station may have there, in the
 * order of the facilities. O(facilities of the station).
 */
export function commonsAt(view: WorldView, base: Row): ReadonlyMap<Row, number> {
  const roomsMax = new Map<Row, number>()
  const { ownerKind, faction } = view.read(Facility)
  for (const row of facilitiesAt(view, base)) {
    if (ownerKind[row] !== OF_FACTION || !isRunning(view, row)) continue
    const { faction_service_type, capacity = 0 } = facilityTypeAt(view, row)
    if (faction_service_type !== COMMONS) continue
    roomsMax.set(faction[row], Math.max(roomsMax.get(faction[row]) ?? 0, capacity))
  }
  return roomsMax
}

/** Returns whether a player may enter a room that is open. */
export function mayEnter(view: WorldView, player: Eid, room: Row): boolean {
  const access = roomAccess(view, room)
  if (access === 'public') return true
  if (factionOf(view, player) !== view.read(Room).faction[room]) return false
  return access === 'members' || hasPermission(view, player, 'officer_room_access')
}

/**
 * Returns the rooms at a station that a player may enter, oldest first, but those of their own
 * faction before all others. `open` has the factions with a working commons there.
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

/** Returns the room with an id if it is at the station; otherwise 0. */
export function roomByIdAt(view: WorldView, base: Row, id: string): Row {
  const room = rowOfId(view, Room, id)
  return room !== 0 && view.read(Room).base[room] === base ? room : 0
}

/** Returns the first of the rooms with a name, in any case; 0 if there is none. */
export function roomNamed(view: WorldView, rooms: readonly Row[], name: string): Row {
  const key = name.trim().toLowerCase()
  return rooms.find((room) => roomName(view, room).toLowerCase() === key) ?? 0
}

/* Opening and closing */

function indexRoom(world: World, room: Row): void {
  const { base, faction } = world.read(Room)
  const { byBase, byFaction } = world.index(ROOMS)
  addToList(byBase, base[room], room)
  addToList(byFaction, faction[room], room)
}

/** Creates a room without texts; the caller checks for room in the table. */
export function openRoom(world: World, faction: Row, base: Row): Row {
  assert(faction !== 0 && base !== 0, 'a room needs a faction and a station')
  const room = world.take(Room)
  const columns = world.write(Room)
  columns.faction[room] = faction
  columns.base[room] = base
  columns.createdMs[room] = world.wallMs
  indexRoom(world, room)
  return room
}

/** Removes a room. */
export function closeRoom(world: World, room: Row): void {
  const { base, faction } = world.read(Room)
  const { byBase, byFaction } = world.index(ROOMS)
  removeFromList(byBase, base[room], room)
  removeFromList(byFaction, faction[room], room)
  world.release(Room, room)
}

/** Rebuilds the index from the table, after a restore. */
export function rebuildRooms(world: World): void {
  const { byBase, byFaction } = world.index(ROOMS)
  byBase.clear()
  byFaction.clear()
  const { alive, seq } = world.read(Room)
  const rooms: Row[] = []
  for (let room = 1; room <= world.highOf(Room); room++) if (alive[room] === 1) rooms.push(room)
  for (const room of rooms.sort((a, b) => seq[a] - seq[b])) indexRoom(world, room)
}
