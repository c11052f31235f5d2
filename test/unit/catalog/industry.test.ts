/** Recipes and facility types: references, values, tiers, what other domains name. */
import { describe, expect, test } from 'vitest'
import {
  FACILITIES,
  type FacilityRow,
  facilityTypeIndex,
  facilityTypeOf,
  GOODS,
  isModule,
  itemIndex,
  RECIPES,
  type RecipeRow,
  recipeIndex,
  recipeMilliTicks,
  recipeOf,
} from '../../../core/catalog/index.ts'
import { baseValueOf } from '../../../core/catalog/recipe-row.ts'
import { SERVICES } from '../../../systems/base/state.ts'

const SLUG = /^[a-z0-9]+(_[a-z0-9]+)*$/
const open = RECIPES.filter((row) => !row.hidden)

function expectUnique(values: readonly string[]) {
  expect(new Set(values).size).toBe(values.length)
}

describe('recipes', () => {
  test('ids and names are unique, goods exist and are named once a side', () => {
    expectUnique(RECIPES.map((row) => row.id))
    expectUnique(RECIPES.map((row) => row.name.toLowerCase()))
    for (const [index, row] of RECIPES.entries()) {
      expect(row.id).toMatch(SLUG)
      expect(recipeIndex(row.id)).toBe(index)
      expect(row.description.length).toBeGreaterThan(10)
      for (const side of [row.inputs, row.outputs]) {
        expect(side.length, row.id).toBeGreaterThan(0)
        expectUnique(side.map((part) => part.item_id))
        for (const part of side) {
          expect(itemIndex(part.item_id), part.item_id).toBeGreaterThanOrEqual(0)
          expect(Number.isSafeInteger(part.quantity) && part.quantity >= 1).toBe(true)
        }
      }
    }
    expect(recipeIndex('no_such_recipe')).toBe(-1)
  })

  test('there are enough', () => {
    expect(open.length).toBeGreaterThanOrEqual(300)
  })

  test('everything that is not mined, hunted, salvaged, smuggled or handed out can be made', () => {
    const made = new Set(open.flatMap((row) => row.outputs.map((part) => part.item_id)))
    const found = ['biological', 'salvage', 'quest', 'contraband']
    const lacking = GOODS.filter((row) => {
      if (isModule(row)) return !row.hidden
      return row.extracted_by === undefined && !found.includes(row.category) && !row.hidden
    }).filter((row) => !made.has(row.id))
    expect(lacking.map((row) => row.id)).toEqual([])
  })

  test('nothing is an ingredient of itself, however far back', () => {
    const by = new Map<string, Set<string>>()
    for (const row of open) {
      for (const out of row.outputs) {
        const into = by.get(out.item_id) ?? new Set()
        for (const part of row.inputs) into.add(part.item_id)
        by.set(out.item_id, into)
      }
    }
    const done = new Set<string>()
    const walk = (id: string, path: readonly string[]): void => {
      expect(path, id).not.toContain(id)
      if (done.has(id)) return
      for (const part of by.get(id) ?? []) walk(part, [...path, id])
      done.add(id)
    }
    for (const id of by.keys()) walk(id, [])
  })

  test('recycling gives back less than the making took and less than the thing is worth', () => {
    for (const row of open.filter((recipe) => !recipe.no_recycle)) {
      const back = row.inputs.map((part) => ({ ...part, quantity: part.quantity / 2 }))
      expect(baseValueOf(back)).toBeLessThan(baseValueOf(row.outputs) / 2)
    }
  })

  test('every run adds value, and not too much of it', () => {
    const odd = open.flatMap((row) => {
      const [from, to] = [baseValueOf(row.inputs), baseValueOf(row.outputs)]
      return to * 10 >= from * 11 && to * 10 <= from * 16 ? [] : [`${row.id}: ${from} -> ${to}`]
    })
    expect(odd).toEqual([])
  })

  test('time follows the value of the output', () => {
    for (const row of open) {
      const ticks = Math.min(720, Math.max(0.2, baseValueOf(row.outputs) / 50))
      expect(row.crafting_time).toBeCloseTo(ticks, 3)
      expect(Number.isSafeInteger(recipeMilliTicks(row))).toBe(true)
    }
    expect(recipeMilliTicks(recipeOf('smelt_iron'))).toBe(260)
  })

  test('packing and unpacking are there, out of sight', () => {
    const operations = RECIPES.filter((row) => row.package_operation)
    expect(operations.map((row) => [row.id, row.package_operation, row.crafting_time])).toEqual([
      ['pack_package', 'pack', 10],
      ['unpack_package', 'unpack', 5],
    ])
    for (const row of operations) expect(row.hidden && row.no_recycle).toBe(true)
  })
})

