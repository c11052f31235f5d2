/**
 * Facilities at the edges of what is allowed: full stores, full tables, full wallets, prisoners,
 * and which events a faction gets. Source: crafting.md sections 6, 7, 14, 15.
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

let s: Scene
beforeEach(async () => {
  s = await scene()
})
const id = (row: Row): string => facilityId(s.small.world, row)

/** Returns the faction events that a player got, by name of the event. */
function factionEvents(player: Eid) {
  const number = s.small.world.read(Player).seq[player]
  return s.small
    .takeEmissions()
    .filter(({ type, to }) => type === 'faction_event' && to.includes(number))
    .map(({ payload }) => payload as { readonly event: string })
}

const news = (player: Eid): string[] => factionEvents(player).map(({ event }) => event)

/** Says of a table that it has so few rows left. */
function leave(table: TableDef<ColumnDefs>, rows: number): void {
  const { world } = s.small
  const full = world.roomIn.bind(world)
  world.roomIn = (asked) => (asked === table ? rows : full(asked))
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
  it('uses treasury and store, and requires the permission to manage facilities', () => {
    const { small, owner, other, base } = s
    const { world } = small
    const faction = company(s, owner, [other])
    const row = facilitiesAt(world, base).find((at) => world.read(Facility).faction[at] === faction)
    const facility_id = id(row as Row)
    const to = { facility_id, facility_type: 'faction_strongroom' }
    refuses(small, other, ['faction_upgrade', to], 'no_permission')
    refuses(small, owner, ['faction_upgrade', to], 'missing_materials')
    const wrong = { facility_id, facility_type: 'smelter' }
    refuses(small, owner, ['faction_upgrade', wrong], 'upgrade_only')
    const own = { facility_id: id(standing(s, 'smelter', owner)), facility_type: 'foundry' }
    refuses(small, owner, ['faction_upgrade', own], 'not_owner')
    stock(faction, 'faction_strongroom')
    const cost = FACILITIES[facilityTypeIndex('faction_strongroom')].build_cost
    const before = balanceOf(world, treasuryOf(world, faction))
    expect(does(small, owner, 'faction_upgrade', to)).toMatchObject({
      action: 'faction_upgrade',
      level: 2,
      faction_service: 'faction_storage',
    })
    expect(balanceOf(world, treasuryOf(world, faction))).toBe(before - cost)
    refuses(small, owner, ['faction_upgrade', to], 'facility_busy')
    small.takeEmissions()
    finish(small, row as Row)
    expect(tierOf(world, row as Row)).toBe(2)
    expect(news(other)).toEqual(['facility_upgraded'])
  })
})

describe('members get an event', () => {
  it('facility_built, facility_dismantled, facility_sold and facility_reclaimed', () => {
    const { small, owner, other, base } = s
    const { world } = small
    const third = small.join('Third')
    const faction = company(s, owner, [other])
    stock(faction, 'faction_admin')
    const built = does(small, owner, 'faction_build', { facility_type: 'faction_admin' })
    const row = facilitiesAt(world, base).find((at) => id(at) === built.facility_id) as Row
    small.takeEmissions()
    finish(small, row)
    expect(news(other)).toEqual(['facility_built'])
    const bin = openStore(world, { faction, base, bucket: 0 })
    moveItems(world, namedContainer('supply'), bin, itemIndex('cargo_container'), 9)
    does(small, owner, 'faction_dismantle', { facility_id: id(row) })
    small.takeEmissions()
    finish(small, row)
    expect(news(other)).toEqual(['facility_dismantled'])
    const works = shared(s, 'smelter', faction)
    const params = { facility_id: id(works), price: 900, faction: true }
    const { listing_id } = does(small, owner, 'list_for_sale', params)
    small.takeEmissions()
    post(world, namedAccount('missions'), walletOf(world, third), 10_000)
    teach(small, third, 'corporation_management', 5)
    does(small, third, 'buy_listing', { listing_id })
    expect(factionEvents(other)).toMatchObject([
      { event: 'facility_sold', base_id: baseId(world, base), credits: 900 },
    ])
    const last = shared(s, 'smelter', faction)
    // The last cycle the station bears with, and nothing to pay it from.
    world.write(Facility).missed[last] = graceCycles(world, base) - 1
    impoverish(small, treasuryOf(world, faction))
    small.ticks(CYCLE_TICKS)
    expect(news(other)).toEqual(['facility_reclaimed'])
  })
})

describe('bucket_not_empty', () => {
  it('holds for garages with hulls in them, and bunkers with fuel', () => {
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

describe('what has no room', () => {
  it('package_storage_full: no place for the parts', () => {
    const { small, owner, base } = s
    const { world } = small
    const facility_id = id(standing(s, 'smelter', owner))
    store(small, owner, base, { cargo_container: 1 })
    while (packageRoom(world, owner, base) > 0) reserveSlot(world, owner, base)
    refuses(small, owner, ['dismantle', { facility_id }], 'package_storage_full')
  })

  it('amount_too_large: a seller whose wallet is full', () => {
    const { small, owner, other } = s
    const { world } = small
    const facility_id = id(standing(s, 'smelter', owner))
    const { listing_id } = does(small, owner, 'list_for_sale', { facility_id, price: 1_000 })
    const wallet = walletOf(world, owner)
    const rest = Number.MAX_SAFE_INTEGER - balanceOf(world, wallet) - 999
    post(world, namedAccount('construction'), wallet, rest)
    refuses(small, other, ['buy_listing', { listing_id }], 'amount_too_large')
  })

  it('limit_reached: nearly full tables allow no building, offer or dismantling', () => {
    const { small, owner, base } = s
    const facility_id = id(standing(s, 'smelter', owner))
    supply(small, owner, base, 'smelter')
    store(small, owner, base, { cargo_container: 1 })
    leave(Facility, 1)
    refuses(small, owner, ['build', { facility_type: 'smelter' }], {
      code: 'limit_reached',
      details: { full: 'facilities' },
    })
    leave(FacilityListing, 1)
    refuses(small, owner, ['list_for_sale', { facility_id, price: 5 }], {
      code: 'limit_reached',
      details: { full: 'listings' },
    })
    leave(Package, 1)
    refuses(small, owner, ['dismantle', { facility_id }], 'limit_reached')
  })
})

describe('a prisoner', () => {
  it('neither offers, buys nor takes back: detained', () => {
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
