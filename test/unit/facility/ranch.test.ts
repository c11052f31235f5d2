/** Ranches: herds, feed, culls and who may set them. Source: crafting.md sections 7, 11, 12. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CREATURES, FACILITIES, facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { CYCLE_TICKS } from '../../../core/time.ts'
import type { Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { lockerOf, storedUnits } from '../../../systems/cargo/model.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityById, facilityId, facilityTypeAt } from '../../../systems/facility/model.ts'
import { tendRanches } from '../../../systems/facility/ranch-rules.ts'
import { DAMAGED, Facility, ONLINE } from '../../../systems/facility/state.ts'
import { growthOf, HERD_MIN, yieldOf } from '../../../systems/facility/types-model.ts'
import { openStore, storeContainer } from '../../../systems/faction/store-model.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  company,
  does,
  enrich,
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

const FEEDS = ['grain_meal', 'purified_water']
const ORE_HARE = CREATURES.findIndex(({ id }) => id === 'ore_hare')

let s: Scene
beforeEach(async () => {
  s = await scene()
  teach(s.small, s.owner, 'xenobiology', 1)
})

/** Makes a finished ranch with this many head. */
function ranch(herd: number, species = ORE_HARE): Row {
  const row = standing(s, 'ranch_pen', s.owner)
  const columns = s.small.world.write(Facility)
  columns.herd[row] = herd
  columns.species[row] = species + 1
  return row
}

/** Runs the next cycle of the base: by ticks, or directly if its tick has been reached. */
function cycle(): void {
  const { world } = s.small
  const phase = (world.tick + s.base) % CYCLE_TICKS
  if (phase === 0) tendRanches(world)
  else s.small.ticks(CYCLE_TICKS - phase)
}

const id = (row: Row): string => facilityId(s.small.world, row)
const heads = (row: Row): number => s.small.world.read(Facility).herd[row]
const unitsStored = (item: string): number =>
  storedUnits(s.small.world, s.owner, s.base, itemIndex(item))
const feed = (units: number): void =>
  store(s.small, s.owner, s.base, Object.fromEntries(FEEDS.map((item) => [item, units])))
const status = (params: object = {}) =>
  s.small.ask(s.owner, 'facility', { action: 'ranch_status', ...params }) as never as {
    ok: boolean
    code?: string
    result: Record<string, unknown>
  }

describe('building a ranch', () => {
  it('requires xenobiology, and starts with the animals of its embryos', () => {
    const { small, owner, base } = s
    const { world } = small
    const faction = company(s, owner)
    const stockStore = (type: string): void => {
      const store = openStore(world, { faction, base, bucket: 0 })
      for (const { item_id, quantity } of FACILITIES[facilityTypeIndex(type)].build_materials) {
        moveItems(world, namedContainer('supply'), store, itemIndex(item_id), quantity)
      }
    }
    stockStore('ranch_pen')
    const params = { facility_type: 'ranch_pen', species: 'ore_hare' }
    refuses(small, owner, ['build', params], 'build_not_allowed')
    teach(small, owner, 'xenobiology', 0)
    refuses(small, owner, ['faction_build', params], {
      code: 'skill_too_low',
      details: { skill: 'xenobiology', required: 1 },
    })
    teach(small, owner, 'xenobiology', 1)
    // A mammoth needs a ranch of tier 3, and the other species does not exist.
    for (const species of ['slag_mammoth', 'no_such_beast']) {
      refuses(small, owner, ['faction_build', { ...params, species }], 'invalid_payload')
    }
    stockStore('smelter')
    const smelter = { facility_type: 'smelter', species: 'ore_hare' }
    refuses(small, owner, ['faction_build', smelter], 'invalid_payload')
    const { facility_id } = does(small, owner, 'faction_build', params)
    const row = facilityById(world, facility_id as string)
    expect(status({ facility_id }).result).toMatchObject({ herd: 0, species: 'ore_hare' })
    finish(small, row)
    expect(heads(row)).toBe(10)
    stockStore('ranch_pen')
    refuses(small, owner, ['faction_build', params], 'already_exists')
  })

  it('adds the animals of further embryos with an upgrade', () => {
    const { small, owner, base } = s
    const row = ranch(35)
    enrich(small, owner, 1_000_000)
    teach(small, owner, 'xenobiology', 2)
    supply(small, owner, base, 'ranch')
    does(small, owner, 'upgrade', { facility_id: id(row), facility_type: 'ranch' })
    const due = small.world.read(Facility).dueTick[row]
    feed(1_000)
    small.ticks(due - small.world.tick)
    expect(facilityTypeAt(small.world, row).id).toBe('ranch')
    expect(heads(row)).toBeGreaterThanOrEqual(35 + 20)
    expect(status({ facility_id: id(row) }).result).toMatchObject({ capacity: 120, level: 2 })
  })
})

