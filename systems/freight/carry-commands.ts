/**
 * Finding the contract and the carrier of a request, and accepting contracts. Source: crafting.md
 * section 10.
 */
import { type Failure, fail, invalidFields } from '../../core/errors.ts'
import { closeContainer } from '../../core/goods.ts'
import { canReceive, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, recordGiving } from '../account/giving-model.ts'
import { Player } from '../account/state.ts'
import { hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isPackageIn, isStorageNearlyFull, lockerOf } from '../cargo/model.ts'
import { movePackage, packageById } from '../cargo/rules.ts'
import { factionOf, memberRefusal, permissionRefusal } from '../faction/model.ts'
import { findMainStore } from '../faction/store-model.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { entryRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import {
  type Actor,
  actorAt,
  actorsOf,
  areRelated,
  factionActor,
  isAlly,
  isSame,
  playerActor,
  rowOfActor,
  speaksFor,
  timesOf,
} from './actor-model.ts'
import { indexContract, unindexContract } from './beacons-rules.ts'
import {
  deputiesOf,
  destinationName,
  type FreightRequest,
  holderOf,
  isLive,
  type OwnerKind,
  packageOf,
  policyAt,
  shipmentById,
  shipmentId,
  shipmentOf,
} from './model.ts'
import {
  contractLimitRefusal,
  giftTo,
  type Standing,
  standingOf,
  standingRefusal,
} from './plan-model.ts'
import { notifyUpdate, pay, placeAt, recordFor, setActor } from './rules.ts'
import { setPolicy } from './settle-rules.ts'
import {
  BONDS,
  type FreightBond,
  POSTED,
  SERVICE_LEVELS,
  SHIPMENT_STATUS,
  Shipment,
  VISIBILITIES,
} from './state.ts'
import { isParty } from './views.ts'

const ownActor = (view: WorldView, player: Eid, kind: OwnerKind | undefined): Actor =>
  kind === 'faction' ? factionActor(view, factionOf(view, player)) : playerActor(view, player)

/** Returns the carrier that a query is about: any member may query their faction. */
export function carrierShown(
  view: WorldView,
  player: Eid,
  kind: OwnerKind | undefined,
): Actor | Failure<'not_in_faction'> {
  const refused = kind === 'faction' ? memberRefusal(view, player) : undefined
  return refused ?? ownActor(view, player, kind)
}

/** Returns the carrier that a player acts as; acting for a faction needs a permission. */
export function carrierActing(
  view: WorldView,
  player: Eid,
  kind: OwnerKind | undefined,
): Actor | Failure<'no_permission' | 'not_in_faction'> {
  const refused =
    kind === 'faction' ? permissionRefusal(view, player, 'manage_treasury') : undefined
  return refused ?? ownActor(view, player, kind)
}

/** Returns whether the visibility of a contract includes a carrier. */
function isEligible(view: WorldView, row: Row, carrier: Actor, player: Eid): boolean {
  const { shipper } = deputiesOf(view, row)
  const visibility = VISIBILITIES[view.read(Shipment).visibility[row]]
  if (isSame(carrier, shipper.actor)) return true
  switch (visibility) {
    case 'public':
      return true
    case 'invited':
      return isSame(carrier, actorAt(view, row, 'invited'))
    case 'allies':
      return isAlly(view, player, shipper)
    case 'faction': {
      if (shipper.actor.kind === 'faction') return speaksFor(view, player, shipper.actor)
      const faction = factionOf(view, rowOfActor(view, shipper.actor))
      return faction !== 0 && faction === factionOf(view, player)
    }
  }
}

/** A carrier and their standing, computed once for a list. */
interface Candidate {
  readonly carrier: Actor
  /** Player who acts for the carrier. */
  readonly player: Eid
  readonly standing: Standing
}

export const candidateOf = (view: WorldView, carrier: Actor, player: Eid): Candidate => ({
  carrier,
  player,
  standing: standingOf(view, carrier),
})

/** Returns whether the destination still stands, and would let a carrier of the package dock. */
function isAdmitted(view: WorldView, row: Row, player: Eid): boolean {
  const base = view.rowOf(Base, view.read(Shipment).destination[row])
  if (base === 0) return false
  const reason = entryRefusal(view, player, base)?.details?.reason
  // A station that is closed to others lets in who carries a package for it.
  return reason === undefined || reason === 'not_public'
}

/** Refuses a carrier who may not accept a contract. Standing does not matter for their own ones. */
export function carrierRefusal(
  view: WorldView,
  row: Row,
  { carrier, player, standing }: Candidate,
) {
  const mayDeliver = isAdmitted(view, row, player) && isEligible(view, row, carrier, player)
  if (!mayDeliver) return fail('not_eligible')
  const isOwn = isSame(carrier, actorAt(view, row, 'shipper'))
  const refused = isOwn ? undefined : standingRefusal(standing, view.read(Shipment).exposure[row])
  return refused ?? contractLimitRefusal(view, carrier)
}

/** Refuses a contract whose shipper may not give away as much as its pay is above a fair one. */
export function giftRefusal(view: WorldView, row: Row, carrier: Actor) {
  const shipper = rowOfActor(view, actorAt(view, row, 'shipper'))
  const refused = allowanceRefusal(view, shipper, giftTo(view, row, carrier))
  return (
    refused &&
    fail(
      'trading_restricted',
      refused.details,
      'Its pay is far above a fair one, and its shipper has not earned enough to give that away.',
    )
  )
}

