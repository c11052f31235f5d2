/** The catalogue by command: pages for players, whole lists for the bulk file. */
import { MINING } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { LIST_ROWS_MAX } from '../../core/limits.ts'
import { bool, int, NO_PARAMS, obj, optional, page, pageSize, str } from '../../core/params.ts'
import { surroundings } from './analysis.ts'
import { catalogFile, catalogPage } from './catalog-schemas.ts'
import {
  CATALOG_COMMAND_TYPES,
  type CatalogEntry,
  type CatalogType,
  catalogEntries,
  commandEntries,
  filterEntries,
  isCatalogType,
  type PageRequest,
  pageOf,
  secretCount,
} from './rules.ts'

/** A page of entries as `catalog` and `inspect` show them. */
export function catalogPageOf(
  type: CatalogType,
  entries: readonly CatalogEntry[],
  request: PageRequest,
) {
  const found = pageOf(entries, request)
  const { page: at, total, total_pages } = found
  const shown = `${found.items.length} of ${total} ${type}`
  const message = total_pages > 1 ? `${shown}, page ${at} of ${total_pages}.` : `${shown}.`
  return { type, message, ...found }
}

function entryById(type: CatalogType, id: string): Outcome<readonly CatalogEntry[]> {
  const entry = commandEntries(type).find((candidate) => candidate.id === id)
  return entry ? ok([entry]) : fail('not_found', { type, id })
}

export const catalog = query({
  name: 'catalog',
  v2: { tool: 'game_catalog', action: '' },
  summary: 'Pages through the reference data: ships, skills, recipes, items, facilities, more.',
  category: 'info',
  open: true,
  params: obj({
    type: str(`One of ${CATALOG_COMMAND_TYPES.join(', ')}.`, {
      min: 1,
      max: 64,
      example: 'items',
    }),
    id: optional(str('Only the entry with this id.', { min: 1, example: 'iron_ore' })),
    search: optional(str('Part of a name or id.', { example: 'laser' })),
    category: optional(str('Only this category; of modules, their family.', { example: 'ore' })),
    class: optional(str('Ships: only this role.', { example: 'Prospector' })),
    commissionable: optional(bool('Ships: only those that yards build, or with false the others.')),
    empire: optional(str('Only what belongs to this empire.', { example: 'solarian' })),
    tier: optional(int('Ships: only this tier.', { min: 0, max: 10, example: 1 })),
    page: optional(page()),
    page_size: optional(pageSize(LIST_ROWS_MAX)),
  }),
  result: catalogPage,
  needs: [],
  errors: ['invalid_type', 'not_found'],
  run(_view, _player, params) {
    const { type, id } = params
    if (!(CATALOG_COMMAND_TYPES as readonly string[]).includes(type) || !isCatalogType(type)) {
      return fail('invalid_type', { type, types: [...CATALOG_COMMAND_TYPES] })
    }
    const found = id === undefined ? ok(commandEntries(type)) : entryById(type, id)
    if (!found.ok) return found
    const page = catalogPageOf(type, filterEntries(found.result, params), params)
    return ok(id === undefined ? page : { ...page, ...surroundings(type, id) })
  },
})

/** For net: the bulk file. Secret achievements are only counted. */
export const internalCatalog = query({
  name: 'internal:catalog',
  summary: 'The whole catalogue, for the bulk file.',
  category: 'internal',
  open: true,
  params: NO_PARAMS,
  result: catalogFile,
  needs: [],
  errors: [],
  run: () =>
    ok({
      ships: catalogEntries('ships'),
      skills: catalogEntries('skills'),
      recipes: catalogEntries('recipes'),
      items: catalogEntries('items'),
      facilities: catalogEntries('facilities'),
      achievements: catalogEntries('achievements'),
      hidden_achievement_count: secretCount('achievements'),
      faction_achievements: catalogEntries('faction_achievements'),
      hidden_faction_achievement_count: secretCount('faction_achievements'),
      mining: MINING,
    }),
})
