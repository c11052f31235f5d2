/** Freight as other domains see it: whether a contract runs on a package, or leads to a base. */
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/columns.ts'
import { factionOf } from '../faction/rules.ts'
import { factionActor, playerActor } from './actor-rules.ts'
import { Shipment } from './columns.ts'
import { contractsOf, isLive, shipmentOf } from './store.ts'

/** True for a package that is under way for somebody: it may not be given out of play. */
export function isUnderContract(view: WorldView, pkg: Row): boolean {
  const row = shipmentOf(view, pkg)
  return row !== 0 && isLive(view, row)
}

/**
 * True for a player who carries a package from or to a base, himself or by his faction: the base
 * lets him dock. O(his contracts). Source: crafting.md section 8, docking.
 */
export function hasContractAt(view: WorldView, player: Eid, base: Eid): boolean {
  const number = view.read(Base).seq[base]
  const { origin, destination } = view.read(Shipment)
  const faction = factionOf(view, player)
  const carriers = [playerActor(view, player)]
  if (faction !== 0) carriers.push(factionActor(view, faction))
  return carriers.some((carrier) =>
    contractsOf(view, 'carried', carrier).some(
      (row) => origin[row] === number || destination[row] === number,
    ),
  )
}
