/** Visiting rooms: `faction_rooms`, `faction_visit_room`. Source: factions.md section 7. */
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { ints, list, NO_PARAMS, obj, opt, str, strings } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseName } from '../base/model.ts'
import { factionName, factionOf, factionTag } from '../faction/model.ts'
import { dockedBase } from '../travel/drift-model.ts'
import { DOCKED } from '../travel/needs.ts'
import {
  commonsAt,
  mayEnter,
  roomAccess,
  roomByIdAt,
  roomId,
  roomName,
  roomNamed,
  roomsOpenTo,
} from './model.ts'
import { ROOMS_LISTED_MAX, Room } from './state.ts'

/** What a list says of a room. */
function renderRoom(view: WorldView, room: Row) {
  const { author, updatedMs } = view.read(Room)
  return {
    room_id: roomId(view, room),
    name: roomName(view, room),
    access: roomAccess(view, room) as string,
    author: usernameOf(view, author[room]),
    updated_at: isoTime(updatedMs[room]),
  }
}

export const factionRooms = query({
  name: 'faction_rooms',
  v2: { tool: 'game_faction', action: 'rooms' },
  summary: 'Rooms of factions at this station that are open to you, those of your own first.',
  category: 'faction',
  params: NO_PARAMS,
  result: obj({
    ...strings('action', 'faction', 'message', 'station', 'tag'),
    ...ints('max_rooms'),
    rooms: list(
      obj({
        ...strings('name', 'room_id'),
        ...opt(strings('access', 'author', 'updated_at', 'faction_tag')),
      }),
    ),
  }),
  needs: [DOCKED],
  errors: ['no_commons'],
  run(view, player) {
    const base = dockedBase(view, player)
    const open = commonsAt(view, base)
    const [first] = open.keys()
    if (first === undefined) return fail('no_commons')
    const own = factionOf(view, player)
    const host = open.has(own) ? own : first
    const rooms = roomsOpenTo(view, player, base, open)
    const { faction } = view.read(Room)
    const station = baseName(view, base)
    return ok({
      action: 'faction_rooms',
      ...{ faction: factionName(view, host), tag: factionTag(view, host), station },
      max_rooms: open.get(host) ?? 0,
      rooms: rooms.slice(0, ROOMS_LISTED_MAX).map((room) => ({
        ...renderRoom(view, room),
        faction_tag: factionTag(view, faction[room]),
      })),
      message: `Rooms open to you at ${station}: ${rooms.length}.`,
    })
  },
})

export const factionVisitRoom = query({
  name: 'faction_visit_room',
  v2: { tool: 'game_faction', action: 'visit_room', rename: { room_id: 'id' } },
  summary: 'Shows a room of a faction at this station.',
  category: 'faction',
  params: obj({
    room_id: str(say`Id or name of a room, as {faction_rooms} has it.`, { min: 1, max: 256 }),
  }),
  result: obj(
    strings(
      ...(['access', 'action', 'author', 'created_at'] as const),
      ...(['description', 'name', 'room_id', 'updated_at'] as const),
    ),
  ),
  needs: [DOCKED],
  errors: ['no_commons', 'room_not_found', 'access_denied'],
  run(view, player, { room_id }) {
    const base = dockedBase(view, player)
    const open = commonsAt(view, base)
    if (open.size === 0) return fail('no_commons')
    const { faction, description, createdMs } = view.read(Room)
    const byId = roomByIdAt(view, base, room_id)
    const isOpen = byId !== 0 && open.has(faction[byId])
    const room = isOpen ? byId : roomNamed(view, roomsOpenTo(view, player, base, open), room_id)
    if (room === 0) return fail('room_not_found', { room_id })
    if (!mayEnter(view, player, room)) {
      return fail('access_denied', { access: roomAccess(view, room) }, 'The door stays shut.')
    }
    return ok({
      action: 'faction_visit_room',
      ...renderRoom(view, room),
      description: view.texts.get(description[room]),
      created_at: isoTime(createdMs[room]),
    })
  },
})
