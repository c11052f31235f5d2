/** Pages of the catalogue, guides and the changelog, without a world: they are static. */
import { readFileSync } from 'node:fs'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { ADDITIONS } from '../../../core/catalog/additions.ts'
import { RELEASES, VERSION } from '../../../core/catalog/changelog.ts'
import { GUIDES } from '../../../core/catalog/guides.ts'
import { GOODS, type MINING, recipeOf, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import type { QueryDef } from '../../../core/command.ts'
import { LIST_PAGE } from '../../../core/limits.ts'
import { pageOf } from '../../../core/paging.ts'
import { createRegistry } from '../../../core/registry.ts'
import type { WorldView } from '../../../core/types.ts'
import {
  CATALOG_TYPES,
  type CatalogType,
  catalogEntries,
  commandEntries,
} from '../../../systems/info/model.ts'
import { catalog, getGuide, getVersion, internalCatalog } from '../../../systems/info/queries.ts'
import { isTooSparse, supportedPower } from '../../../systems/mining/kernels.ts'
import { DOMAINS } from '../../../systems/registry.ts'

interface Page {
  items: { id: string; name: string }[]
  page: number
  page_size: number
  total: number
  total_pages: number
}

/** The page of a single entry, with its recipes and costs. */
interface EntryPage extends Page {
  analysis: {
    raw_materials: { item_id: string; quantity: number }[]
    steps: {
      inputs: { item_id: string; quantity: number }[]
      output: string
      output_qty: number
    }[]
  }
  produced_by_facilities: { level: number }[]
  estimated_material_cost: number
  recipes: { id: string }[]
}

interface RecipeEntry {
  hand_craftable: boolean
  produced_by_facility_ids: string[]
}

/** The page of a single recipe. */
interface RecipePage {
  items: RecipeEntry[]
  produced_by_facilities: { definition_id: string }[]
}

/** Returns the names of all properties of a schema at any depth. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { properties?: object }
  const own = properties ? Object.keys(properties) : []
  return [...own, ...Object.values(schema).flatMap(propertiesOf)]
}

/** None of these commands looks at the world. */
const NO_WORLD = {} as WorldView

function ask<R>(def: QueryDef, params: object): R {
  const outcome = def.run(NO_WORLD, 0, params)
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as R
}

const codeOf = (def: QueryDef, params: object): string => {
  const outcome = def.run(NO_WORLD, 0, params)
  return outcome.ok ? 'ok' : outcome.code
}

describe('catalog', () => {
  it.each(['ships', 'skills', 'items', 'recipes', 'facilities', 'achievements'])(
    'gives every entry of %s on exactly one page',
    (type) => {
      const seen: string[] = []
      let pages = 1
      for (let page = 1; page <= pages; page++) {
        const found = ask<Page>(catalog, { type, page, page_size: 50 })
        pages = found.total_pages
        seen.push(...found.items.map((entry) => entry.id))
        expect(Value.Check(catalog.result, found)).toBe(true)
      }
      expect(seen).toEqual(
        commandEntries(type as (typeof CATALOG_TYPES)[number]).map((entry) => entry.id),
      )
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  it('lists items and modules together, and omits hidden entries', () => {
    expect(catalogEntries('items').length).toBe(GOODS.filter((row) => !row.hidden).length)
    const hidden = SHIP_CLASSES.filter((row) => row.hidden).map((row) => row.id)
    expect(hidden.length).toBeGreaterThan(0)
    expect(catalogEntries('ships').filter((entry) => hidden.includes(entry.id))).toEqual([])
    expect(codeOf(catalog, { type: 'ships', id: hidden[0] })).toBe('not_found')
  })

  it('shows 20 rows by default, 50 at most, and none past the end', () => {
    expect(ask<Page>(catalog, { type: 'items' })).toMatchObject({ page: 1, page_size: 20 })
    const wide = ask<Page>(catalog, { type: 'items', page_size: 500 })
    expect([wide.page_size, wide.items.length]).toEqual([50, 50])
    const past = ask<Page>(catalog, { type: 'items', page: 1_000 })
    expect([past.items.length, past.total > 0]).toEqual([0, true])
    expect(pageOf([], {}, LIST_PAGE)).toMatchObject({ page: 1, total: 0, total_pages: 1 })
  })

  it('filters by text, id, category, empire, tier and availability', () => {
    const laser = ask<Page>(catalog, { type: 'items', search: 'LASER' })
    expect(laser.total).toBeGreaterThan(0)
    for (const entry of laser.items) {
      expect(`${entry.name} ${entry.id}`.toLowerCase()).toContain('laser')
    }
    const single = ask<Page>(catalog, { type: 'items', id: 'iron_ore' })
    expect(single.items.map((entry) => entry.id)).toEqual(['iron_ore'])
    const ores = ask<Page>(catalog, { type: 'items', category: 'ore', page_size: 50 })
    expect(ores.items.every((entry) => 'category' in entry && entry.category === 'ore')).toBe(true)
    const built = ask<Page>(catalog, { type: 'ships', commissionable: true })
    const others = ask<Page>(catalog, { type: 'ships', commissionable: false })
    expect(built.total + others.total).toBe(catalogEntries('ships').length)
    const own = ask<Page>(catalog, { type: 'ships', empire: 'crimson', tier: 1 })
    expect(own.total).toBeGreaterThan(0)
  })

  it('refuses types and ids it does not have', () => {
    expect(codeOf(catalog, { type: 'pirates' })).toBe('invalid_type')
    expect(codeOf(catalog, { type: 'faction_achievements' })).toBe('invalid_type')
    expect(codeOf(catalog, { type: 'items', id: 'unobtainium' })).toBe('not_found')
  })

  it('has enough entries of each type for a galaxy', () => {
    const items = catalogEntries('items')
    const modules = items.filter((entry) => 'slot' in entry)
    expect(modules.length).toBeGreaterThanOrEqual(200)
    expect(items.length - modules.length).toBeGreaterThanOrEqual(500)
    expect(catalogEntries('ships').length).toBeGreaterThanOrEqual(150)
    expect(catalogEntries('recipes').length).toBeGreaterThanOrEqual(300)
    expect(catalogEntries('facilities').length).toBeGreaterThanOrEqual(100)
  })

  it('breaks a recipe down to raw materials, and lists the facilities that run it', () => {
    const found = ask<EntryPage>(catalog, { type: 'recipes', id: 'roll_steel' })
    expect(Value.Check(catalog.result, found)).toBe(true)
    expect(found.analysis.raw_materials).toEqual([
      { item_id: 'carbon_ore', name: 'Carbonaceous Rock', quantity: 2, category: 'ore' },
      { item_id: 'iron_ore', name: 'Iron Ore', quantity: 6, category: 'ore' },
    ])
    expect(found.analysis.steps).toMatchObject([
      { recipe_id: 'smelt_iron', batches: 3, output: 'iron_ingot', output_qty: 3 },
      { recipe_id: 'roll_steel', batches: 1, output: 'steel_plate', output_qty: 2 },
    ])
    expect(found.estimated_material_cost).toBe(49)
    expect(found.produced_by_facilities.map((row) => row.level)).toEqual([1, 2, 3, 4])
  })

  it('breaks every recipe down into steps that supply each other', () => {
    for (const { id } of catalogEntries('recipes')) {
      const found = ask<EntryPage>(catalog, { type: 'recipes', id })
      const have = new Map<string, number>()
      for (const row of found.analysis.raw_materials) have.set(row.item_id, row.quantity)
      for (const step of found.analysis.steps) {
        for (const part of step.inputs) {
          const left = (have.get(part.item_id) ?? 0) - part.quantity
          expect(left, `${id}: ${part.item_id}`).toBeGreaterThanOrEqual(0)
          have.set(part.item_id, left)
        }
        have.set(step.output, (have.get(step.output) ?? 0) + step.output_qty)
      }
    }
  })

  it('shows the recipes of an item, the cost of a ship and the fuel output of a recipe', () => {
    const item = ask<EntryPage>(catalog, { type: 'items', id: 'circuit_board' })
    expect(item.recipes.map((row) => row.id)).toContain('etch_circuit_board')
    const ship = ask<EntryPage>(catalog, { type: 'ships', id: 'barge' })
    expect(ship.estimated_material_cost).toBeGreaterThan(1_000)
    const ore = ask<EntryPage>(catalog, { type: 'items', id: 'iron_ore' })
    expect(ore).not.toHaveProperty('recipes')
    const fuel = ask<Page>(catalog, { type: 'recipes', id: 'mill_fuel' })
    expect(fuel.items[0]).toMatchObject({ fuel_output: 3 })
    const dock = ask<Page>(catalog, { type: 'facilities', id: 'repair_dock' })
    expect(dock.items[0]).toMatchObject({ service_type: 'repair', always_on: false })
    for (const entry of catalogEntries('facilities')) {
      expect(Object.keys(entry)).not.toContain('recipe_categories')
    }
  })

  it('hides the recipe that packs packages', () => {
    expect(codeOf(catalog, { type: 'recipes', id: 'pack_package' })).toBe('not_found')
    const named = ask<Page>(catalog, { type: 'recipes', search: 'package' })
    expect(named.total).toBe(0)
  })

  it('finds recipes by the name or id of their output', () => {
    const found = (search: string) =>
      ask<Page>(catalog, { type: 'recipes', search }).items.map(({ id }) => id)
    expect(found('iron ingot')).toEqual(['smelt_iron'])
    expect(found('iron_ingot')).toEqual(['smelt_iron'])
  })

  it('has the same entries in the bulk file', () => {
    const file = ask<Record<CatalogType, unknown>>(internalCatalog, {})
    expect(Value.Check(internalCatalog.result, file)).toBe(true)
    for (const type of CATALOG_TYPES) expect(file[type]).toEqual(catalogEntries(type))
  })

  it('publishes the constants that mining uses', () => {
    const { mining } = ask<{ mining: typeof MINING }>(internalCatalog, {})
    expect(mining).toEqual({ precision_k: 20, overkill_ratio: 4, depletion_floor: 0.25 })
    // A unit of power at plain precision needs precision_k units of stock.
    expect(supportedPower(10 * mining.precision_k, 1_000)).toBe(10)
    const max = 10_000
    const rig = { power: 400, fine: 1_000 }
    const stockMin = (rig.power * mining.precision_k) / mining.overkill_ratio
    expect(isTooSparse(rig, stockMin - 1, max, false)).toBe(true)
    expect(isTooSparse(rig, stockMin, max, false)).toBe(false)
    const strong = { power: 2_000, fine: 1_000 }
    const floor = max * mining.depletion_floor
    expect(isTooSparse(strong, floor - 1, max, false)).toBe(true)
    expect(isTooSparse(strong, floor, max, false)).toBe(false)
  })

  it('lists a facility for every recipe that cannot be made by hand', () => {
    for (const id of ['smelt_iron', 'roll_steel']) {
      const { items, produced_by_facilities } = ask<RecipePage>(catalog, { type: 'recipes', id })
      const [entry] = items
      expect(entry.hand_craftable).toBe(recipeOf(id).facility_only !== true)
      expect(entry.produced_by_facility_ids).toEqual(
        produced_by_facilities.map(({ definition_id }) => definition_id),
      )
    }
    const recipes = catalogEntries('recipes') as unknown as RecipeEntry[]
    const nowhere = recipes.filter(
      (entry) => !entry.hand_craftable && entry.produced_by_facility_ids.length === 0,
    )
    expect(nowhere).toEqual([])
    expect(recipes.some((entry) => !entry.hand_craftable)).toBe(true)
  })

  it('gives no bonus per level for the skills of crafting and refining', () => {
    const plain = catalogEntries('skills').filter((entry) => !('bonus_per_level' in entry))
    expect(plain.map(({ id }) => id)).toEqual(['crafting', 'refining'])
  })
})

describe('get_guide', () => {
  it('lists guides, each of which can be read', () => {
    const { guides } = ask<{ guides: { id: string }[] }>(getGuide, {})
    expect(guides.map((guide) => guide.id)).toEqual(GUIDES.map((guide) => guide.id))
    for (const { id } of guides) {
      const guide = ask<{ content: string; server_version: string }>(getGuide, { guide: id })
      expect(guide.content.length).toBeGreaterThan(500)
      expect(guide.server_version).toBe(VERSION)
    }
    expect(codeOf(getGuide, { guide: 'sorcerer' })).toBe('guide_not_found')
  })

  it('names only items that exist', () => {
    const named = GUIDES.flatMap(
      (guide) => guide.content.match(/\b\w+_(?:i|cell|laser_i)\b/g) ?? [],
    )
    const ids = new Set(GOODS.map((row) => row.id))
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((id) => !ids.has(id))).toEqual([])
  })
})

describe('get_version', () => {
  it('lists the revisions it speaks, whose fields are all in the registry', () => {
    const { also_speaks, version } = ask<{ also_speaks: object[]; version: string }>(getVersion, {})
    expect(version).toBe('0.599.5')
    expect(also_speaks).toEqual(ADDITIONS.map(({ release, what }) => ({ release, what })))
    const { commands, events } = createRegistry(DOMAINS)
    for (const { of: owner, names, what } of ADDITIONS) {
      const defs = [...commands.values()].filter(({ name }) => name === owner)
      const schemas: unknown[] = defs.flatMap(({ params, result }) => [params, result])
      const event = events.get(owner)
      if (event) schemas.push(event.fields)
      expect(schemas.length, what).toBeGreaterThan(0)
      const known = new Set(schemas.flatMap(propertiesOf))
      expect(names.filter((name) => !known.has(name))).toEqual([])
    }
    const releases = ADDITIONS.map(({ release }) => release.split('.').map(Number))
    const sorted = releases.toSorted((a, b) => a[1] - b[1] || a[2] - b[2])
    expect(releases).toEqual(sorted)
  })

  it('shows the version and pages through the releases', () => {
    const found = ask<Record<string, unknown>>(getVersion, {})
    expect(found).toMatchObject({ version: VERSION, page: 1, per_page: 5, has_more: true })
    expect(Value.Check(getVersion.result, found)).toBe(true)
    const pages = Math.ceil(RELEASES.length / 5)
    const { versions } = ask<{ versions: unknown[] }>(getVersion, { page: pages })
    expect(versions).toHaveLength(RELEASES.length - 5 * (pages - 1))
    expect(ask(getVersion, { page: pages + 1 })).toMatchObject({ versions: [], has_more: false })
    expect(ask(getVersion, { count: 1_000 })).toMatchObject({ per_page: 20 })
  })

  it('finds a release by id or by text', () => {
    for (const id of [VERSION, `v${VERSION}`]) {
      expect(ask(getVersion, { id })).toMatchObject({ total: RELEASES.length })
    }
    expect(ask(getVersion, { id: '0.1.0' })).toMatchObject({ total: 1 })
    expect(codeOf(getVersion, { id: '9.9.9' })).toBe('version_not_found')
    expect(ask(getVersion, { text: 'MINE ORE' })).toMatchObject({
      total: 1,
      search_term: 'MINE ORE',
    })
    expect(ask(getVersion, { text: 'zeppelin' })).toMatchObject({ total: 0, versions: [] })
  })

  it('shows the same as CHANGELOG.md', () => {
    const file = new URL('../../../../CHANGELOG.md', import.meta.url)
    const text = readFileSync(file, 'utf8').replace(/\s+/g, ' ')
    for (const release of RELEASES) {
      expect(text).toContain(`## ${release.release} (${release.release_date})`)
      for (const note of release.notes) expect(text).toContain(note)
    }
  })
})
