/** Rooms of factions: writing, visiting and deleting them. Source: factions.md section 7. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid, Row } from '../../../core/types.ts'
import { DAMAGED, Facility, ONLINE } from '../../../systems/facility/state.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { rolesOf } from '../../../systems/faction/model.ts'
import { OFFICER } from '../../../systems/faction/role-model.ts'
import { Membership } from '../../../systems/faction/state.ts'
import { Room } from '../../../systems/room/state.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { type Answer, addService, dockAt, guild, refusesNow } from '../faction/scene.ts'

onSmallMap()

let small: SmallWorld
let faction: Row
let leader: Eid
let recruit: Eid
let stranger: Eid
let base: Eid
let commons: Row
beforeEach(async () => {
  ;({ small, faction, leader, recruit, stranger } = await guild())
  base = dockAt(small.world, leader)
  for (const player of [recruit, stranger]) dockAt(small.world, player, base)
  commons = addService(small.world, faction, base, 'faction_commons')
})

const ask = (player: Eid, command: string, params: object = {}) => {
  const answer = small.ask(player, command, params) as Answer
  if (!answer.ok) throw new Error(`${command}: ${JSON.stringify(answer)}`)
  return answer.result
}
const writeRoom = (name: string, fields: object = {}, player = leader): string =>
  ask(player, 'faction_write_room', { name, ...fields }).room_id as string
const names = (player: Eid) =>
  (ask(player, 'faction_rooms').rooms as { name: string }[]).map(({ name }) => name)
const visit = (player: Eid, room_id: string) => small.ask(player, 'faction_visit_room', { room_id })

describe('faction_write_room', () => {
  test('furnishes a room, and visitors read the description', () => {
    const written = ask(leader, 'faction_write_room', {
      name: ' The Map Room ',
      description: 'Brass stars.\nOne is missing.',
      access: 'public',
    })
    expect(written).toMatchObject({
      name: 'The Map Room',
      access: 'public',
      faction: 'Free Haulers',
    })
    expect(ask(stranger, 'faction_rooms')).toMatchObject({
      action: 'faction_rooms',
      faction: 'Free Haulers',
      tag: 'FREE',
      max_rooms: 3,
      rooms: [
        { room_id: written.room_id, author: 'Leader', access: 'public', faction_tag: 'FREE' },
      ],
    })
    expect(ask(stranger, 'faction_visit_room', { room_id: 'the map room' })).toMatchObject({
      action: 'faction_visit_room',
      room_id: written.room_id,
      name: 'The Map Room',
      description: 'Brass stars.\nOne is missing.',
      access: 'public',
      author: 'Leader',
    })
  })

  test('changes only the fields given, and shows its last author', () => {
    const id = writeRoom('Pantry', { description: 'Beans.', access: 'public' })
    small.world.write(Membership).role[recruit] = OFFICER
    small.ticks(1)
    ask(recruit, 'faction_write_room', { room_id: id, description: '' })
    const view = ask(stranger, 'faction_visit_room', { room_id: id })
    expect(view).toMatchObject({ name: 'Pantry', description: '', author: 'Recruit' })
    expect(view.updated_at).not.toBe(view.created_at)
    ask(leader, 'faction_write_room', { room_id: 'PANTRY', access: 'members', name: 'Larder' })
    expect(names(stranger)).toEqual([])
    expect(names(recruit)).toEqual(['Larder'])
  })

  test('writes a line in the log of the faction', () => {
    writeRoom('Pantry')
    const rows = (small.store.archive.rows.get('logActions') ?? []).flatMap(
      ({ args }) => args.rows as { eventType: string; summary: string }[],
    )
    expect(rows.at(-1)).toMatchObject({
      eventType: 'faction.room_written',
      summary: 'Leader furnished the room "Pantry".',
    })
  })

  const invalidCases: [string, object][] = [
    ['invalid_payload', {}],
    ['invalid_payload', { name: ' ' }],
    ['invalid_payload', { name: 'two\nlines' }],
    ['invalid_payload', { name: 'Hall', description: 'a\u0000b' }],
    ['too_long', { name: 'x'.repeat(65) }],
    ['too_long', { name: 'Hall', description: 'x'.repeat(4_001) }],
    ['room_not_found', { room_id: 'constructor' }],
    ['room_not_found', { room_id: '__proto__', name: 'Hall' }],
  ]
  test.each(invalidCases)('refuses %s %j', (code, params) => {
    refusesNow(small, leader, ['faction_write_room', params], code)
  })

  test('refuses not_in_faction, no_permission, not_docked and no_commons', () => {
    const hall = ['faction_write_room', { name: 'Hall' }] as const
    refusesNow(small, stranger, hall, 'not_in_faction')
    refusesNow(small, recruit, hall, {
      code: 'no_permission',
      details: { required: 'manage_facilities' },
    })
    foundFaction(small.world, stranger, 'Loners', 'LONE')
    refusesNow(small, stranger, hall, 'no_commons')
    small.world.write(Facility).status[commons] = DAMAGED
    refusesNow(small, leader, hall, 'no_commons')
    small.world.write(Facility).status[commons] = ONLINE
    expect(small.act(leader, 'undock').ok).toBe(true)
    refusesNow(small, leader, hall, 'not_docked')
  })

  test('refuses limit_reached beyond 3, 6 and 12 rooms', () => {
    for (const name of ['One', 'Two', 'Three']) writeRoom(name)
    const four = ['faction_write_room', { name: 'Four' }] as const
    refusesNow(small, leader, four, { code: 'limit_reached', details: { max: 3, have: 3 } })
    addService(small.world, faction, base, 'faction_commons', 2)
    for (const name of ['Four', 'Five', 'Six']) writeRoom(name)
    refusesNow(small, leader, ['faction_write_room', { name: 'Seven' }], 'limit_reached')
    addService(small.world, faction, base, 'faction_commons', 3)
    for (let i = 7; i <= 12; i++) writeRoom(`Room ${i}`)
    const attic = ['faction_write_room', { name: 'Attic' }] as const
    refusesNow(small, leader, attic, { code: 'limit_reached', details: { max: 12, have: 12 } })
    expect(small.ask(leader, 'faction_write_room', { room_id: 'One', name: 'First' }).ok).toBe(true)
  })

  test('needs officer_room_access for the rooms of officers', () => {
    const id = writeRoom('Ledger Room', { access: 'officers' })
    small.world.write(Membership).role[recruit] = customRole('manage_facilities')
    const change = ['faction_write_room', { room_id: id, access: 'public' }] as const
    const required = { code: 'no_permission', details: { required: 'officer_room_access' } }
    refusesNow(small, recruit, change, required)
    const creation = ['faction_write_room', { name: 'Vault', access: 'officers' }] as const
    refusesNow(small, recruit, creation, required)
    expect(writeRoom('Hall', {}, recruit)).not.toBe('')
  })
})

/** Makes a role with one permission; returns its number. */
function customRole(permission: string): number {
  const outcome = small.ask(leader, 'faction_create_role', {
    name: 'Warden',
    priority: 20,
    permissions: { [permission]: true },
  })
  expect(outcome.ok).toBe(true)
  return rolesOf(small.world, faction).at(-1)?.number ?? 0
}

