/** The guides to factions and to stations, played. */
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

test('factions', async () => {
  const { small, world, base, leader, recruit, stranger: other } = await dockedGuild()
  const p = play(small)
  for (const player of [leader, recruit, other]) {
    enrich(small, player, 5_000_000)
    teach(small, player, 'corporation_management', 5)
  }
  for (const player of [recruit, leader]) p.does(player, 'leave_faction')
  const player_id = playerId(world, recruit)
  const { faction_id } = p.does(leader, 'create_faction', { name: 'Guide Readers', tag: 'READ' })
  const rivals = p.does(other, 'create_faction', { name: 'Rivals', tag: 'RIVL' })
  p.refuses(leader, 'faction_edit', { description: 'We read.' }, 'no_admin_office')
  expect(p.does(recruit, 'faction_list').factions).toHaveLength(2)
  p.does(recruit, 'faction_info', { faction_id })
  p.does(leader, 'faction_invite', { player_id })
  expect(p.does(recruit, 'faction_get_invites').invites).toMatchObject([{ faction_id }])
  p.does(recruit, 'join_faction', { faction_id })
  const role = { name: 'Clerk', priority: 5, permissions: { manage_treasury: true } }
  const { role_id } = p.does(leader, 'faction_create_role', role)
  p.does(leader, 'faction_promote', { player_id, role_id })

  p.does(recruit, 'faction_deposit_credits', { amount: 4_000_000 })
  p.does(leader, 'faction_withdraw_credits', { amount: 10 })
  supply(small, leader, base, 'faction_shelf')
  const build = (facility_type: string): void => {
    p.does(leader, 'facility', { action: 'faction_build', facility_type })
    small.ticks(400)
  }
  build('faction_shelf')
  const ore = { item_id: 'iron_ore', quantity: 40 }
  p.does(recruit, 'faction_deposit_items', { ...ore, source: 'storage' })
  p.does(leader, 'faction_withdraw_items', { ...ore, quantity: 5 })
  p.does(leader, 'view_faction_storage')
  const both = { source: 'faction', deliver_to: 'faction' }
  p.does(leader, 'craft', { recipe_id: 'smelt_iron', quantity: 2, ...both })
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
  p.does(leader, 'faction_create_buy_order', { ...ore, price_each: 1 })

  const slip = {
    title: 'Ore for the shelf',
    type: 'supply',
    description: 'Bring us ore.',
    objectives: [{ type: 'deliver_item', item_id: 'iron_ore', quantity: 50 }],
    rewards: { credits: 2_000 },
  }
  provide('faction_mission_board')
  p.does(leader, 'faction_post_mission', slip)
  const [{ template_id }] = p.does(leader, 'faction_list_missions').missions
  p.does(leader, 'faction_cancel_mission', { template_id })

  const { system } = p.does(leader, 'get_system')
  const { id, type } = system.pois.find((poi: Result) => poi.type === 'asteroid_belt')
  const systems = [{ system_id: system.id, pois: [{ id, type }] }]
  p.refuses(leader, 'faction_submit_intel', { systems }, 'no_intel_facility')
  provide('faction_intel_desk')
  p.does(leader, 'faction_submit_intel', { systems })
  p.does(leader, 'find_item', { item_id: 'iron_ore' })

  const them = { target_faction_id: rivals.faction_id }
  const us = { target_faction_id: faction_id }
  p.does(leader, 'faction_propose_ally', them)
  p.does(other, 'faction_accept_ally', us)
  p.does(leader, 'faction_declare_war', them)
  small.ticks(61)
  p.does(leader, 'faction_propose_peace', them)
  p.does(other, 'faction_accept_peace', us)

  p.does(leader, 'fleet', { action: 'create' })
  p.does(leader, 'fleet', { action: 'invite', player_id })
  p.does(recruit, 'fleet', { action: 'accept' })
  p.does(leader, 'faction_kick', { player_id })
  expectPlayed('factions', p)
})

test('stations', async () => {
  const { small, owner, other, base } = await scene()
  const p = play(small)
  const does = (action: string, params: object = {}, player = owner): Result =>
    p.does(player, 'facility', { action, ...params })
  does('list')
  does('types')
  expect(does('types', { facility_type: 'smelter' })).toHaveProperty('build_materials')
  supply(small, owner, base, 'crew_quarters')
  does('personal_build', { facility_type: 'crew_quarters' })
  p.does(owner, 'view_market', { item_id: 'iron_ingot' })
  store(small, owner, base, { iron_ore: 10 })
  p.does(owner, 'craft', { recipe_id: 'smelt_iron', quantity: 1, dry_run: true })
  supply(small, owner, base, 'smelter')
  const { facility_id } = does('build', { facility_type: 'smelter' })
  small.ticks(400)
  expect(does('owned').rent).toHaveProperty('total_rent_per_cycle')
  does('set_access', { facility_id, access: 'public' })
  does('set_output_price', { facility_id, price: 2 })
  p.does(other, 'craft', { recipe_id: 'smelt_iron', quantity: 1, facility_id, dry_run: true })
  supply(small, owner, base, 'foundry')
  does('upgrade', { facility_id, facility_type: 'foundry' })
  small.ticks(400)
  does('list_for_sale', { facility_id, price: 1_000 })
  const [{ listing_id }] = does('browse_for_sale', {}, other).listings
  does('buy_listing', { listing_id }, other)
  store(small, other, base, { cargo_container: 20 })
  does('dismantle', { facility_id }, other)

  const settler = crew(small)
  p.does(settler.leader, 'build_outpost', { name: 'Depot' })
  p.does(settler.leader, 'dismantle_outpost')
  const { leader } = crew(small)
  expect(p.does(leader, 'get_base_cost')).toMatchObject({
    founding_fee: 5_000_000,
    eligible_here: true,
  })
  p.does(leader, 'build_base', { name: 'Port' })
  const station = (action: string, params: object = {}): Result =>
    p.does(leader, 'station', { action, ...params })
  station('info')
  station('help')
  station('set_public', { public: true })
  station('set_service_access', { service: 'market', access: 'allies' })
  station('set_market_fee', { fee_percent: 2 })
  station('set_refuel_price', { price: 4 })
  station('allow_player', { player: 'Owner' })
  station('ban', { player: 'Other' })
  expect(p.does(leader, 'get_base').base).toMatchObject({ wrecked: false })
  expectPlayed('stations', p)
})
