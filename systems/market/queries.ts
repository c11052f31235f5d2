/** Queries of prices: the exchange here, estimates and insights. */
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
  /** The faction whose company store is meant; 0 for the public books. */
  readonly store: Row
  readonly item?: number
  readonly category?: string
  readonly since?: number
}

/**
 * Returns the books to show: those that are not empty, or the one of the item asked for; with a
 * cursor (`since`), those changed since then. Books that were asked for or have changed are shown
 * even if they are empty now.
 */
function booksShown(view: WorldView, base: Eid, filter: BookFilter): Row[] {
  const { item, changedTick } = view.read(Book)
  const { since, category, store } = filter
  const hasChanged = (book: Row, cursor: number): boolean =>
    changedTick[book] >= cursor && !isFuel(item[book]) && !isHiddenFromFeeds(view, base, item[book])
  if (filter.item !== undefined) {
    const good = filter.item
    const book = store === 0 ? bookOf(view, base, good) : storeBook(view, base, store, good)
    return book === 0 || (since !== undefined && !hasChanged(book, since)) ? [] : [book]
  }
  const books = store === 0 ? booksAt(view, base) : storeBooksAt(view, base, store)
  return books.filter((book) => {
    if (category !== undefined && categoryOf(item[book]) !== category.toLowerCase()) return false
    return since === undefined ? !isEmptyBook(view, book) : hasChanged(book, since)
  })
}

/** Returns the message that nothing of a category is traded at a base, with those that are. */
function noneOf(view: WorldView, base: Eid, store: Row, category: string): string {
  const { item } = view.read(Book)
  const books = booksShown(view, base, { store })
  const traded = [...new Set(books.map((book) => categoryOf(item[book])))].sort()
  const others = traded.length === 0 ? 'no other category is either' : `there are ${listed(traded)}`
  return `Nothing of the category “${category.slice(0, 64)}” is traded here now; ${others}.`
}

export const viewMarket: QueryDef = query({
  name: 'view_market',
  v2: { tool: 'game_market', action: 'view_market' },
  summary: 'Show prices and depth of the exchange here, or what has changed since a tick.',
  category: 'trading',
  needs: [DOCKED],
  params: obj({
    item_id: optional(itemId('Show only this item, with its full depth and your own units.')),
    category: optional(str('Show only this category.', { example: 'ore' })),
    since: optional(
      int('Show only items changed at or after this tick: current_tick of an earlier answer.', {
        min: 0,
      }),
    ),
    company_store: optional(bool('Show the company store of your faction here instead.')),
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
  // The estimate uses a request row, which requests of a running tick may use too.
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
          : `${units} ${name} would cost ${counted(total, 'credit')}, including ${tax} tax.`,
    })
  },
})

export const analyzeMarket: QueryDef = query({
  name: 'analyze_market',
  v2: { tool: 'game_market', action: 'analyze_market' },
  summary: 'Get insights about prices here and at exchanges you have seen; skill adds more.',
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
          : say`${counted(insights.length, 'observation')} at ${station}; see {view_market} at other bases for more.`,
    })
  },
})