describe('faction_rooms and faction_visit_room', () => {
  beforeEach(() => {
    writeRoom('Porch', { access: 'public' })
    writeRoom('Kitchen')
    writeRoom('Ledger Room', { access: 'officers' })
  })

  test('list the rooms that each player may enter', () => {
    expect(names(leader)).toEqual(['Porch', 'Kitchen', 'Ledger Room'])
    expect(names(recruit)).toEqual(['Porch', 'Kitchen'])
    expect(names(stranger)).toEqual(['Porch'])
  })

  test('refuse a closed room: access_denied by id, room_not_found by name', () => {
    const rooms = ask(leader, 'faction_rooms').rooms as { room_id: string }[]
    const [, kitchen, ledger] = rooms.map(({ room_id }) => room_id)
    expect(visit(recruit, kitchen).ok).toBe(true)
    expect(visit(recruit, ledger)).toMatchObject({ code: 'access_denied' })
    expect(visit(stranger, kitchen)).toMatchObject({ code: 'access_denied' })
    expect(visit(stranger, 'Kitchen')).toMatchObject({ code: 'room_not_found' })
    small.world.write(Membership).role[recruit] = OFFICER
    expect(visit(recruit, ledger).ok).toBe(true)
  })

  test("show the player's faction first where several have a commons", () => {
    const others = foundFaction(small.world, stranger, 'Loners', 'LONE')
    addService(small.world, others, base, 'faction_commons')
    writeRoom('Cell', { access: 'public' }, stranger)
    expect(names(stranger)).toEqual(['Cell', 'Porch'])
    expect(names(recruit)).toEqual(['Porch', 'Kitchen', 'Cell'])
    expect(ask(stranger, 'faction_rooms')).toMatchObject({ faction: 'Loners', tag: 'LONE' })
  })

  test('refuse no_commons, room_not_found and not_docked', () => {
    expect(visit(leader, 'Cellar')).toMatchObject({ code: 'room_not_found' })
    small.world.write(Facility).status[commons] = DAMAGED
    for (const command of ['faction_rooms', 'faction_visit_room']) {
      refusesNow(small, leader, [command, { room_id: 'Porch' }], 'no_commons')
    }
    expect(small.act(leader, 'undock').ok).toBe(true)
    refusesNow(small, leader, ['faction_rooms', {}], 'not_docked')
    refusesNow(small, leader, ['faction_visit_room', { room_id: 'Porch' }], 'not_docked')
  })

  test('a closed commons keeps its rooms until one works again', () => {
    small.world.write(Facility).status[commons] = DAMAGED
    const others = foundFaction(small.world, stranger, 'Loners', 'LONE')
    addService(small.world, others, base, 'faction_commons')
    expect(names(leader)).toEqual([])
    expect(visit(leader, 'Porch')).toMatchObject({ code: 'room_not_found' })
    small.world.write(Facility).status[commons] = ONLINE
    expect(names(leader)).toEqual(['Porch', 'Kitchen', 'Ledger Room'])
  })
})

