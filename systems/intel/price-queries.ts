/** Reading what one's faction, or an ally, knows of prices. Source: factions.md section 6. */
import { GOODS } from '../../core/catalog/index.ts'
import { type CommandDef, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { PRICES_PAGE_DEFAULT, PRICES_PAGE_MAX } from '../../core/limits-intel.ts'
import { itemId, NO_PARAMS, obj, optional, ref, str } from '../../core/params.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseById, baseId, baseName } from '../base/rules.ts'
import { findGood } from '../cargo/rules.ts'
import { factionOf, IN_FACTION } from '../faction/rules.ts'
import { ASK, BID, Sight } from '../market/columns.ts'
import { noMarket } from '../market/rules.ts'
import { itemsOf, type Seen, seenNow } from '../market/sight-rules.ts'
import { systemOfBase } from '../siege/station-rules.ts'
import { systemId } from '../travel/rules.ts'
import { sourceOf } from './ally-rules.ts'
import { PriceNote } from './columns.ts'
import { LIVE_LEVEL, levelOfService, liveBases } from './level-rules.ts'
import { pageOf, pageParams, percent, renderContributions } from './page-rules.ts'
import { priceNoteOf, priceNotesOf } from './price-rules.ts'
import { tradeIntelResult, tradeIntelStatusResult } from './schemas.ts'
import { seenLive, submitterOf } from './views.ts'

/** Prices of a base that a faction knows: a note, or the books as they are. */
interface KnownPrices {
  readonly base: Row
  /** 0 where the books are seen as they are. */
  readonly note: Row
}

/** All that a faction knows of prices, in the order of the bases. */
function knownPrices(view: WorldView, faction: Row): KnownPrices[] {
  const live = new Set(liveBases(view, faction, 'faction_trade_intel'))
  const known: KnownPrices[] = []
  const { alive } = view.read(Base)
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 0) continue
    const note = priceNoteOf(view, faction, base)
    if (live.has(base) && !noMarket(view, base)) known.push({ base, note: 0 })
    else if (note !== 0) known.push({ base, note })
  }
  return known
}

const itemsKnown = (view: WorldView, { base, note }: KnownPrices): readonly Seen[] =>
  note === 0 ? seenNow(view, base).items : itemsOf(view, view.read(PriceNote).sight[note])

const renderItem = ({ item, price, units }: Seen) => ({
  item_id: GOODS[item].id,
  item_name: GOODS[item].name,
  best_buy: price[BID],
  best_sell: price[ASK],
  buy_volume: units[BID],
  sell_volume: units[ASK],
})

/** An entry; with an item of it alone where one was asked for. */
function renderPrices(view: WorldView, faction: Row, known: KnownPrices, item: number | undefined) {
  const { base, note } = known
  const { by, given, sight } = view.read(PriceNote)
  const items = itemsKnown(view, known).filter((seen) => item === undefined || seen.item === item)
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
    ...pageParams(PRICES_PAGE_MAX),
    base_id: optional(ref('base', str('Only this station.', { example: 'sol_station' }))),
    station_name: optional(str('Only stations whose name holds this.', { example: 'sol' })),
    item_id: optional(itemId('Only this item, where it is traded; tier 2.')),
    source_faction_id: optional(
      ref('faction', str('Id or tag of an ally whose knowledge is asked for.')),
    ),
  }),
  result: tradeIntelResult,
  errors: [
    ...(['no_trade_ledger', 'intel_level_too_low', 'faction_not_found'] as const),
    ...(['not_allied', 'intel_withheld', 'unknown_item'] as const),
  ],
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
    const isAskedFor = (known: KnownPrices): boolean =>
      (base === undefined || known.base === base) &&
      (name === undefined || baseName(view, known.base).toLowerCase().includes(name)) &&
      (!good || itemsKnown(view, known).some(({ item }) => item === good.result))
    const found = knownPrices(view, source).filter(isAskedFor)
    const bounds = [PRICES_PAGE_DEFAULT, PRICES_PAGE_MAX] as const
    const { limit, offset, page } = pageOf(found, params, bounds)
    return ok({
      intel_level: level,
      showing: page.length,
      total: found.length,
      limit,
      offset,
      entries: page.map((known) => renderPrices(view, source, known, good?.result)),
    })
  },
})

export const tradeIntelStatus: CommandDef = query({
  name: 'faction_trade_intel_status',
  v2: { tool: 'game_intel', action: 'trade_intel_status' },
  summary: 'How much your faction knows of prices, and who found out most.',
  category: 'faction',
  needs: [IN_FACTION],
  params: NO_PARAMS,
  result: tradeIntelStatusResult,
  errors: ['no_trade_ledger'],
  run(view, player) {
    const faction = factionOf(view, player)
    const level = levelOfService(view, faction, 'faction_trade_intel')
    if (level === 0) return fail('no_trade_ledger')
    const known = knownPrices(view, faction)
    const items = new Set(known.flatMap((one) => itemsKnown(view, one).map(({ item }) => item)))
    const { sight, by } = view.read(PriceNote)
    const { tick } = view.read(Sight)
    const total = view.countOf(Base)
    const notes = priceNotesOf(view, faction)
    return ok({
      intel_level: level,
      stations_known: known.length,
      total_stations: total,
      coverage_pct: percent(known.length, total),
      items_tracked: items.size,
      ...renderContributions(
        view,
        notes.map((row) => ({ by: by[row], tick: tick[sight[row]] })),
      ),
    })
  },
})
