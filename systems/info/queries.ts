/** Queries of the catalogue, the changelog and the guides; `inspect` is in inspect-queries.ts. */
import { ADDITIONS } from '../../core/catalog/additions.ts'
import { RELEASES, type ReleaseRow, VERSION } from '../../core/catalog/changelog.ts'
import { GUIDES } from '../../core/catalog/guides.ts'
import { MINING } from '../../core/catalog/index.ts'
import { answerAs, query } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { LIST_PAGE, VERSIONS_PAGE } from '../../core/limits.ts'
import { type PageRequest, pageOf } from '../../core/paging.ts'
import {
  bool,
  bools,
  int,
  ints,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  page,
  pageSize,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { contextOf } from './commands.ts'
import {
  type CatalogEntry,
  type CatalogType,
  catalogEntries,
  commandEntries,
  filterEntries,
  isCatalogType,
  secretCount,
} from './model.ts'
import { CATALOG_COMMAND_TYPES } from './rules.ts'
import { catalogFile, catalogPage } from './schemas.ts'

/* The catalogue: pages for players, whole lists for the bulk file. */

/** Returns a page of entries as `catalog` and `inspect` show them. */
export function catalogPageOf(
  type: CatalogType,
  entries: readonly CatalogEntry[],
  request: PageRequest,
) {
  const found = pageOf(entries, request, LIST_PAGE)
  const { page: number, total, total_pages } = found
  const shown = `${found.items.length} of ${total} ${type}`
  const message = total_pages > 1 ? `${shown}, page ${number} of ${total_pages}.` : `${shown}.`
  return { type, message, ...found }
}

function entryById(type: CatalogType, id: string): Outcome<readonly CatalogEntry[], 'not_found'> {
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
    search: optional(
      str('Part of a name or id; for recipes also of a product.', { example: 'laser' }),
    ),
    category: optional(str('Only this category; for modules, this family.', { example: 'ore' })),
    class: optional(str('Ships: only this role.', { example: 'Prospector' })),
    commissionable: optional(bool('Ships: only those built to order; false: only the others.')),
    empire: optional(str('Only entries of this empire.', { example: 'solarian' })),
    tier: optional(int('Ships: only this tier.', { min: 0, max: 10, example: 1 })),
    page: optional(page()),
    page_size: optional(pageSize(LIST_PAGE.max)),
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
    const whole = id === undefined ? page : { ...page, ...contextOf(type, id) }
    return answerAs(catalogPage, ok(whole))
  },
})

/** Gives net the contents of the bulk file. Secret achievements are only counted. */
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
    answerAs(
      catalogFile,
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
    ),
})

const release = obj({ ...strings('version', 'release_date'), notes: list(Type.String()) })

const shown = ({ version, release_date, notes }: ReleaseRow) => ({ version, release_date, notes })

function mentions(row: ReleaseRow, text: string): boolean {
  return [row.version, row.release, ...row.notes].some((line) => line.toLowerCase().includes(text))
}

export const getVersion = query({
  name: 'get_version',
  v2: { tool: 'game', action: 'get_version' },
  summary: 'Returns the version of the server and pages through its changelog, newest first.',
  category: 'info',
  open: true,
  params: obj({
    count: optional(int(`Releases a page, at most ${VERSIONS_PAGE.max}.`, { min: 1, example: 5 })),
    page: optional(page()),
    id: optional(str('Only this release, with or without a leading v.', { example: VERSION })),
    text: optional(str('Only releases whose notes contain this.', { example: 'mining' })),
  }),
  result: obj({
    ...strings('version', 'release_date'),
    notes: list(Type.String()),
    versions: list(release),
    also_speaks: list(obj(strings('release', 'what'))),
    ...ints('page', 'per_page', 'total', 'total_pages'),
    ...bools('has_more'),
    ...opt(strings('search_term')),
  }),
  needs: [],
  errors: ['version_not_found'],
  run(_view, _player, params) {
    const id = params.id?.trim().replace(/^v/i, '')
    const text = params.text?.trim().toLowerCase()
    const found = RELEASES.filter(
      (row) => (!id || row.version === id || row.release === id) && (!text || mentions(row, text)),
    )
    if (id && found.length === 0) {
      return fail('version_not_found', { id, releases: RELEASES.map((row) => row.release) })
    }
    const request = { page: params.page, page_size: params.count }
    const {
      items,
      page: number,
      page_size,
      total,
      total_pages,
    } = pageOf(found, request, VERSIONS_PAGE)
    return ok({
      ...shown(RELEASES[0]),
      versions: items.map(shown),
      also_speaks: ADDITIONS.map(({ release, what }) => ({ release, what })),
      page: number,
      per_page: page_size,
      total,
      total_pages,
      has_more: number < total_pages,
      ...(text ? { search_term: params.text } : {}),
    })
  },
})

const guideIds = GUIDES.map((guide) => guide.id)

export const getGuide = query({
  name: 'get_guide',
  v2: { tool: 'game', action: 'get_guide', rename: { guide: 'id' } },
  summary: 'Lists the guides to the game, or shows the text of one.',
  category: 'info',
  open: true,
  params: obj({
    guide: optional(str(`One of ${guideIds.join(', ')}.`, { example: guideIds[0] })),
  }),
  result: obj(
    opt({
      ...strings('guide', 'content', 'hint', 'server_version'),
      guides: list(obj(strings('id', 'title', 'description'))),
    }),
  ),
  needs: [],
  errors: ['guide_not_found'],
  run(_view, _player, params) {
    const id = params.guide?.trim().toLowerCase()
    if (!id) {
      return ok({
        guides: GUIDES.map(({ content: _, ...entry }) => entry),
        hint: say`{get_guide} with {get_guide.guide} and one of these ids shows its text; start with ${guideIds[0]}.`,
        server_version: VERSION,
      })
    }
    const guide = GUIDES.find((row) => row.id === id)
    if (!guide) return fail('guide_not_found', { guide: id, guides: guideIds })
    return ok({ guide: guide.id, content: guide.content, server_version: VERSION })
  },
})
