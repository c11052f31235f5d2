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

let made: SmallWorld
let small: SmallWorld
let ada: Eid
let ben: Eid
let cleo: Eid
let others: Eid[]

beforeAll(async () => {
  made = await smallWorld({ players: 10 })
  ;[ada, ben, cleo, ...others] = made.players
  gather(made, quietPlace(made), ...made.players)
})
beforeEach(async () => {
  small = await made.reload()
})

const status = (player: Eid) => small.act(player, 'fleet', { action: 'status' })
const asked = (action: string, target?: Eid) =>
  [
    'fleet',
    target === undefined ? { action } : { action, player_id: playerId(small.world, target) },
  ] as const

describe('fleet create', () => {
  test('makes a fleet of one with room for four', () => {
    const done = fleet(small, ada, 'create')
    const fleet_id = fleetIdOf(small.world, fleetOf(small.world, ada))
    expect(done).toMatchObject({ ok: true, result: { action: 'create', fleet_id, max_size: 4 } })
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

  test('already_in_fleet: one at a time', async () => {
    form(small, ada)
    await refuses(small, ada, asked('create'), 'already_in_fleet')
  })

  test('limit_reached: the table of fleets is nearly full', async () => {
    const { world, registry } = await made.reload()
    while (!isNearlyFull(world, Fleet)) world.take(Fleet)
    const { run } = registry.commands.get('fleet') as MutationDef
    expect(run(world, ada, { action: 'create' })).toMatchObject({ code: 'limit_reached' })
    expect(fleetOf(world, ada)).toBe(0)
  })

  test('the leader brings a place for every ten levels, to fourteen members', () => {
    form(small, ada)
    const row = fleetOf(small.world, ada)
    const at = ada * SKILLS_WIDTH + skillIndex('leadership')
    for (const [level, size] of [
      [0, 4],
      [9, 4],
      [10, 5],
      [99, 13],
      [100, 14],
    ]) {
      small.world.write(PlayerSkills).level[at] = level
      expect(sizeMax(small.world, row)).toBe(size)
    }
  })
})

describe('fleet invite', () => {
  test('asks a player here, who is notified and sees it in status', () => {
    form(small, ada)
    expect(fleet(small, ada, 'invite', ben)).toMatchObject({
      result: { action: 'invite', message: 'You asked Tester 2 to join.' },
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

  test('not_in_fleet, not_leader', async () => {
    await refuses(small, ada, asked('invite', ben), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ben, asked('invite', cleo), 'not_leader')
  })

  test('invalid_target: oneself, somebody elsewhere; invalid_payload: nobody', async () => {
    form(small, ada)
    await refuses(small, ada, asked('invite', ada), 'invalid_target')
    await refuses(small, ada, asked('invite'), 'invalid_payload')
    const far = small.join('Far Away', 'crimson')
    await refuses(small, ada, asked('invite', far), 'invalid_target')
  })

  test('already_in_fleet: the other one is in a fleet', async () => {
    form(small, ada)
    form(small, ben)
    await refuses(small, ada, asked('invite', ben), 'already_in_fleet')
  })

  test('fleet_full: four under a leader without training', async () => {
    form(small, ada, ben, cleo, others[0])
    await refuses(small, ada, asked('invite', others[1]), {
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
    await refuses(small, ada, asked('invite', ben), 'rate_limited')
    expect(fleet(small, ada, 'invite', cleo).ok).toBe(true)
    small.world.tick += FLEET_DECLINE_TICKS - 1
    small.ticks(1)
    expect(fleet(small, ada, 'invite', ben).ok).toBe(true)
  })

  test('lapses after thirty ticks', async () => {
    form(small, ada)
    fleet(small, ada, 'invite', ben)
    small.ticks(FLEET_INVITE_TICKS - 1)
    expect(small.world.records(INVITES).size).toBe(1)
    small.ticks(1)
    expect(small.world.records(INVITES).size).toBe(0)
    await refuses(small, ben, asked('accept'), 'no_invite')
  })

  test('a sixth drops the oldest that waits for a player', () => {
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

  test('asked again, the later invitation counts', () => {
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
  test('accept joins; all are notified; fleetmates defend each other', () => {
    form(small, ada)
    fleet(small, ada, 'invite', ben)
    small.takeEmissions()
    const done = fleet(small, ben, 'accept')
    expect(done).toMatchObject({ result: { action: 'accept', leader_name: 'Tester 1' } })
    const emissions = small.takeEmissions().filter(({ type }) => type === 'fleet_update')
    expect(emissions).toMatchObject([{ payload: { event: 'member_joined', player: 'Tester 2' } }])
    expect(emissions[0].to).toHaveLength(2)
    expect(areFleetmates(small.world, ada, ben)).toBe(true)
    expect(areAllied(small.world, ben, ada)).toBe(true)
    expect(areAllied(small.world, ben, cleo)).toBe(false)
  })

  test('v2 has an address for each', () => {
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

  test('no_invite, already_in_fleet, fleet_moved, fleet_full', async () => {
    await refuses(small, ben, asked('accept'), 'no_invite')
    await refuses(small, ben, asked('decline'), 'no_invite')
    form(small, ada)
    for (const player of [ben, cleo, ...others.slice(0, 2)]) fleet(small, ada, 'invite', player)
    for (const player of [cleo, ...others.slice(0, 2)]) fleet(small, player, 'accept')
    await refuses(small, ben, asked('accept'), 'fleet_full')
    fleet(small, ada, 'kick', cleo)
    await refuses(small, others[0], asked('accept'), 'already_in_fleet')
    const poi = quietPlace(small)
    gather(small, poi - 1, ben)
    await refuses(small, ben, asked('accept'), 'fleet_moved')
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
  test('leave: the others are notified', () => {
    form(small, ada, ben, cleo)
    expect(fleet(small, ben, 'leave')).toMatchObject({ result: { action: 'leave' } })
    expect(heard(small, cleo)).toMatchObject([{ event: 'member_left', player: 'Tester 2' }])
    expect(membersOf(small.world, fleetOf(small.world, ada))).toEqual([ada, cleo])
    expect(fleetOf(small.world, ben)).toBe(0)
  })

  test('leave: not_in_fleet, leader_must_disband', async () => {
    await refuses(small, ada, asked('leave'), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ada, asked('leave'), 'leader_must_disband')
  })

  test('kick: the member is notified too', () => {
    form(small, ada, ben)
    expect(fleet(small, ada, 'kick', ben)).toMatchObject({ result: { action: 'kick' } })
    expect(heard(small, ben)).toMatchObject([{ event: 'member_kicked', player: 'Tester 2' }])
    expect(fleetOf(small.world, ben)).toBe(0)
  })

  test('kick: not_in_fleet, not_leader, invalid_target', async () => {
    await refuses(small, ada, asked('kick', ben), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ben, asked('kick', ada), 'not_leader')
    await refuses(small, ada, asked('kick', ada), 'invalid_target')
    await refuses(small, ada, asked('kick', cleo), 'invalid_target')
  })

  test('disband: nobody is in it any more, its invitations are void', () => {
    form(small, ada, ben)
    fleet(small, ada, 'invite', cleo)
    small.takeEmissions()
    expect(fleet(small, ada, 'disband')).toMatchObject({ result: { action: 'disband' } })
    expect(heard(small, ben)).toMatchObject([{ event: 'disbanded' }])
    expect([ada, ben].map((player) => fleetOf(small.world, player))).toEqual([0, 0])
    expect(small.world.countOf(Fleet)).toBe(0)
    expect(small.world.records(INVITES).size).toBe(0)
  })

  test('disband: not_in_fleet, not_leader', async () => {
    await refuses(small, ada, asked('disband'), 'not_in_fleet')
    form(small, ada, ben)
    await refuses(small, ben, asked('disband'), 'not_leader')
  })
})

describe('time', () => {
  test('a leader offline for six ticks is followed by the next who is there', () => {
    form(small, ada, ben, cleo)
    disconnect(small, ben)
    disconnect(small, ada)
    small.ticks(5)
    expect(small.world.read(Fleet).leader[fleetOf(small.world, ada)]).toBe(ada)
    small.ticks(1)
    expect(heard(small, cleo)).toMatchObject([{ event: 'leader_changed', player: 'Tester 3' }])
    expect(small.world.read(Fleet).leader[fleetOf(small.world, ada)]).toBe(cleo)
  })

  test('a member offline for 360 ticks is dropped, a fleet nobody is in ends', () => {
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

  test('a restored world goes on as the first: same hash', async () => {
    form(small, ada, ben)
    fleet(small, ada, 'invite', cleo)
    const again = await small.reload()
    expect(again.hash()).toBe(small.hash())
    for (const world of [small, again]) {
      expect(fleet(world, cleo, 'accept').ok).toBe(true)
      expect(fleet(world, ben, 'leave').ok).toBe(true)
      world.ticks(3)
    }
    expect(again.hash()).toBe(small.hash())
    expect(areAllied(again.world, ada, cleo)).toBe(true)
  })
})

test('help and status are readings: answered at once', () => {
  const tick = small.world.tick
  expect(small.act(ada, 'fleet', { action: 'help' })).toMatchObject({
    result: { command: 'fleet' },
  })
  expect(status(ada)).toMatchObject({ result: { in_fleet: false, pending_invite: false } })
  expect(small.world.tick).toBe(tick)
})
