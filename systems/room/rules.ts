/** Rules of rooms that reach other domains. */

import { assert } from '../../core/assert.ts'
import { append, drop } from '../../core/groups.ts'
import type { Row, World } from '../../core/types.ts'
import { roomsOf } from './model.ts'
import { ROOMS, Room } from './state.ts'

/* Making and ending */

function enter(world: World, room: Row): void {
  const { base, faction } = world.read(Room)
  const { at, of } = world.index(ROOMS)
  for (const [map, key] of [
    [at, base[room]],
    [of, faction[room]],
  ] as const) {
    append(map, key, room)
  }
}

/** A new room without words; the caller has seen to a row. */
export function openRoom(world: World, faction: Row, base: Row): Row {
  assert(faction !== 0 && base !== 0, 'a room needs a faction and a station')
  const room = world.take(Room)
  const columns = world.write(Room)
  columns.faction[room] = faction
  columns.base[room] = base
  columns.createdMs[room] = world.wallMs
  enter(world, room)
  return room
}

export function closeRoom(world: World, room: Row): void {
  const { base, faction } = world.read(Room)
  const { at, of } = world.index(ROOMS)
  drop(at, base[room], room)
  drop(of, faction[room], room)
  world.release(Room, room)
}

/** Ends all rooms of a faction that is no more. */
export function closeRoomsOf(world: World, faction: Row): void {
  for (const room of [...roomsOf(world, faction)]) closeRoom(world, room)
}

/** Fills the index from the table, after a restore. */
export function rebuildRooms(world: World): void {
  const { at, of } = world.index(ROOMS)
  at.clear()
  of.clear()
  const { alive, seq } = world.read(Room)
  const rooms: Row[] = []
  for (let room = 1; room <= world.highOf(Room); room++) if (alive[room] === 1) rooms.push(room)
  for (const room of rooms.sort((a, b) => seq[a] - seq[b])) enter(world, room)
}
