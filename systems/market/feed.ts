/**
 * The market feed: a snapshot of an exchange on asking for it, then what each tick changed in it,
 * made once a base and tick for all who follow it. Source: market.md section 6.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { immediate } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { defineEvent, emitList } from '../../core/event.ts'
import { LEVELS_SHOWN_MAX } from '../../core/limits.ts'
import { ints, list, NO_PARAMS, named, obj, opt, type Static, strings } from '../../core/params.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { baseId, baseName } from '../base/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { booksAt } from './book.ts'
import { ASK, BID, Book, Exchange, Level, MarketFeed, type Side } from './columns.ts'
import { dropLeavers, follow, followedBases, followersOf, unfollow } from './feed-rules.ts'
import { isFuel } from './fuel.ts'
import { categoryOf, isHushed, isTradeable, noMarket } from './rules.ts'
import { depthOf, isEmptyBook } from './views.ts'

const feedLevelSchema = named('MarketLevel', {
  ...ints('price_each', 'quantity'),
  ...opt(strings('source')),
})

const bookSchema = named('MarketItemBook', {
  ...strings('item_id', 'category'),
  ...opt(strings('item_name')),
  buy_orders: list(feedLevelSchema),
  sell_orders: list(feedLevelSchema),
})

/** Source: spec, market.md section 6. */
export const marketUpdate = defineEvent({
  type: 'market_update',
  summary: 'What changed in the exchange you follow: of each item the full depth.',
  queue: 'market',
  fields: obj({
    ...strings('base_id'),
    ...opt(strings('base_name')),
    ...ints('tick'),
    items: list(bookSchema),
  }),
})

/** Nobody's own units are marked in what everybody is sent. */
const NOBODY: ReadonlyMap<string, number> = new Map()

function renderBook(view: WorldView, book: Row): Static<typeof bookSchema> {
  const item = view.read(Book).item[book]
  const good = GOODS[item]
  const levels = (side: Side) => depthOf(view, book, side, NOBODY, LEVELS_SHOWN_MAX).levels
  return {
    item_id: good.id,
    item_name: good.name,
    category: categoryOf(item),
    buy_orders: levels(BID),
    sell_orders: levels(ASK),
  }
}

/** Fuel has no book worth following, and contraband is not shown. Source: market.md section 6. */
function isShown(view: WorldView, base: Eid, book: Row): boolean {
  const item = view.read(Book).item[book]
  return isTradeable(item) && !isFuel(item) && !isHushed(view, base, item)
}

export const subscribeMarket = immediate({
  name: 'subscribe_market',
  v2: { tool: 'game_market', action: 'subscribe_market' },
  summary: 'Follow the exchange here: all of it now, then market_update with what changed.',
  category: 'trading',
  needs: [DOCKED],
  params: NO_PARAMS,
  result: named('SubscribeMarketResponse', {
    ...strings('action', 'base_id', 'base_name'),
    items: list(bookSchema),
    ...opt(strings('message')),
  }),
  errors: ['no_market'],
  run(world, player): Outcome<unknown> {
    const base = dockedBase(world, player)
    if (noMarket(world, base)) return fail('no_market')
    follow(world, player, base, world.running.framing)
    const name = baseName(world, base)
    const books = booksAt(world, base).filter(
      (book) => isShown(world, base, book) && !isEmptyBook(world, book),
    )
    return ok({
      action: 'subscribe_market',
      base_id: baseId(world, base),
      base_name: name,
      items: books.map((book) => renderBook(world, book)),
      message: `You follow the market of ${name} until you undock.`,
    })
  },
})

export const unsubscribeMarket = immediate({
  name: 'unsubscribe_market',
  v2: { tool: 'game_market', action: 'unsubscribe_market' },
  summary: 'Follow no exchange any more.',
  category: 'trading',
  needs: [],
  params: NO_PARAMS,
  result: named('UnsubscribeMarketResponse', strings('action', 'message')),
  errors: [],
  run(world, player): Outcome<unknown> {
    const message = unfollow(world, player)
      ? 'You follow the market no more.'
      : 'You followed no market.'
    return ok({ action: 'unsubscribe_market', message })
  },
})

function tellBase(world: World, base: Eid): void {
  const rows = followersOf(world, base)
  if (rows.length === 0) return
  const { changedTick } = world.read(Book)
  const books = booksAt(world, base).filter(
    (book) => changedTick[book] === world.tick && isShown(world, base, book),
  )
  if (books.length === 0) return
  const payload = {
    base_id: baseId(world, base),
    base_name: baseName(world, base),
    tick: world.tick,
  }
  const { item } = world.read(Book)
  const list = {
    name: 'items',
    about: payload.base_id,
    keys: books.map((book) => GOODS[item[book]].id),
    entry: (place: number) => renderBook(world, books[place]),
  } as const
  emitList(world, marketUpdate, payload, list, { kind: 'players', rows })
}

/** Tells followers what the tick changed in their exchange; runs after whatever changes one. */
export const tellFollowers: SystemDef = {
  name: 'market.tell',
  phase: 'settle',
  reads: [Player, Book, Exchange, Level],
  writes: [MarketFeed],
  run(world) {
    for (const base of followedBases(world)) {
      dropLeavers(world, base)
      tellBase(world, base)
    }
  },
}
