/** Forming, joining and leaving a fleet. Source: factions.md section 8. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MutationDef } from '../../../core/command.ts'
import type { Eid } from '../../../core/types.ts'
import { areAllied, playerId } from '../../../systems/account/model.ts'
import { isNearlyFull } from '../../../systems/cargo/model.ts'
import {
  areFleetmates,
  fleetIdOf,
  fleetOf,
  membersOf,
  sizeMax,
} from '../../../systems/fleet/model.ts'
import {
  FLEET_DECLINE_TICKS,
  FLEET_INVITE_TICKS,
  FLEET_INVITES_INCOMING_MAX,
  FLEET_MEMBER_AWAY_TICKS,
  FLEET_REVIEW_TICKS,
  Fleet,
  INVITES,
} from '../../../systems/fleet/state.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { disconnect, fleet, form, gather, heard, quietPlace, refuses } from './scene.ts'

let template: SmallWorld
let small: SmallWorld
let ada: Eid
let ben: Eid
let cleo: Eid
let others: Eid[]

beforeAll(async () => {
  template = await smallWorld({ players: 10 })
  ;[ada, ben, cleo, ...others] = template.players
  gather(template, quietPlace(template), ...template.players)
})
beforeEach(async () => {
  small = await template.reload()
})

const status = (player: Eid) => small.act(player, 'fleet', { action: 'status' })
const request = (action: string, target?: Eid) =>
  [
    'fleet',
    target === undefined ? { action } : { action, player_id: playerId(small.world, target) },
  ] as const

describe('fleet create', () => {
  test('makes a fleet of one with room for four', () => {
    const outcome = fleet(small, ada, 'create')
    const fleet_id = fleetIdOf(small.world, fleetOf(small.world, ada))
    expect(outcome).toMatchObject({ ok: true, result: { action: 'create', fleet_id, max_size: 4 } })
    expect(status(ada)).toMatchObject({
      result: {
        in_fleet: true,
        is_leader: true,
        max_size: 4,
        fleet_id,
        members: [{ is_leader: true, username: 'Tester 1', passenger: false }],
        invites: [],
      },
    })
    expect(small.ask(ada, 'get_status')).toMatchObject({ result: { player: { fleet_id } } })
  })

  test('already_in_fleet: a player is in one fleet at a time', async () => {
    form(small, ada)
    await refuses(small, ada, request('create'), 'already_in_fleet')
  })

  test('limit_reached: the table of fleets is nearly full', async () => {
    const { world, registry } = await template.reload()
    while (!isNearlyFull(world, Fleet)) world.take(Fleet)
    const { run } = registry.commands.get('fleet') as MutationDef
    expect(run(world, ada, { action: 'create' })).toMatchObject({ code: 'limit_reached' })
    expect(fleetOf(world, ada)).toBe(0)
  })

  test('a fleet has one more place for every ten levels of its leader, up to fourteen', () => {
    form(small, ada)
    const row = fleetOf(small.world, ada)
    const leadership = ada * SKILLS_WIDTH + skillIndex('leadership')
    for (const [level, size] of [
      [0, 4],
      [9, 4],
      [10, 5],
      [99, 13],
      [100, 14],
    ]) {
      small.world.write(PlayerSkills).level[leadership] = level
      expect(sizeMax(small.world, row)).toBe(size)
    }
  })
})

describe('fleet invite', () => {
  test('notifies a player at the same place, who sees the invitation in status', () => {
    form(small, ada)
    expect(fleet(small, ada, 'invite', ben)).toMatchObject({
      result: { action: 'invite', message: 'You invited Tester 2 to join.' },
    })
    expect(heard(small, ben)).toMatchObject([
      { event: 'invite_received', leader: 'Tester 1', expires_tick: small.world.tick + 30 },
    ])
    const fleet_id = fleetIdOf(small.world, fleetOf(small.world, ada))
    expect(status(ben)).toMatchObject({
      result: {
        in_fleet: false,
        pending_invite: true,
        invite_from: 'Tester 1',
        invite_fleet: fleet_id,
      },
    })
    expect(status(ada)).toMatchObject({ result: { invites: [{ username: 'Tester 2' }] } })
  })

  test('is refused outside a fleet and to members who do not lead', async () => {
    await refuses(small, ada, request('invite', ben), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ben, request('invite', cleo), 'not_leader')
  })

  test('is refused for oneself, for a player elsewhere and without a player', async () => {
    form(small, ada)
    await refuses(small, ada, request('invite', ada), 'invalid_target')
    await refuses(small, ada, request('invite'), 'invalid_payload')
    const far = small.join('Far Away', 'crimson')
    await refuses(small, ada, request('invite', far), 'invalid_target')
  })

  test('already_in_fleet: the invited player is in another fleet', async () => {
    form(small, ada)
    form(small, ben)
    await refuses(small, ada, request('invite', ben), 'already_in_fleet')
  })

  test('fleet_full: a leader without training has room for four', async () => {
    form(small, ada, ben, cleo, others[0])
    await refuses(small, ada, request('invite', others[1]), {
      code: 'fleet_full',
      details: { max: 4 },
    })
  })

  test('rate_limited after three declines within 360 ticks', async () => {
    form(small, ada)
    for (let i = 0; i < 3; i++) {
      expect(fleet(small, ada, 'invite', ben).ok).toBe(true)
      expect(fleet(small, ben, 'decline').ok).toBe(true)
    }
    await refuses(small, ada, request('invite', ben), 'rate_limited')
    expect(fleet(small, ada, 'invite', cleo).ok).toBe(true)
    small.world.tick += FLEET_DECLINE_TICKS - 1
    small.ticks(1)
    expect(fleet(small, ada, 'invite', ben).ok).toBe(true)
  })

  test('an invitation lapses after thirty ticks', async () => {
    form(small, ada)
    fleet(small, ada, 'invite', ben)
    small.ticks(FLEET_INVITE_TICKS - 1)
    expect(small.world.records(INVITES).size).toBe(1)
    small.ticks(1)
    expect(small.world.records(INVITES).size).toBe(0)
    await refuses(small, ben, request('accept'), 'no_invite')
  })

  test('a sixth invitation to a player drops the oldest one', () => {
    const leaders = [ada, ben, ...others].slice(0, FLEET_INVITES_INCOMING_MAX + 1)
    for (const leader of leaders) {
      form(small, leader)
      expect(fleet(small, leader, 'invite', cleo).ok).toBe(true)
    }
    expect(small.world.records(INVITES).size).toBe(FLEET_INVITES_INCOMING_MAX)
    expect(fleet(small, cleo, 'accept', ada)).toMatchObject({ code: 'no_invite' })
    expect(fleet(small, cleo, 'accept', ben).ok).toBe(true)
    expect(small.world.records(INVITES).size).toBe(0)
  })

  test('a repeated invitation begins its thirty ticks anew', () => {
    form(small, ada)
    fleet(small, ada, 'invite', ben)
    small.ticks(20)
    fleet(small, ada, 'invite', ben)
    expect(small.world.records(INVITES).size).toBe(1)
    small.ticks(20)
    expect(fleet(small, ben, 'accept').ok).toBe(true)
  })
})

describe('fleet accept and decline', () => {
  test('accept joins the fleet, notifies its members and allies them', () => {
    form(small, ada)
    fleet(small, ada, 'invite', ben)
    small.takeEmissions()
    const outcome = fleet(small, ben, 'accept')
    expect(outcome).toMatchObject({ result: { action: 'accept', leader_name: 'Tester 1' } })
    const emissions = small.takeEmissions().filter(({ type }) => type === 'fleet_update')
    expect(emissions).toMatchObject([{ payload: { event: 'member_joined', player: 'Tester 2' } }])
    expect(emissions[0].to).toHaveLength(2)
    expect(areFleetmates(small.world, ada, ben)).toBe(true)
    expect(areAllied(small.world, ben, ada)).toBe(true)
    expect(areAllied(small.world, ben, cleo)).toBe(false)
  })

  test('each action has an address in v2', () => {
    expect(small.act(ada, 'v2:game_fleet/create').ok).toBe(true)
    const player_id = playerId(small.world, ben)
    expect(small.act(ada, 'v2:game_fleet/invite', { player_id }).ok).toBe(true)
    expect(small.act(ben, 'v2:game_fleet/decline').ok).toBe(true)
    expect(small.act(ada, 'v2:game_fleet/invite', { player_id }).ok).toBe(true)
    expect(small.act(ben, 'v2:game_fleet/accept').ok).toBe(true)
    expect(small.act(ben, 'v2:game_fleet/leave').ok).toBe(true)
    expect(small.act(ada, 'v2:game_fleet/invite', { player_id }).ok).toBe(true)
    expect(small.act(ben, 'v2:game_fleet/accept').ok).toBe(true)
    expect(small.act(ada, 'v2:game_fleet/kick', { player_id }).ok).toBe(true)
    expect(small.ask(ada, 'v2:game_fleet/status')).toMatchObject({ result: { in_fleet: true } })
    expect(small.act(ada, 'v2:game_fleet/disband').ok).toBe(true)
  })

  test('accept is refused uninvited, in a fleet, for a full fleet and far away', async () => {
    await refuses(small, ben, request('accept'), 'no_invite')
    await refuses(small, ben, request('decline'), 'no_invite')
    form(small, ada)
    for (const player of [ben, cleo, ...others.slice(0, 2)]) fleet(small, ada, 'invite', player)
    for (const player of [cleo, ...others.slice(0, 2)]) fleet(small, player, 'accept')
    await refuses(small, ben, request('accept'), 'fleet_full')
    fleet(small, ada, 'kick', cleo)
    await refuses(small, others[0], request('accept'), 'already_in_fleet')
    // Any place but that of the leader.
    gather(small, quietPlace(small) - 1, ben)
    await refuses(small, ben, request('accept'), 'fleet_moved')
  })

  test('decline notifies the leader', () => {
    form(small, ada)
    fleet(small, ada, 'invite', ben)
    small.takeEmissions()
    expect(fleet(small, ben, 'decline')).toMatchObject({ result: { action: 'decline' } })
    expect(heard(small, ada)).toMatchObject([{ event: 'invite_declined', player: 'Tester 2' }])
    expect(small.world.records(INVITES).size).toBe(0)
  })
})

describe('fleet leave, kick, disband', () => {
  test('leave removes the member and notifies the others', () => {
    form(small, ada, ben, cleo)
    expect(fleet(small, ben, 'leave')).toMatchObject({ result: { action: 'leave' } })
    expect(heard(small, cleo)).toMatchObject([{ event: 'member_left', player: 'Tester 2' }])
    expect(membersOf(small.world, fleetOf(small.world, ada))).toEqual([ada, cleo])
    expect(fleetOf(small.world, ben)).toBe(0)
  })

  test('leave is refused outside a fleet and to the leader', async () => {
    await refuses(small, ada, request('leave'), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ada, request('leave'), 'leader_must_disband')
  })

  test('kick removes a member and notifies them', () => {
    form(small, ada, ben)
    expect(fleet(small, ada, 'kick', ben)).toMatchObject({ result: { action: 'kick' } })
    expect(heard(small, ben)).toMatchObject([{ event: 'member_kicked', player: 'Tester 2' }])
    expect(fleetOf(small.world, ben)).toBe(0)
  })

  test('kick is refused outside a fleet, to members, and for oneself and outsiders', async () => {
    await refuses(small, ada, request('kick', ben), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ben, request('kick', ada), 'not_leader')
    await refuses(small, ada, request('kick', ada), 'invalid_target')
    await refuses(small, ada, request('kick', cleo), 'invalid_target')
  })

  test('disband ends the fleet and its invitations', () => {
    form(small, ada, ben)
    fleet(small, ada, 'invite', cleo)
    small.takeEmissions()
    expect(fleet(small, ada, 'disband')).toMatchObject({ result: { action: 'disband' } })
    expect(heard(small, ben)).toMatchObject([{ event: 'disbanded' }])
    expect([ada, ben].map((player) => fleetOf(small.world, player))).toEqual([0, 0])
    expect(small.world.countOf(Fleet)).toBe(0)
    expect(small.world.records(INVITES).size).toBe(0)
  })

  test('disband is refused outside a fleet and to members', async () => {
    await refuses(small, ada, request('disband'), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ben, request('disband'), 'not_leader')
  })
})

describe('players offline', () => {
  test('a leader offline for six ticks is replaced by the next member online', () => {
    form(small, ada, ben, cleo)
    disconnect(small, ben)
    disconnect(small, ada)
    small.ticks(5)
    expect(small.world.read(Fleet).leader[fleetOf(small.world, ada)]).toBe(ada)
    small.ticks(1)
    expect(heard(small, cleo)).toMatchObject([{ event: 'leader_changed', player: 'Tester 3' }])
    expect(small.world.read(Fleet).leader[fleetOf(small.world, ada)]).toBe(cleo)
  })

  test('a member offline for 360 ticks is dropped, and an empty fleet ends', () => {
    form(small, ada, ben)
    disconnect(small, ben)
    const { world } = small
    world.tick += FLEET_MEMBER_AWAY_TICKS - FLEET_REVIEW_TICKS
    small.ticks(FLEET_REVIEW_TICKS - 1)
    expect(fleetOf(small.world, ben)).not.toBe(0)
    small.ticks(FLEET_REVIEW_TICKS)
    expect(fleetOf(small.world, ben)).toBe(0)
    expect(heard(small, ada)).toMatchObject([{ event: 'member_dropped', player: 'Tester 2' }])
    disconnect(small, ada)
    world.tick += FLEET_MEMBER_AWAY_TICKS
    small.ticks(FLEET_REVIEW_TICKS)
    expect(small.world.countOf(Fleet)).toBe(0)
  })

  test('a reloaded world with a fleet continues with the same hash', async () => {
    form(small, ada, ben)
    fleet(small, ada, 'invite', cleo)
    const reloaded = await small.reload()
    expect(reloaded.hash()).toBe(small.hash())
    for (const world of [small, reloaded]) {
      expect(fleet(world, cleo, 'accept').ok).toBe(true)
      expect(fleet(world, ben, 'leave').ok).toBe(true)
      world.ticks(3)
    }
    expect(reloaded.hash()).toBe(small.hash())
    expect(areAllied(reloaded.world, ada, cleo)).toBe(true)
  })
})

test('help and status are answered at once, without a tick', () => {
  const tick = small.world.tick
  expect(small.act(ada, 'fleet', { action: 'help' })).toMatchObject({
    result: { command: 'fleet' },
  })
  expect(status(ada)).toMatchObject({ result: { in_fleet: false, pending_invite: false } })
  expect(small.world.tick).toBe(tick)
})
