/** Founding a faction, inviting, joining and leaving. Source: factions.md sections 1 and 3. */
import { beforeEach, describe, expect, test } from 'vitest'
import { fail } from '../../../core/errors.ts'
import { guard } from '../../../core/guard.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { observe } from '../../../core/occurrence.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { areAllied, playerId, walletOf } from '../../../systems/account/model.ts'
import { invitesTo } from '../../../systems/faction/invite-model.ts'
import { addMember, foundFaction, removeMember } from '../../../systems/faction/member-rules.ts'
import {
  domicileOf,
  factionByText,
  factionIdOf,
  factionOf,
  hasPermission,
  membersOf,
  roleOf,
  treasuryOf,
} from '../../../systems/faction/model.ts'
import { LEADER, OFFICER } from '../../../systems/faction/role-model.ts'
import { invite } from '../../../systems/faction/rules.ts'
import {
  disbanded,
  disbanding,
  FACTION_INVITES_INCOMING_MAX,
  FACTION_INVITES_OPEN_MAX,
  FACTIONS_FOUNDED_MAX,
  Faction,
  INVITES,
  RESERVED_NAMES,
} from '../../../systems/faction/state.ts'
import { addGuard, addObserver } from '../../contributions.ts'
import { onSmallMap, type SmallWorld, uncheck } from '../../small-world.ts'
import { type Guild, guild, heard, refusesNow } from './scene.ts'

onSmallMap()

let scene: Guild
let small: SmallWorld
let world: World
let faction: Row
let leader: Eid
let recruit: Eid
let stranger: Eid
beforeEach(async () => {
  scene = await guild()
  ;({ small, faction, leader, recruit, stranger } = scene)
  world = small.world
})

const id = (player: Eid) => playerId(world, player)
const act = (player: Eid, command: string, params: object = {}) =>
  small.act(player, command, params)
const code = (player: Eid, command: string, params: object = {}) =>
  (act(player, command, params) as { code?: string }).code

describe('create_faction', () => {
  test('makes the founder the leader, with the domicile of their origin', () => {
    const made = act(stranger, 'create_faction', { name: 'Night Shift', tag: 'ngt1' })
    const own = factionOf(world, stranger)
    expect(made).toMatchObject({
      result: {
        action: 'create_faction',
        name: 'Night Shift',
        faction_id: factionIdOf(world, own),
      },
    })
    expect(roleOf(world, stranger).number).toBe(LEADER)
    expect(world.read(Faction).leader[own]).toBe(stranger)
    expect(domicileOf(world, own)).toBe(0)
    expect(balanceOf(world, treasuryOf(world, own))).toBe(0)
    expect(factionByText(world, 'ngt1')).toBe(own)
    expect(factionByText(world, factionIdOf(world, own))).toBe(own)
    expect(factionByText(world, 'none')).toBe(0)
  })

  test('refuses already_in_faction, invalid_name, invalid_tag, name_taken, tag_taken', () => {
    const found = (name: string, tag: string) => code(stranger, 'create_faction', { name, tag })
    expect(code(leader, 'create_faction', { name: 'Another', tag: 'ANOT' })).toBe(
      'already_in_faction',
    )
    expect(found('ab', 'ABCD')).toBe('invalid_name')
    expect(found('x'.repeat(33), 'ABCD')).toBe('invalid_name')
    expect(found('Fine Name', 'ABC')).toBe('invalid_tag')
    expect(found('Fine Name', 'AB-D')).toBe('invalid_tag')
    expect(found('FREE haulers', 'ABCD')).toBe('name_taken')
    expect(found('Fine Name', 'free')).toBe('tag_taken')
    expect(world.countOf(Faction)).toBe(1)
  })

  test('is allowed three times a day: rate_limited', () => {
    for (let i = 0; i < FACTIONS_FOUNDED_MAX; i++) {
      expect(act(stranger, 'create_faction', { name: `Band ${i}`, tag: `BAN${i}` }).ok).toBe(true)
      expect(act(stranger, 'leave_faction').ok).toBe(true)
    }
    const refused = act(stranger, 'create_faction', { name: 'Band 9', tag: 'BAN9' })
    expect(refused).toMatchObject({ code: 'rate_limited' })
    const { wait_seconds } = (refused as unknown as { details: { wait_seconds: number } }).details
    expect(wait_seconds).toBeLessThanOrEqual(86_400)
    expect(wait_seconds).toBeGreaterThan(86_400 - 200)
  })

  test('is refused while the tables are nearly full: limit_reached', () => {
    uncheck(small)
    while (world.roomIn(Faction) > 2) world.take(Faction)
    expect(code(stranger, 'create_faction', { name: 'Late', tag: 'LATE' })).toBe('limit_reached')
  })

  test('drops the invitations its founder had', () => {
    invite(world, faction, stranger, leader)
    expect(act(stranger, 'create_faction', { name: 'Own Way', tag: 'OWNW' }).ok).toBe(true)
    expect(world.records(INVITES).size).toBe(0)
  })
})

