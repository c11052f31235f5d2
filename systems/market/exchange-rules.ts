/** The exchange of a base: where the credits of its open orders are. */
import { openAccount } from '../../core/ledger.ts'
import type { Eid, World } from '../../core/types.ts'
import { Exchange } from './columns.ts'

/** Opens the exchange of a base that has none. */
export function openExchange(world: World, base: Eid): void {
  world.write(Exchange).escrow[base] = openAccount(world)
}
