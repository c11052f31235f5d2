/**
 * Reading matter: the changelog and the guides. The catalogue is in catalog.ts, single things in
 * inspect.ts.
 */
import { ADDITIONS } from '../../core/catalog/additions.ts'
import { RELEASES, type ReleaseRow, VERSION } from '../../core/catalog/changelog.ts'
import { GUIDES } from '../../core/catalog/guides.ts'
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { VERSIONS_PER_PAGE_MAX } from '../../core/limits.ts'
import {
  bools,
  int,
  ints,
  list,
  obj,
  opt,
  optional,
  page,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { pageOf } from './rules.ts'

const VERSIONS_PER_PAGE_DEFAULT = 5

const release = obj({ ...strings('version', 'release_date'), notes: list(Type.String()) })

const shown = ({ version, release_date, notes }: ReleaseRow) => ({ version, release_date, notes })

function mentions(row: ReleaseRow, text: string): boolean {
  return [row.version, row.release, ...row.notes].some((line) => line.toLowerCase().includes(text))
}

export const getVersion = query({
  name: 'get_version',
  v2: { tool: 'game', action: 'get_version' },
  summary: 'Tells the version of the server and pages through its changelog, newest first.',
  category: 'info',
  open: true,
  params: obj({
    count: optional(
      int(`Releases a page, at most ${VERSIONS_PER_PAGE_MAX}.`, { min: 1, example: 5 }),
    ),
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
      return fail('version_not_found', { id, versions: RELEASES.map((row) => row.version) })
    }
    const found_page = pageOf(
      found,
      { page: params.page, page_size: params.count ?? VERSIONS_PER_PAGE_DEFAULT },
      VERSIONS_PER_PAGE_MAX,
    )
    const { page: at, page_size, total, total_pages } = found_page
    return ok({
      ...shown(RELEASES[0]),
      versions: found_page.items.map(shown),
      also_speaks: ADDITIONS.map(({ release, what }) => ({ release, what })),
      page: at,
      per_page: page_size,
      total,
      total_pages,
      has_more: at < total_pages,
      ...(text ? { search_term: params.text } : {}),
    })
  },
})

const guideIds = GUIDES.map((guide) => guide.id)

export const getGuide = query({
  name: 'get_guide',
  v2: { tool: 'game', action: 'get_guide', rename: { guide: 'id' } },
  summary: 'Lists the guides to the game, or gives one to read.',
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
        hint: say`{get_guide} with one of these ids gives its text; new here: ${guideIds[0]}.`,
        server_version: VERSION,
      })
    }
    const guide = GUIDES.find((row) => row.id === id)
    if (!guide) return fail('guide_not_found', { guide: id, guides: guideIds })
    return ok({ guide: guide.id, content: guide.content, server_version: VERSION })
  },
})