describe('an invitation', () => {
  test('reaches the invited player, and is listed: faction_event invite_received', () => {
    expect(act(leader, 'faction_invite', { player_id: id(stranger) })).toMatchObject({
      result: { player_id: id(stranger) },
    })
    expect(heard(small, stranger)).toMatchObject([
      { event: 'invite_received', faction_tag: 'FREE', actor: 'Leader', target: 'Stranger' },
    ])
    expect(small.ask(stranger, 'faction_get_invites')).toMatchObject({
      result: { invites: [{ faction_tag: 'FREE', invited_by: 'Leader' }] },
    })
    expect(small.ask(leader, 'faction_get_invites')).toMatchObject({ result: { invites: [] } })
  })

  test('needs a faction and the permission: not_in_faction, no_permission', () => {
    const params = { player_id: id(leader) }
    expect(code(stranger, 'faction_invite', params)).toBe('not_in_faction')
    expect(act(recruit, 'faction_invite', { player_id: id(stranger) })).toMatchObject({
      code: 'no_permission',
      details: { required: 'invite' },
    })
  })

  test('is refused: player_not_found, already_member, already_invited', () => {
    expect(code(leader, 'faction_invite', { player_id: 'Nobody' })).toBe('player_not_found')
    expect(code(leader, 'faction_invite', { player_id: 'Recruit' })).toBe('already_member')
    expect(act(leader, 'faction_invite', { player_id: 'Stranger' }).ok).toBe(true)
    expect(code(leader, 'faction_invite', { player_id: 'Stranger' })).toBe('already_invited')
  })

  test('is refused at the cap of members, and so is joining: member_cap', () => {
    invite(world, faction, stranger, leader)
    while (membersOf(world, faction).length < 20) {
      addMember(world, small.join(`Member ${membersOf(world, faction).length}`), faction)
    }
    const late = small.join('Late')
    expect(code(leader, 'faction_invite', { player_id: id(late) })).toBe('member_cap')
    expect(act(stranger, 'join_faction', { faction_id: 'free' })).toMatchObject({
      code: 'member_cap',
      details: { cap: 20 },
    })
  })

  test(`is refused once a faction has ${FACTION_INVITES_OPEN_MAX} open ones: limit_reached`, () => {
    for (let i = 0; i < FACTION_INVITES_OPEN_MAX; i++) {
      invite(world, faction, small.join(`Guest ${i}`), leader)
    }
    expect(code(leader, 'faction_invite', { player_id: id(stranger) })).toBe('limit_reached')
  })

  test('replaces the oldest one of a player who already has twenty', () => {
    const others = Array.from({ length: FACTION_INVITES_INCOMING_MAX }, (_, i) =>
      foundFaction(world, small.join(`Head ${i}`), `Club ${i}`, `C${100 + i}`),
    )
    for (const other of others) invite(world, other, stranger, world.read(Faction).leader[other])
    const oldest = invitesTo(world, stranger)[0]
    expect(act(leader, 'faction_invite', { player_id: id(stranger) }).ok).toBe(true)
    const open = invitesTo(world, stranger)
    expect(open.length).toBe(FACTION_INVITES_INCOMING_MAX)
    expect(open).not.toContainEqual(oldest)
  })

  test('can be withdrawn, after which joining fails: invite_withdrawn, invite_not_found', () => {
    const params = { player_id: id(stranger) }
    expect(code(leader, 'faction_withdraw_invite', params)).toBe('invite_not_found')
    expect(code(leader, 'faction_withdraw_invite', { player_id: 'Nobody' })).toBe(
      'invite_not_found',
    )
    expect(code(recruit, 'faction_withdraw_invite', params)).toBe('no_permission')
    invite(world, faction, stranger, leader)
    expect(act(leader, 'faction_withdraw_invite', params).ok).toBe(true)
    expect(heard(small, stranger)).toMatchObject([{ event: 'invite_withdrawn' }])
    expect(code(stranger, 'join_faction', { faction_id: 'FREE' })).toBe('invite_not_found')
  })

  test('can be declined, which notifies the inviter: invite_declined, invite_not_found', () => {
    const params = { faction_id: 'FREE' }
    refusesNow(small, stranger, ['faction_decline_invite', params], 'invite_not_found')
    refusesNow(small, stranger, ['faction_decline_invite', { faction_id: 'X' }], 'invite_not_found')
    invite(world, faction, stranger, leader)
    expect(small.ask(stranger, 'faction_decline_invite', params)).toMatchObject({
      result: { faction_id: factionIdOf(world, faction) },
    })
    expect(heard(small, leader)).toMatchObject([{ event: 'invite_declined', actor: 'Stranger' }])
  })

  test('cannot be sent again for an hour after three were declined: rate_limited', () => {
    for (let i = 0; i < 3; i++) {
      expect(act(leader, 'faction_invite', { player_id: id(stranger) }).ok).toBe(true)
      expect(small.ask(stranger, 'faction_decline_invite', { faction_id: 'FREE' }).ok).toBe(true)
    }
    expect(code(leader, 'faction_invite', { player_id: id(stranger) })).toBe('rate_limited')
    small.ticks(361)
    expect(act(leader, 'faction_invite', { player_id: id(stranger) }).ok).toBe(true)
  })

  test('lapses after seven days', () => {
    invite(world, faction, stranger, leader)
    // Seven days have 60,480 ticks.
    world.tick += 60_479
    small.ticks(1)
    expect(world.records(INVITES).size).toBe(0)
    expect(invitesTo(world, stranger)).toEqual([])
  })
})

