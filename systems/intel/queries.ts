/**
 * Queries of the intelligence of the player's faction or an ally. Source: factions.md section 6.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { type CommandDef, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { offsetParams, rowsFrom } from '../../core/paging.ts'
import { itemId, NO_PARAMS, obj, optional, ref, str, words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { baseById, baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { findGood } from '../cargo/model.ts'
import { factionOf } from '../faction/model.ts'
import { IN_FACTION } from '../faction/needs.ts'
import type { ItemQuote } from '../market/schemas.ts'
import { ASK, BID, Sight } from '../market/state.ts'
import { systemOfBase } from '../siege/model.ts'
import { isOfType, systemById, systemId, systemName } from '../travel/model.ts'
import { StarSystem } from '../travel/state.ts'
import {
  LIVE_LEVEL,
  levelOfService,
  percent,
  priceNotesOf,
  renderContributions,
  sourceOf,
  submitterOf,
} from './model.ts'
import { type KnownPrices, knownItems, knownPrices } from './prices-views.ts'
import {
  intelResult,
  intelStatusResult,
  tradeIntelResult,
  tradeIntelStatusResult,
} from './schemas.ts'
import { INTEL_PAGE, PRICES_PAGE, PriceNote } from './state.ts'
import {
  countPois,
  type KnownSystem,
  knownPois,
  knownResources,
  knownSystems,
  liveSystems,
  renderKnown,
  seenLive,
  submittedNote,
} from './views.ts'

/* Prices */

const renderItem = ({ item, price, units }: ItemQuote) => ({
  item_id: GOODS[item].id,
  item_name: GOODS[item].name,
  best_buy: price[BID],
  best_sell: price[ASK],
  buy_volume: units[BID],
  sell_volume: units[ASK],
})

/** Renders an entry, with all its items or only the requested one. */
function renderPrices(view: WorldView, faction: Row, entry: KnownPrices, item: number | undefined) {
  const { base, note } = entry
  const { by, given, sight } = view.read(PriceNote)
  const items = knownItems(view, entry).filter((seen) => item === undefined || seen.item === item)
  return {
    base_id: baseId(view, base),
    station_name: baseName(view, base),
    system_id: systemId(view, systemOfBase(view, base)),
    ...(note === 0
      ? seenLive(view, faction)
      : {
          submitted_at_tick: view.read(Sight).tick[sight[note]],
          ...submitterOf(view, by[note]),
          auto_synced: given[note] === 0,
        }),
    items: items.map(renderItem),
  }
}

export const queryTradeIntel: CommandDef = query({
  name: 'faction_query_trade_intel',
  v2: { tool: 'game_intel', action: 'query_trade_intel' },
  summary: 'Look up prices that your faction, or an ally, knows.',
  category: 'faction',
  needs: [IN_FACTION],
  params: obj({
    ...offsetParams(PRICES_PAGE.max),
    base_id: optional(ref('base', str('Only this station.', { example: 'sol_station' }))),
    station_name: optional(str('Only stations whose name contains this.', { example: 'sol' })),
    item_id: optional(itemId('Only this item, where it is traded; tier 2.')),
    source_faction_id: optional(
      ref('faction', str('Id or tag of an ally whose intelligence to query.')),
    ),
  }),
  result: tradeIntelResult,
  errors: words(
    'no_trade_ledger intel_level_too_low faction_not_found not_allied intel_withheld unknown_item',
  ),
  run(view, player, params) {
    const level = levelOfService(view, factionOf(view, player), 'faction_trade_intel')
    if (level === 0) return fail('no_trade_ledger')
    const { item_id, base_id, station_name } = params
    if (item_id !== undefined && level < LIVE_LEVEL) return fail('intel_level_too_low', { level })
    const source = sourceOf(view, player, params.source_faction_id)
    if (typeof source !== 'number') return source
    const good = item_id === undefined ? undefined : findGood(item_id)
    if (good && !good.ok) return good
    const base = base_id === undefined ? undefined : baseById(view, base_id.trim())
    const name = station_name?.trim().toLowerCase()
    const matches = (entry: KnownPrices): boolean =>
      (base === undefined || entry.base === base) &&
      (name === undefined || baseName(view, entry.base).toLowerCase().includes(name)) &&
      (!good || knownItems(view, entry).some(({ item }) => item === good.result))
    const matching = knownPrices(view, source).filter(matches)
    const { limit, offset, items } = rowsFrom(matching, params, PRICES_PAGE)
    return ok({
      intel_level: level,
      showing: items.length,
      total: matching.length,
      limit,
      offset,
      entries: items.map((entry) => renderPrices(view, source, entry, good?.result)),
    })
  },
})

