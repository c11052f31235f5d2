/** Invariants of rooms, and their removal with their faction. Source: factions.md sections 3, 7. */
import { assert } from '../../core/assert.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Base } from '../base/state.ts'
import { disbanded, Faction } from '../faction/state.ts'
import { closeRoom, roomsAt, roomsOf } from './model.ts'
import { ROOM_ACCESS, ROOMS_PER_FACTION_MAX, Room } from './state.ts'

/** Checks every room. */
export const roomsHold: CheckDef = {
  name: 'a room has a faction, a station and a door',
  run(view, full) {
    if (!full) return
    const { alive, faction, base, access } = view.read(Room)
    const factions = view.read(Faction)
    const bases = view.read(Base)
    for (let room = 1; room <= view.highOf(Room); room++) {
      if (alive[room] === 0) continue
      assert(factions.alive[faction[room]] === 1, `room ${room} has no faction`)
      assert(bases.alive[base[room]] === 1, `room ${room} has no station`)
      assert(access[room] < ROOM_ACCESS.length, `room ${room} has a wrong access`)
      assert(roomsAt(view, base[room]).includes(room), `room ${room} is not listed at its station`)
      const rooms = roomsOf(view, faction[room])
      assert(rooms.includes(room), `room ${room} is not listed for its faction`)
      assert(rooms.length <= ROOMS_PER_FACTION_MAX, `faction ${faction[room]} has too many rooms`)
    }
  },
}

/** Removes the rooms of a disbanded faction. */
export const closeRooms = observe(disbanded, (world, { faction }) => {
  for (const room of [...roomsOf(world, faction)]) closeRoom(world, room)
})
