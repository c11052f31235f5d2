/**
 * Ends of contracts: delivered, returned, canceled, expired, broken. Each end pays out the whole
 * escrow. Source: crafting.md section 10.
 */
import { assert } from '../../core/assert.ts'
import { closeContainer, contentsOf, openContainer } from '../../core/goods.ts'
import { Account, balanceOf, namedAccount } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { movePackage, openPackage } from '../cargo/rules.ts'
import { addToStock } from '../market/model.ts'
import {
  type Actor,
  actorAt,
  areRelated,
  distanceKey,
  isSame,
  rowOfActor,
  speaksFor,
} from './actor-model.ts'
import {
  dropTrack,
  forgetPackage,
  indexContract,
  recordDebt,
  recordDelivery,
  recordFailure,
  recordReturn,
  unindexContract,
} from './beacons-rules.ts'
import {
  contractsOf,
  coveredBy,
  deputiesOf,
  destinationName,
  packageOf,
  payoutNow,
  policyAt,
  receiverOf,
  shipmentId,
} from './model.ts'
import { notifyUpdate, pay, placeAt, recordFor } from './rules.ts'
import {
  ACTOR_KINDS,
  BONDS,
  CLAIMS,
  END_REASONS,
  type EndReason,
  FATES,
  IN_TRANSIT,
  POLICY_STATUS,
  POSTED,
  type PolicyStatus,
  RATES,
  SHIPMENT_CLAIMS_OWED_MAX,
  SHIPMENT_CLAIMS_PAID_PER_TICK,
  SHIPMENT_KEPT_TICKS,
  SHIPMENT_RATES_KEPT,
  SHIPMENT_STATUS,
  SHIPMENTS_ENDED_MAX,
  Shipment,
  type ShipmentStatus,
} from './state.ts'

const insurance = (): Row => namedAccount('freight_insurance')

/** Sets the status of a contract's insurance. */
export function setPolicy(world: World, row: Row, status: PolicyStatus): void {
  world.write(Shipment).policy[row] = POLICY_STATUS.indexOf(status)
}

/* Ending */

/** Deletes a contract that has ended. */
export function forget(world: World, row: Row): void {
  unindexContract(world, row)
  forgetPackage(world, row)
  dropTrack(world, row)
  world.release(Shipment, row)
}

/** Ends a contract whose escrow is paid out; its row is kept for SHIPMENT_KEPT_TICKS. */
function end(world: World, row: Row, status: ShipmentStatus, reason: EndReason): void {
  const columns = world.write(Shipment)
  const { escrow, crate } = columns
  assert(balanceOf(world, escrow[row]) === 0, `contract ${row} ends with credits in escrow`)
  unindexContract(world, row)
  world.release(Account, escrow[row])
  escrow[row] = 0
  if (crate[row] !== 0) closeContainer(world, crate[row])
  crate[row] = 0
  columns.status[row] = SHIPMENT_STATUS.indexOf(status)
  columns.reason[row] = END_REASONS.indexOf(reason)
  columns.endedMs[row] = world.wallMs
  columns.endedTick[row] = world.tick
  columns.fate[row] = 0
  columns.dueTick[row] = world.tick + SHIPMENT_KEPT_TICKS
  indexContract(world, row)
  const ended = contractsOf(world, 'ended', actorAt(world, row, 'shipper'))
  for (const old of ended.slice(0, Math.max(0, ended.length - SHIPMENTS_ENDED_MAX))) {
    forget(world, old)
  }
}

/** Refunds the rest of the escrow to the shipper; returns the credits. */
function refund(world: World, row: Row, summary: string): number {
  const escrow = world.read(Shipment).escrow[row]
  const credits = balanceOf(world, escrow)
  const data = { shipment_id: shipmentId(world, row) }
  pay(world, actorAt(world, row, 'shipper'), escrow, credits, { verb: 'refund', summary, data })
  return credits
}

/** Moves the package of a contract to a party's place at a base. */
function givePackage(world: World, row: Row, actor: Actor, base: Eid, bucket = 0): void {
  const pkg = packageOf(world, row)
  assert(pkg !== 0, `the package of contract ${row} is gone`)
  movePackage(world, pkg, placeAt(world, actor, base, bucket))
}

/* Before acceptance */