describe('joining', () => {
  test('makes a recruit, notifies all members and drops other invitations: member_joined', () => {
    const other = foundFaction(world, small.join('Rival'), 'Rivals', 'RIVL')
    for (const inviting of [faction, other]) {
      invite(world, inviting, stranger, world.read(Faction).leader[inviting])
    }
    expect(act(stranger, 'join_faction', { faction_id: 'FREE' })).toMatchObject({
      result: { faction: 'Free Haulers', faction_id: factionIdOf(world, faction) },
    })
    expect(roleOf(world, stranger).name).toBe('recruit')
    expect(membersOf(world, faction)).toEqual([leader, recruit, stranger])
    expect(heard(small, recruit)).toMatchObject([{ event: 'member_joined', actor: 'Stranger' }])
    expect(world.records(INVITES).size).toBe(0)
    expect(areAllied(world, leader, stranger)).toBe(true)
  })

  test('works by faction_accept_invite too: already_in_faction, invite_not_found', () => {
    const params = { faction_id: factionIdOf(world, faction) }
    expect(code(stranger, 'faction_accept_invite', params)).toBe('invite_not_found')
    expect(code(recruit, 'faction_accept_invite', params)).toBe('already_in_faction')
    invite(world, faction, stranger, leader)
    expect(act(stranger, 'faction_accept_invite', params).ok).toBe(true)
    expect(factionOf(world, stranger)).toBe(faction)
  })

  test('allies members with each other only, and leaving ends that', () => {
    expect(areAllied(world, leader, recruit)).toBe(true)
    expect(areAllied(world, leader, stranger)).toBe(false)
    removeMember(world, recruit)
    expect(areAllied(world, recruit, stranger)).toBe(false)
  })
})

