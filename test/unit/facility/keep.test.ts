/** Dismantling, repair, transfer and the settings of owners. Source: crafting.md section 7. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FACILITIES, facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { FACILITIES_RECEIVED_PER_DAY_MAX } from '../../../core/limits.ts'
import type { Row } from '../../../core/types.ts'
import { lockerOf, manifestOf, packagesIn, storedUnits } from '../../../systems/cargo/model.ts'
import {
  facilitiesOf,
  facilityId,
  facilityName,
  isRunning,
} from '../../../systems/facility/model.ts'
import { damageFacility } from '../../../systems/facility/rules.ts'
import { DAMAGED, Facility, PRIVATE, PUBLIC, Tenant } from '../../../systems/facility/state.ts'
import {
  bucketNumber,
  closeEmptyStore,
  openStore,
  storeContainer,
} from '../../../systems/faction/store-model.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { undockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  company,
  does,
  finish,
  idOfRow,
  refuses,
  type Scene,
  scene,
  shared,
  standing,
  store,
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
const setColumns = (values: Partial<Record<'arrears' | 'status' | 'busy' | 'dueTick', number>>) => {
  const columns = s.small.world.write(Facility)
  for (const [name, value] of Object.entries(values)) {
    columns[name as 'arrears'][row] = value
  }
}

describe('facility dismantle', () => {
  it('packs the materials of all tiers into cargo containers when its time is over', () => {
    const { small, owner, base } = s
    const { world } = small
    // 60 steel plates, 10 machine parts and 10 basalt fibres fit into one package.
    store(small, owner, base, { cargo_container: 1 })
    const begun = does(small, owner, 'dismantle', { facility_id })
    expect(begun).toMatchObject({ action: 'dismantle', facility_type: 'smelter' })
    const count = Number(begun.package_count)
    expect(count).toBe(1)
    expect(isRunning(world, row)).toBe(false)
    finish(small, row)
    expect(facilitiesOf(world, owner)).toEqual([])
    const packages = packagesIn(world, lockerOf(world, owner, base))
    expect(packages).toHaveLength(count)
    const steel = packages
      .flatMap((pkg) => manifestOf(world, pkg))
      .filter(({ item }) => item === itemIndex('steel_plate'))
    expect(steel.reduce((sum, { units }) => sum + units, 0)).toBe(60)
    expect(storedUnits(world, owner, base, itemIndex('cargo_container'))).toBe(0)
  })

  it('refuses quarters, and facilities in arrears, busy, listed or damaged', () => {
    const { small, owner, other } = s
    const dismantle = ['dismantle', { facility_id }] as const
    refuses(small, owner, dismantle, { code: 'no_cargo_container', details: { need: 1 } })
    refuses(small, other, dismantle, 'not_owner')
    refuses(small, owner, ['dismantle', { facility_id: 'none' }], 'facility_not_found')
    refuses(small, owner, ['faction_dismantle', { facility_id }], 'not_owner')
    const quarters = facilityId(small.world, standing(s, 'crew_quarters', owner))
    refuses(small, owner, ['dismantle', { facility_id: quarters }], 'cannot_dismantle')
    setColumns({ arrears: 1 })
    refuses(small, owner, dismantle, { code: 'arrears_due', details: { owed: 1 } })
    setColumns({ arrears: 0, busy: 1 })
    refuses(small, owner, dismantle, 'facility_busy')
    setColumns({ busy: 0 })
    does(small, owner, 'list_for_sale', { facility_id, price: 500 })
    refuses(small, owner, dismantle, 'already_listed')
    does(small, owner, 'cancel_listing', {
      listing_id: listingOf(small.ask(owner, 'facility', { action: 'browse_for_sale' })),
    })
    damageFacility(small.world, row)
    refuses(small, owner, dismantle, 'facility_damaged')
  })

  it('refuses the storage of a faction, and members without the permission', () => {
    const { small, owner, other } = s
    const faction = company(s, owner, [other])
    const desk = facilityId(small.world, shared(s, 'faction_admin', faction))
    const lockbox = facilityId(small.world, shared(s, 'faction_lockbox', faction))
    const dismantle = (facility_id: string) => ['faction_dismantle', { facility_id }] as const
    refuses(small, owner, dismantle(lockbox), 'cannot_dismantle')
    refuses(small, other, dismantle(desk), 'no_permission')
    refuses(small, owner, dismantle(desk), 'no_cargo_container')
    refuses(small, owner, ['dismantle', { facility_id: desk }], 'not_owner')
  })

  it('refuses a bucket with goods and packs an empty one into the store', () => {
    const { small, owner, base } = s
    const { world } = small
    const faction = company(s, owner)
    const row = shared(s, 'faction_storage_extension', faction)
    const place = { faction, base, bucket: bucketNumber(world, row) }
    const bucket = openStore(world, place)
    const item = itemIndex('cargo_container')
    moveItems(world, namedContainer('supply'), bucket, item, 9)
    const facility_id = facilityId(world, row)
    refuses(small, owner, ['faction_dismantle', { facility_id }], 'bucket_not_empty')
    const main = { faction, base, bucket: 0 }
    moveItems(world, bucket, openStore(world, main), item, 9)
    closeEmptyStore(world, place)
    const begun = does(small, owner, 'faction_dismantle', { facility_id })
    finish(small, row)
    const packages = packagesIn(world, storeContainer(world, main))
    expect(packages).toHaveLength(Number(begun.package_count))
    expect(unitsIn(world, storeContainer(world, main), item)).toBe(9 - packages.length)
  })
})

function listingOf(answer: unknown): string {
  const { result } = answer as { result: { listings: { listing_id: string }[] } }
  return result.listings[0].listing_id
}

describe('facility repair', () => {
  it('costs three tenths of the materials and of the time', () => {
    const { small, owner, base } = s
    const repair = ['repair', { facility_id }] as const
    const message = expect.stringMatching(/Smelter is not damaged/)
    refuses(small, owner, repair, { code: 'not_damaged', message })
    damageFacility(small.world, row)
    expect(small.world.read(Facility).status[row]).toBe(DAMAGED)
    refuses(small, owner, repair, 'missing_materials')
    refuses(small, s.other, repair, 'not_owner')
    store(small, owner, base, { steel_plate: 18, machine_parts: 3, basalt_fiber: 3 })
    setColumns({ arrears: 5 })
    refuses(small, owner, repair, 'arrears_due')
    setColumns({ arrears: 0 })
    const begun = does(small, owner, 'repair', { facility_id })
    expect(begun).toMatchObject({ action: 'repair', ticks_to_complete: 9 })
    expect(storedUnits(small.world, owner, base, itemIndex('steel_plate'))).toBe(0)
    refuses(small, owner, repair, 'facility_busy')
    finish(small, row)
    expect(isRunning(small.world, row)).toBe(true)
  })
})

describe('facility transfer', () => {
  const to = (direction: string, overrides: object = {}) =>
    ['transfer', { facility_id, direction, ...overrides }] as const

  it('gives a facility to the faction, and from there to a member docked here', () => {
    const { small, owner, other } = s
    refuses(small, owner, to('to_faction'), 'not_in_faction')
    company(s, owner, [other])
    expect(does(small, owner, 'transfer', { facility_id, direction: 'to_faction' })).toMatchObject({
      direction: 'to_faction',
    })
    expect(facilitiesOf(small.world, owner)).toEqual([])
    refuses(small, other, to('to_player'), 'no_permission')
    refuses(small, owner, to('to_player', { player_id: 'Nobody' }), 'player_not_found')
    refuses(small, owner, to('to_faction'), 'invalid_target')
    teach(small, other, 'corporation_management', 0)
    refuses(small, owner, to('to_player', { player_id: 'Other' }), 'skill_too_low')
    teach(small, other, 'corporation_management', 1)
    const given = does(small, owner, 'transfer', { ...to('to_player')[1], player_id: 'Other' })
    expect(given.action).toBe('transfer')
    expect(facilitiesOf(small.world, other)).toEqual([row])
  })

  it('refuses arrears, jobs, strangers, quarters and too many transfers a day', () => {
    const { small, owner } = s
    const { world } = small
    company(s, owner)
    setColumns({ arrears: 3 })
    refuses(small, owner, to('to_faction'), 'arrears_due')
    setColumns({ arrears: 0, busy: 1 })
    refuses(small, owner, to('to_faction'), 'facility_busy')
    setColumns({ busy: 0 })
    refuses(small, owner, to('forward'), 'invalid_payload')
    refuses(small, owner, to('to_player'), 'invalid_target')
    does(small, owner, 'transfer', { facility_id, direction: 'to_faction' })
    refuses(small, owner, to('to_player', { player_id: 'Other' }), 'invalid_target')
    world.write(Tenant).received[owner] = FACILITIES_RECEIVED_PER_DAY_MAX
    refuses(small, owner, to('to_player'), 'limit_reached')
    world.write(Tenant).received[owner] = 0
    const home = facilityId(world, standing(s, 'crew_quarters', owner))
    const moved = { facility_id: home, direction: 'to_faction' }
    refuses(small, owner, ['transfer', moved], 'invalid_target')
  })
})

describe('settings of owners', () => {
  it('set_output_price accepts up to three decimals, for facilities that take orders', () => {
    const { small, owner, other } = s
    const price = (price: number) => ['set_output_price', { facility_id, price }] as const
    expect(does(small, owner, 'set_output_price', { facility_id, price: 2.5 })).toMatchObject({
      price: 2.5,
    })
    expect(small.world.read(Facility).priceMilli[row]).toBe(2500)
    refuses(small, owner, price(-1), 'invalid_price')
    refuses(small, owner, price(1e10), 'invalid_price')
    refuses(small, other, price(1), 'not_owner')
    const home = facilityId(small.world, standing(s, 'crew_quarters', owner))
    refuses(small, owner, ['set_output_price', { facility_id: home, price: 1 }], 'invalid_target')
  })

  it('set_access opens and closes a facility', () => {
    const { small, owner, other } = s
    const { access } = small.world.read(Facility)
    does(small, owner, 'set_access', { facility_id, access: 'public' })
    expect(access[row]).toBe(PUBLIC)
    does(small, owner, 'set_access', { facility_id, access: 'private' })
    expect(access[row]).toBe(PRIVATE)
    refuses(small, other, ['set_access', { facility_id, access: 'public' }], 'not_owner')
  })

  it('two stores of a faction at one base cannot share a name', () => {
    const { small, owner, other, base } = s
    const faction = company(s, owner)
    const type = 'faction_storage_extension'
    const build = () => {
      const place = openStore(small.world, { faction, base, bucket: 0 })
      for (const { item_id, quantity } of FACILITIES[facilityTypeIndex(type)].build_materials) {
        moveItems(small.world, namedContainer('supply'), place, itemIndex(item_id), quantity)
      }
      return does(small, owner, 'faction_build', { facility_type: type })
    }
    const [first, second] = [build(), build()]
    expect(first.facility_name).toBe('Storage Extension')
    expect(second.facility_name).toBe('Storage Extension 2')
    const named = (custom_name: string, bucket = second) =>
      ['set_name', { facility_id: bucket.facility_id, custom_name }] as const
    refuses(small, owner, named('storage extension'), 'name_taken')
    refuses(small, owner, named(''), 'name_taken')
    does(small, owner, ...named('Cold Room'))
    refuses(small, owner, named('COLD ROOM', first), 'name_taken')
    does(small, owner, ...named('Cold Room'))
    const mine = standing(s, 'smelter', other)
    does(small, other, 'set_name', { facility_id: idOfRow(s, mine), custom_name: 'Cold Room' })
  })

  it('set_name and set_description work from anywhere', () => {
    const { small, owner, other } = s
    undockShip(small.world, shipOf(small.world, owner))
    does(small, owner, 'set_name', { facility_id, custom_name: 'Old Red' })
    expect(facilityName(small.world, row)).toBe('Old Red')
    for (const custom_name of ['ab', 'x'.repeat(33), 'a\u202eb c']) {
      refuses(small, owner, ['set_name', { facility_id, custom_name }], 'invalid_name')
    }
    refuses(small, other, ['set_name', { facility_id, custom_name: 'Mine' }], 'not_owner')
    refuses(small, owner, ['set_name', { facility_id: 'x' }], 'facility_not_found')
    does(small, owner, 'set_name', { facility_id, custom_name: '' })
    expect(facilityName(small.world, row)).toBe('Smelter')
    // Takes no slot of a tick: it is answered between two ticks.
    const outcome = small.ask(owner, 'facility', {
      action: 'set_description',
      facility_id,
      description: 'Mind the slag.',
    })
    expect(outcome).toMatchObject({ ok: true, result: { description: 'Mind the slag.' } })
    const long = { facility_id, description: 'x'.repeat(4001) }
    refuses(small, owner, ['set_description', long], 'too_long')
    refuses(small, other, ['set_description', { facility_id, description: '' }], 'not_owner')
  })

  it('personal_visit shows quarters only to players they are open to', () => {
    const { small, owner, other } = s
    const visit = (username?: string) =>
      small.ask(other, 'facility', { action: 'personal_visit', username })
    refuses(small, owner, ['personal_decorate', {}], 'no_quarters')
    standing(s, 'crew_quarters', owner)
    const long = { description: 'x'.repeat(4001) }
    refuses(small, owner, ['personal_decorate', long], 'too_long')
    expect(visit('Owner')).toMatchObject({ ok: false, code: 'access_denied' })
    expect(visit('Nobody')).toMatchObject({ ok: false, code: 'not_found' })
    expect(visit()).toMatchObject({ ok: false, code: 'not_found' })
    does(small, owner, 'personal_decorate', { description: 'Tea is on.', access: 'public' })
    expect(visit('Owner')).toMatchObject({
      ok: true,
      result: { owner: 'Owner', description: 'Tea is on.', access: 'public' },
    })
  })
})