/** Ends a contract without a carrier, refunding all but the fee. Returns the credits. */
export function withdrawContract(world: World, row: Row, change: 'canceled' | 'expired'): number {
  const { status, origin, bucket } = world.read(Shipment)
  assert(status[row] === POSTED, `contract ${row} has a carrier`)
  const shipper = actorAt(world, row, 'shipper')
  givePackage(world, row, shipper, world.rowOf(Base, origin[row]), bucket[row])
  if (policyAt(world, row) === 'pending') setPolicy(world, row, 'expired')
  const to = destinationName(world, row)
  const credits = refund(world, row, `Refund for a package for ${to} that was not carried.`)
  end(world, row, 'canceled', change === 'canceled' ? 'canceled_by_shipper' : 'listing_expired')
  const message = `The contract for ${to} is ${change}.`
  notifyUpdate(world, row, change, message, { shipper_refund: credits })
  return credits
}

/* Deliveries and returns */

/** Opens a package for a station, and adds its contents to the station's stock. */
function addPackageToStock(world: World, base: Eid, pkg: Row): void {
  const container = openContainer(world)
  openPackage(world, pkg, { kind: 'escrow', container }, true)
  for (const { item, units } of contentsOf(world, container)) {
    addToStock(world, base, container, item, units)
  }
  closeContainer(world, container)
}

function recordRate(world: World, row: Row, paid: number): void {
  const { bond, hops } = world.read(Shipment)
  if (BONDS[bond[row]] !== 'strangers') return
  const key = distanceKey(hops[row])
  const rates = world.records(RATES).get(key) ?? []
  world.records(RATES).set(key, [...rates.slice(1 - SHIPMENT_RATES_KEPT), paid])
}

/** Delivers a package at its destination and pays the carrier. */
export function deliver(world: World, row: Row): { payout: number; refund: number } {
  const columns = world.write(Shipment)
  const { destination, deadlineTick, escrow } = columns
  const base = world.rowOf(Base, destination[row])
  const pkg = packageOf(world, row)
  const receiver = receiverOf(world, row)
  const payout = payoutNow(world, row)
  const isLate = world.tick > deadlineTick[row]
  const to = destinationName(world, row)
  const data = { shipment_id: shipmentId(world, row) }
  const summary = `Delivered a package to ${to}.`
  pay(world, actorAt(world, row, 'carrier'), escrow[row], payout, { verb: 'payout', summary, data })
  const refundSummary = `A package was delivered to ${to}; this was left in escrow.`
  const shipperRefund = refund(world, row, refundSummary)
  columns.payout[row] = payout
  if (policyAt(world, row) === 'active') setPolicy(world, row, 'released')
  recordDelivery(world, row)
  recordRate(world, row, payout)
  if (receiver.kind !== 'station') givePackage(world, row, receiver, base)
  // The contract ends first: opening the package of a contract in transit would breach it.
  end(world, row, 'delivered', isLate ? 'delivered_late' : 'delivered')
  if (receiver.kind === 'station') addPackageToStock(world, base, pkg)
  recordFor(world, receiver, {
    verb: 'received',
    summary: `A package was delivered to ${to}.`,
    data,
  })
  const figures = { carrier_payout: payout, shipper_refund: shipperRefund }
  notifyUpdate(world, row, 'delivered', `The package was delivered to ${to}.`, figures)
  return { payout, refund: shipperRefund }
}

/** Returns a package to its origin: the carrier is not paid and owes nothing. */
export function returnShipment(world: World, row: Row): number {
  const { origin, bucket } = world.read(Shipment)
  const shipper = actorAt(world, row, 'shipper')
  givePackage(world, row, shipper, world.rowOf(Base, origin[row]), bucket[row])
  return endReturned(world, row, 'returned_by_carrier')
}

function endReturned(world: World, row: Row, reason: EndReason): number {
  if (policyAt(world, row) === 'active') setPolicy(world, row, 'released')
  recordReturn(world, row)
  const to = destinationName(world, row)
  const credits = refund(world, row, `A package for ${to} was returned.`)
  end(world, row, 'returned', reason)
  const message = `The package for ${to} is back with its shipper.`
  notifyUpdate(world, row, 'returned', message, { shipper_refund: credits })
  return credits
}

/* Failures */

/**
 * Pays a shipper for a lost package as far as the insurer's funds go; the rest becomes a claim.
 * Nothing is paid between related parties: ours, as the sheet notes. Returns the credits paid now.
 */
function payCover(world: World, row: Row, covered: number): number {
  const { shipper, carrier } = deputiesOf(world, row)
  if (covered === 0 || areRelated(world, shipper, carrier)) return 0
  const funds = Math.max(0, balanceOf(world, insurance()))
  // Older claims must be paid first.
  const paid = world.records(CLAIMS).size > 0 ? 0 : Math.min(covered, funds)
  const summary = 'Paid by the insurer for a lost package.'
  const data = { shipment_id: shipmentId(world, row) }
  pay(world, shipper.actor, insurance(), paid, { verb: 'claim', summary, data })
  world.write(Shipment).claim[row] = paid
  setPolicy(world, row, 'claimed')
  const unpaid = covered - paid
  if (unpaid > 0 && world.records(CLAIMS).size < SHIPMENT_CLAIMS_OWED_MAX) {
    const { seq } = world.read(Shipment)
    const { kind, number } = shipper.actor
    const claim = { kind: ACTOR_KINDS.indexOf(kind), number, credits: unpaid }
    world.records(CLAIMS).set(String(seq[row]), claim)
  }
  return paid
}

