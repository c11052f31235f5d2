/** Plays every command of the guide to battle. */
import { expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { Player } from '../../../systems/account/state.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { loadCargo, shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockShip, placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf, meeting, putAt } from '../combat/scene.ts'
import { stray } from '../creature/scene.ts'
import { enrich } from '../facility/scene.ts'
import { expectPlayed, play, type Result } from './guide-scene.ts'

onSmallMap()

test('the guide to battle can be played', async () => {
  const scene = await meeting(2)
  const { small, world, poi, id } = scene
  const [pilot, foe] = scene.players
  const modules = ['scanner_i', 'autocannon_i', 'shield_booster_i']
  const ship = putAt(world, pilot, poi, { shipClass: 'reaver', modules })
  const target_id = id(foe)
  enrich(small, pilot, 100_000)
  for (const item of ['autocannon_rounds', 'emergency_warp_charge']) {
    loadCargo(world, ship, namedContainer('mined'), itemIndex(item), 1)
  }
  const game = play(small)
  const order = (action: string, params: object = {}): Result =>
    game.does(pilot, 'battle', { action, ...params })
  const fly = (): void => {
    removeFromMap(world, ship)
    placeInSpace(world, ship, poi)
  }

  removeFromMap(world, ship)
  dockShip(world, ship, world.read(Player).homeBase[pilot])
  world.write(Ship).hull[ship] -= 10
  const fitted: Result[] = game.does(pilot, 'get_ship').modules
  const gun = fitted.find(({ type_id }) => type_id === 'autocannon_i')
  expect(gun).toMatchObject({ reach: 2, current_ammo: 0 })
  game.does(pilot, 'reload', { weapon_instance_id: gun?.id })
  game.does(pilot, 'repair')
  game.does(pilot, 'get_insurance_quote')
  game.does(pilot, 'get_missions')
  const { id: system_id } = game.does(pilot, 'get_system').system
  expect(game.does(pilot, 'get_map', { system_id })).toHaveProperty('police_level')
  expect(game.does(pilot, 'find_route', { target_system: system_id }).route).toMatchObject([
    { police_level: expect.any(Number) },
  ])

  fly()
  for (const guide of ['law', 'boarder', 'salvager']) game.does(pilot, 'get_guide', { guide })
  game.does(pilot, 'get_nearby')
  game.does(pilot, 'scan', { target_id })
  game.does(pilot, 'attack', { target_id })
  for (const action of ['advance', 'retreat']) order(action)
  for (const stance of ['fire', 'evade', 'brace']) order('stance', { stance })
  order('target', { target_id })
  small.ticks(1)
  const sides: Result[] = game.does(pilot, 'get_battle_status').participants
  expect(sides.find(({ player_id }) => player_id === id(pilot))).toMatchObject({
    stance: 'brace',
    zone: 'outer',
    hull_pct: expect.any(Number),
    shield_pct: expect.any(Number),
  })
  order('stance', { stance: 'flee' })
  game.does(pilot, 'use_item', { item_id: 'emergency_warp_charge' })
  small.ticks(1)
  expect(inBattle(world, pilot)).toBe(false)

  fly()
  game.does(pilot, 'attack', { target_id })
  loadCargo(world, hullOf(world, foe), namedContainer('mined'), itemIndex('iron_ore'), 20)
  scene.doom(foe, 'destroyed', pilot)
  small.ticks(1)
  const [wreck] = game.does(pilot, 'get_wrecks').wrecks
  game.does(pilot, 'loot_wreck', { wreck_id: wreck.id })
  game.does(pilot, 'hunt', { target_id: shipId(world, stray(world, 'magnet_ox', poi)) })
  expectPlayed('battle', game, ['complete_mission'])
})
