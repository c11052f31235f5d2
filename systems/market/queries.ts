/** Queries of prices: the exchange at hand, estimates, insights, and the public quotes. */
import { GOODS } from '../../core/catalog/index.ts'
import { type QueryDef, query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { MARKET_CURSOR_TICKS } from '../../core/limits.ts'
import { bool, int, itemId, NO_PARAMS, obj, optional, quantity, str } from '../../core/params.ts'
import { counted, listed, say } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { findGood } from '../cargo/model.ts'
import { factionOf } from '../faction/model.ts'
import { convoysAt } from '../npc/convoy-views.ts'
import { levelOf } from '../skill/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { bookOf, booksAt, isFuel, storeBook, storeBooksAt } from './book-model.ts'
import { marketSeen } from './commands.ts'
import { INSIGHT_KINDS, insightsAt } from './insights-queries.ts'
import { estimateBuy } from './instant-trade-commands.ts'
import { categoryOf, isHiddenFromFeeds, lacksMarket } from './model.ts'
import { estimateSchema, insightsSchema, marketSchema } from './schemas.ts'
import { isNewSight } from './sight-model.ts'
import { Book } from './state.ts'
import { isEmptyBook, ownUnits, renderListing } from './views.ts'

const NO_OWN_UNITS: ReadonlyMap<string, number> = new Map()

interface BookFilter {
  /** Whose company store; 0 the public books. */
  readonly store: Row
  readonly item?: number
  readonly category?: string
  readonly since?: number
}

/**
 * Returns the books to show: all that are not empty, or those changed since the cursor, even if
 * empty.
 */
function booksShown(view: WorldView, base: Eid, wanted: BookFilter): Row[] {
  const { item, changedTick } = view.read(Book)
  const { since, category } = wanted
  const hasChanged = (book: Row, cursor: number): boolean =>
    changedTick[book] >= cursor && !isFuel(item[book]) && !isHiddenFromFeeds(view, base, item[book])
  if (wanted.item !== undefined) {
    const { store } = wanted
    const of = wanted.item
    const book = store === 0 ? bookOf(view, base, of) : storeBook(view, base, store, of)
    return book === 0 || (since !== undefined && !hasChanged(book, since)) ? [] : [book]
  }
  const books = wanted.store === 0 ? booksAt(view, base) : storeBooksAt(view, base, wanted.store)
  return books.filter((book) => {
    if (category !== undefined && categoryOf(item[book]) !== category.toLowerCase()) return false
    return since === undefined ? !isEmptyBook(view, book) : hasChanged(book, since)
  })
}

/** Says that nothing of a category is traded at a base, and which categories are. */
function noneOf(view: WorldView, base: Eid, store: Row, category: string): string {
  const { item } = view.read(Book)
  const books = booksShown(view, base, { store })
  const traded = [...new Set(books.map((book) => categoryOf(item[book])))].sort()
  const others = traded.length === 0 ? 'nothing else is' : `there are ${listed(traded)}`
  return `Nothing of the category “${category.slice(0, 64)}” is traded here now; ${others}.`
}

export const viewMarket: QueryDef = query({
  name: 'view_market',
  v2: { tool: 'game_market', action: 'view_market' },
  summary: 'Show prices and depth of the exchange here, or what changed in it since a tick.',
  category: 'trading',
  needs: [DOCKED],
  params: obj({
    item_id: optional(itemId('Show this item alone, with its full depth and your own share.')),
    category: optional(str('Show this category alone.', { example: 'ore' })),
    since: optional(
      int('Show only items changed at or after this tick: current_tick of an earlier answer.', {
        min: 0,
      }),
    ),
    company_store: optional(bool("Show the store of your own faction's members instead.")),
  }),
  result: marketSchema,
  errors: ['no_market', 'unknown_item', 'stale_cursor', 'not_in_faction'],
  run(view, player, params) {
    const base = dockedBase(view, player)
    if (lacksMarket(view, base)) return fail('no_market')
    const faction = params.company_store === true ? factionOf(view, player) : 0
    if (params.company_store === true && faction === 0) return fail('not_in_faction')
    const { since, category } = params
    const now = view.tick
    if (since !== undefined && (since > now || since < now - MARKET_CURSOR_TICKS)) {
      return fail('stale_cursor', { since, current_tick: now })
    }
    const found = params.item_id === undefined ? undefined : findGood(params.item_id)
    if (found && !found.ok) return found
    const alone = found !== undefined
    const books = booksShown(view, base, {
      store: faction,
      item: found?.result,
      category,
      since,
    })
    const convoys = convoysAt(view, base)
    const items = books.map((book) =>
      renderListing(view, book, alone ? ownUnits(view, player, book) : NO_OWN_UNITS, alone),
    )
    return ok({
      action: 'view_market',
      base: baseName(view, base),
      base_id: baseId(view, base),
      current_tick: now,
      categories: [...new Set(items.map((entry) => entry.category))].sort(),
      ...(since === undefined ? {} : { incremental: true }),
      ...(category !== undefined &&
        since === undefined &&
        items.length === 0 && { message: noneOf(view, base, faction, category) }),
      items,
      ...(convoys.length > 0 && { convoys }),
    })
  },
  touch(view, player) {
    const base = dockedBase(view, player)
    return isNewSight(view, player, base) ? { command: marketSeen.name, params: {} } : undefined
  },
})

export const estimatePurchase: QueryDef = query({
  name: 'estimate_purchase',
  v2: { tool: 'game_market', action: 'estimate_purchase' },
  summary: 'Show what buying so many units here would cost now, tax included.',
  category: 'trading',
  needs: [DOCKED],
  params: obj({ item_id: itemId(), quantity: quantity() }),
  result: estimateSchema,
  errors: ['no_market', 'unknown_item'],
  // The estimate is a request of its own, in a row that requests of the tick use.
  betweenTicks: true,
  run(view, player, params) {
    const base = dockedBase(view, player)
    if (lacksMarket(view, base)) return fail('no_market')
    const found = findGood(params.item_id)
    if (!found.ok) return found
    const name = GOODS[found.result].name
    const estimate = estimateBuy(view, player, base, found.result, params.quantity)
    const { available, fills, subtotal, tax, bps, unfilled } = estimate
    const total = subtotal + tax
    const units = params.quantity - unfilled
    return ok({
      action: 'estimate_purchase',
      item: name,
      quantity_requested: params.quantity,
      available,
      fills,
      subtotal,
      sales_tax_rate_bps: bps,
      sales_tax: tax,
      total_cost: total,
      unfilled,
      message:
        units === 0
          ? `Nobody sells ${name} here at the moment.`
          : `${units} ${name} would cost ${counted(total, 'credit')}, of it ${tax} tax.`,
    })
  },
})

export const analyzeMarket: QueryDef = query({
  name: 'analyze_market',
  v2: { tool: 'game_market', action: 'analyze_market' },
  summary: 'Read prices here and where you have looked before: more with a higher trading skill.',
  category: 'trading',
  needs: [DOCKED],
  params: NO_PARAMS,
  result: insightsSchema,
  errors: ['no_market'],
  run(view, player) {
    const base = dockedBase(view, player)
    if (lacksMarket(view, base)) return fail('no_market')
    const level = levelOf(view, player, 'trading')
    const insights = insightsAt(view, player, base, level)
    const station = baseName(view, base)
    return ok({
      station,
      skill_level: level,
      insights: insights.map(({ kind, item, message }) => ({
        category: kind,
        item: GOODS[item].name,
        item_id: GOODS[item].id,
        message,
        priority: INSIGHT_KINDS[kind].priority,
      })),
      message:
        insights.length === 0
          ? `Nothing stands out at ${station} today.`
          : say`${counted(insights.length, 'observation')} at ${station}; {view_market} at other bases adds to them.`,
    })
  },
})
