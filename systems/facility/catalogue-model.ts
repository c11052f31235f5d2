/** Answers of `facility types`: the catalogue of types, by category, by page or one by one. */
import {
  FACILITIES,
  type FacilityCategory,
  type FacilityRow,
  facilityTypeIndex,
  GOODS,
  itemIndex,
  type MaterialRow,
  RECIPES,
  type RecipeRow,
} from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { LIST_PAGE } from '../../core/limits.ts'
import { pageOf } from '../../core/paging.ts'
import { listed, say, withArticle } from '../../core/say.ts'
import type { FacilityRequest } from './model.ts'
import {
  isStationFacility,
  isStorage,
  mayBuild,
  nextType,
  rentOf,
  serviceNeeded,
  skillNeeded,
} from './types-model.ts'

const CATEGORIES: Readonly<Record<FacilityCategory, string>> = {
  infrastructure: 'Power, air and upkeep of a station. Only its owner builds it.',
  service: 'What a station offers to those who dock. Only its owner builds it.',
  production: 'Makes, recycles or packs goods, for its owner or for rent.',
  faction: 'Storage and offices of a faction; a lockbox comes first.',
  personal: 'Quarters, and rooms that extend them.',
  sales: 'Shops: more open orders for their owner, at half the fee.',
}

/** Returns true if a player may build the type at a station that is not their faction's. */
const isBuildable = (type: FacilityRow): boolean =>
  type.upgrades_from === undefined &&
  (mayBuild(type, 'player') || mayBuild(type, 'faction') || mayBuild(type, 'personal'))

export const renderQuantities = (materials: readonly MaterialRow[]) =>
  materials.map(({ item_id, quantity }) => ({
    item_id,
    name: GOODS[itemIndex(item_id)].name,
    quantity,
  }))

/** Recipes that types can run, by type: a list of facilities asks for those of all its rows. */
const RUN_BY = new Map<FacilityRow, readonly RecipeRow[]>()

function recipesRunBy(type: FacilityRow): readonly RecipeRow[] {
  const known = RUN_BY.get(type)
  if (known) return known
  const { recipe_ids = [], recipe_categories = [] } = type
  const found = RECIPES.filter(
    ({ id, category }) => recipe_ids.includes(id) || recipe_categories.includes(category),
  )
  RUN_BY.set(type, found)
  return found
}

/** Returns the one recipe a type runs; undefined for a type with none or a choice. */
export function onlyRecipeOf(type: FacilityRow): RecipeRow | undefined {
  const recipes = recipesRunBy(type)
  return recipes.length === 1 ? recipes[0] : undefined
}

/** Renders the capacity of the type, if it has one. */
const renderBonus = ({ capacity, category }: FacilityRow) =>
  capacity === undefined
    ? {}
    : { bonus_type: category === 'sales' ? 'open_orders' : 'capacity', bonus_value: capacity }

function renderSummary(type: FacilityRow) {
  const service = type.service ?? type.faction_service_type
  const recipe = onlyRecipeOf(type)
  return {
    id: type.id,
    name: type.name,
    category: type.category,
    level: type.level,
    build_cost: type.build_cost,
    buildable: isBuildable(type),
    ...(service === undefined ? {} : { service }),
    ...(type.personal_service_type === undefined
      ? {}
      : { personal_service: type.personal_service_type }),
    ...(recipe === undefined ? {} : { recipe_id: recipe.id }),
    ...renderBonus(type),
  }
}

function renderDiscovery() {
  const categories = Object.entries(CATEGORIES).map(([category, description]) => {
    const types = FACILITIES.filter((type) => type.category === category)
    const buildable = types.filter(isBuildable).length
    return [category, { description, count: types.length, buildable }] as const
  })
  return {
    action: 'types' as const,
    kind: 'discovery' as const,
    categories: Object.fromEntries(categories),
    total: FACILITIES.length,
    filters: {
      category: 'one of the categories above',
      level: 'a tier, from 1',
      name: 'part of a name or id',
    },
    pagination: { page: 'from 1', per_page: `up to ${LIST_PAGE.max}` },
    hint: 'Give a category for a list, or a facility_type for one type in full.',
  }
}

