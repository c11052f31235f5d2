/** Roles, ranks and the description of a faction. Source: factions.md sections 2 and 3. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid, Row, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { addMember, removeMember } from '../../../systems/faction/member-rules.ts'
import { factionIdOf, factionOf, hasPermission, rolesOf } from '../../../systems/faction/model.ts'
import { LEADER, MEMBER, OFFICER, RECRUIT } from '../../../systems/faction/role-model.ts'
import { PERMISSIONS } from '../../../systems/faction/schemas.ts'
import {
  FACTION_LEADER_AWAY_TICKS,
  FACTION_REVIEW_TICKS,
  FACTION_ROLES_MAX,
  Faction,
  Membership,
} from '../../../systems/faction/state.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { addService, dockAt, guild, heard, refusesNow } from './scene.ts'

onSmallMap()

let small: SmallWorld
let world: World
let faction: Row
let leader: Eid
let recruit: Eid
let stranger: Eid
let officer: Eid
beforeEach(async () => {
  const scene = await guild()
  ;({ small, faction, leader, recruit, stranger } = scene)
  world = small.world
  officer = small.join('Officer')
  addMember(world, officer, faction, OFFICER)
  small.takeEmissions()
})

const role = (player: Eid) => world.read(Membership).role[player]
const act = (player: Eid, command: string, params: object = {}) =>
  small.act(player, command, params)
const code = (player: Eid, command: string, params: object = {}) =>
  (act(player, command, params) as { code?: string }).code
const named = (name: string) => ({ player_id: name })
const createRole = (params: object) =>
  small.ask(leader, 'faction_create_role', params) as { ok: boolean; result: { role_id: string } }

describe('roles', () => {
  test('of a new faction give officers all but three permissions, and recruits none', () => {
    expect(rolesOf(world, faction).map(({ name, priority }) => [name, priority])).toEqual([
      ['recruit', 1],
      ['member', 10],
      ['officer', 50],
      ['leader', 100],
    ])
    const lacking = PERMISSIONS.filter((name) => !hasPermission(world, officer, name))
    expect(lacking).toEqual(['promote', 'manage_roles', 'manage_diplomacy'])
    expect(PERMISSIONS.filter((name) => hasPermission(world, recruit, name))).toEqual([])
    expect(PERMISSIONS.every((name) => hasPermission(world, leader, name))).toBe(true)
    expect(PERMISSIONS.some((name) => hasPermission(world, stranger, name))).toBe(false)
  })

  test('are created, given, edited and deleted, each with an event: role_created …', () => {
    const made = createRole({ name: 'Scout', priority: 20, permissions: { invite: true } })
    expect(made).toMatchObject({ result: { name: 'Scout', priority: 20 } })
    expect(heard(small, recruit)).toMatchObject([{ event: 'role_created', role: 'Scout' }])
    const { role_id } = made.result
    expect(act(leader, 'faction_promote', { ...named('Recruit'), role_id })).toMatchObject({
      result: { new_role: 'Scout' },
    })
    expect(hasPermission(world, recruit, 'invite')).toBe(true)
    small.takeEmissions()
    const edited = { role_id, name: 'Pathfinder', permissions: { invite: false, broadcast: true } }
    expect(small.ask(leader, 'faction_edit_role', edited)).toMatchObject({
      result: { updates: { name: 'Pathfinder', permissions: { invite: false, broadcast: true } } },
    })
    expect(heard(small, recruit)).toMatchObject([{ event: 'role_edited' }])
    expect(hasPermission(world, recruit, 'invite')).toBe(false)
    expect(small.ask(leader, 'faction_delete_role', { role_id })).toMatchObject({
      result: { role_id, reassigned_count: 1 },
    })
    expect(heard(small, recruit)).toMatchObject([{ event: 'role_deleted' }])
    expect(role(recruit)).toBe(MEMBER)
    expect(rolesOf(world, faction).length).toBe(4)
  })

  test.each([
    [{ name: 'Low', priority: 1 }, 'invalid_priority'],
    [{ name: 'High', priority: 100 }, 'invalid_priority'],
    [{ name: 'x'.repeat(33), priority: 20 }, 'too_long'],
    [{ name: '  ', priority: 20 }, 'invalid_payload'],
    [{ name: 'Officer', priority: 20 }, 'name_taken'],
    [{ name: 'two\nlines', priority: 20 }, 'invalid_payload'],
    [{ name: 'Odd', priority: 20, permissions: { fly: true } }, 'invalid_payload'],
  ])('are not created from %j: %s', (params, refusal) => {
    refusesNow(small, leader, ['faction_create_role', params], refusal)
  })

  test('are created below the rank and within the permissions of their creator', () => {
    const scribe = { name: 'Scribe', priority: 30, permissions: { manage_roles: true } }
    const { role_id } = createRole(scribe).result
    const params = { name: 'Page', priority: 20 }
    refusesNow(small, stranger, ['faction_create_role', params], 'not_in_faction')
    refusesNow(small, recruit, ['faction_create_role', params], 'no_permission')
    act(leader, 'faction_promote', { ...named('Recruit'), role_id })
    const higher = { ...params, priority: 30 }
    refusesNow(small, recruit, ['faction_create_role', higher], 'insufficient_rank')
    const richer = { ...params, permissions: { manage_treasury: true } }
    refusesNow(small, recruit, ['faction_create_role', richer], {
      code: 'no_permission',
      details: { required: 'manage_treasury' },
    })
    expect(small.ask(recruit, 'faction_create_role', params).ok).toBe(true)
    refusesNow(
      small,
      recruit,
      ['faction_edit_role', { role_id, name: 'Mine' }],
      'insufficient_rank',
    )
    refusesNow(small, recruit, ['faction_delete_role', { role_id }], 'insufficient_rank')
  })

  test(`are at most ${FACTION_ROLES_MAX}: limit_reached`, () => {
    for (let i = 0; i < FACTION_ROLES_MAX; i++) {
      expect(createRole({ name: `Role ${i}`, priority: 20 }).ok).toBe(true)
    }
    refusesNow(
      small,
      leader,
      ['faction_create_role', { name: 'More', priority: 20 }],
      'limit_reached',
    )
  })

  test('are not edited or deleted if built in or unknown: default_role, role_not_found', () => {
    createRole({ name: 'Scout', priority: 20 })
    for (const command of ['faction_edit_role', 'faction_delete_role']) {
      refusesNow(small, leader, [command, { role_id: 'officer' }], 'default_role')
      refusesNow(small, leader, [command, { role_id: 'nothing' }], 'role_not_found')
      refusesNow(small, officer, [command, { role_id: 'Scout' }], 'no_permission')
    }
    refusesNow(
      small,
      leader,
      ['faction_edit_role', { role_id: 'Scout', name: 'member' }],
      'name_taken',
    )
    const unknown = { role_id: 'Scout', permissions: { fly: true } }
    refusesNow(small, leader, ['faction_edit_role', unknown], 'invalid_payload')
    const long = { role_id: 'Scout', name: 'x'.repeat(33) }
    refusesNow(small, leader, ['faction_edit_role', long], 'too_long')
  })
})

describe('faction_kick', () => {
  test('removes a member of lower rank and notifies everybody: member_kicked', () => {
    expect(act(officer, 'faction_kick', named('Recruit'))).toMatchObject({
      result: { player_id: playerId(world, recruit) },
    })
    expect(factionOf(world, recruit)).toBe(0)
    expect(heard(small, recruit)).toMatchObject([{ event: 'member_kicked', actor: 'Officer' }])
  })

  test('is refused: not_a_member, cannot_kick_leader, insufficient_rank, no_permission', () => {
    const equal = small.join('Equal')
    addMember(world, equal, faction, OFFICER)
    expect(code(officer, 'faction_kick', named('Stranger'))).toBe('not_a_member')
    expect(code(officer, 'faction_kick', named('Nobody'))).toBe('not_a_member')
    expect(code(officer, 'faction_kick', named('Leader'))).toBe('cannot_kick_leader')
    expect(code(officer, 'faction_kick', named('Equal'))).toBe('insufficient_rank')
    expect(code(recruit, 'faction_kick', named('Officer'))).toBe('no_permission')
    expect(code(stranger, 'faction_kick', named('Officer'))).toBe('not_in_faction')
  })

  test('checks the permission when it runs, not when it is sent', () => {
    const kick = { player: officer, command: 'faction_kick', params: named('Recruit') }
    const lower = {
      player: leader,
      command: 'faction_promote',
      params: { ...named('Officer'), role_id: 'member' },
    }
    // Initiative decides which of the two runs first: the kick succeeds or is refused.
    const answers = small.tick(kick, lower)
    expect(answers.get(leader)?.ok).toBe(true)
    const kicked = answers.get(officer) as { ok: boolean; code?: string }
    if (kicked.ok) expect(factionOf(world, recruit)).toBe(0)
    else expect(kicked.code).toBe('no_permission')
    expect(code(officer, 'faction_kick', named('Recruit'))).toBe('no_permission')
  })
})

describe('faction_promote', () => {
  const promote = (player: Eid, name: string, role_id: string) =>
    code(player, 'faction_promote', { ...named(name), role_id })

  test('gives a role and notifies all: member_promoted', () => {
    expect(promote(leader, 'Recruit', 'officer')).toBeUndefined()
    expect(role(recruit)).toBe(OFFICER)
    expect(heard(small, recruit)).toMatchObject([
      { event: 'member_promoted', target: 'Recruit', role: 'officer' },
    ])
  })

  test('hands over leadership, and the former leader becomes an officer: leader_changed', () => {
    expect(promote(leader, 'Recruit', 'leader')).toBeUndefined()
    expect([role(recruit), role(leader)]).toEqual([LEADER, OFFICER])
    expect(world.read(Faction).leader[faction]).toBe(recruit)
    expect(heard(small, officer)).toMatchObject([{ event: 'leader_changed', target: 'Recruit' }])
  })

  test('is refused: not_a_member, role_not_found, insufficient_rank, no_permission', () => {
    expect(promote(leader, 'Stranger', 'officer')).toBe('not_a_member')
    expect(promote(leader, 'Recruit', 'emperor')).toBe('role_not_found')
    expect(promote(leader, 'Leader', 'member')).toBe('insufficient_rank')
    expect(promote(officer, 'Recruit', 'member')).toBe('no_permission')
    createRole({ name: 'Sergeant', priority: 40, permissions: { promote: true } })
    expect(promote(leader, 'Officer', 'sergeant')).toBeUndefined()
    expect(promote(officer, 'Recruit', 'officer')).toBe('insufficient_rank')
    expect(promote(officer, 'Recruit', 'leader')).toBe('insufficient_rank')
    expect(promote(officer, 'Recruit', 'member')).toBeUndefined()
  })
})

describe('a leader offline for thirty days', () => {
  const disconnect = (player: Eid) => {
    const number = world.read(Player).seq[player]
    expect(small.ask(0, 'internal:unbind', { player: number, channel: 'ws' }).ok).toBe(true)
  }

  /**
   * Moves the clock past the absence, to just before the review of the faction. Each faction is
   * reviewed in one tick of FACTION_REVIEW_TICKS.
   */
  const skipToReview = () => {
    const later = world.tick + FACTION_LEADER_AWAY_TICKS + FACTION_REVIEW_TICKS
    world.tick = later - (later % FACTION_REVIEW_TICKS) + faction - 2
  }

  test('is succeeded by the member of highest rank who is not away too', () => {
    const late = small.join('Late')
    addMember(world, late, faction, OFFICER)
    disconnect(leader)
    disconnect(officer)
    skipToReview()
    small.takeEmissions()
    small.ticks(1)
    expect(role(late)).toBe(LEADER)
    expect(role(leader)).toBe(OFFICER)
    expect(heard(small, recruit)).toMatchObject([
      { event: 'leader_changed', actor: 'Late', target: 'Leader' },
    ])
  })

  test('stays the leader while every member is away', () => {
    for (const player of [leader, officer, recruit]) disconnect(player)
    skipToReview()
    small.ticks(1)
    expect(role(leader)).toBe(LEADER)
  })
})

