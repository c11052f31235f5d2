/** Prepares a world in which all players are docked at one exchange, some with credits to trade. */
import { GOODS } from '../core/catalog/index.ts'
import { namedAccount, post } from '../core/ledger.ts'
import type { Eid, World } from '../core/types.ts'
import type { ConnectionOptions } from '../storage/db.ts'
import { walletOf } from '../systems/account/model.ts'
import { isFuel } from '../systems/market/book-model.ts'
import { isContraband, isTradeable } from '../systems/market/model.ts'
import { dockedBase, shipOf } from '../systems/travel/location-model.ts'
import { dockShip } from '../systems/travel/rules.ts'
import { prepareWorld } from './prepared.ts'

/** Orders in one bulk order. */
export const ORDERS_PER_BULK = 50
const CREDITS_PER_TRADER = 10_000_000

/** Returns how many traders are needed to bid on every item at this many prices. */
export const tradersFor = (items: number, depth: number): number =>
  Math.ceil(items / ORDERS_PER_BULK) * depth

/** Returns the items whose books followers see at a base. */
const shownAt = (world: World, base: Eid): string[] =>
  GOODS.filter(
    (_, item) => isTradeable(item) && !isFuel(item) && !isContraband(world, base, item),
  ).map(({ id }) => id)

/**
 * Prepares the market: the first `followers` players get nothing, the others credits to bid at
 * `depth` prices. Resolves with the items whose books are shown.
 */
export async function prepareMarket(
  connection: ConnectionOptions,
  followers: number,
  depth: number,
  maxEntities: number,
): Promise<string[]> {
  let items: string[] = []
  await prepareWorld({
    connection,
    maxEntities,
    players: followers + tradersFor(GOODS.length, depth),
    arrange(world, players) {
      const base = dockedBase(world, players[0])
      items = shownAt(world, base)
      players.forEach((player, index) => {
        dockShip(world, shipOf(world, player), base)
        if (index < followers) return
        post(world, namedAccount('starting_grant'), walletOf(world, player), CREDITS_PER_TRADER)
      })
    },
  })
  return items
}
