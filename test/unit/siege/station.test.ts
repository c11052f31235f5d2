/** What get_base and inspect tell of a station in need of repair. Source: newer.md section 7. */
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

type Rows = Record<string, unknown>[]
type Shown = Record<string, unknown> & { repairs?: Record<string, unknown> }

let s: Scene
beforeEach(async () => {
  s = await scene()
})

/** Returns what the owner sees, which is the same by get_base and inspect. */
function shown(player = s.owner): Shown {
  const { small, base } = s
  const asked = small.ask(player, 'get_base') as unknown as { result: Shown }
  const id = baseId(small.world, base)
  const seen = small.ask(player, 'inspect', { id }) as unknown as { result: { base: Shown } }
  expect(seen.result.base).toEqual(asked.result)
  expect([...Value.Errors(getBaseSchema, asked.result)]).toEqual([])
  return asked.result
}
const shortages = (): Rows => shown().repairs?.materials as Rows
const broken = (row: Row): Row => {
  damageFacility(s.small.world, row)
  return row
}

/** 30 % of what a smelter is built of. */
const SMELTER = { steel_plate: 18, machine_parts: 3, basalt_fiber: 3 }
type SmelterPart = keyof typeof SMELTER

describe('get_base', () => {
  it('shows power and life support, and no repairs of an undamaged station', () => {
    const info = shown()
    expect(info).toHaveProperty('power.supply')
    expect(info).toHaveProperty('life_support.supply')
    expect(info).not.toHaveProperty('repairs')
  })

  it('shows how much of the hull is missing', () => {
    const { small, base } = s
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

  it('shows facilities out of order, and what the next of them lacks', () => {
    const { small, owner, base } = s
    const row = broken(standing(s, 'smelter', owner))
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

  it('counts materials in one store once for all repairs, and separately for each store', () => {
    const { small, owner, base } = s
    const faction = company(s, owner)
    broken(standing(s, 'smelter', owner))
    broken(standing(s, 'smelter', owner))
    store(small, owner, base, { steel_plate: 30 })
    const steel = () => shortages().find(({ item_id }) => item_id === 'steel_plate')
    expect(steel()).toMatchObject({
      quantity_required: 36,
      quantity_in_storage: 30,
      quantity_missing: 6,
    })
    // Its lockbox is empty: nothing in the member's locker counts for it.
    broken(shared(s, 'smelter', faction))
    expect(steel()).toMatchObject({
      quantity_required: 54,
      quantity_in_storage: 30,
      quantity_missing: 24,
    })
  })

  it('says which of the materials can be bought here now', () => {
    const { small, owner, other, base } = s
    broken(standing(s, 'smelter', owner))
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

  it('lists the station’s own without materials, and nothing of others', () => {
    const { small, other, base } = s
    const type = facilityTypeIndex('smelter')
    const owner = STATION_OWNER
    broken(addFacility(small.world, { type, base, owner, status: ONLINE }))
    broken(standing(s, 'smelter', other))
    const { repairs = {} } = shown()
    expect(repairs).toMatchObject({ damaged_count: 1, waiting_count: 0, materials: [] })
    const [entry] = repairs.facilities as object[]
    expect(entry).not.toHaveProperty('materials')
  })
})
