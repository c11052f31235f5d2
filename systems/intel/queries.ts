/** Reading what one's faction, or an ally, knows of systems. Source: factions.md section 6. */
import { type CommandDef, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { INTEL_PAGE_DEFAULT, INTEL_PAGE_MAX } from '../../core/limits-intel.ts'
import { NO_PARAMS, obj, optional, ref, str } from '../../core/params.ts'
import type { WorldView } from '../../core/types.ts'
import { factionOf, IN_FACTION } from '../faction/rules.ts'
import { StarSystem } from '../travel/columns.ts'
import { isOfType, systemById, systemId, systemName } from '../travel/rules.ts'
import { sourceOf } from './ally-rules.ts'
import { LIVE_LEVEL, levelOfService } from './level-rules.ts'
import { type Paging, pageOf, pageParams, percent, renderContributions } from './page-rules.ts'
import { intelResult, intelStatusResult } from './schemas.ts'
import {
  type Known,
  knownPois,
  knownResources,
  knownSystems,
  liveSystems,
  renderKnown,
} from './views.ts'

interface Filters extends Paging {
  readonly system_id?: string
  readonly system_name?: string
  readonly poi_type?: string
  readonly resource_type?: string
}

const plain = (text: string | undefined): string | undefined => text?.trim().toLowerCase()

/** True for what is known of a system if it holds such a place. */
function hasType(view: WorldView, known: Known, type: string): boolean {
  const { note, isLive } = known
  if (!isLive && note?.given !== undefined) return (note.types ?? []).includes(type)
  return knownPois(view, known).some((poi) => isOfType(view, poi, type))
}

function hasResource(view: WorldView, known: Known, item: string): boolean {
  const { note, isLive } = known
  if (!isLive && note?.given !== undefined) return (note.finds ?? []).includes(item)
  return knownPois(view, known).some((poi) => knownResources(view, known, poi).includes(item))
}

/** True for what a query asks for. */
function isAskedFor(view: WorldView, filters: Filters) {
  const id =
    filters.system_id === undefined ? undefined : systemById(view, filters.system_id.trim())
  const name = plain(filters.system_name)
  const type = plain(filters.poi_type)
  const item = plain(filters.resource_type)
  return (known: Known): boolean => {
    if (id !== undefined && known.system !== id) return false
    if (name !== undefined && !plain(systemName(view, known.system))?.includes(name)) return false
    if (type !== undefined && !hasType(view, known, type)) return false
    return item === undefined || hasResource(view, known, item)
  }
}

export const queryIntel: CommandDef = query({
  name: 'faction_query_intel',
  v2: { tool: 'game_intel', action: 'query_intel' },
  summary: 'Look up what your faction, or an ally, knows of systems.',
  category: 'faction',
  needs: [IN_FACTION],
  params: obj({
    ...pageParams(INTEL_PAGE_MAX),
    system_id: optional(ref('system', str('Only this system.', { example: 'sol' }))),
    system_name: optional(str('Only systems whose name holds this.', { example: 'sol' })),
    poi_type: optional(
      str('Only systems with a place of this type or class; tier 2.', { example: 'ice_field' }),
    ),
    resource_type: optional(
      ref('item', str('Only systems with this item; tier 2.', { example: 'iron_ore' })),
    ),
    source_faction_id: optional(
      ref('faction', str('Id or tag of an ally whose knowledge is asked for.')),
    ),
  }),
  result: intelResult,
  errors: [
    ...(['no_intel_facility', 'intel_level_too_low', 'faction_not_found'] as const),
    ...(['not_allied', 'intel_withheld'] as const),
  ],
  run(view, player, params) {
    const level = levelOfService(view, factionOf(view, player), 'faction_intel')
    if (level === 0) return fail('no_intel_facility')
    const isFine = params.poi_type !== undefined || params.resource_type !== undefined
    if (isFine && level < LIVE_LEVEL) return fail('intel_level_too_low', { level })
    const source = sourceOf(view, player, params.source_faction_id)
    if (typeof source !== 'number') return source
    const found = knownSystems(view, source).filter(isAskedFor(view, params))
    const bounds = [INTEL_PAGE_DEFAULT, INTEL_PAGE_MAX] as const
    const { limit, offset, page } = pageOf(found, params, bounds)
    const one = found.length === 1
    return ok({
      count: page.length,
      total: found.length,
      limit,
      offset,
      current_tick: view.tick,
      intel_level: level,
      live_systems: [...liveSystems(view, source)].map((system) => systemId(view, system)),
      entries: page.map((known) => renderKnown(view, source, known)),
      message: `${found.length} system${one ? '' : 's'} known, ${page.length} shown.`,
    })
  },
})

export const intelStatus: CommandDef = query({
  name: 'faction_intel_status',
  v2: { tool: 'game_intel', action: 'intel_status' },
  summary: 'How much your faction knows of systems, and who found out most.',
  category: 'faction',
  needs: [IN_FACTION],
  params: NO_PARAMS,
  result: intelStatusResult,
  errors: ['no_intel_facility'],
  run(view, player) {
    const faction = factionOf(view, player)
    const level = levelOfService(view, faction, 'faction_intel')
    if (level === 0) return fail('no_intel_facility')
    const known = knownSystems(view, faction)
    const total = view.countOf(StarSystem)
    const poisOf = (one: Known): number => one.note?.pois ?? knownPois(view, one).length
    return ok({
      intel_level: level,
      systems_known: known.length,
      total_systems: total,
      coverage_pct: percent(known.length, total),
      pois_known: known.reduce((sum, one) => sum + poisOf(one), 0),
      ...renderContributions(
        view,
        known.flatMap(({ note }) => note ?? []),
      ),
    })
  },
})
