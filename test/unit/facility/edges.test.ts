/**
 * Limits of facilities: full stores, full tables, full wallets and prisoners; and the events that
 * members of a faction get. Source: crafting.md sections 6, 7, 14, 15.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { FACILITIES, facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import type { ColumnDefs, TableDef } from '../../../core/columns.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { CYCLE_TICKS } from '../../../core/time.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId } from '../../../systems/base/model.ts'
import { packageRoom } from '../../../systems/cargo/model.ts'
import { reserveSlot } from '../../../systems/cargo/rules.ts'
import { Package } from '../../../systems/cargo/state.ts'
import { facilitiesAt, facilityId, graceCycles, tierOf } from '../../../systems/facility/model.ts'
import { Facility, FacilityListing } from '../../../systems/facility/state.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { openStore } from '../../../systems/faction/store-model.ts'
import { changeBunker } from '../../../systems/faction/store-rules.ts'
import { storeInGarage } from '../../../systems/fitting/rules.ts'
import { addBounty, collectBounty } from '../../../systems/law/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { parked } from '../fitting/scene.ts'
import {
  company,
  does,
  finish,
  impoverish,
  refuses,
  type Scene,
  scene,
  shared,
  standing,
  store,
  supply,
  teach,
} from './scene.ts'

onSmallMap()

let s: Scene
beforeEach(async () => {
  s = await scene()
})
const id = (row: Row): string => facilityId(s.small.world, row)

/** Takes the faction events that were sent to a player. */
function takeFactionEvents(player: Eid) {
  const number = s.small.world.read(Player).seq[player]
  return s.small
    .takeEmissions()
    .filter(({ type, to }) => type === 'faction_event' && to.includes(number))
    .map(({ payload }) => payload as { readonly event: string })
}

const takeEventNames = (player: Eid): string[] =>
  takeFactionEvents(player).map(({ event }) => event)

/** Makes a table report that it has only this many rows left. */
function limitRoom(table: TableDef<ColumnDefs>, rows: number): void {
  const { world } = s.small
  const roomIn = world.roomIn.bind(world)
  world.roomIn = (other) => (other === table ? rows : roomIn(other))
}

/** Puts the materials of a type into the store of a faction. */
function stock(faction: Row, type: string): void {
  const { world } = s.small
  const bin = openStore(world, { faction, base: s.base, bucket: 0 })
  for (const { item_id, quantity } of FACILITIES[facilityTypeIndex(type)].build_materials) {
    moveItems(world, namedContainer('supply'), bin, itemIndex(item_id), quantity)
  }
}

describe('faction_upgrade', () => {
  it('pays from treasury and store and requires the permission', () => {
    const { small, owner, other, base } = s
    const { world } = small
    const faction = company(s, owner, [other])
    const owners = world.read(Facility).faction
    const row = facilitiesAt(world, base).find((facility) => owners[facility] === faction)
    const facility_id = id(row as Row)
    const upgrade = { facility_id, facility_type: 'faction_strongroom' }
    refuses(small, other, ['faction_upgrade', upgrade], 'no_permission')
    refuses(small, owner, ['faction_upgrade', upgrade], 'missing_materials')
    const wrong = { facility_id, facility_type: 'smelter' }
    refuses(small, owner, ['faction_upgrade', wrong], 'upgrade_only')
    const own = { facility_id: id(standing(s, 'smelter', owner)), facility_type: 'foundry' }
    refuses(small, owner, ['faction_upgrade', own], 'not_owner')
    stock(faction, 'faction_strongroom')
    const cost = FACILITIES[facilityTypeIndex('faction_strongroom')].build_cost
    const before = balanceOf(world, treasuryOf(world, faction))
    expect(does(small, owner, 'faction_upgrade', upgrade)).toMatchObject({
      action: 'faction_upgrade',
      level: 2,
      faction_service: 'faction_storage',
    })
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(before - cost)
    refuses(small, owner, ['faction_upgrade', upgrade], 'facility_busy')
    small.takeEmissions()
    finish(small, row as Row)
    expect(tierOf(world, row as Row)).toBe(2)
    expect(takeEventNames(other)).toEqual(['facility_upgraded'])
  })
})