describe('facility types', () => {
  const chainOf = (row: FacilityRow): number =>
    row.upgrades_from === undefined ? 1 : 1 + chainOf(facilityTypeOf(row.upgrades_from))

  test('there are enough; ids and names are unique', () => {
    expect(FACILITIES.length).toBeGreaterThanOrEqual(100)
    expectUnique(FACILITIES.map((row) => row.id))
    expectUnique(FACILITIES.map((row) => row.name.toLowerCase()))
    for (const [index, row] of FACILITIES.entries()) {
      expect(row.id).toMatch(SLUG)
      expect(facilityTypeIndex(row.id)).toBe(index)
      expect(row.description.length).toBeGreaterThan(10)
    }
    expect(facilityTypeIndex('no_such_facility')).toBe(-1)
  })

  test('a tier is built on the tier below, of the same kind, and costs more', () => {
    for (const row of FACILITIES) {
      expect(chainOf(row), row.id).toBe(row.level)
      if (row.upgrades_from === undefined) continue
      const below = facilityTypeOf(row.upgrades_from)
      const kind = (of: FacilityRow) => [
        of.category,
        of.service,
        of.faction_service_type,
        of.personal_service_type,
        of.recipe_categories,
        of.is_recycler,
        of.logistics,
      ]
      expect(kind(row)).toEqual(kind(below))
      expect(row.build_cost).toBeGreaterThan(below.build_cost)
    }
  })

  test('figures are whole, materials exist, build time follows the cost', () => {
    for (const row of FACILITIES) {
      const figures = [row.build_cost, row.labor_cost, row.power_draw, row.power_supply]
      const more = [row.battery_capacity, row.life_support_draw, row.life_support_supply]
      for (const figure of [...figures, ...more]) {
        expect(Number.isSafeInteger(figure) && figure >= 0, row.id).toBe(true)
      }
      const ticks = Math.ceil(row.build_cost / 2_500)
      expect(row.build_time).toBe(Math.min(8_640, Math.max(30, ticks)))
      expect(row.build_materials.length).toBeGreaterThan(0)
      for (const list of [row.build_materials, row.maintenance_inputs]) {
        expectUnique(list.map((part) => part.item_id))
        for (const part of list) expect(itemIndex(part.item_id), part.item_id).not.toBe(-1)
      }
      for (const id of row.recipe_ids ?? []) expect(recipeIndex(id), id).not.toBe(-1)
      if (row.service) expect(SERVICES as readonly string[]).toContain(row.service)
    }
  })

  test('every recipe has four tiers of works that run it, or is for packing', () => {
    const makers = (recipe: RecipeRow) =>
      FACILITIES.filter(
        (row) =>
          row.recipe_categories?.includes(recipe.category) || row.recipe_ids?.includes(recipe.id),
      ).map((row) => row.level)
    for (const row of RECIPES) expect(makers(row), row.id).toEqual([1, 2, 3, 4])
    for (const flag of ['is_recycler', 'logistics'] as const) {
      expect(FACILITIES.filter((row) => row[flag]).map((row) => row.level)).toEqual([1, 2, 3, 4])
    }
  })

  test('the services of a faction have the tiers and figures of the sheet', () => {
    const of = (type: string) =>
      FACILITIES.filter((row) => row.faction_service_type === type && !row.is_shelf)
    const costs = (type: string) => of(type).map((row) => row.build_cost)
    const gives = (type: string) => of(type).map((row) => row.capacity)
    expect(costs('faction_storage')).toEqual([200_000, 600_000, 1_800_000, 5_400_000])
    expect(gives('faction_storage')).toEqual([100_000, 200_000, 300_000, 500_000])
    expect(facilityTypeOf('faction_lockbox').build_materials).toEqual([
      { item_id: 'steel_plate', quantity: 200 },
      { item_id: 'circuit_board', quantity: 50 },
    ])
    expect(of('storage_extension').map((row) => row.faction_cap)).toEqual([10])
    expect(gives('faction_recruitment')).toEqual([50, 100, 250, 500, 1_000])
    expect(gives('faction_market')).toEqual([10, 25, 50])
    expect(gives('faction_missions')).toEqual([3, 10, 25])
    expect(costs('faction_intel')).toEqual([150_000, 750_000])
    expect(costs('faction_trade_intel')).toEqual([200_000, 1_500_000])
    expect(costs('faction_sensor')).toEqual([600_000, 3_500_000, 12_000_000])
    expect(costs('faction_espionage')).toEqual([250_000])
    expect(of('faction_garage').map((row) => [row.id, row.capacity])).toEqual([
      ['faction_ship_garage', 20],
      ['faction_ship_hangar', 50],
      ['faction_fleet_yard', 100],
    ])
    expect(costs('transit_lounge')).toEqual([500_000, 2_500_000, 9_000_000])
    expect(gives('transit_lounge')).toEqual([20, 60, 150])
    expect(gives('company_store')).toEqual([20, 50, 100])
    expect(gives('faction_commons')).toEqual([3, 6, 12])
    expect(costs('faction_admin')).toEqual([100_000])
    expect(gives('faction_fuel_bunker')).toEqual([5_000, 10_000, 15_000, 20_000])
    const logistics = FACILITIES.filter((row) => row.logistics).map((row) => row.build_cost)
    expect(logistics).toEqual([150_000, 450_000, 1_250_000, 3_500_000])
    const quarters = FACILITIES.filter((row) => row.personal_service_type === 'quarters')
    expect(quarters.map((row) => row.build_cost).slice(0, 2)).toEqual([10_000, 50_000])
  })

  test('power, batteries and air can be built in four tiers', () => {
    for (const field of ['power_supply', 'battery_capacity', 'life_support_supply'] as const) {
      const rows = FACILITIES.filter((row) => row[field] > 0)
      expect(new Set(rows.map((row) => row.level)), field).toEqual(new Set([1, 2, 3, 4]))
    }
  })
})