describe('faction_edit', () => {
  const changes = {
    description: 'We haul.',
    charter: 'Pay your share.',
    primary_color: '#102030',
    ally_fuel_access: true,
  }

  test('changes the fields given, at an admin office of the faction: edited', () => {
    const base = dockAt(world, leader)
    addService(world, faction, base, 'faction_admin')
    expect(small.ask(leader, 'faction_edit', changes)).toMatchObject({
      result: { updates: changes },
    })
    expect(heard(small, recruit)).toMatchObject([{ event: 'edited', actor: 'Leader' }])
    expect(small.ask(recruit, 'faction_info')).toMatchObject({
      result: { ...changes, ally_intel_opt_out: false, secondary_color: expect.any(String) },
    })
    const cleared = { description: '' }
    expect(small.ask(leader, 'faction_edit', cleared).ok).toBe(true)
    expect(small.ask(stranger, 'faction_info', { faction_id: 'FREE' })).toMatchObject({
      result: { description: '', charter: changes.charter },
    })
  })

  test('is refused: no_admin_office, invalid_color, too_long, not_docked, no_permission', () => {
    const base = dockAt(world, leader)
    refusesNow(small, leader, ['faction_edit', changes], 'no_admin_office')
    addService(world, faction, base, 'faction_admin')
    refusesNow(small, leader, ['faction_edit', { primary_color: 'red' }], 'invalid_color')
    refusesNow(small, leader, ['faction_edit', { secondary_color: 'red' }], 'invalid_color')
    refusesNow(small, leader, ['faction_edit', { description: 'x'.repeat(501) }], 'too_long')
    refusesNow(small, leader, ['faction_edit', { charter: 'x'.repeat(4_001) }], 'too_long')
    refusesNow(small, leader, ['faction_edit', { charter: 'a\u0000' }], 'invalid_payload')
    refusesNow(small, officer, ['faction_edit', changes], 'no_permission')
    refusesNow(small, stranger, ['faction_edit', changes], 'not_in_faction')
    expect(small.act(leader, 'undock').ok).toBe(true)
    refusesNow(small, leader, ['faction_edit', changes], 'not_docked')
  })
})