describe('members of a faction', () => {
  it('get facility_built, facility_dismantled, facility_sold and facility_reclaimed', () => {
    const { small, owner, other, base } = s
    const { world } = small
    const third = small.join('Third')
    const faction = company(s, owner, [other])
    stock(faction, 'faction_admin')
    const built = does(small, owner, 'faction_build', { facility_type: 'faction_admin' })
    const rows = facilitiesAt(world, base)
    const row = rows.find((facility) => id(facility) === built.facility_id) as Row
    small.takeEmissions()
    finish(small, row)
    expect(takeEventNames(other)).toEqual(['facility_built'])
    const bin = openStore(world, { faction, base, bucket: 0 })
    moveItems(world, namedContainer('supply'), bin, itemIndex('cargo_container'), 9)
    does(small, owner, 'faction_dismantle', { facility_id: id(row) })
    small.takeEmissions()
    finish(small, row)
    expect(takeEventNames(other)).toEqual(['facility_dismantled'])
    const works = shared(s, 'smelter', faction)
    const params = { facility_id: id(works), price: 900, faction: true }
    const { listing_id } = does(small, owner, 'list_for_sale', params)
    small.takeEmissions()
    post(world, namedAccount('missions'), walletOf(world, third), 10_000)
    teach(small, third, 'corporation_management', 5)
    does(small, third, 'buy_listing', { listing_id })
    expect(takeFactionEvents(other)).toMatchObject([
      { event: 'facility_sold', base_id: baseId(world, base), credits: 900 },
    ])
    const last = shared(s, 'smelter', faction)
    // One more missed cycle ends the grace period, and the treasury is empty.
    world.write(Facility).missed[last] = graceCycles(world, base) - 1
    impoverish(small, treasuryOf(world, faction))
    small.ticks(CYCLE_TICKS)
    expect(takeEventNames(other)).toEqual(['facility_reclaimed'])
  })
})

describe('faction_dismantle', () => {
  it('refuses garages with hulls and bunkers with fuel (bucket_not_empty)', () => {
    const { small, owner, base } = s
    const { world } = small
    const faction = company(s, owner)
    const bunker = [
      'faction_dismantle',
      { facility_id: id(shared(s, 'faction_fuel_bunker', faction)) },
    ] as const
    changeBunker(world, faction, base, 5)
    refuses(small, owner, bunker, 'bucket_not_empty')
    changeBunker(world, faction, base, -5)
    refuses(small, owner, bunker, 'no_cargo_container')
    const garage = [
      'faction_dismantle',
      { facility_id: id(shared(s, 'faction_ship_garage', faction)) },
    ] as const
    refuses(small, owner, garage, 'no_cargo_container')
    storeInGarage(world, parked(world, owner, 'messenger'), faction)
    refuses(small, owner, garage, 'bucket_not_empty')
  })
})

describe('an action of a facility is refused', () => {
  it('with package_storage_full where the parts find no room', () => {
    const { small, owner, base } = s
    const { world } = small
    const facility_id = id(standing(s, 'smelter', owner))
    store(small, owner, base, { cargo_container: 1 })
    while (packageRoom(world, owner, base) > 0) reserveSlot(world, owner, base)
    refuses(small, owner, ['dismantle', { facility_id }], 'package_storage_full')
  })

  it('with amount_too_large where the wallet of the seller is full', () => {
    const { small, owner, other } = s
    const { world } = small
    const facility_id = id(standing(s, 'smelter', owner))
    const { listing_id } = does(small, owner, 'list_for_sale', { facility_id, price: 1_000 })
    const wallet = walletOf(world, owner)
    const rest = Number.MAX_SAFE_INTEGER - balanceOf(world, wallet) - 999
    post(world, namedAccount('construction'), wallet, rest)
    refuses(small, other, ['buy_listing', { listing_id }], 'amount_too_large')
  })

  it('with limit_reached where a table is nearly full', () => {
    const { small, owner, base } = s
    const facility_id = id(standing(s, 'smelter', owner))
    supply(small, owner, base, 'smelter')
    store(small, owner, base, { cargo_container: 1 })
    limitRoom(Facility, 1)
    refuses(small, owner, ['build', { facility_type: 'smelter' }], {
      code: 'limit_reached',
      details: { full: 'facilities' },
    })
    limitRoom(FacilityListing, 1)
    refuses(small, owner, ['list_for_sale', { facility_id, price: 5 }], {
      code: 'limit_reached',
      details: { full: 'listings' },
    })
    limitRoom(Package, 1)
    refuses(small, owner, ['dismantle', { facility_id }], 'limit_reached')
  })
})

describe('a prisoner', () => {
  it('can neither list a facility, cancel a listing nor buy (detained)', () => {
    const { small, owner, other } = s
    const { world } = small
    const facility_id = id(standing(s, 'smelter', owner))
    const { listing_id } = does(small, owner, 'list_for_sale', { facility_id, price: 1_000 })
    for (const player of [owner, other]) {
      addBounty(world, player, 0, 900_000_000)
      collectBounty(world, player, 0)
    }
    refuses(small, owner, ['cancel_listing', { listing_id }], 'detained')
    refuses(small, owner, ['list_for_sale', { facility_id, price: 5 }], 'detained')
    refuses(small, other, ['buy_listing', { listing_id }], 'detained')
  })
})
