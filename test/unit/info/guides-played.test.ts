/** Plays every command of the guides to missions, skills, crafting and carriers. */
import { expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import type { Eid, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { cargoUnits } from '../../../systems/ship/model.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { smallWorld } from '../../small-world.ts'
import { bench, dockAt, give, INGOT, ORE, pay } from '../craft/scene.ts'
import { supply, teach } from '../facility/scene.ts'
import { farBase, freshScene } from '../freight/scene.ts'
import { LINER, terminal, terminals, wait } from '../passenger/scene.ts'
import { expectPlayed, type Play, play, type Result } from './guide-scene.ts'

/** Returns the first row that fits, which must exist. */
const findRow = (rows: Result[], isWanted: (row: Result) => boolean): Result => {
  const found = rows.find(isWanted)
  expect(found).toBeDefined()
  return found as Result
}

test('the guide to missions can be played', async () => {
  const small = await smallWorld()
  const pilot = small.join('Pilot')
  const game = play(small)
  const { missions } = game.does(pilot, 'get_missions')
  const first = findRow(missions, ({ template_id }) => template_id === 'new_pilot_solarian_1')
  for (const field of ['mission_id', 'giver', 'objectives', 'rewards']) {
    expect(first).toHaveProperty(field)
  }
  game.does(pilot, 'get_news')
  game.does(pilot, 'get_guide', { guide: 'getting-started' })
  game.does(pilot, 'decline_mission', { mission_id: missions.at(-1).mission_id })
  const { mission_id } = game.does(pilot, 'accept_mission', { mission_id: first.mission_id })
  const active = game.does(pilot, 'get_active_missions')
  expect(active).toMatchObject({ max_missions: 5, missions: [{ mission_id }] })
  const { item_id } = findRow(first.objectives, (row) => row.item_id !== undefined)
  game.does(pilot, 'find_item', { item_id })
  game.does(pilot, 'catalog', { type: 'items', id: item_id })

  const { pois, connections } = game.does(pilot, 'get_system').system
  const belt = findRow(
    pois,
    ({ type, class: kind }) => type === 'asteroid_belt' && kind !== 'ice_field',
  )
  const home = findRow(pois, ({ base_id }) => base_id !== undefined)
  game.does(pilot, 'find_route', { target_system: home.base_id })
  game.does(pilot, 'travel', { target_poi: belt.id })
  const progress = () => game.does(pilot, 'get_active_missions').missions[0].objectives[0]
  for (let pulls = 0; !progress().completed && pulls < 60; pulls++) {
    const { cargo, available } = game.does(pilot, 'get_cargo')
    const others: Result[] = cargo.filter((row: Result) => /_ore$/.test(row.item_id))
    // Other ores may have filled the hold.
    for (const { item_id: other, quantity } of available < 6 ? others : []) {
      if (other !== item_id) game.does(pilot, 'jettison', { item_id: other, quantity })
    }
    game.does(pilot, 'mine')
  }
  // The mission requires no delivery, so it is completed where the pilot is.
  const done = game.does(pilot, 'complete_mission', { mission_id })
  expect(done).not.toHaveProperty('auto_docked')
  expect(done.chain_next).toBe('new_pilot_solarian_2')
  expect(done.hint).toContain('new_pilot_solarian_2')
  expect(done.credits_earned).toBeGreaterThan(0)
  expect(game.does(pilot, 'completed_missions')).toMatchObject({
    missions: [{ template_id: 'new_pilot_solarian_1' }],
  })
  game.does(pilot, 'travel', { target_poi: home.id })
  game.does(pilot, 'dock')
  game.does(pilot, 'view_completed_mission', { template_id: 'new_pilot_solarian_1' })

  const offers: Result[] = game.does(pilot, 'get_missions').missions
  const courier = findRow(offers, ({ type }) => type === 'courier')
  const taken = game.does(pilot, 'accept_mission', { mission_id: courier.mission_id })
  game.does(pilot, 'abandon_mission', { mission_id: taken.mission_id })
  game.does(pilot, 'jump', { target_system: connections[0].system_id })
  expectPlayed('missions', game)
})

test('the guide to skills can be played', async () => {
  const small = await smallWorld({ players: 2 })
  const [pilot] = small.players
  const game = play(small)
  const { skills } = game.does(pilot, 'get_skills')
  expect(skills.wormhole_navigation).toMatchObject({
    level: 0,
    xp: 0,
    next_level_xp: expect.any(Number),
    locked: true,
    requires: { navigation: 5, exploration: 3 },
  })
  const [skill] = game.does(pilot, 'catalog', { type: 'skills' }).items
  for (const field of ['bonus_per_level', 'xp_per_level']) expect(skill).toHaveProperty(field)
  game.does(pilot, 'undock')
  game.refuses(pilot, 'survey_system', {}, 'no_scanner')
  game.refuses(pilot, 'scan', {}, 'no_scanner')
  game.refuses(pilot, 'scrap_wreck', {}, 'not_towing')
  expectPlayed('skills', game)
})

test('the guide to crafting can be played', async () => {
  const scene = await bench(1)
  const { small, world, base } = scene
  const [maker] = small.players
  pay(world, maker, 1_000_000)
  teach(small, maker, 'corporation_management', 5)
  const game = play(small)
  game.does(maker, 'get_missions')
  game.does(maker, 'view_market', { item_id: 'iron_ingot' })
  game.does(maker, 'find_item', { item_id: 'iron_ingot' })
  game.does(maker, 'get_news')
  const { recipes } = game.does(maker, 'catalog', { type: 'items', id: 'iron_ingot' })
  const { id: recipe_id } = findRow(recipes, ({ id }) => id === 'smelt_iron')
  expect(game.does(maker, 'catalog', { type: 'recipes', search: 'smelt' }).total).toBeGreaterThan(0)
  game.does(maker, 'withdraw_items', { item_id: 'iron_ore', quantity: 10 })
  game.does(maker, 'deposit_items', { item_id: 'iron_ore', quantity: 10 })
  const order = { recipe_id, quantity: 4 }
  for (const preset of ['fast', 'cheap', 'prefer_own', 'workshop']) {
    game.does(maker, 'craft', { ...order, preset, dry_run: true })
  }
  expect(game.does(maker, 'craft', { action: 'queue' }).jobs).toEqual([])
  game.does(maker, 'craft', { ...order, quantity: 40 })
  const { job_id } = game.does(maker, 'craft', order)
  expect(game.does(maker, 'craft', { action: 'queue' }).jobs).toHaveLength(2)
  game.does(maker, 'craft', { action: 'cancel', job_id })
  small.ticks(20)
  expect(game.does(maker, 'craft', { action: 'queue' }).jobs).toEqual([])
  game.does(maker, 'withdraw_items', { item_id: 'iron_ingot', quantity: 4 })
  expect(cargoUnits(world, shipOf(world, maker), INGOT)).toBe(4)
  game.does(maker, 'sell', { item_id: 'iron_ingot', quantity: 1 })
  game.does(maker, 'facility', { action: 'types' })
  supply(small, maker, base, 'smelter')
  game.does(maker, 'facility', { action: 'build', facility_type: 'smelter' })
  const [{ facility_id }] = game.does(maker, 'facility', { action: 'owned' }).facilities
  game.does(maker, 'facility', { action: 'list' })
  small.ticks(400)
  game.does(maker, 'craft', { ...order, facility_id, dry_run: true })
  expectPlayed('crafting', game)
})

test('the guide to carriers can be played', async () => {
  const scene = terminal(await terminals())
  const { small, world, captain, there } = scene
  const game = play(small)
  wait(scene, 0, 2)
  const [liner] = game.does(captain, 'catalog', { type: 'ships', id: LINER }).items
  const berths = liner.inherent_capabilities.map(({ type }: Result) => type)
  expect(berths).toContain('passenger_first_berths')
  expect(game.does(captain, 'list_station_passengers')).toMatchObject({ count: 2 })
  const destination = baseId(world, there.base)
  game.does(captain, 'load_passenger', { destination })
  const { passengers } = game.does(captain, 'list_passengers')
  expect(passengers).toHaveLength(2)
  game.does(captain, 'unload_passenger', { name: passengers[0].name })
  game.does(captain, 'get_missions')
  game.does(captain, 'find_route', { target_system: destination })
  arrive(world, captain, there.base)
  const { passenger_arrivals } = game.does(captain, 'dock')
  expect(passenger_arrivals.fare_collected).toBeGreaterThan(0)
  expect(game.does(captain, 'list_passengers').passengers).toEqual([])
  await carryFreight(game)
  expectPlayed('carrier', game)
})

/** Puts a pilot in space at a base, as if they had flown there. */
function arrive(world: World, pilot: Eid, base: Eid): void {
  const ship = shipOf(world, pilot)
  removeFromMap(world, ship)
  placeInSpace(world, ship, world.read(Base).poi[base])
}

async function carryFreight(carrying: Play): Promise<void> {
  const { small, shipper, carrier } = await freshScene()
  const { world } = small
  const game = carrying.inWorld(small)
  const origin = world.read(Player).homeBase[shipper]
  const destination = farBase(world, origin)
  for (const player of [shipper, carrier]) dockAt(world, player, origin)
  const pack = (): string => {
    give(world, shipper, origin, ORE, 20)
    give(world, shipper, origin, itemIndex('cargo_container'), 1)
    const items = [{ item_id: 'iron_ore', quantity: 20 }]
    const order = { recipe_id: 'pack_package', items, label: 'Ore' }
    game.does(shipper, 'craft', { ...order, source: 'storage' })
    small.ticks(5)
    return game.does(shipper, 'view_storage').items.at(-1).item_id
  }
  const shipping = (player: Eid, action: string, params: object = {}): Result =>
    game.does(player, 'shipping', { action, ...params })
  const terms = { destination_base_id: baseId(world, destination), base_reward: 2_000 }
  const post = (package_id: string): string => {
    shipping(shipper, 'quote', { ...terms, package_id })
    return shipping(shipper, 'post', { ...terms, package_id }).contract.id
  }
  shipping(shipper, 'cancel', { shipment_id: post(pack()) })
  const package_id = pack()
  const shipment_id = post(package_id)
  for (const sort of ['reward', 'distance']) {
    expect(shipping(carrier, 'list', { sort }).shipments).toHaveLength(1)
  }
  shipping(carrier, 'accept', { shipment_id })
  game.does(carrier, 'withdraw_items', { item_id: package_id, quantity: 1 })
  arrive(world, carrier, destination)
  game.does(carrier, 'dock')
  expect(shipping(carrier, 'deliver', { shipment_id })).toMatchObject({ carrier_payout: 2_000 })
  expect(shipping(carrier, 'profile')).toMatchObject({
    capacity: { single_package_liability_limit: 5_000 },
  })
  game.refuses(carrier, 'shipping', { action: 'pay_debt' }, 'no_debt')
}