describe('a cycle of a ranch', () => {
  it('eats by headcount and grows by one in twenty up to its capacity', () => {
    const row = ranch(20)
    feed(3)
    cycle()
    // Half of a full herd eats half of the two units of each feed.
    expect(FEEDS.map(unitsStored)).toEqual([2, 2])
    expect(heads(row)).toBe(21)
    s.small.world.write(Facility).herd[row] = 40
    feed(10)
    cycle()
    expect(heads(row)).toBe(40)
    expect(FEEDS.map(unitsStored)).toEqual([10, 10])
  })

  it('does not grow on half of its feed, and shrinks on less', () => {
    const row = ranch(40)
    feed(1)
    expect(status().result).toMatchObject({ supplies_ok: false, growth_per_cycle: 0 })
    cycle()
    expect(heads(row)).toBe(40)
    expect(status().result).toMatchObject({ fed_fraction: 0.5 })
    cycle()
    expect(heads(row)).toBe(38)
    expect(status().result).toMatchObject({ fed_fraction: 0, growth_per_cycle: -2 })
    const type = facilityTypeAt(s.small.world, row)
    expect(growthOf(HERD_MIN, 0, type)).toBe(0)
    expect(growthOf(0, 1000, type)).toBe(0)
  })

  it('eats the last unit of a feed that is a third of what it needs', () => {
    const row = standing(s, 'ranch', s.owner)
    const columns = s.small.world.write(Facility)
    columns.herd[row] = 90
    columns.species[row] = ORE_HARE + 1
    feed(1)
    cycle()
    expect(FEEDS.map(unitsStored)).toEqual([0, 0])
  })

  it('culls the herd above its target, two a cycle, for hides and wages', () => {
    const { small, owner } = s
    const { world } = small
    const row = ranch(40)
    feed(100)
    does(small, owner, 'ranch_set_cull', { cull_target: 37 })
    const purse = balanceOf(world, walletOf(world, owner))
    const [hides] = [...yieldOf(ORE_HARE + 1).values()]
    cycle()
    expect(heads(row)).toBe(38)
    expect(unitsStored('raw_hide')).toBe(2 * hides)
    const paid = purse - balanceOf(world, walletOf(world, owner))
    expect(paid).toBeGreaterThanOrEqual(10)
    cycle()
    // One was born, so two were above the target again.
    expect(heads(row)).toBe(37)
    expect(unitsStored('raw_hide')).toBe(4 * hides)
    does(small, owner, 'ranch_set_cull', { cull_target: 0 })
    cycle()
    expect(heads(row)).toBe(38)
  })

  it('culls nothing without credits for wages, and stops while it is damaged', () => {
    const { small, owner } = s
    const { world } = small
    const row = ranch(40)
    feed(100)
    does(small, owner, 'ranch_set_cull', { facility_id: id(row), cull_target: 5 })
    emptyWallet(owner)
    cycle()
    expect([heads(row), unitsStored('raw_hide')]).toEqual([40, 0])
    changeState(world, row, { status: DAMAGED })
    const before = unitsStored('grain_meal')
    cycle()
    expect(unitsStored('grain_meal')).toBe(before)
    expect(status({ facility_id: id(row) }).result.message).toBe('The ranch is not working.')
    changeState(world, row, { status: ONLINE })
  })

  /** Takes all credits of a player. */
  function emptyWallet(player: Row): void {
    const { world } = s.small
    impoverish(s.small, walletOf(world, player))
  }

  it('accounts for every unit of feed and hides', () => {
    const { small, owner, base } = s
    const { world } = small
    ranch(40)
    feed(60)
    does(small, owner, 'ranch_set_cull', { cull_target: 10 })
    const goods = [...FEEDS, 'raw_hide'].map(itemIndex)
    const sum = () =>
      goods.map(
        (item) =>
          unitsIn(world, namedContainer('ranch'), item) +
          unitsIn(world, lockerOf(world, owner, base), item),
      )
    const before = sum()
    for (let i = 0; i < 12; i++) cycle()
    expect(unitsStored('raw_hide')).toBeGreaterThan(0)
    expect(sum()).toEqual(before)
  })

  it('of a faction uses the store of the faction, up to its cap', () => {
    const { small, owner, base } = s
    const { world } = small
    const faction = company(s, owner)
    const row = shared(s, 'ranch_pen', faction)
    const columns = world.write(Facility)
    columns.herd[row] = 40
    columns.species[row] = ORE_HARE + 1
    const place = { faction, base, bucket: 0 }
    const bin = openStore(world, place)
    for (const item of FEEDS) moveItems(world, namedContainer('supply'), bin, itemIndex(item), 50)
    does(small, owner, 'ranch_set_cull', { facility_id: id(row), cull_target: 30 })
    cycle()
    const hide = itemIndex('raw_hide')
    expect(unitsIn(world, storeContainer(world, place), hide)).toBeGreaterThan(0)
    expect(unitsIn(world, storeContainer(world, place), itemIndex(FEEDS[0]))).toBe(48)
    moveItems(world, namedContainer('supply'), bin, hide, 100_000)
    const before = heads(row)
    cycle()
    expect(heads(row)).toBeGreaterThanOrEqual(before)
  })

  it('is the same after a restart', async () => {
    const row = ranch(30)
    feed(50)
    does(s.small, s.owner, 'ranch_set_cull', { cull_target: 28 })
    const restored = await s.small.reload()
    cycle()
    s.small.ticks(1)
    restored.ticks(s.small.world.tick - restored.world.tick)
    expect(restored.hash()).toBe(s.small.hash())
    expect(restored.world.read(Facility).herd[row]).toBe(heads(row))
  })
})

