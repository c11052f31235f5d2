/** Plays every command of the guides to factions and to stations. */
import { expect, test } from 'vitest'
import { FACILITIES, facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { playerId } from '../../../systems/account/model.ts'
import { factionOf } from '../../../systems/faction/model.ts'
import { openStore } from '../../../systems/faction/store-model.ts'
import { enrich, scene, store, supply, teach } from '../facility/scene.ts'
import { dockedGuild } from '../faction/scene.ts'
import { crew } from '../station/scene.ts'
import { expectPlayed, play, type Result } from './guide-scene.ts'

test('the guide to factions can be played', async () => {
  const { small, world, base, leader, recruit, stranger: other } = await dockedGuild()
  const game = play(small)
  for (const player of [leader, recruit, other]) {
    enrich(small, player, 5_000_000)
    teach(small, player, 'corporation_management', 5)
  }
  for (const player of [recruit, leader]) game.does(player, 'leave_faction')
  const player_id = playerId(world, recruit)
  const { faction_id } = game.does(leader, 'create_faction', { name: 'Guide Readers', tag: 'READ' })
  const rivals = game.does(other, 'create_faction', { name: 'Rivals', tag: 'RIVL' })
  game.refuses(leader, 'faction_edit', { description: 'We read.' }, 'no_admin_office')
  expect(game.does(recruit, 'faction_list').factions).toHaveLength(2)
  game.does(recruit, 'faction_info', { faction_id })
  game.does(leader, 'faction_invite', { player_id })
  expect(game.does(recruit, 'faction_get_invites').invites).toMatchObject([{ faction_id }])
  game.does(recruit, 'join_faction', { faction_id })
  const role = { name: 'Clerk', priority: 5, permissions: { manage_treasury: true } }
  const { role_id } = game.does(leader, 'faction_create_role', role)
  game.does(leader, 'faction_promote', { player_id, role_id })

  game.does(recruit, 'faction_deposit_credits', { amount: 4_000_000 })
  game.does(leader, 'faction_withdraw_credits', { amount: 10 })
  supply(small, leader, base, 'faction_shelf')
  const build = (facility_type: string): void => {
    game.does(leader, 'facility', { action: 'faction_build', facility_type })
    small.ticks(400)
  }
  build('faction_shelf')
  const ore = { item_id: 'iron_ore', quantity: 40 }
  game.does(recruit, 'faction_deposit_items', { ...ore, source: 'storage' })
  game.does(leader, 'faction_withdraw_items', { ...ore, quantity: 5 })
  game.does(leader, 'view_faction_storage')
  const both = { source: 'faction', deliver_to: 'faction' }
  game.does(leader, 'craft', { recipe_id: 'smelt_iron', quantity: 2, ...both })
  const provide = (facility_type: string): void => {
    const { build_materials } = FACILITIES[facilityTypeIndex(facility_type)]
    const place = { faction: factionOf(world, leader), base, bucket: 0 }
    for (const { item_id, quantity } of build_materials) {
      const store = openStore(world, place)
      moveItems(world, namedContainer('supply'), store, itemIndex(item_id), quantity)
    }
    build(facility_type)
  }
  provide('faction_lockbox')
  provide('faction_market_desk')
  game.does(leader, 'faction_create_buy_order', { ...ore, price_each: 1 })

  const mission = {
    title: 'Ore for the shelf',
    type: 'supply',
    description: 'Bring us ore.',
    objectives: [{ type: 'deliver_item', item_id: 'iron_ore', quantity: 50 }],
    rewards: { credits: 2_000 },
  }
  provide('faction_mission_board')
  game.does(leader, 'faction_post_mission', mission)
  const [{ template_id }] = game.does(leader, 'faction_list_missions').missions
  game.does(leader, 'faction_cancel_mission', { template_id })

  const { system } = game.does(leader, 'get_system')
  const { id, type } = system.pois.find((poi: Result) => poi.type === 'asteroid_belt')
  const systems = [{ system_id: system.id, pois: [{ id, type }] }]
  game.refuses(leader, 'faction_submit_intel', { systems }, 'no_intel_facility')
  provide('faction_intel_desk')
  game.does(leader, 'faction_submit_intel', { systems })
  game.does(leader, 'find_item', { item_id: 'iron_ore' })

  const them = { target_faction_id: rivals.faction_id }
  const us = { target_faction_id: faction_id }
  game.does(leader, 'faction_propose_ally', them)
  game.does(other, 'faction_accept_ally', us)
  game.does(leader, 'faction_declare_war', them)
  small.ticks(61)
  game.does(leader, 'faction_propose_peace', them)
  game.does(other, 'faction_accept_peace', us)

  game.does(leader, 'fleet', { action: 'create' })
  game.does(leader, 'fleet', { action: 'invite', player_id })
  game.does(recruit, 'fleet', { action: 'accept' })
  game.does(leader, 'faction_kick', { player_id })
  expectPlayed('factions', game)
})

test('the guide to stations can be played', async () => {
  const { small, owner, other, base } = await scene()
  const game = play(small)
  const facility = (action: string, params: object = {}, player = owner): Result =>
    game.does(player, 'facility', { action, ...params })
  facility('list')
  facility('types')
  expect(facility('types', { facility_type: 'smelter' })).toHaveProperty('build_materials')
  supply(small, owner, base, 'crew_quarters')
  facility('personal_build', { facility_type: 'crew_quarters' })
  game.does(owner, 'view_market', { item_id: 'iron_ingot' })
  store(small, owner, base, { iron_ore: 10 })
  game.does(owner, 'craft', { recipe_id: 'smelt_iron', quantity: 1, dry_run: true })
  supply(small, owner, base, 'smelter')
  const { facility_id } = facility('build', { facility_type: 'smelter' })
  small.ticks(400)
  expect(facility('owned').rent).toHaveProperty('total_rent_per_cycle')
  facility('set_access', { facility_id, access: 'public' })
  facility('set_output_price', { facility_id, price: 2 })
  game.does(other, 'craft', { recipe_id: 'smelt_iron', quantity: 1, facility_id, dry_run: true })
  supply(small, owner, base, 'foundry')
  facility('upgrade', { facility_id, facility_type: 'foundry' })
  small.ticks(400)
  facility('list_for_sale', { facility_id, price: 1_000 })
  const [{ listing_id }] = facility('browse_for_sale', {}, other).listings
  facility('buy_listing', { listing_id }, other)
  store(small, other, base, { cargo_container: 20 })
  facility('dismantle', { facility_id }, other)

  const settler = crew(small)
  game.does(settler.leader, 'build_outpost', { name: 'Depot' })
  game.does(settler.leader, 'dismantle_outpost')
  const { leader } = crew(small)
  expect(game.does(leader, 'get_base_cost')).toMatchObject({
    founding_fee: 5_000_000,
    eligible_here: true,
  })
  const parts = game.does(leader, 'catalog', { type: 'items', id: 'station_core' }).recipes
  expect(parts[0].inputs).not.toEqual([])
  game.does(leader, 'build_base', { name: 'Port' })
  const station = (action: string, params: object = {}): Result =>
    game.does(leader, 'station', { action, ...params })
  station('info')
  station('help')
  station('set_public', { public: true })
  station('set_service_access', { service: 'market', access: 'allies' })
  station('set_market_fee', { fee_percent: 2 })
  station('set_refuel_price', { price: 4 })
  station('allow_player', { player: 'Owner' })
  station('ban', { player: 'Other' })
  expect(game.does(leader, 'get_base').base).toMatchObject({ wrecked: false })
  station('set_auto_buy_fuel', { auto_buy_fuel: true })
  expectPlayed('stations', game, ['faction_deposit_items'])
})