describe('leave_faction', () => {
  test('notifies the other members, whose leader may not leave: leader_must_transfer', () => {
    expect(code(stranger, 'leave_faction')).toBe('not_in_faction')
    expect(code(leader, 'leave_faction')).toBe('leader_must_transfer')
    expect(act(recruit, 'leave_faction').ok).toBe(true)
    expect(heard(small, leader)).toMatchObject([{ event: 'member_left', actor: 'Recruit' }])
    expect(factionOf(world, recruit)).toBe(0)
    expect(membersOf(world, faction)).toEqual([leader])
  })

  test('by the last member pays the treasury out and reserves the names for an hour', () => {
    invite(world, faction, stranger, leader)
    expect(act(recruit, 'leave_faction').ok).toBe(true)
    post(world, namedAccount('starting_grant'), treasuryOf(world, faction), 700)
    const before = balanceOf(world, walletOf(world, leader))
    expect(act(leader, 'leave_faction').ok).toBe(true)
    expect(balanceOf(world, walletOf(world, leader))).toBe(before + 700)
    expect(world.countOf(Faction)).toBe(0)
    expect(world.records(INVITES).size).toBe(0)
    const sameName = { name: 'Free Haulers', tag: 'NEWT' }
    expect(code(stranger, 'create_faction', sameName)).toBe('name_taken')
    expect(code(stranger, 'create_faction', { name: 'Others', tag: 'FREE' })).toBe('tag_taken')
    small.ticks(360)
    expect(world.records(RESERVED_NAMES).size).toBe(0)
    expect(act(stranger, 'create_faction', { ...sameName, tag: 'FREE' }).ok).toBe(true)
  })

  test('by the last member is refused while a guard of another domain refuses it', () => {
    removeMember(world, recruit)
    const ended: Row[] = []
    let refusal: ReturnType<typeof fail> | undefined = fail('limit_reached')
    addGuard(
      world,
      guard(disbanding, () => refusal),
    )
    addObserver(
      world,
      observe(disbanded, (_world, about) => ended.push(about.faction)),
    )
    expect(code(leader, 'leave_faction')).toBe('limit_reached')
    expect(ended).toEqual([])
    refusal = undefined
    expect(act(leader, 'leave_faction').ok).toBe(true)
    expect(ended).toEqual([faction])
  })

  test('is refused where the wallet cannot hold the treasury: amount_too_large', () => {
    removeMember(world, recruit)
    const credits = Number.MAX_SAFE_INTEGER - balanceOf(world, walletOf(world, leader)) + 1
    const pool = namedAccount('starting_grant')
    post(world, namedAccount('missions'), pool, -balanceOf(world, pool))
    post(world, pool, treasuryOf(world, faction), credits)
    expect(code(leader, 'leave_faction')).toBe('amount_too_large')
  })
})

test('a restored world has the same members, names and invitations', async () => {
  addMember(world, stranger, faction, OFFICER)
  const late = small.join('Late')
  invite(world, faction, late, stranger)
  removeMember(world, recruit)
  addMember(world, recruit, faction)
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  expect(membersOf(restored.world, faction)).toEqual([leader, stranger, recruit])
  expect(factionByText(restored.world, 'FREE')).toBe(faction)
  expect(hasPermission(restored.world, stranger, 'invite')).toBe(true)
  expect(areAllied(restored.world, stranger, recruit)).toBe(true)
  for (const instance of [small, restored]) {
    expect(instance.act(late, 'join_faction', { faction_id: 'FREE' }).ok).toBe(true)
  }
  expect(restored.hash()).toBe(small.hash())
})