/** Pays pending claims, the oldest first, as far as the insurer's funds go. */
export function payClaims(world: World): void {
  const claims = world.records(CLAIMS)
  if (claims.size === 0) return
  for (const [key, claim] of take(claims.entries(), SHIPMENT_CLAIMS_PAID_PER_TICK)) {
    const paid = Math.min(claim.credits, balanceOf(world, insurance()))
    if (paid <= 0) return
    const actor: Actor = { kind: ACTOR_KINDS[claim.kind], number: claim.number }
    const summary = 'Paid by the insurer for a pending claim on a lost package.'
    pay(world, actor, insurance(), paid, { verb: 'claim', summary })
    const row = world.rowOf(Shipment, Number(key))
    if (row !== 0) world.write(Shipment).claim[row] += paid
    if (paid < claim.credits) claims.set(key, { ...claim, credits: claim.credits - paid })
    else claims.delete(key)
  }
}

/** Returns a copy of the first entries, at most `max`, as the records change during the loop. */
function take<T>(entries: Iterable<T>, max: number): T[] {
  const taken: T[] = []
  for (const entry of entries) {
    if (taken.length >= max) break
    taken.push(entry)
  }
  return taken
}

const FAILURES = {
  breached: 'was opened in transit',
  defaulted: 'is lost',
} as const

/** Fails a contract whose package was opened, destroyed or never came. */
function failShipment(
  world: World,
  row: Row,
  status: 'breached' | 'defaulted',
  reason: EndReason,
): void {
  const { bond } = world.read(Shipment)
  const covered = coveredBy(world, row)
  const to = destinationName(world, row)
  const shipperRefund = refund(world, row, `A package for ${to} ${FAILURES[status]}.`)
  const claim = payCover(world, row, covered)
  if (policyAt(world, row) === 'active') setPolicy(world, row, 'released')
  let debt = 0
  // A shipper who carries for themselves owes nobody anything.
  if (BONDS[bond[row]] !== 'self') {
    const carrier = actorAt(world, row, 'carrier')
    recordFailure(world, carrier, status === 'breached' ? 'breaches' : 'defaults')
    debt = recordDebt(world, row, covered)
    const data = { shipment_id: shipmentId(world, row), debt }
    const summary = `A package for ${to} ${FAILURES[status]}: you owe the shipping house ${counted(debt, 'credit')}.`
    recordFor(world, carrier, { verb: status, summary, data })
  }
  end(world, row, status, reason)
  const message = `The package for ${to} ${FAILURES[status]}.`
  const figures = { shipper_refund: shipperRefund, claim_paid: claim, debt_created: debt }
  notifyUpdate(world, row, status, message, figures)
}

/** Returns whether a holder is the party, or a member of the faction that is the party. */
const belongsTo = (view: WorldView, holder: Actor, party: Actor): boolean =>
  isSame(holder, party) ||
  (holder.kind === 'player' && speaksFor(view, rowOfActor(view, holder), party))

/**
 * Ends a contract whose package was opened or destroyed. ours: if shipper or recipient opened it,
 * they have the contents and are owed nothing; otherwise they could rob their carrier and be paid
 * twice.
 */
export function resolveFate(world: World, row: Row): void {
  const { fate, status } = world.read(Shipment)
  assert(status[row] === IN_TRANSIT, `the package of contract ${row} was lost before acceptance`)
  if (FATES[fate[row]] === 'destroyed') {
    failShipment(world, row, 'defaulted', 'package_destroyed')
    return
  }
  const holder = actorAt(world, row, 'holder')
  const isTheirs = (['shipper', 'recipient'] as const).some((role) =>
    belongsTo(world, holder, actorAt(world, row, role)),
  )
  const isCarriers = belongsTo(world, holder, actorAt(world, row, 'carrier'))
  if (isTheirs && !isCarriers) endReturned(world, row, 'opened_by_owner')
  else failShipment(world, row, 'breached', 'seal_opened')
}

/** Fails a contract whose package was not delivered by the last tick. */
export const failOverdue = (world: World, row: Row): void =>
  failShipment(world, row, 'defaulted', 'recovery_deadline_passed')
