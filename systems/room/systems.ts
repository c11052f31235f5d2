/**
 * Rooms: each belongs to a faction that exists and stands where it is found; they go when the
 * faction ends. Source: factions.md section 3.
 */
import { assert } from '../../core/assert.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Base } from '../base/state.ts'
import { disbanded, Faction } from '../faction/state.ts'
import { roomsAt, roomsOf } from './model.ts'
import { closeRoomsOf } from './rules.ts'
import { ROOM_ACCESS, ROOMS_PER_FACTION_MAX, Room } from './state.ts'

/* Invariants */

/** Source: factions.md section 7; ours: the bound of a faction. */
export const roomsHold: CheckDef = {
  name: 'a room has a faction, a station and a door',
  run(view, full) {
    if (!full) return
    const { alive, faction, base, access } = view.read(Room)
    const factions = view.read(Faction)
    const bases = view.read(Base)
    for (let room = 1; room <= view.highOf(Room); room++) {
      if (alive[room] === 0) continue
      assert(factions.alive[faction[room]] === 1, `room ${room} is nobody's`)
      assert(bases.alive[base[room]] === 1, `room ${room} stands nowhere`)
      assert(access[room] < ROOM_ACCESS.length, `room ${room} has no door`)
      assert(roomsAt(view, base[room]).includes(room), `room ${room} is not where it stands`)
      const all = roomsOf(view, faction[room])
      assert(all.includes(room), `room ${room} is lost to its faction`)
      assert(all.length <= ROOMS_PER_FACTION_MAX, `faction ${faction[room]} has too many rooms`)
    }
  },
}

/* When a faction ends */

export const closeRooms = observe(disbanded, (world, { faction }) => closeRoomsOf(world, faction))
