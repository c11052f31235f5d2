/**
 * Goods that stations keep and make, and hulls that they show, according to the catalogue. Source:
 * balance.md sections 4, 5, 11.
 */
import { describe, expect, test } from 'vitest'
import {
  ESSENTIALS,
  FACILITIES,
  type FacilityRow,
  GOODS,
  generateGalaxy,
  goodOf,
  isModule,
  MAKINGS,
  type MaterialRow,
  RECIPES,
  recipeIndex,
  runsRecipe,
  SHIP_CLASSES,
  SIGNATURES,
  YARD_PARTS,
} from '../../../core/catalog/index.ts'
import { HOUR_TICKS } from '../../../core/time.ts'
import { capitalOf } from '../../../systems/base/model.ts'
import { laborMinOf, needOf } from '../../../systems/craft/recipe-model.ts'
import { CRAFT } from '../../../systems/craft/state.ts'
import { isBuildable } from '../../../systems/shipyard/model.ts'
import { showroomPlaces } from '../../../systems/shipyard/showroom-rules.ts'
import { smallWorld } from '../../small-world.ts'

const isMined = (id: string): boolean => {
  const row = goodOf(id)
  return !isModule(row) && row.extracted_by !== undefined
}

const SEEDS = [1, 2, 3, 4, 5]

describe.each(SEEDS.map((seed) => [seed, generateGalaxy(seed)] as const))(
  'galaxy %i',
  (_, plan) => {
    const baseIn = (system: number) =>
      plan.systems[system]!.pois.find((poi) => poi.base)?.base ?? undefined
    const capitals = plan.empires.map((seat) => baseIn(seat.capital_system)!)
    const shelves = capitals.map((base) => new Set(base.managed.map(({ item }) => item)))

    test('two capitals keep each essential good and all inputs to make it', () => {
      for (const id of ESSENTIALS) {
        const keepers = shelves.filter((shelf) => shelf.has(id))
        expect(keepers.length, id).toBeGreaterThanOrEqual(2)
        const making = MAKINGS.get(id)
        if (!making) {
          expect(isMined(id), id).toBe(true)
          continue
        }
        const makers = keepers.filter((shelf) =>
          making.recipe.inputs.every(({ item_id }) => shelf.has(item_id)),
        )
        expect(makers.length, id).toBeGreaterThanOrEqual(2)
      }
    })

    test('each capital keeps the parts of its yard, and no more than fits', () => {
      for (const [index, shelf] of shelves.entries()) {
        for (const id of YARD_PARTS)
          expect(shelf.has(id), `${capitals[index]!.id} ${id}`).toBe(true)
        expect(shelf.size).toBeLessThanOrEqual(160)
      }
    })

    test('a station of level 3 is one jump from each capital', () => {
      for (const { capital_system } of plan.empires) {
        const near = plan.systems[capital_system]!.lanes.flatMap((system) => baseIn(system) ?? [])
        expect(near.map(({ level }) => level)).toContain(3)
      }
    })

    test('stocks of cheap goods fill the largest hold, those of expensive ones do not', () => {
      for (const base of plan.systems.flatMap((_, system) => baseIn(system) ?? [])) {
        for (const { item, part, target } of base.managed) {
          if (part === 'plain' || isMined(item)) continue
          const { base_value: value } = goodOf(item)
          const times = base.capital ? 10 : 1
          if (value <= 22) expect(target, item).toBeGreaterThanOrEqual(27_000)
          else expect(target * value, item).toBeLessThanOrEqual(30_000 * base.level * times)
        }
      }
    })

    test('stations import no good that a neighbour exports, and export a surplus', () => {
      for (const [index, system] of plan.systems.entries()) {
        const base = baseIn(index)
        if (!base) continue
        const exports = base.managed.filter(({ part }) => part === 'export')
        const imports = base.managed.filter(({ item, part }) => part === 'import' && !isMined(item))
        if (base.kind === 'pirate') {
          expect(exports.length + imports.length).toBe(0)
          continue
        }
        expect(exports.length, base.id).toBe(5 + base.level)
        expect(imports.length, base.id).toBe(8 + 2 * base.level)
        const near = system.lanes.flatMap((next) => baseIn(next)?.managed ?? [])
        const foreign = near.filter(({ part }) => part === 'export').map(({ item }) => item)
        for (const { item, stock, target } of imports) {
          expect(foreign, base.id).not.toContain(item)
          const pct = goodOf(item).base_value <= 22 ? 40 : 62
          expect(stock, item).toBe(Math.trunc((target * pct) / 100))
        }
        for (const { stock, target } of exports)
          expect(stock).toBe(Math.trunc((target * (base.capital ? 100 : 126)) / 100))
      }
    })
  },
)

