/** Commands of rooms: furnishing, deleting, listing, visiting. Source: factions.md section 7. */
import { immediate, query } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import {
  choice,
  ints,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  str,
  strings,
  words,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { cleanText } from '../../core/text-rules.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import {
  factionName,
  factionOf,
  factionTag,
  hasPermission,
  needPermission,
  recordFactionLog,
} from '../faction/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import {
  closeRoom,
  commonsAt,
  mayEnter,
  openRoom,
  roomAccess,
  roomByIdAt,
  roomId,
  roomName,
  roomNamed,
  roomsOf,
  roomsOfAt,
  roomsOpenTo,
} from './model.ts'
import {
  ROOM_ACCESS,
  ROOM_NAME_CHARACTERS_MAX,
  ROOM_TEXT_CHARACTERS_MAX,
  ROOMS_LISTED_MAX,
  ROOMS_PER_FACTION_MAX,
  Room,
  type RoomAccess,
} from './state.ts'

interface RoomParams {
  readonly room_id?: string
  readonly name?: string
  readonly description?: string
  readonly access?: RoomAccess
}

/** Cleans a name or description; undefined stays undefined. Refusals: too_long, invalid_payload. */
function textOf(value: string | undefined, field: 'name' | 'description') {
  if (value === undefined) return ok(undefined)
  if (field === 'description') {
    const max = ROOM_TEXT_CHARACTERS_MAX
    return cleanText(value, { max, unit: 'codepoints', field, mayBeEmpty: true })
  }
  const max = ROOM_NAME_CHARACTERS_MAX
  return cleanText(value, { max, unit: 'codepoints', field, oneLine: true })
}

/** Finds a room of the faction here by id or name. Refusal: room_not_found. */
function findOwnRoom(
  view: WorldView,
  faction: Row,
  base: Row,
  idOrName: string,
): Outcome<Row, 'room_not_found'> {
  const own = roomsOfAt(view, faction, base)
  const byId = roomByIdAt(view, base, idOrName)
  const room = own.includes(byId) ? byId : roomNamed(view, own, idOrName)
  return room === 0 ? fail('room_not_found', { room_id: idOrName }) : ok(room)
}

/**
 * Refuses a new room without a name or beyond a limit. Refusals: invalid_payload, limit_reached.
 */
function newRoomRefusal(view: WorldView, faction: Row, base: Row, name?: string) {
  if (name === undefined) {
    return invalidFields({ field: 'name', expected: 'the name of a new room' })
  }
  const max = commonsAt(view, base).get(faction) ?? 0
  const here = roomsOfAt(view, faction, base).length
  if (here >= max) {
    return fail('limit_reached', { max, have: here }, 'Your commons has no free room left.')
  }
  const have = roomsOf(view, faction).length
  if (have >= ROOMS_PER_FACTION_MAX) {
    return fail('limit_reached', { max: ROOMS_PER_FACTION_MAX, of: 'rooms of a faction', have })
  }
  return isNearlyFull(view, Room) ? fail('limit_reached', { full: 'rooms' }) : undefined
}

/** Refuses officers' rooms to players who may not enter them. Refusal: no_permission. */
function officersRefusal(
  view: WorldView,
  player: Eid,
  ...access: (RoomAccess | undefined)[]
): Failure<'no_permission'> | undefined {
  const required = 'officer_room_access'
  if (!access.includes('officers') || hasPermission(view, player, required)) return undefined
  return fail('no_permission', { required })
}

function writeRoom(world: World, player: Eid, params: RoomParams) {
  const faction = factionOf(world, player)
  const base = dockedBase(world, player)
  if (!commonsAt(world, base).has(faction)) return fail('no_commons')
  const name = textOf(params.name, 'name')
  if (!name.ok) return name
  const description = textOf(params.description, 'description')
  if (!description.ok) return description
  const found =
    params.room_id === undefined ? ok(0) : findOwnRoom(world, faction, base, params.room_id)
  if (!found.ok) return found
  const refused =
    found.result === 0
      ? (newRoomRefusal(world, faction, base, name.result) ??
        officersRefusal(world, player, params.access))
      : officersRefusal(world, player, roomAccess(world, found.result), params.access)
  if (refused) return refused
  const room = found.result || openRoom(world, faction, base)
  if (name.result !== undefined) world.setText(Room, 'name', room, name.result)
  if (description.result !== undefined) {
    world.setText(Room, 'description', room, description.result)
  }
  const columns = world.write(Room)
  const access = params.access ?? (found.result === 0 ? 'members' : undefined)
  if (access !== undefined) columns.access[room] = ROOM_ACCESS.indexOf(access)
  columns.author[room] = player
  columns.updatedMs[room] = world.wallMs
  return ok(room)
}

