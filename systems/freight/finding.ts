/** Which contract a call means, and whether the caller may know of it. */
import { badFields, type Failure, fail } from '../../core/errors.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { factionOf } from '../faction/rules.ts'
import { packageById, standsIn } from '../package/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip } from '../ship/rules.ts'
import type { Asked } from './action.ts'
import { actorAt, factionActor, playerActor, speaksFor } from './actor-rules.ts'
import { holderOf } from './beacons.ts'
import { candidateOf, refusesCarrier } from './carry.ts'
import { POSTED, Shipment } from './columns.ts'
import { isLive, packageOf, shipmentById, shipmentOf } from './store.ts'
import { isParty } from './views.ts'

/** True for one who has the package in hand. */
function isCustodian(view: WorldView, player: Eid, row: Row): boolean {
  const pkg = packageOf(view, row)
  return pkg !== 0 && isLive(view, row) && speaksFor(view, player, holderOf(view, pkg))
}

/** True for carriers to whom an open contract is meant, alone or as their faction. */
function isOpenTo(view: WorldView, player: Eid, row: Row): boolean {
  if (view.read(Shipment).status[row] !== POSTED) return false
  const faction = factionOf(view, player)
  const own = playerActor(view, player)
  const carriers = faction === 0 ? [own] : [own, factionActor(view, faction)]
  return carriers.some((carrier) => {
    const refused = refusesCarrier(view, row, candidateOf(view, carrier, player))
    return refused?.code !== 'not_eligible'
  })
}

/** A contract may be seen by its parties, by who has the package, and by whom it is open to. */
export const maySee = (view: WorldView, player: Eid, row: Row): boolean =>
  isParty(view, player, row) ||
  speaksFor(view, player, actorAt(view, row, 'invited')) ||
  isCustodian(view, player, row) ||
  isOpenTo(view, player, row)

/**
 * The contract of an id, or the latest one on a package. Refusals: shipment_not_found,
 * invalid_payload.
 */
export function contractMeant(view: WorldView, player: Eid, asked: Asked): Row | Failure {
  const { shipment_id, package_id } = asked
  if (shipment_id === undefined && package_id === undefined) {
    return badFields({ field: 'shipment_id', expected: 'given, or package_id' })
  }
  let row = 0
  if (shipment_id !== undefined) row = shipmentById(view, shipment_id)
  else {
    const pkg = packageById(view, package_id ?? '')
    row = pkg === 0 ? 0 : shipmentOf(view, pkg)
  }
  const isSeen = row !== 0 && maySee(view, player, row)
  return isSeen ? row : fail('shipment_not_found', { ...asked })
}

/** True while the package of a contract is in the hold of the ship a player flies. */
export function isAboard(view: WorldView, player: Eid, row: Row): boolean {
  const pkg = packageOf(view, row)
  const hold = view.read(Ship).hold[activeShip(view, player)]
  return pkg !== 0 && standsIn(view, hold, pkg)
}