describe('faction_delete_room', () => {
  test('deletes a room, even in a closed commons', () => {
    const id = writeRoom('Porch', { access: 'public' })
    writeRoom('Cellar')
    expect(ask(leader, 'faction_delete_room', { room_id: id })).toMatchObject({ room_id: id })
    expect(visit(leader, id)).toMatchObject({ code: 'room_not_found' })
    small.world.write(Facility).status[commons] = DAMAGED
    ask(leader, 'faction_delete_room', { room_id: 'cellar' })
    expect(small.world.countOf(Room)).toBe(0)
    small.ticks(1)
  })

  test('refuses room_not_found, no_permission and not_docked', () => {
    const id = writeRoom('Porch', { access: 'public' })
    const deletion = ['faction_delete_room', { room_id: id }] as const
    refusesNow(small, leader, ['faction_delete_room', { room_id: 'Attic' }], 'room_not_found')
    refusesNow(small, recruit, deletion, 'no_permission')
    foundFaction(small.world, stranger, 'Loners', 'LONE')
    refusesNow(small, stranger, deletion, 'room_not_found')
    expect(small.act(leader, 'undock').ok).toBe(true)
    refusesNow(small, leader, deletion, 'not_docked')
  })
})

test('rooms are deleted with their faction', () => {
  writeRoom('Porch', { access: 'public' })
  const loners = foundFaction(small.world, stranger, 'Loners', 'LONE')
  addService(small.world, loners, base, 'faction_commons')
  writeRoom('Cell', { access: 'public' }, stranger)
  expect(small.act(stranger, 'leave_faction').ok).toBe(true)
  expect(small.world.countOf(Room)).toBe(1)
  expect(names(stranger)).toEqual(['Porch'])
})

test('a restored world has the same rooms', async () => {
  writeRoom('Porch', { access: 'public', description: 'Two chairs.' })
  writeRoom('Cellar', { access: 'officers' })
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  expect(restored.ask(leader, 'faction_rooms')).toEqual(small.ask(leader, 'faction_rooms'))
  expect(restored.ask(stranger, 'faction_visit_room', { room_id: 'Porch' })).toMatchObject({
    result: { description: 'Two chairs.' },
  })
})