/** Adds an entry to the log of the faction, without notifying anybody; returns its text. */
function logRoom(world: World, player: Eid, room: Row, verb: string, action: string): string {
  const base = dockedBase(world, player)
  const summary = `${usernameOf(world, player)} ${action} the room "${roomName(world, room)}".`
  const data = { room_id: roomId(world, room), base_id: baseId(world, base) }
  recordFactionLog(world, factionOf(world, player), player, { verb, summary, data })
  return summary
}

const roomParam = () =>
  str(say`Id or name of a room, as listed by {faction_rooms}.`, { min: 1, max: 256 })

const shared = {
  category: 'faction',
  needs: [needPermission('manage_facilities'), DOCKED],
}

export const factionWriteRoom = immediate({
  ...shared,
  name: 'faction_write_room',
  v2: { tool: 'game_faction_admin', action: 'write_room' },
  summary: 'Furnish a room of your faction here, or a new one if room_id is absent.',
  params: obj({
    room_id: optional(str('Id or name of a room; absent: a new one.', { min: 1, max: 256 })),
    name: optional(
      str(`The name on the door, at most ${ROOM_NAME_CHARACTERS_MAX} characters.`, {
        max: TEXT_CHARACTERS_MAX,
        example: 'The Map Room',
      }),
    ),
    description: optional(
      str(`The text that visitors read, at most ${ROOM_TEXT_CHARACTERS_MAX} characters.`, {
        max: TEXT_CHARACTERS_MAX,
        example: 'A table of brass stars, each with a thread to whoever went there first.',
      }),
    ),
    access: optional(choice('Who may enter; by default members for a new room.', ROOM_ACCESS)),
  }),
  result: obj({
    ...strings('action', 'message', 'name', 'room_id'),
    ...opt(strings('access', 'faction', 'hint')),
  }),
  errors: ['no_commons', 'limit_reached', 'room_not_found', 'too_long', 'invalid_payload'],
  run(world, player, params) {
    const written = writeRoom(world, player, params)
    if (!written.ok) return written
    const room = written.result
    const message = logRoom(world, player, room, 'room_written', 'furnished')
    return ok({
      action: 'faction_write_room',
      room_id: roomId(world, room),
      name: roomName(world, room),
      access: roomAccess(world, room),
      faction: factionName(world, factionOf(world, player)),
      message,
      hint: say`{faction_rooms} lists the rooms here, {faction_visit_room} shows one as visitors see it.`,
    })
  },
})

/** ours: rooms of a closed commons can be deleted too, or they would count towards the limit. */
export const factionDeleteRoom = immediate({
  ...shared,
  name: 'faction_delete_room',
  v2: { tool: 'game_faction', action: 'delete_room', rename: { room_id: 'id' } },
  summary: 'Delete a room of your faction here, for good.',
  params: obj({ room_id: roomParam() }),
  result: obj(strings('action', 'message', 'room_id')),
  errors: ['room_not_found'],
  run(world, player, { room_id }) {
    const base = dockedBase(world, player)
    const found = findOwnRoom(world, factionOf(world, player), base, room_id)
    if (!found.ok) return found
    const room = found.result
    const id = roomId(world, room)
    const message = logRoom(world, player, room, 'room_deleted', 'deleted')
    closeRoom(world, room)
    return ok({
      action: 'faction_delete_room',
      room_id: id,
      message,
    })
  },
})

/* Visiting */

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
  summary: 'List the rooms of factions here that you may enter, those of your own faction first.',
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
      faction: factionName(view, host),
      tag: factionTag(view, host),
      station,
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
  summary: 'Show a room of a faction at this station.',
  category: 'faction',
  params: obj({ room_id: roomParam() }),
  result: obj(
    strings(
      ...words('access action author created_at'),
      ...words('description name room_id updated_at'),
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
      return fail('access_denied', { access: roomAccess(view, room) }, 'You may not enter.')
    }
    return ok({
      action: 'faction_visit_room',
      ...renderRoom(view, room),
      description: view.texts.get(description[room]),
      created_at: isoTime(createdMs[room]),
    })
  },
})
