/**
 * Room in the bunkers of factions, beside what is on order for them: fuel that is bought goes there
 * and nowhere else. Source: market.md section 4. ours: a bid keeps its room free, so that its fills
 * never meet a full bunker.
 */
import { type Failure, fail } from '../../core/errors.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseName } from '../base/rules.ts'
import { bunkerCapacity, bunkerFuel, bunkerRoom } from '../faction/store-rules.ts'
import { BID, Book, Order } from './columns.ts'
import { isFuel } from './fuel.ts'
import { factionOrders } from './order-list.ts'

/** Units of fuel that open bids of a faction at a base may still bring. O(its orders). */
function fuelOnOrder(view: WorldView, faction: Row, base: Eid): number {
  const { book, side, remaining } = view.read(Order)
  const { base: at, item } = view.read(Book)
  return factionOrders(view, faction)
    .filter((row) => side[row] === BID && at[book[row]] === base && isFuel(item[book[row]]))
    .reduce((sum, row) => sum + remaining[row], 0)
}

/** Units of fuel that a bunker takes beside what is on order for it. */
export const freeBunker = (view: WorldView, faction: Row, base: Eid): number =>
  Math.max(0, bunkerRoom(view, faction, base) - fuelOnOrder(view, faction, base))

/**
 * Refuses fuel that a bunker has no room for; `free` is what it has. Refusals: no_faction_storage
 * (there is none that works), storage_full.
 */
export function refusesFuelFor(
  view: WorldView,
  { faction, base }: { readonly faction: Row; readonly base: Eid },
  units: number,
  free = freeBunker(view, faction, base),
): Failure | undefined {
  if (units <= free) return undefined
  const cap = bunkerCapacity(view, faction, base)
  if (cap === 0) {
    return fail('no_faction_storage', undefined, 'The faction has no fuel bunker here.')
  }
  const have = bunkerFuel(view, faction, base)
  const said = `The bunker at ${baseName(view, base)} holds ${have} of ${counted(cap, 'unit')} of fuel and has room for ${free} beside what is on order, not for ${units}.`
  return fail('storage_full', { cap, have, need: units, fits: free }, said)
}
