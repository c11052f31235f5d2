/** What get_base and inspect show of a station that needs repair. Source: newer.md section 7. */
import { Value } from 'typebox/value'
import { beforeEach, describe, expect, it } from 'vitest'
import { facilityTypeIndex } from '../../../core/catalog/index.ts'
import type { Row } from '../../../core/types.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { getBaseSchema } from '../../../systems/base/schemas.ts'
import { Base } from '../../../systems/base/state.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId, STATION_OWNER } from '../../../systems/facility/model.ts'
import { damageFacility } from '../../../systems/facility/rules.ts'
import { Facility, ONLINE } from '../../../systems/facility/state.ts'
import { trackDamage } from '../../../systems/siege/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import {
  company,
  does,
  finish,
  type Scene,
  scene,
  shared,
  standing,
  store,
} from '../facility/scene.ts'

onSmallMap()

type Rows = Record<string, unknown>[]
type Shown = Record<string, unknown> & { repairs?: Record<string, unknown> }

let stage: Scene
beforeEach(async () => {
  stage = await scene()
})

/** Returns the result of get_base, after comparing it with that of inspect. */
function shown(player = stage.owner): Shown {
  const { small, base } = stage
  const got = small.ask(player, 'get_base') as unknown as { result: Shown }
  const id = baseId(small.world, base)
  const seen = small.ask(player, 'inspect', { id }) as unknown as { result: { base: Shown } }
  expect(seen.result.base).toEqual(got.result)
  expect([...Value.Errors(getBaseSchema, got.result)]).toEqual([])
  return got.result
}
const shortages = (): Rows => shown().repairs?.materials as Rows
/** Damages a facility; returns it. */
const broken = (row: Row): Row => {
  damageFacility(stage.small.world, row)
  return row
}

/** Materials to repair a smelter: 30 % of those it is built of. */
const SMELTER = { steel_plate: 18, machine_parts: 3, basalt_fiber: 3 }
type SmelterPart = keyof typeof SMELTER

describe('get_base', () => {
  it('shows an undamaged station with power and life support and without repairs', () => {
    const info = shown()
    expect(info).toHaveProperty('power.supply')
    expect(info).toHaveProperty('life_support.supply')
    expect(info).not.toHaveProperty('repairs')
  })

  it('shows how much of the hull is missing', () => {
    const { small, base } = stage
    const columns = small.world.write(Base)
    columns.hull[base] -= 100
    trackDamage(small.world, base)
    expect(shown().repairs).toMatchObject({
      wrecked: false,
      hull_current: columns.hullMax[base] - 100,
      hull_required: columns.hullMax[base],
      hull_missing: 100,
      facilities: [],
      materials: [],
    })
  })

  it('shows damaged facilities and the materials missing for the next repair', () => {
    const { small, owner, base } = stage
    const row = broken(standing(stage, 'smelter', owner))
    store(small, owner, base, { steel_plate: 5 })
    const { repairs = {} } = shown()
    expect(repairs).toMatchObject({ damaged_count: 1, repairing_count: 0, waiting_count: 1 })
    expect(repairs.next_blocked).toMatchObject({
      instance_id: facilityId(small.world, row),
      definition_id: 'smelter',
      status: 'damaged',
    })
    expect(repairs.materials).toEqual([
      expect.objectContaining({
        item_id: 'steel_plate',
        name: 'Steel Plate',
        quantity_required: 18,
        quantity_in_storage: 5,
        quantity_missing: 13,
      }),
      expect.objectContaining({ item_id: 'machine_parts', quantity_missing: 3 }),
      expect.objectContaining({ item_id: 'basalt_fiber', quantity_missing: 3 }),
    ])
    store(small, owner, base, { ...SMELTER, steel_plate: 13 })
    const filled = shown().repairs
    expect(filled).toMatchObject({ waiting_count: 0, materials: [] })
    expect(filled).not.toHaveProperty('next_blocked')
    does(small, owner, 'repair', { facility_id: facilityId(small.world, row) })
    const due = small.world.read(Facility).dueTick[row] - small.world.tick
    expect(shown().repairs).toMatchObject({
      damaged_count: 0,
      repairing_count: 1,
      facilities: [{ status: 'repairing', ticks_until_complete: due }],
    })
    finish(small, row)
    expect(shown()).not.toHaveProperty('repairs')
  })

  it('counts the materials of a store once for all repairs that draw on it', () => {
    const { small, owner, base } = stage
    const faction = company(stage, owner)
    broken(standing(stage, 'smelter', owner))
    broken(standing(stage, 'smelter', owner))
    store(small, owner, base, { steel_plate: 30 })
    const steel = () => shortages().find(({ item_id }) => item_id === 'steel_plate')
    expect(steel()).toMatchObject({
      quantity_required: 36,
      quantity_in_storage: 30,
      quantity_missing: 6,
    })
    // The lockbox of the faction is empty, and a member's locker does not count for it.
    broken(shared(stage, 'smelter', faction))
    expect(steel()).toMatchObject({
      quantity_required: 54,
      quantity_in_storage: 30,
      quantity_missing: 24,
    })
  })

  it('shows for which materials the market has a buy order', () => {
    const { small, owner, other, base } = stage
    broken(standing(stage, 'smelter', owner))
    const flags = () =>
      Object.fromEntries(shortages().map((row) => [row.item_id, row.buy_order_available]))
    const listed = small.ask(owner, 'view_market') as unknown as {
      result: { items: { item_id: string; best_buy: number }[] }
    }
    const bought = new Set(
      listed.result.items.filter(({ best_buy }) => best_buy > 0).map(({ item_id }) => item_id),
    )
    for (const [item, isBought] of Object.entries(flags())) {
      expect(isBought).toBe(bought.has(item))
      if (isBought) continue
      const order = { item_id: item, quantity: SMELTER[item as SmelterPart], price_each: 1 }
      expect(small.act(other, 'create_buy_order', order)).toMatchObject({ ok: true })
      expect(flags()[item]).toBe(true)
    }
    small.world.write(Base).services[base] &= ~serviceBit('market')
    expect(Object.values(flags())).toEqual([false, false, false])
  })

  it('lists facilities of the station without materials, and none of other players', () => {
    const { small, other, base } = stage
    const type = facilityTypeIndex('smelter')
    const owner = STATION_OWNER
    broken(addFacility(small.world, { type, base, owner, status: ONLINE }))
    broken(standing(stage, 'smelter', other))
    const { repairs = {} } = shown()
    expect(repairs).toMatchObject({ damaged_count: 1, waiting_count: 0, materials: [] })
    const [entry] = repairs.facilities as object[]
    expect(entry).not.toHaveProperty('materials')
  })
})
