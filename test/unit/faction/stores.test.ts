/** Stores, buckets and fuel bunkers of factions. Source: trade-storage.md section 4. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, type ItemRow, itemIndex } from '../../../core/catalog/index.ts'
import { unitsIn } from '../../../core/goods.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { storedUnits } from '../../../systems/cargo/model.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { Facility, REPOSSESSED } from '../../../systems/facility/state.ts'
import { addMember } from '../../../systems/faction/member-rules.ts'
import { OFFICER } from '../../../systems/faction/role-model.ts'
import { FactionStore } from '../../../systems/faction/state.ts'
import {
  factionStore,
  openStore,
  roomInStore,
  storeContainer,
} from '../../../systems/faction/store-model.ts'
import { drawBunker } from '../../../systems/faction/store-rules.ts'
import { cargoUnits } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap, type SmallWorld, uncheck } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'
import { addService, type DockedGuild, dockedGuild, heard, loseBuckets } from './scene.ts'

onSmallMap()

const ORE = itemIndex('iron_ore')
const ITEM = { item_id: 'iron_ore', quantity: 10 }
let small: SmallWorld
let world: World
let faction: Row
let leader: Eid
let recruit: Eid
let stranger: Eid
let base: Eid
let stock: DockedGuild['stock']
let fill: DockedGuild['fill']
beforeEach(async () => {
  ;({ small, world, faction, leader, recruit, stranger, base, stock, fill } = await dockedGuild())
})

const main = () => ({ faction, base, bucket: 0 })
const inStore = (item = ORE) => {
  const container = storeContainer(world, main())
  return container === 0 ? 0 : unitsIn(world, container, item)
}
const act = (player: Eid, command: string, params: object = {}) =>
  small.act(player, command, params)
const code = (player: Eid, command: string, params: object = {}) =>
  (act(player, command, params) as { code?: string }).code
const shipOf = (player: Eid) => world.read(Player).ship[player]

describe('the store', () => {
  test('takes goods from the locker or hold of any member, and closes when empty', () => {
    addService(world, faction, base, 'faction_storage')
    expect(world.countOf(FactionStore)).toBe(0)
    const put = act(recruit, 'faction_deposit_items', { ...ITEM, source: 'storage' })
    expect(put).toMatchObject({
      result: {
        action: 'faction_deposit_items',
        item_id: 'iron_ore',
        quantity: 10,
        storage_total: 10,
      },
    })
    expect(storedUnits(world, recruit, base, ORE)).toBe(90)
    expect(act(leader, 'faction_withdraw_items', ITEM)).toMatchObject({
      result: { action: 'faction_withdraw_items', storage_remaining: 0, cargo_total: 10 },
    })
    expect(world.countOf(FactionStore)).toBe(0)
    expect(cargoUnits(world, shipOf(leader), ORE)).toBe(10)
    expect(act(leader, 'faction_deposit_items', ITEM)).toMatchObject({
      result: { cargo_remaining: 0, storage_total: 10 },
    })
    const home = { ...ITEM, target: 'storage' }
    expect(act(leader, 'faction_withdraw_items', home)).toMatchObject({
      result: { action: 'transfer', source: 'faction', destination: 'storage', dest_total: 110 },
    })
  })

  test('serves members at its base only: not_in_faction, no_permission, no_faction_storage', () => {
    expect(code(stranger, 'faction_deposit_items', ITEM)).toBe('not_in_faction')
    expect(code(stranger, 'faction_withdraw_items', ITEM)).toBe('not_in_faction')
    const own = { ...ITEM, source: 'storage' }
    expect(code(recruit, 'faction_deposit_items', own)).toBe('no_faction_storage')
    expect(code(leader, 'faction_withdraw_items', ITEM)).toBe('no_faction_storage')
    const facility = addService(world, faction, base, 'faction_storage')
    fill('iron_ore', 50)
    expect(act(recruit, 'faction_withdraw_items', ITEM)).toMatchObject({
      code: 'no_permission',
      details: { required: 'manage_treasury' },
    })
    changeState(world, facility, { status: REPOSSESSED })
    expect(code(leader, 'faction_withdraw_items', ITEM)).toBe('no_faction_storage')
    expect(inStore()).toBe(50)
  })

  test('refuses unknown, missing and quest items: unknown_item, quest_item', () => {
    addService(world, faction, base, 'faction_storage')
    const put = (item_id: string, quantity: number) =>
      code(recruit, 'faction_deposit_items', { item_id, quantity, source: 'storage' })
    expect(put('no_such_thing', 1)).toBe('unknown_item')
    expect(put('iron_ore', 101)).toBe('insufficient_items')
    expect(code(leader, 'faction_withdraw_items', ITEM)).toBe('insufficient_items')
    expect(code(leader, 'faction_withdraw_items', { ...ITEM, item_id: 'nope' })).toBe(
      'unknown_item',
    )
    const bound = GOODS.find((good) => good.quest_item === true)
    expect(bound).toBeDefined()
    if (bound) {
      stock(recruit, bound.id, 1)
      expect(put(bound.id, 1)).toBe('quest_item')
    }
    const wrong = { ...ITEM, source: 'storage', target: 'cargo' }
    expect(code(recruit, 'faction_deposit_items', wrong)).toBe('invalid_target')
    for (const target of ['nowhere', 'constructor']) {
      expect(code(leader, 'faction_withdraw_items', { ...ITEM, target })).toBe('invalid_target')
    }
  })

  test.each([
    [1, 100_000],
    [2, 200_000],
    [3, 300_000],
    [4, 500_000],
  ])('of tier %i holds %i of an item: storage_full', (tier, cap) => {
    addService(world, faction, base, 'faction_storage', tier)
    fill('iron_ore', cap - 5)
    expect(roomInStore(world, { faction, base, bucket: 0 }, ORE)).toBe(5)
    expect(act(recruit, 'faction_deposit_items', { ...ITEM, source: 'storage' })).toMatchObject({
      code: 'storage_full',
      details: { cap, have: cap - 5 },
    })
    const five = { item_id: 'iron_ore', quantity: 5, source: 'storage' }
    expect(act(recruit, 'faction_deposit_items', five).ok).toBe(true)
  })

  test('gives nothing to a full hold, and no hazards: no_cargo_space, hazard_not_supported', () => {
    addService(world, faction, base, 'faction_storage')
    fill('iron_ore', 10_000)
    const all = { item_id: 'iron_ore', quantity: 10_000 }
    expect(code(leader, 'faction_withdraw_items', all)).toBe('no_cargo_space')
    const hazard = GOODS.find((good) => (good as ItemRow).hazardous === true)
    expect(hazard).toBeDefined()
    if (!hazard) return
    fill(hazard.id, 1)
    const single = { item_id: hazard.id, quantity: 1 }
    expect(code(leader, 'faction_withdraw_items', single)).toBe('hazard_not_supported')
  })

  test('takes gifts of strangers within their allowance, up to half its cap: faction_gift', () => {
    addService(world, faction, base, 'faction_storage')
    const gift = { ...ITEM, source: 'storage', target: 'faction:free' }
    expect(code(stranger, 'faction_deposit_items', gift)).toBe('trading_restricted')
    allowGiving(world, stranger, 10 * GOODS[itemIndex('iron_ore')].base_value)
    expect(act(stranger, 'faction_deposit_items', gift)).toMatchObject({
      result: { action: 'faction_gift', items_sent: 10, faction_name: 'Free Haulers' },
    })
    expect(code(stranger, 'faction_deposit_items', gift)).toBe('trading_restricted')
    allowGiving(world, stranger, 100_000)
    fill('iron_ore', 50_000 - 15)
    expect(act(stranger, 'faction_deposit_items', gift)).toMatchObject({
      code: 'storage_full',
      details: { cap: 50_000 },
    })
    const unknown = { ...gift, target: 'faction:none' }
    expect(code(stranger, 'faction_deposit_items', unknown)).toBe('faction_not_found')
    const bound = GOODS.find((good) => (good as ItemRow).tradeable === false && !good.quest_item)
    if (bound) {
      stock(stranger, bound.id, 1)
      const single = { ...gift, item_id: bound.id, quantity: 1 }
      expect(code(stranger, 'faction_deposit_items', single)).toBe('not_tradeable')
    }
    const out = { ...ITEM, source: 'faction', target: 'faction:free' }
    expect(code(stranger, 'faction_withdraw_items', out)).toBe('not_in_faction')
    world.write(PlayerCombat).restrictedUntil[stranger] = world.tick + 100
    expect(code(stranger, 'faction_deposit_items', gift)).toBe('trading_restricted')
  })

  test('refuses while the tables are nearly full: storage_full', () => {
    addService(world, faction, base, 'faction_storage')
    uncheck(small)
    while (world.roomIn(FactionStore) > 2) world.take(FactionStore)
    const put = { ...ITEM, source: 'storage' }
    expect(code(recruit, 'faction_deposit_items', put)).toBe('storage_full')
  })

  test('notifies treasurers of a withdrawal worth more than 10,000: withdrawal', () => {
    addService(world, faction, base, 'faction_storage')
    addMember(world, stranger, faction, OFFICER)
    const value = GOODS[ORE].base_value
    const units = Math.floor(10_000 / value) + 1
    fill('iron_ore', 2 * units)
    small.takeEmissions()
    const home = { item_id: 'iron_ore', target: 'storage' }
    expect(act(leader, 'faction_withdraw_items', { ...home, quantity: units }).ok).toBe(true)
    const emissions = small.takeEmissions().filter(({ type }) => type === 'faction_event')
    expect(emissions.length).toBe(1)
    const seq = world.read(Player).seq
    expect(emissions[0].to).toEqual([seq[leader], seq[stranger]])
    expect(emissions[0].payload).toMatchObject({ event: 'withdrawal', quantity: units })
    const fewer = Math.floor(10_000 / value)
    expect(act(leader, 'faction_withdraw_items', { ...home, quantity: fewer }).ok).toBe(true)
    expect(heard(small, leader)).toEqual([])
  })
})

describe('buckets', () => {
  test('are separate stores that carry the name of their facility', () => {
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    world.setText(Facility, 'name', bucket, 'Ore Bay')
    const put = { ...ITEM, source: 'storage', target: 'faction:ore bay' }
    expect(act(recruit, 'faction_deposit_items', put)).toMatchObject({
      result: { bucket: 'Ore Bay', bucket_id: facilityId(world, bucket), storage_total: 10 },
    })
    expect(inStore()).toBe(0)
    const across = { ...ITEM, source: 'faction', target: `faction:${facilityId(world, bucket)}` }
    expect(code(leader, 'faction_deposit_items', across)).toBe('insufficient_items')
    fill('iron_ore', 30)
    expect(act(leader, 'faction_deposit_items', across)).toMatchObject({
      result: { action: 'transfer', dest_bucket: 'Ore Bay', dest_total: 20, source_remaining: 20 },
    })
    expect(small.ask(recruit, 'view_faction_storage')).toMatchObject({
      result: {
        items: [{ item_id: 'iron_ore', quantity: 20 }],
        buckets: [{ name: 'Ore Bay', cap_per_item: 100_000, items: [{ quantity: 20 }] }],
      },
    })
    const same = { ...ITEM, source: 'faction', target: 'faction' }
    expect(code(leader, 'faction_deposit_items', same)).toBe('invalid_target')
    const place = { faction, base, bucket: world.read(Facility).seq[bucket] }
    expect(roomInStore(world, place, ORE)).toBe(99_980)
    expect(factionStore(world, faction, base, 'nowhere')).toMatchObject({
      code: 'bucket_not_found',
    })
  })

  test('that are full take nothing: storage_full', () => {
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    const number = world.read(Facility).seq[bucket]
    fill('iron_ore', 100_000, number)
    fill('iron_ore', 10)
    const across = { ...ITEM, source: 'faction', target: `faction:${facilityId(world, bucket)}` }
    expect(code(leader, 'faction_deposit_items', across)).toBe('storage_full')
  })

  test('fold into the main store at the next review when their facility is lost', () => {
    addService(world, faction, base, 'faction_storage')
    const facilities = [1, 2].map(() => addService(world, faction, base, 'storage_extension'))
    const { seq } = world.read(Facility)
    for (const facility of facilities) fill('iron_ore', 70_000, seq[facility])
    loseBuckets(small, facilities)
    expect(inStore()).toBe(140_000)
    expect(roomInStore(world, { faction, base, bucket: 0 }, ORE)).toBe(0)
    expect(world.countOf(FactionStore)).toBe(1)
  })
})

describe('the fuel bunker', () => {
  const fuel = { item_id: 'fuel', quantity: 5 }
  test('takes fuel from the tank of a ship, and refuels ships', () => {
    addService(world, faction, base, 'faction_storage')
    addService(world, faction, base, 'faction_fuel_bunker')
    const ship = shipOf(recruit)
    world.write(Ship).issueFuel[ship] = 0
    const before = world.read(Ship).fuel[ship]
    expect(act(recruit, 'faction_deposit_items', fuel)).toMatchObject({
      result: { action: 'faction_deposit_fuel', fuel: 5, fuel_capacity: 5_000, storage_fuel: 5 },
    })
    expect(world.read(Ship).fuel[ship]).toBe(before - 5)
    expect(small.ask(recruit, 'view_faction_storage')).toMatchObject({
      result: { faction_fuel_capacity: 5_000, faction_fuel_reserve: 5 },
    })
    expect(small.ask(recruit, 'faction_info')).toMatchObject({
      result: { total_fuel_capacity: 5_000, total_fuel_reserve: 5, fuel_bunkers: [{}] },
    })
    expect(act(recruit, 'refuel')).toMatchObject({
      result: { source: 'faction_bunker', fuel: 5, faction_fuel: 5, cost: 0 },
    })
    expect(drawBunker(world, faction, base, 3)).toBe(0)
    expect(drawBunker(world, 0, base, 3)).toBe(0)
    expect(world.countOf(FactionStore)).toBe(0)
  })

  test('refuses: no_faction_storage, issue_item, insufficient_items, storage_full', () => {
    addService(world, faction, base, 'faction_storage')
    expect(code(recruit, 'faction_deposit_items', fuel)).toBe('no_faction_storage')
    addService(world, faction, base, 'faction_fuel_bunker')
    const ship = shipOf(recruit)
    world.write(Ship).issueFuel[ship] = world.read(Ship).fuel[ship]
    expect(code(recruit, 'faction_deposit_items', fuel)).toBe('issue_item')
    world.write(Ship).issueFuel[ship] = world.read(Ship).fuel[ship] - 4
    expect(code(recruit, 'faction_deposit_items', fuel)).toBe('insufficient_items')
    world.write(Ship).issueFuel[ship] = 0
    expect(openStore(world, main())).not.toBe(0)
    // The first store of a world is row 1.
    world.write(FactionStore).fuel[1] = 4_998
    expect(act(recruit, 'faction_deposit_items', fuel)).toMatchObject({
      code: 'storage_full',
      details: { cap: 5_000, have: 4_998 },
    })
  })
})

describe('on v2', () => {
  test('deposit, withdraw and view use the same stores', () => {
    addService(world, faction, base, 'faction_storage')
    const bucket = addService(world, faction, base, 'storage_extension')
    const name = facilityId(world, bucket)
    const put = { ...ITEM, source: 'storage', target: 'faction', bucket: name }
    expect(act(recruit, 'v2:game_storage/deposit', put)).toMatchObject({
      result: { action: 'faction_deposit_items', bucket_id: name },
    })
    const across = { ...ITEM, quantity: 4, source: 'faction', target: 'faction', bucket: name }
    expect(act(leader, 'v2:game_storage/deposit', across)).toMatchObject({
      result: { action: 'transfer', bucket_id: name, dest_total: 4 },
    })
    const out = { items: [{ ...ITEM, quantity: 3 }, ITEM], target: 'faction' }
    expect(act(leader, 'v2:game_storage/withdraw', out)).toMatchObject({
      result: { requested: 2, succeeded: 1, failed: 1 },
    })
    expect(small.ask(recruit, 'v2:game_storage/view', { target: 'faction' })).toMatchObject({
      result: { action: 'view_faction_storage', items: [{ quantity: 1 }] },
    })
    const wrong = { ...put, bucket: 'attic' }
    expect(code(recruit, 'v2:game_storage/deposit', wrong)).toBe('bucket_not_found')
  })
})