function renderPage({ category, name, level, page: pageNumber, per_page }: FacilityRequest) {
  const part = name?.trim().toLowerCase() ?? ''
  const found = FACILITIES.filter(
    (type) =>
      (category === undefined || type.category === category) &&
      (level === undefined || type.level === level) &&
      (part === '' || type.id.includes(part) || type.name.toLowerCase().includes(part)),
  )
  const request = { page: pageNumber, page_size: per_page }
  const { items, page, page_size, total, total_pages } = pageOf(found, request, LIST_PAGE)
  return {
    action: 'types' as const,
    kind: 'list' as const,
    types: items.map(renderSummary),
    total,
    page,
    per_page: page_size,
    total_pages,
    hint: say`{facility types} with facility_type shows one in full.`,
  }
}

function renderChain(type: number) {
  const { upgrades_from } = FACILITIES[type]
  const next = nextType(type)
  return {
    ...(upgrades_from === undefined
      ? {}
      : {
          upgrades_from,
          upgrades_from_name: FACILITIES[facilityTypeIndex(upgrades_from)].name,
        }),
    ...(next < 0
      ? {}
      : { upgrades_to: FACILITIES[next].id, upgrades_to_name: FACILITIES[next].name }),
  }
}

function renderRecipe(type: FacilityRow) {
  const recipe = onlyRecipeOf(type)
  if (recipe === undefined) return {}
  const { id, name, crafting_time, inputs, outputs } = recipe
  const shown = {
    id,
    name,
    crafting_time,
    inputs: renderQuantities(inputs),
    outputs: renderQuantities(outputs),
  }
  return { recipe_id: id, recipe: shown }
}

/** Renders what a type costs to build and to keep, as several answers show it. */
export function renderCosts(type: FacilityRow) {
  const { maintenance_inputs, faction_cap, faction_service_type } = type
  return {
    category: type.category,
    description: type.description,
    name: type.name,
    type_id: type.id,
    level: type.level,
    build_cost: type.build_cost,
    build_time: type.build_time,
    build_materials: renderQuantities(type.build_materials),
    labor_cost: type.labor_cost,
    rent_per_cycle: rentOf(type),
    ...(maintenance_inputs.length === 0
      ? {}
      : { maintenance_per_cycle: renderQuantities(maintenance_inputs) }),
    ...(faction_cap === undefined ? {} : { faction_cap }),
    ...(faction_service_type === undefined ? {} : { faction_service: faction_service_type }),
  }
}

/** Returns the sentence on how a type is built, and by whom. */
function howBuilt(type: FacilityRow): string {
  const { upgrades_from, category } = type
  if (upgrades_from !== undefined) {
    return say`{facility upgrade}, or for a faction {facility faction_upgrade}, turns ${withArticle(upgrades_from)} into this.`
  }
  if (isStationFacility(type)) {
    return say`{facility faction_build} builds it at a station of your own faction, and nowhere else.`
  }
  if (category === 'faction') {
    return isStorage(type)
      ? say`{facility faction_build} builds it.`
      : say`{facility faction_build} builds it where your faction has a faction_lockbox.`
  }
  if (category === 'personal') return say`{facility personal_build} builds it.`
  return say`{facility build} builds it.`
}

/** Says where the recipes of a type that has a choice of them are listed. */
function saysRecipes({ is_recycler, recipe_categories = [] }: FacilityRow): string {
  if (is_recycler === true || recipe_categories.length === 0) return ''
  return say` {catalog} with type recipes and category ${listed(recipe_categories, 'or')} lists what it makes.`
}

function renderDetail(type: number) {
  const facilityType = FACILITIES[type]
  const service = serviceNeeded(facilityType)
  const skill = skillNeeded(facilityType)
  return {
    action: 'types' as const,
    kind: 'detail' as const,
    ...renderCosts(facilityType),
    ...renderRecipe(facilityType),
    ...renderChain(type),
    ...renderBonus(facilityType),
    buildable: isBuildable(facilityType),
    ...(facilityType.personal_service_type === undefined
      ? {}
      : { personal_service: facilityType.personal_service_type }),
    ...(service === ''
      ? {}
      : { requires_service_type: service, requires_service_name: `a base with ${service}` }),
    hint: `${howBuilt(facilityType)} ${skill === 0 ? 'It needs no skill.' : `It needs corporation_management ${skill}.`}${saysRecipes(facilityType)}`,
  }
}

/** Answers `types`. Refusal: unknown_facility_type. */
export function listTypes(request: FacilityRequest) {
  const { facility_type, category, level, name, page, per_page } = request
  if (facility_type !== undefined) {
    const type = facilityTypeIndex(facility_type)
    return type < 0 ? fail('unknown_facility_type', { facility_type }) : ok(renderDetail(type))
  }
  const isList = [category, level, name, page, per_page].some((filter) => filter !== undefined)
  return ok(isList ? renderPage(request) : renderDiscovery())
}
