/** Trades as other domains see them. */
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { packageById, standsIn } from '../package/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip } from '../ship/rules.ts'
import { offersOf, offersTo } from './book.ts'
import type { TradeLine } from './columns.ts'

const names = (view: WorldView, lines: readonly TradeLine[], pkg: Row): boolean =>
  lines.some(({ item_id }) => packageById(view, item_id) === pkg)

const isAboard = (view: WorldView, player: Eid, pkg: Row): boolean =>
  standsIn(view, view.read(Ship).hold[activeShip(view, player)], pkg)

/**
 * True while a package is offered in a pending trade that the player is party to: then he may look
 * into it. One that is only asked for stays shut. Source: trade-storage.md section 5, Holding.
 */
export function isOffered(view: WorldView, player: Eid, pkg: Row): boolean {
  return [...offersTo(view, player), ...offersOf(view, player)].some(
    ({ offerItems, offerer }) =>
      names(view, offerItems, pkg) && isAboard(view, view.rowOf(Player, offerer), pkg),
  )
}
