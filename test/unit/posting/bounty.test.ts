/** Bounties that a faction sets on players. Source: newer.md section 6; factions.md section 7. */
import { beforeAll, expect, test } from 'vitest'
import type { Eid, World } from '../../../core/types.ts'
import { playerId, usernameOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { lawlessSystem, open, putAt } from '../combat/scene.ts'
import { dockAt } from '../faction/scene.ts'
import { boards, creditsOf } from '../mission/stage.ts'
import { company, ORDER, postMission, refusesRun, result, treasury } from './scene.ts'

onSmallMap()

const ARMED = { shipClass: 'black_tithe', modules: ['blaster_ii', 'blaster_ii'] }

let small: SmallWorld
let world: World
let poi: Eid
beforeAll(async () => {
  small = await smallWorld({ maxEntities: 4_000 })
  world = small.world
  poi = open(world, lawlessSystem(world))[0]
})

/** Lets a pilot destroy the almost wrecked ship of another. */
function destroy(hunter: Eid, prey: Eid): void {
  putAt(world, hunter, poi, ARMED)
  const ship = putAt(world, prey, poi, { shipClass: 'hornet' })
  const columns = world.write(Ship)
  columns.hull[ship] = 1
  columns.shield[ship] = 0
  result(small.act(hunter, 'attack', { target_id: playerId(world, prey) }))
  for (let i = 0; i < 40 && inBattle(world, hunter); i++) small.ticks(1)
  expect(world.read(Player).ship[prey]).not.toBe(ship)
}

/** Returns the template ids of the missions that a player is offered. */
const offeredTemplates = (player: Eid): unknown[] =>
  (result(small.ask(player, 'get_missions')).missions as { template_id: string }[]).map(
    ({ template_id }) => template_id,
  )

test('a bounty pays once, from escrow, for a ship of the named player only', () => {
  const { faction, leader, recruit, stranger, base } = company(small, boards(world)[0])
  const bystander = small.join('Bystander')
  const template_id = postMission(small, leader, {
    type: 'bounty',
    objectives: [{ type: 'kill_player', target_id: usernameOf(world, stranger) }],
    rewards: { credits: 3_000 },
    triggers: ['open_to_all'],
  })
  expect(treasury(world, faction)).toBe(47_000)
  expect(offeredTemplates(recruit)).toContain(template_id)
  expect(offeredTemplates(stranger)).not.toContain(template_id)
  const accepted = result(small.act(recruit, 'accept_mission', { template_id }))
  const params = { mission_id: accepted.mission_id }
  const active = result(small.ask(recruit, 'get_active_missions')).missions
  expect(active).toMatchObject([
    {
      type: 'bounty',
      objectives: [
        {
          type: 'kill_player',
          description: `Destroy the ship of ${usernameOf(world, stranger)}.`,
          current: 0,
          required: 1,
        },
      ],
    },
  ])
  destroy(recruit, bystander)
  dockAt(world, recruit, base)
  refusesRun(small, recruit, ['complete_mission', params], 'mission_incomplete')
  destroy(recruit, stranger)
  dockAt(world, recruit, base)
  const before = creditsOf(world, recruit)
  expect(result(small.act(recruit, 'complete_mission', params))).toMatchObject({
    credits_earned: 3_000,
  })
  expect(creditsOf(world, recruit) - before).toBe(3_000)
  expect(treasury(world, faction)).toBe(47_000)
  refusesRun(small, recruit, ['complete_mission', params], 'mission_not_found')
})

test('a bounty is refused without a known player or for too many kills', () => {
  const { leader, stranger } = company(small, boards(world)[0])
  for (const fields of [
    {},
    { target_id: 'Nobody At All' },
    { target_id: usernameOf(world, stranger), quantity: 1_001 },
  ]) {
    const objectives = [{ type: 'kill_player', ...fields }]
    const posted = ['faction_post_mission', { ...ORDER, objectives }] as const
    refusesRun(small, leader, posted, 'invalid_payload')
  }
})