describe('faction_info and faction_list', () => {
  test('show the treasury to members only', () => {
    const own = small.ask(recruit, 'faction_info', { limit: 2, offset: 1 })
    expect(own).toMatchObject({
      result: {
        id: factionIdOf(world, faction),
        name: 'Free Haulers',
        tag: 'FREE',
        is_member: true,
        leader_username: 'Leader',
        member_count: 3,
        member_cap: 20,
        treasury: 0,
        members: [{ username: 'Recruit', role: 'recruit', is_online: true }, { role: 'officer' }],
        members_truncated: false,
        roles: [{ id: 'recruit' }, {}, {}, { id: 'leader', permissions: { kick: true } }],
      },
    })
    const seen = small.ask(stranger, 'faction_info', { faction_id: 'free' })
    expect(seen).toMatchObject({ result: { is_member: false, founder_empire: 'solarian' } })
    expect(Object.keys((seen as { result: object }).result)).not.toContain('treasury')
    refusesNow(small, stranger, ['faction_info', {}], 'not_in_faction')
    refusesNow(small, stranger, ['faction_info', { faction_id: 'nope' }], 'faction_not_found')
  })

  test('list factions by age in pages', () => {
    for (const [i, name] of ['Second', 'Third'].entries()) {
      const founder = small.join(name)
      const params = { name: `${name} Fleet`, tag: `AAA${i}` }
      expect(act(founder, 'create_faction', params).ok).toBe(true)
    }
    expect(small.ask(stranger, 'faction_list', { limit: 2, offset: 1 })).toMatchObject({
      result: {
        total_count: 3,
        limit: 2,
        offset: 1,
        factions: [{ name: 'Second Fleet' }, { name: 'Third Fleet' }],
      },
    })
  })

  test('agree with the faction and rank in get_status and the tag in get_nearby', () => {
    const status = small.ask(recruit, 'get_status')
    expect(status).toMatchObject({
      result: { player: { faction_id: factionIdOf(world, faction), faction_rank: 'recruit' } },
    })
    for (const player of [recruit, stranger]) expect(small.act(player, 'undock').ok).toBe(true)
    expect(small.ask(stranger, 'get_nearby')).toMatchObject({
      result: {
        nearby: expect.arrayContaining([expect.objectContaining({ faction_tag: 'FREE' })]),
      },
    })
    removeMember(world, recruit)
    expect(JSON.stringify(small.ask(recruit, 'get_status'))).not.toContain('faction_rank')
    expect(role(recruit)).toBe(0)
    expect(RECRUIT).toBe(1)
  })
})