export const tradeIntelStatus: CommandDef = query({
  name: 'faction_trade_intel_status',
  v2: { tool: 'game_intel', action: 'trade_intel_status' },
  summary: 'Show how many prices your faction knows, and who contributed most.',
  category: 'faction',
  needs: [IN_FACTION],
  params: NO_PARAMS,
  result: tradeIntelStatusResult,
  errors: ['no_trade_ledger'],
  run(view, player) {
    const faction = factionOf(view, player)
    const level = levelOfService(view, faction, 'faction_trade_intel')
    if (level === 0) return fail('no_trade_ledger')
    const entries = knownPrices(view, faction)
    const items = new Set(
      entries.flatMap((entry) => knownItems(view, entry).map((row) => row.item)),
    )
    const { sight, by } = view.read(PriceNote)
    const { tick } = view.read(Sight)
    const total = view.countOf(Base)
    const notes = priceNotesOf(view, faction).map((row) => ({
      by: by[row],
      tick: tick[sight[row]],
    }))
    return ok({
      intel_level: level,
      stations_known: entries.length,
      total_stations: total,
      coverage_pct: percent(entries.length, total),
      items_tracked: items.size,
      ...renderContributions(view, notes),
    })
  },
})

/* Systems */

interface Filters {
  readonly system_id?: string
  readonly system_name?: string
  readonly poi_type?: string
  readonly resource_type?: string
}

const folded = (text: string | undefined): string | undefined => text?.trim().toLowerCase()

function hasType(view: WorldView, entry: KnownSystem, type: string): boolean {
  const note = submittedNote(entry)
  if (note) return (note.types ?? []).includes(type)
  return knownPois(view, entry).some((poi) => isOfType(view, poi, type))
}

function hasResource(view: WorldView, entry: KnownSystem, item: string): boolean {
  const note = submittedNote(entry)
  if (note) return (note.finds ?? []).includes(item)
  return knownPois(view, entry).some((poi) => knownResources(view, entry, poi).includes(item))
}

/** Returns a predicate that tests a system against the filters of a query. */
function filterOf(view: WorldView, filters: Filters) {
  const id =
    filters.system_id === undefined ? undefined : systemById(view, filters.system_id.trim())
  const name = folded(filters.system_name)
  const type = folded(filters.poi_type)
  const item = folded(filters.resource_type)
  return (entry: KnownSystem): boolean => {
    if (id !== undefined && entry.system !== id) return false
    if (name !== undefined && !folded(systemName(view, entry.system))?.includes(name)) return false
    if (type !== undefined && !hasType(view, entry, type)) return false
    return item === undefined || hasResource(view, entry, item)
  }
}

export const queryIntel: CommandDef = query({
  name: 'faction_query_intel',
  v2: { tool: 'game_intel', action: 'query_intel' },
  summary: 'Look up what your faction, or an ally, knows of systems.',
  category: 'faction',
  needs: [IN_FACTION],
  params: obj({
    ...offsetParams(INTEL_PAGE.max),
    system_id: optional(ref('system', str('Only this system.', { example: 'sol' }))),
    system_name: optional(str('Only systems whose name contains this.', { example: 'sol' })),
    poi_type: optional(
      str('Only systems with a place of this type or class; tier 2.', { example: 'ice_field' }),
    ),
    resource_type: optional(
      ref('item', str('Only systems with this item; tier 2.', { example: 'iron_ore' })),
    ),
    source_faction_id: optional(
      ref('faction', str('Id or tag of an ally whose intelligence to query.')),
    ),
  }),
  result: intelResult,
  errors: words(
    'no_intel_facility intel_level_too_low faction_not_found not_allied intel_withheld',
  ),
  run(view, player, params) {
    const level = levelOfService(view, factionOf(view, player), 'faction_intel')
    if (level === 0) return fail('no_intel_facility')
    const isDetailed = params.poi_type !== undefined || params.resource_type !== undefined
    if (isDetailed && level < LIVE_LEVEL) return fail('intel_level_too_low', { level })
    const source = sourceOf(view, player, params.source_faction_id)
    if (typeof source !== 'number') return source
    const matching = knownSystems(view, source).filter(filterOf(view, params))
    const { limit, offset, items } = rowsFrom(matching, params, INTEL_PAGE)
    return ok({
      count: items.length,
      total: matching.length,
      limit,
      offset,
      current_tick: view.tick,
      intel_level: level,
      live_systems: [...liveSystems(view, source)].map((system) => systemId(view, system)),
      entries: items.map((entry) => renderKnown(view, source, entry)),
      message: `${counted(matching.length, 'system')} known, ${items.length} shown.`,
    })
  },
})

export const intelStatus: CommandDef = query({
  name: 'faction_intel_status',
  v2: { tool: 'game_intel', action: 'intel_status' },
  summary: 'Show how many systems your faction knows, and who contributed most.',
  category: 'faction',
  needs: [IN_FACTION],
  params: NO_PARAMS,
  result: intelStatusResult,
  errors: ['no_intel_facility'],
  run(view, player) {
    const faction = factionOf(view, player)
    const level = levelOfService(view, faction, 'faction_intel')
    if (level === 0) return fail('no_intel_facility')
    const entries = knownSystems(view, faction)
    const total = view.countOf(StarSystem)
    return ok({
      intel_level: level,
      systems_known: entries.length,
      total_systems: total,
      coverage_pct: percent(entries.length, total),
      pois_known: entries.reduce((sum, entry) => sum + countPois(view, entry), 0),
      ...renderContributions(
        view,
        entries.flatMap(({ note }) => note ?? []),
      ),
    })
  },
})
