/** Facilities for sale: offers, buying, arrears and tax out of the price. crafting.md section 7. */
import { beforeEach, describe, expect, it } from 'vitest'
import { balanceOf } from '../../../core/ledger.ts'
import type { Row } from '../../../core/types.ts'
import { recordGiving } from '../../../systems/account/giving-model.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Giving } from '../../../systems/account/state.ts'
import { baseTreasury } from '../../../systems/base/model.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { facilitiesOf, facilityId } from '../../../systems/facility/model.ts'
import { listingId } from '../../../systems/facility/sale-commands.ts'
import { Facility, FacilityListing } from '../../../systems/facility/state.ts'
import { salesTax } from '../../../systems/market/match-kernels.ts'
import { salesTaxBps } from '../../../systems/market/model.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  company,
  does,
  impoverish,
  refuses,
  type Scene,
  scene,
  shared,
  standing,
  teach,
} from './scene.ts'

onSmallMap()

let s: Scene
let row: Row
let facility_id: string
beforeEach(async () => {
  s = await scene()
  row = standing(s, 'smelter', s.owner)
  facility_id = facilityId(s.small.world, row)
})
const wallet = (player: number): number => balanceOf(s.small.world, walletOf(s.small.world, player))
const offer = (price = 1000): string =>
  String(does(s.small, s.owner, 'list_for_sale', { facility_id, price }).listing_id)
const browse = (filters: object = {}) =>
  (
    s.small.ask(s.other, 'facility', { action: 'browse_for_sale', ...filters }) as never as {
      result: { count: number; listings: Record<string, unknown>[] }
    }
  ).result

describe('list_for_sale', () => {
  it('costs a hundredth of the price, which the station keeps', () => {
    const { small, owner, base } = s
    const before = [wallet(owner), balanceOf(small.world, baseTreasury(small.world, base))]
    const listing_id = offer(10_050)
    const after = [wallet(owner), balanceOf(small.world, baseTreasury(small.world, base))]
    expect(after).toEqual([before[0] - 101, before[1] + 101])
    expect(browse()).toMatchObject({
      count: 1,
      listings: [{ listing_id, price: 10_050, seller_type: 'player', skill_met: true }],
    })
    expect(browse({ max_price: 10_049 }).count).toBe(0)
    expect(browse({ facility_type: 'foundry' }).count).toBe(0)
  })

  it('refuses bad prices, second listings, quarters and an empty wallet', () => {
    const { small, owner, other } = s
    const listAt = (price: number) => ['list_for_sale', { facility_id, price }] as const
    for (const price of [0, 0.5, 1e13]) refuses(small, owner, listAt(price), 'invalid_price')
    refuses(small, other, listAt(5), 'not_owner')
    refuses(small, owner, ['list_for_sale', { facility_id, price: 5, faction: true }], {
      code: 'not_owner',
    })
    const home = facilityId(small.world, standing(s, 'crew_quarters', owner))
    refuses(small, owner, ['list_for_sale', { facility_id: home, price: 5 }], 'invalid_target')
    offer()
    refuses(small, owner, listAt(5), 'already_listed')
    refuses(small, owner, ['upgrade', { facility_id, facility_type: 'foundry' }], 'already_listed')
    small.world.write(PlayerCombat).restrictedUntil[owner] = small.world.tick + 10
    refuses(small, owner, listAt(5), 'trading_restricted')
    small.world.write(PlayerCombat).restrictedUntil[owner] = 0
    const second = standing(s, 'smelter', owner)
    impoverish(small, walletOf(small.world, owner))
    const params = { facility_id: facilityId(small.world, second), price: 5 }
    refuses(small, owner, ['list_for_sale', params], { code: 'no_credits', details: { need: 1 } })
  })

  it('far below its worth is a gift, which the owner must have earned', () => {
    const { small, owner, other } = s
    recordGiving(small.world, owner, 1_000_000)
    refuses(small, owner, ['list_for_sale', { facility_id, price: 1 }], 'trading_restricted')
    small.world.write(Giving).given[owner] = 0
    does(small, other, 'buy_listing', { listing_id: offer(1) })
    expect(small.world.read(Giving).given[owner]).toBeGreaterThan(1_000)
    expect(small.world.read(Giving).given[other]).toBe(0)
  })

  it('of a faction requires the permission and charges the treasury', () => {
    const { small, owner, other } = s
    const faction = company(s, owner, [other])
    const works = facilityId(small.world, shared(s, 'smelter', faction))
    const params = { facility_id: works, price: 900, faction: true }
    refuses(small, other, ['list_for_sale', params], 'no_permission')
    const listed = does(small, owner, 'list_for_sale', params)
    expect(listed.fee).toBe(9)
    expect(browse().listings[0]).toMatchObject({
      seller_type: 'faction',
      seller_name: 'Dock Company',
    })
    refuses(small, other, ['buy_listing', { listing_id: listed.listing_id }], 'own_listing')
    does(small, owner, 'cancel_listing', { listing_id: listed.listing_id })
    expect(browse().count).toBe(0)
  })
})