describe('ranch_status and ranch_set_cull', () => {
  it('report the herd, its feed, its yield and its wild population', () => {
    const row = ranch(40)
    feed(5)
    expect(status({ facility_id: id(row) }).result).toMatchObject({
      action: 'ranch_status',
      facility_id: id(row),
      species: 'ore_hare',
      herd: 40,
      capacity: 40,
      max_cull_per_cycle: 2,
      supplies_ok: true,
      growth_per_cycle: 0,
      feed: [
        { resource: 'grain_meal', per_cycle: 2, stocked: 5, cycles_left: 2 },
        { resource: 'purified_water' },
      ],
      produces: [{ item: 'raw_hide' }],
      domestication_active: false,
      anchor_poi: expect.any(String),
      wild_population: expect.any(Number),
    })
  })

  it('work only for ranches, and for their owners', () => {
    const { small, owner, other } = s
    expect(status().code).toBe('not_a_ranch')
    refuses(small, owner, ['ranch_set_cull', { cull_target: 1 }], 'not_a_ranch')
    const smelter = id(standing(s, 'smelter', owner))
    expect(status({ facility_id: smelter }).code).toBe('not_a_ranch')
    expect(status({ facility_id: 'x' }).code).toBe('facility_not_found')
    const facility_id = id(ranch(10))
    const params = ['ranch_set_cull', { facility_id, cull_target: 1 }] as const
    refuses(small, other, params, 'not_owner')
    expect(small.ask(other, 'facility', { action: 'ranch_status', facility_id })).toMatchObject({
      code: 'not_owner',
    })
    const faction = company(s, owner, [other])
    const herd = id(shared(s, 'ranch_pen', faction))
    refuses(
      small,
      other,
      ['ranch_set_cull', { facility_id: herd, cull_target: 1 }],
      'no_permission',
    )
    refuses(small, owner, ['ranch_set_cull', { facility_id: herd }], 'invalid_payload')
  })
})
