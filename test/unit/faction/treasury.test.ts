/** Treasury and stores of a faction, up to its end. Source: trade-storage.md section 4. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Base } from '../../../systems/base/state.ts'
import {
  closeEmptyLocker,
  lockerOf,
  openLocker,
  packagesIn,
  storedUnits,
} from '../../../systems/cargo/model.ts'
import { createPackage } from '../../../systems/cargo/rules.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { removeMember } from '../../../systems/faction/member-rules.ts'
import { memberCap, treasuryOf } from '../../../systems/faction/model.ts'
import { FACTION_ACTIVITY_ROWS_MAX, FactionStore } from '../../../systems/faction/state.ts'
import { bunkerFuel, storeContainer } from '../../../systems/faction/store-model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'
import { addService, type DockedGuild, dockedGuild, heard, refusesNow } from './scene.ts'

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
const act = (player: Eid, command: string, params: object = {}) =>
  small.act(player, command, params)
const code = (player: Eid, command: string, params: object = {}) =>
  (act(player, command, params) as { code?: string }).code
const fund = (credits: number) =>
  post(world, namedAccount('starting_grant'), treasuryOf(world, faction), credits)
const shipOf = (player: Eid) => world.read(Player).ship[player]

describe('the treasury', () => {
  test('takes credits from any member anywhere, and pays them to a member with permission', () => {
    const before = balanceOf(world, walletOf(world, recruit))
    expect(act(recruit, 'faction_deposit_credits', { amount: 50 })).toMatchObject({
      result: {
        action: 'faction_deposit_credits',
        amount: 50,
        faction_credits: 50,
        player_credits: before - 50,
      },
    })
    expect(act(leader, 'faction_withdraw_credits', { amount: 20 })).toMatchObject({
      result: { action: 'faction_withdraw_credits', amount: 20, faction_credits: 30 },
    })
    fund(20_000)
    small.takeEmissions()
    expect(act(leader, 'faction_withdraw_credits', { amount: 10_001 }).ok).toBe(true)
    expect(heard(small, leader)).toMatchObject([{ event: 'withdrawal', credits: 10_001 }])
    expect(act(leader, 'faction_withdraw_credits', { amount: 5_000 }).ok).toBe(true)
    expect(heard(small, leader)).toEqual([])
  })

  test('takes credits as an item too, also as a gift from an outsider', () => {
    const credits = { item_id: 'credits', quantity: 40 }
    expect(act(recruit, 'faction_deposit_items', credits)).toMatchObject({
      result: { action: 'faction_deposit_credits', faction_credits: 40 },
    })
    expect(act(leader, 'faction_withdraw_items', credits)).toMatchObject({
      result: { action: 'faction_withdraw_credits', faction_credits: 0 },
    })
    const gift = { ...credits, target: 'faction:FREE' }
    expect(code(stranger, 'faction_deposit_items', gift)).toBe('trading_restricted')
    allowGiving(world, stranger, 40)
    expect(act(stranger, 'faction_deposit_items', gift)).toMatchObject({
      result: { action: 'faction_gift', credits_sent: 40 },
    })
    const nextGift = { ...gift, quantity: 1 }
    expect(code(stranger, 'faction_deposit_items', nextGift)).toBe('trading_restricted')
  })

  test('refuses: not_in_faction, no_permission, no_credits, faction_no_credits', () => {
    const pay = { amount: 1_000_000_000 }
    expect(code(stranger, 'faction_deposit_credits', pay)).toBe('not_in_faction')
    expect(code(stranger, 'faction_withdraw_credits', pay)).toBe('not_in_faction')
    expect(code(recruit, 'faction_deposit_credits', pay)).toBe('no_credits')
    expect(code(recruit, 'faction_withdraw_credits', pay)).toBe('no_permission')
    expect(code(leader, 'faction_withdraw_credits', pay)).toBe('faction_no_credits')
    world.write(PlayerCombat).restrictedUntil[recruit] = world.tick + 100
    expect(code(recruit, 'faction_deposit_credits', { amount: 1 })).toBe('trading_restricted')
  })

  test('refuses what an account cannot hold: amount_too_large', () => {
    const pool = namedAccount('starting_grant')
    post(world, namedAccount('missions'), pool, -balanceOf(world, pool))
    fund(Number.MAX_SAFE_INTEGER - 10)
    expect(code(recruit, 'faction_deposit_credits', { amount: 11 })).toBe('amount_too_large')
    const amount = Number.MAX_SAFE_INTEGER - 10
    expect(code(leader, 'faction_withdraw_credits', { amount })).toBe('amount_too_large')
  })

  test('lists its latest deposits and withdrawals to members', () => {
    addService(world, faction, base, 'faction_storage')
    for (let i = 1; i <= FACTION_ACTIVITY_ROWS_MAX + 1; i++) {
      expect(act(recruit, 'faction_deposit_credits', { amount: i % 2 === 0 ? 1 : 2 }).ok).toBe(true)
    }
    const put = { ...ITEM, source: 'storage' }
    expect(act(recruit, 'faction_deposit_items', put).ok).toBe(true)
    const view = small.ask(leader, 'view_faction_storage') as unknown as {
      result: { recent_activity: object[] }
    }
    expect(view.result.recent_activity.length).toBe(FACTION_ACTIVITY_ROWS_MAX)
    expect(view.result.recent_activity[0]).toMatchObject({
      action: 'deposit_items',
      player: 'Recruit',
      item: 'iron_ore',
      quantity: 10,
    })
  })
})

describe('view_faction_storage', () => {
  test('is for members at a base with a store', () => {
    refusesNow(small, stranger, ['view_faction_storage', {}], 'not_in_faction')
    refusesNow(small, leader, ['view_faction_storage', {}], 'no_faction_storage')
    const nowhere = { station_id: 'nowhere' }
    refusesNow(small, leader, ['view_faction_storage', nowhere], 'station_not_found')
    const station_id = world.texts.get(world.read(Base).id[base])
    addService(world, faction, base, 'faction_storage')
    expect(act(leader, 'undock').ok).toBe(true)
    refusesNow(small, leader, ['view_faction_storage', {}], 'not_docked')
    expect(small.ask(leader, 'view_faction_storage', { station_id })).toMatchObject({
      result: {
        action: 'view_faction_storage',
        base_id: station_id,
        faction_tag: 'FREE',
        credits: 0,
        items: [],
        buckets: [],
        recent_activity: [],
      },
    })
  })
})

test('the cap of members grows with recruitment offices', () => {
  expect(memberCap(world, faction)).toBe(20)
  addService(world, faction, base, 'faction_recruitment', 3)
  expect(memberCap(world, faction)).toBe(250)
  addService(world, faction, base, 'faction_recruitment', 1)
  expect(memberCap(world, faction)).toBe(262)
  addService(world, faction, base, 'faction_recruitment', 3)
  expect(memberCap(world, faction)).toBe(324)
})

test('the last member to leave gets the stored goods, the station gets the fuel', () => {
  addService(world, faction, base, 'faction_storage')
  addService(world, faction, base, 'faction_fuel_bunker')
  fill('iron_ore', 500)
  stock(leader, 'cargo_container', 1)
  const pkg = createPackage(world, {
    from: lockerOf(world, leader, base),
    contents: [{ item: ORE, units: 10 }],
    to: { kind: 'store', faction, base, container: storeContainer(world, main()) },
    label: '',
    creator: leader,
  })
  const ship = shipOf(leader)
  world.write(Ship).issueFuel[ship] = 0
  expect(act(leader, 'faction_deposit_items', { item_id: 'fuel', quantity: 7 }).ok).toBe(true)
  expect(bunkerFuel(world, faction, base)).toBe(7)
  world.write(Base).fuel[base] = 100
  removeMember(world, recruit)
  const before = storedUnits(world, leader, base, ORE)
  expect(act(leader, 'leave_faction').ok).toBe(true)
  expect(storedUnits(world, leader, base, ORE)).toBe(before + 500)
  expect(packagesIn(world, lockerOf(world, leader, base))).toEqual([pkg])
  expect(world.read(Base).fuel[base]).toBeGreaterThanOrEqual(107)
  expect(world.countOf(FactionStore)).toBe(0)
})

test('a restored world has the same stores, and later runs stay equal', async () => {
  addService(world, faction, base, 'faction_storage')
  const put = { ...ITEM, source: 'storage' }
  expect(act(recruit, 'faction_deposit_items', put).ok).toBe(true)
  expect(act(recruit, 'faction_deposit_credits', { amount: 5 }).ok).toBe(true)
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  for (const instance of [small, restored]) {
    expect(instance.act(leader, 'faction_withdraw_items', ITEM)).toMatchObject({
      result: { storage_remaining: 0 },
    })
    expect(instance.act(recruit, 'faction_deposit_items', put).ok).toBe(true)
  }
  expect(restored.hash()).toBe(small.hash())
})

test('a deposit from an empty locker is refused: insufficient_items', () => {
  addService(world, faction, base, 'faction_storage')
  const locker = openLocker(world, recruit, base)
  moveItems(world, locker, namedContainer('burned'), ORE, 100)
  closeEmptyLocker(world, recruit, base)
  const put = { ...ITEM, source: 'storage' }
  expect(code(recruit, 'faction_deposit_items', put)).toBe('insufficient_items')
})
