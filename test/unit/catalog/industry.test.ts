/** Recipes and facility types: references, values, tiers and services. */
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
  test('ids and names are unique, and goods exist and are named once a side', () => {
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

  test('at least 300 recipes are visible', () => {
    expect(open.length).toBeGreaterThanOrEqual(300)
  })

  test('every good can be made that is not mined, hunted, salvaged, smuggled or given', () => {
    const made = new Set(open.flatMap((row) => row.outputs.map((part) => part.item_id)))
    const found = ['biological', 'salvage', 'quest', 'contraband']
    const lacking = GOODS.filter((row) => {
      if (isModule(row)) return !row.hidden
      return row.extracted_by === undefined && !found.includes(row.category) && !row.hidden
    }).filter((row) => !made.has(row.id))
    expect(lacking.map((row) => row.id)).toEqual([])
  })

  test('no good is an ingredient of itself, even indirectly', () => {
    const ingredients = new Map<string, Set<string>>()
    for (const row of open) {
      for (const out of row.outputs) {
        const parts = ingredients.get(out.item_id) ?? new Set()
        for (const part of row.inputs) parts.add(part.item_id)
        ingredients.set(out.item_id, parts)
      }
    }
    const done = new Set<string>()
    const walk = (id: string, path: readonly string[]): void => {
      expect(path, id).not.toContain(id)
      if (done.has(id)) return
      for (const part of ingredients.get(id) ?? []) walk(part, [...path, id])
      done.add(id)
    }
    for (const id of ingredients.keys()) walk(id, [])
  })

  test('recycling returns materials worth less than half the product', () => {
    for (const row of open.filter((recipe) => !recipe.no_recycle)) {
      const back = row.inputs.map((part) => ({ ...part, quantity: part.quantity / 2 }))
      expect(baseValueOf(back)).toBeLessThan(baseValueOf(row.outputs) / 2)
    }
  })

  test('every run adds between 10 and 60 percent of value', () => {
    const odd = open.flatMap((row) => {
      const [before, after] = [baseValueOf(row.inputs), baseValueOf(row.outputs)]
      const isFair = after * 10 >= before * 11 && after * 10 <= before * 16
      return isFair ? [] : [`${row.id}: ${before} -> ${after}`]
    })
    expect(odd).toEqual([])
  })

  test('crafting time follows the value of the output', () => {
    for (const row of open) {
      const ticks = Math.min(720, Math.max(0.2, baseValueOf(row.outputs) / 50))
      expect(row.crafting_time).toBeCloseTo(ticks, 3)
      expect(Number.isSafeInteger(recipeMilliTicks(row))).toBe(true)
    }
    expect(recipeMilliTicks(recipeOf('smelt_iron'))).toBe(260)
  })

  test('packing and unpacking are hidden recipes', () => {
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

  test('there are at least 100, with unique ids and names', () => {
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

  test('a tier upgrades the tier below of the same kind and costs more', () => {
    for (const row of FACILITIES) {
      expect(chainOf(row), row.id).toBe(row.level)
      if (row.upgrades_from === undefined) continue
      const below = facilityTypeOf(row.upgrades_from)
      const kind = (type: FacilityRow) => [
        type.category,
        type.service,
        type.faction_service_type,
        type.personal_service_type,
        type.recipe_categories,
        type.is_recycler,
        type.logistics,
      ]
      expect(kind(row)).toEqual(kind(below))
      expect(row.build_cost).toBeGreaterThan(below.build_cost)
    }
  })

  test('figures are whole, references exist and build time follows the cost', () => {
    for (const row of FACILITIES) {
      const costs = [row.build_cost, row.labor_cost, row.power_draw, row.power_supply]
      const supplies = [row.battery_capacity, row.life_support_draw, row.life_support_supply]
      for (const figure of [...costs, ...supplies]) {
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

  test('every recipe is run by facilities of four tiers', () => {
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

  test('the services of a faction have the tiers and figures of the rule sheet', () => {
    const rowsOf = (type: string) =>
      FACILITIES.filter((row) => row.faction_service_type === type && !row.is_shelf)
    const costs = (type: string) => rowsOf(type).map((row) => row.build_cost)
    const capacities = (type: string) => rowsOf(type).map((row) => row.capacity)
    expect(costs('faction_storage')).toEqual([200_000, 600_000, 1_800_000, 5_400_000])
    expect(capacities('faction_storage')).toEqual([100_000, 200_000, 300_000, 500_000])
    expect(facilityTypeOf('faction_lockbox').build_materials).toEqual([
      { item_id: 'steel_plate', quantity: 200 },
      { item_id: 'circuit_board', quantity: 50 },
    ])
    expect(rowsOf('storage_extension').map((row) => row.faction_cap)).toEqual([10])
    expect(capacities('faction_recruitment')).toEqual([50, 100, 250, 500, 1_000])
    expect(capacities('faction_market')).toEqual([10, 25, 50])
    expect(capacities('faction_missions')).toEqual([3, 10, 25])
    expect(costs('faction_intel')).toEqual([150_000, 750_000])
    expect(costs('faction_trade_intel')).toEqual([200_000, 1_500_000])
    expect(costs('faction_sensor')).toEqual([600_000, 3_500_000, 12_000_000])
    expect(costs('faction_espionage')).toEqual([250_000])
    expect(rowsOf('faction_garage').map((row) => [row.id, row.capacity])).toEqual([
      ['faction_ship_garage', 20],
      ['faction_ship_hangar', 50],
      ['faction_fleet_yard', 100],
    ])
    expect(costs('transit_lounge')).toEqual([500_000, 2_500_000, 9_000_000])
    expect(capacities('transit_lounge')).toEqual([20, 60, 150])
    expect(capacities('company_store')).toEqual([20, 50, 100])
    expect(capacities('faction_commons')).toEqual([3, 6, 12])
    expect(costs('faction_admin')).toEqual([100_000])
    expect(capacities('faction_fuel_bunker')).toEqual([5_000, 10_000, 15_000, 20_000])
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