/** Refuses a carrier who cannot store the package at its origin. */
export function handoverRefusal(view: WorldView, carrier: Actor, base: Eid) {
  if (isStorageNearlyFull(view)) return fail('storage_full')
  if (carrier.kind === 'faction') {
    const store = findMainStore(view, rowOfActor(view, carrier), base)
    return store.ok ? undefined : store
  }
  return hasService(view, base, 'storage') ? undefined : fail('no_storage_service')
}

function bondOf(world: World, row: Row): FreightBond {
  const { shipper, carrier } = deputiesOf(world, row)
  if (isSame(shipper.actor, carrier.actor)) return 'self'
  return areRelated(world, shipper, carrier) ? 'related' : 'strangers'
}

/**
 * Activates the insurance of a contract, or refunds the premium between related parties. ours:
 * nobody pays for an insurance that would never pay out.
 */
function beginCover(world: World, row: Row, bond: FreightBond): void {
  if (policyAt(world, row) !== 'pending') return
  const { escrow, premium } = world.read(Shipment)
  const insurer = namedAccount('freight_insurance')
  if (bond === 'strangers' && canReceive(world, insurer, premium[row])) {
    post(world, escrow[row], insurer, premium[row])
    setPolicy(world, row, 'active')
    return
  }
  const summary = 'Premium refunded: packages between related parties are not insured.'
  const data = { shipment_id: shipmentId(world, row) }
  const shipper = actorAt(world, row, 'shipper')
  pay(world, shipper, escrow[row], premium[row], { verb: 'premium_back', summary, data })
  setPolicy(world, row, 'released')
}

/** Accepts a contract for a carrier; its time starts. The caller has checked the refusals. */
export function acceptShipment(world: World, row: Row, carrier: Actor, player: Eid): void {
  const columns = world.write(Shipment)
  const { origin, hops, service, crate } = columns
  unindexContract(world, row)
  setActor(world, row, 'carrier', carrier)
  columns.carrierAgent[row] = world.read(Player).seq[player]
  const bond = bondOf(world, row)
  columns.bond[row] = BONDS.indexOf(bond)
  beginCover(world, row, bond)
  const gift = giftTo(world, row, carrier)
  if (gift > 0) recordGiving(world, rowOfActor(world, actorAt(world, row, 'shipper')), gift)
  const { target, deadline } = timesOf(SERVICE_LEVELS[service[row]], hops[row])
  columns.status[row] = SHIPMENT_STATUS.indexOf('in_transit')
  columns.acceptedMs[row] = world.wallMs
  columns.acceptedTick[row] = world.tick
  columns.targetTick[row] = world.tick + target
  columns.deadlineTick[row] = world.tick + deadline
  columns.dueTick[row] = world.tick + deadline
  indexContract(world, row)
  const base = world.rowOf(Base, origin[row])
  movePackage(world, packageOf(world, row), placeAt(world, carrier, base))
  closeContainer(world, crate[row])
  crate[row] = 0
  const to = destinationName(world, row)
  const data = { shipment_id: shipmentId(world, row) }
  const summary = `Took a package for ${to}.`
  recordFor(world, carrier, { verb: 'accept', summary, data }, player)
  notifyUpdate(world, row, 'accepted', `A carrier has taken the package for ${to}.`, {
    deadline_tick: columns.deadlineTick[row],
  })
}

/* Finding a contract */

/** Returns whether a player, or their faction, has the package of a live contract. */
function isCustodian(view: WorldView, player: Eid, row: Row): boolean {
  const pkg = packageOf(view, row)
  return pkg !== 0 && isLive(view, row) && speaksFor(view, player, holderOf(view, pkg))
}

/** Returns whether a player may accept an open contract, for themselves or their faction. */
function isOpenTo(view: WorldView, player: Eid, row: Row): boolean {
  if (view.read(Shipment).status[row] !== POSTED) return false
  return actorsOf(view, player).some((carrier) => {
    const refused = carrierRefusal(view, row, candidateOf(view, carrier, player))
    return refused?.code !== 'not_eligible'
  })
}

/** Returns whether a player may see a contract: as party, holder or possible carrier. */
const maySee = (view: WorldView, player: Eid, row: Row): boolean =>
  isParty(view, player, row) ||
  speaksFor(view, player, actorAt(view, row, 'invited')) ||
  isCustodian(view, player, row) ||
  isOpenTo(view, player, row)

/** Finds the requested contract by its id, or the latest one on a package. */
export function requestedContract(
  view: WorldView,
  player: Eid,
  request: FreightRequest,
): Row | Failure<'invalid_payload' | 'shipment_not_found'> {
  const { shipment_id, package_id } = request
  if (shipment_id === undefined && package_id === undefined) {
    return invalidFields({ field: 'shipment_id', expected: 'given, or package_id' })
  }
  let row = 0
  if (shipment_id !== undefined) row = shipmentById(view, shipment_id)
  else {
    const pkg = packageById(view, package_id ?? '')
    row = pkg === 0 ? 0 : shipmentOf(view, pkg)
  }
  const isSeen = row !== 0 && maySee(view, player, row)
  return isSeen ? row : fail('shipment_not_found', { ...request })
}

/** Returns whether the package of a contract is in the hold of the ship a player flies. */
export function isAboard(view: WorldView, player: Eid, row: Row): boolean {
  const pkg = packageOf(view, row)
  const hold = view.read(Ship).hold[activeShip(view, player)]
  return pkg !== 0 && isPackageIn(view, hold, pkg)
}

/** Returns whether the package of a contract is in a player's storage where they are docked. */
export function isStored(view: WorldView, player: Eid, row: Row): boolean {
  const pkg = packageOf(view, row)
  const locker = lockerOf(view, player, dockedBase(view, player))
  return pkg !== 0 && locker !== 0 && isPackageIn(view, locker, pkg)
}