describe('the price field', () => {
  const plan = generateGalaxy(1)
  const bases = plan.systems.flatMap(({ pois }, system) =>
    pois.flatMap(({ base }) => (base ? [{ system, base }] : [])),
  )
  const shelfAt = (system: number, id: string) =>
    bases.find((row) => row.system === system)!.base.managed.find(({ item }) => item === id)
  const isForeign = (id: string) => SIGNATURES.some(({ item }) => item === id)

  test('is the base value where a good is mined, and 6 % more a jump, up to 60 %', () => {
    const mined = bases.flatMap(({ base }) => base.managed.filter(({ item }) => isMined(item)))
    expect(shelfAt(plan.empires[0]!.capital_system, 'iron_ore')!.value_pct).toBe(100)
    for (const { item, value_pct } of mined) {
      expect(value_pct, item).toBeGreaterThanOrEqual(100)
      expect(value_pct, item).toBeLessThanOrEqual(isForeign(item) ? 150 : 160)
      expect((value_pct - 100) % (isForeign(item) ? 5 : 6), item).toBe(0)
    }
    expect(mined.some(({ value_pct }) => value_pct > 112)).toBe(true)
  })

  test('rises for an ore outside its own empire, and all other empires import it', () => {
    expect(SIGNATURES).toHaveLength(5)
    for (const { item, empire } of SIGNATURES) {
      for (const seat of plan.empires) {
        const shelf = shelfAt(seat.capital_system, item)
        if (seat.empire === empire) {
          if (shelf) expect(shelf.value_pct).toBe(100)
          continue
        }
        expect(shelf?.part, `${item} in ${seat.empire}`).toBe('import')
        expect(shelf!.value_pct).toBeGreaterThanOrEqual(110)
        expect(shelf!.stock).toBe(Math.trunc((shelf!.target * 30) / 100))
      }
    }
  })

  test('allows no profit from crafting goods bought at a base and selling them there', () => {
    for (const { base } of bases) {
      const pcts = new Map(base.managed.map((row) => [row.item, row.value_pct]))
      for (const { item, value_pct } of base.managed) {
        const inputs = MAKINGS.get(item)?.recipe.inputs ?? []
        if (inputs.length === 0 || inputs.some(({ item_id }) => !pcts.has(item_id))) continue
        const inputPctMax = Math.max(...inputs.map(({ item_id }) => pcts.get(item_id)!))
        expect(value_pct, `${base.id} ${item}`).toBeLessThanOrEqual(inputPctMax)
      }
    }
  })
})

test('a capital shows every role of the hulls its empire builds up to tier 2', async () => {
  const { world } = await smallWorld()
  for (const [empire, { empire: id }] of generateGalaxy(1).empires.entries()) {
    const places = showroomPlaces(world, capitalOf(world, empire))
    expect(places.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(20)
    const shown = new Set(places.map(({ tier, role }) => `${tier} ${role}`))
    for (const row of SHIP_CLASSES) {
      if (row.faction !== id || row.tier < 1 || row.tier > 2 || !isBuildable(row)) continue
      expect(shown, `${id} ${row.id}`).toContain(`${row.tier} ${row.class}`)
    }
  }
})

const VALUES = new Map(GOODS.map((row) => [row.id, row.base_value]))
const worthOf = (rows: readonly MaterialRow[]): number =>
  rows.reduce((sum, { item_id, quantity }) => sum + quantity * VALUES.get(item_id)!, 0)

/** Returns the credits of a facility with all lower tiers that it is built on. */
function costOf(row: FacilityRow): number {
  const below = FACILITIES.find(({ id }) => id === row.upgrades_from)
  return row.build_cost + worthOf(row.build_materials) + (below ? costOf(below) : 0)
}

test('no production facility pays for itself in less than 40 hours', () => {
  const lines = FACILITIES.filter((row) => row.category === 'production' && !row.is_recycler)
  expect(lines.length).toBeGreaterThan(20)
  for (const row of lines) {
    for (const recipe of RECIPES) {
      if (recipe.hidden || recipe.fuel_output || !runsRecipe(row, recipe)) continue
      const index = recipeIndex(recipe.id)
      const labor = Math.max(row.labor_cost, laborMinOf(index, CRAFT))
      const net = worthOf(recipe.outputs) - worthOf(recipe.inputs) - labor
      const perHour = (net * HOUR_TICKS * 1_000 * 3 ** (row.level - 1)) / needOf(index)
      if (perHour > 0) expect(costOf(row) / perHour, `${row.id} ${recipe.id}`).toBeGreaterThan(40)
    }
  }
})
