/** What anybody may know of an item's prices, for the public website data. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { ints, itemId, list, obj, strings } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { baseId, baseName } from '../base/rules.ts'
import { seesPoi } from '../sensing/rules.ts'
import { Poi } from '../travel/columns.ts'
import { systemId } from '../travel/rules.ts'
import { bookOf } from './book.ts'
import { ASK, BID } from './columns.ts'
import { categoryOf, isHushed, noMarket } from './rules.ts'
import { offersOf } from './sight-rules.ts'

/** Bases of the chart with an exchange. */
function exchanges(view: WorldView): Eid[] {
  const { alive, poi } = view.read(Base)
  const bases: Eid[] = []
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 1 && !noMarket(view, base) && seesPoi(view, 0, poi[base])) bases.push(base)
  }
  return bases
}

/** Source: newer.md section 3. */
export const itemQuotes = query({
  name: 'internal:item_quotes',
  summary: 'What an item costs and fetches at every station, for the public website data.',
  category: 'internal',
  open: true,
  params: obj({ item_id: itemId() }),
  result: obj({
    ...strings('item_id', 'item_name', 'category'),
    ...ints('base_value'),
    stations: list(
      obj({
        ...strings('base_id', 'base_name', 'system_id'),
        ...ints('best_bid', 'best_ask', 'bid_qty', 'ask_qty'),
      }),
    ),
  }),
  needs: [],
  errors: ['unknown_item'],
  run(view, _player, { item_id }) {
    const item = itemIndex(item_id)
    if (item < 0) return fail('unknown_item', { item_id })
    const { name, base_value } = GOODS[item]
    const { poi } = view.read(Base)
    const { system } = view.read(Poi)
    const stations = exchanges(view).flatMap((base) => {
      const book = isHushed(view, base, item) ? 0 : bookOf(view, base, item)
      if (book === 0) return []
      const bids = offersOf(view, book, BID)
      const asks = offersOf(view, book, ASK)
      if (bids.units + asks.units === 0) return []
      return [
        {
          base_id: baseId(view, base),
          base_name: baseName(view, base),
          system_id: systemId(view, system[poi[base]]),
          best_bid: bids.price,
          best_ask: asks.price,
          bid_qty: bids.units,
          ask_qty: asks.units,
        },
      ]
    })
    return ok({ item_id, item_name: name, category: categoryOf(item), base_value, stations })
  },
})