describe('buy_listing', () => {
  it('moves the price, takes the tax and settles the arrears', () => {
    const { small, owner, other, base } = s
    const { world } = small
    world.write(Facility).arrears[row] = 40
    const listing_id = offer(1000)
    const before = [wallet(owner), wallet(other)]
    const station = balanceOf(world, baseTreasury(world, base))
    const tax = salesTax(1000, salesTaxBps(world, other, base))
    const bought = does(small, other, 'buy_listing', { listing_id })
    expect(bought).toMatchObject({ action: 'buy_listing', price: 1000, facility_id })
    expect([wallet(owner), wallet(other)]).toEqual([before[0] + 960, before[1] - 1000 - tax])
    expect(balanceOf(world, baseTreasury(world, base))).toBe(station + 40)
    expect(world.read(Facility).arrears[row]).toBe(0)
    expect(facilitiesOf(world, other)).toEqual([row])
    expect(world.countOf(FacilityListing)).toBe(0)
  })

  it('refuses a listing that is own, gone, busy or in arrears, and unskilled buyers', () => {
    const { small, owner, other } = s
    const { world } = small
    const listing_id = offer(1000)
    const buy = ['buy_listing', { listing_id }] as const
    refuses(small, owner, buy, 'own_listing')
    refuses(small, other, ['buy_listing', { listing_id: 'none' }], 'listing_not_found')
    refuses(small, other, ['cancel_listing', { listing_id }], 'not_owner')
    world.write(Facility).busy[row] = 1
    refuses(small, other, buy, 'facility_busy')
    world.write(Facility).busy[row] = 0
    world.write(Facility).arrears[row] = 1001
    refuses(small, other, buy, 'arrears_due')
    world.write(Facility).arrears[row] = 0
    teach(small, other, 'corporation_management', 0)
    refuses(small, other, buy, 'skill_too_low')
    expect(browse().listings[0]).toMatchObject({
      skill_met: false,
      compatibility_note: 'You cannot buy this now: skill_too_low.',
    })
    teach(small, other, 'corporation_management', 1)
    for (let i = 0; i < 20; i++) standing(s, 'smelter', other)
    refuses(small, other, buy, 'limit_reached')
    impoverish(small, walletOf(world, owner))
    expect(listingId(world, world.read(Facility).listing[row])).toBe(listing_id)
    does(small, owner, 'cancel_listing', { listing_id })
    refuses(small, other, buy, 'listing_not_found')
  })

  it('far above its worth is a gift, which the buyer must have earned', () => {
    const { small, owner, other } = s
    const listing_id = offer(400_000)
    recordGiving(small.world, other, 1_000_000)
    refuses(small, other, ['buy_listing', { listing_id }], 'trading_restricted')
    small.world.write(Giving).given[other] = 0
    does(small, other, 'buy_listing', { listing_id })
    expect(small.world.read(Giving).given[other]).toBeGreaterThan(200_000)
    expect(small.world.read(Giving).given[owner]).toBe(0)
  })

  it('refuses a buyer who cannot pay', () => {
    const { small, other } = s
    const listing_id = offer(1000)
    impoverish(small, walletOf(small.world, other), 999)
    refuses(small, other, ['buy_listing', { listing_id }], 'no_credits')
  })
})
