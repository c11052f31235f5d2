/** Posting contracts and taking them back. Source: crafting.md section 10, post, cancel. */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { Container, openContainer } from '../../core/goods.ts'
import { Account, balanceOf, canReceive, openAccount } from '../../core/ledger.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseName, baseTreasury } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { Package } from '../cargo/state.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { closeEmptyStore } from '../faction/store-model.ts'
import { creditsOf, isSame, LISTING_TICKS, rowOfActor } from './actor-model.ts'
import { enter } from './beacons-rules.ts'
import { countOf, countPostedAt, shipmentId } from './model.ts'
import type { Plan } from './plan-model.ts'
import { charge, setActor } from './rules.ts'
import {
  POLICY_STATUS,
  SERVICE_LEVELS,
  SHIPMENT_STATUS,
  SHIPMENTS_PER_RECIPIENT_MAX,
  SHIPMENTS_PER_SHIPPER_MAX,
  SHIPMENTS_POSTED_PER_BASE_MAX,
  Shipment,
  UNINSURABLE_REASONS,
  VISIBILITIES,
} from './state.ts'

/** Refusal: limit_reached. */
function countRefusal(view: WorldView, plan: Plan): Failure<'limit_reached'> | undefined {
  const { shipper, recipient, origin } = plan
  const full = (what: string, max: number) => fail('limit_reached', { of: what, max })
  if (countOf(view, 'shipped', shipper) >= SHIPMENTS_PER_SHIPPER_MAX) {
    return full('contracts of a shipper', SHIPMENTS_PER_SHIPPER_MAX)
  }
  const isForOthers = recipient.kind !== 'station' && !isSame(recipient, shipper)
  if (isForOthers && countOf(view, 'expected', recipient) >= SHIPMENTS_PER_RECIPIENT_MAX) {
    return full('contracts for a recipient', SHIPMENTS_PER_RECIPIENT_MAX)
  }
  if (countPostedAt(view, view.read(Base).seq[origin]) >= SHIPMENTS_POSTED_PER_BASE_MAX) {
    return full('contracts posted at a base', SHIPMENTS_POSTED_PER_BASE_MAX)
  }
  const isFull = [Shipment, Account, Container].some((table) => isNearlyFull(view, table))
  return isFull ? fail('limit_reached') : undefined
}

/**
 * Why a planned contract is not posted. Refusals: cost_exceeded, limit_reached, no_credits,
 * faction_no_credits, amount_too_large.
 */
export function postingRefusal(view: WorldView, plan: Plan, most: number | undefined) {
  const { total, shipper, fee, origin } = plan
  if (most !== undefined && total > most) return fail('cost_exceeded', { total, most })
  const crowded = countRefusal(view, plan)
  if (crowded) return crowded
  const have = creditsOf(view, shipper)
  if (have < total) {
    return fail(shipper.kind === 'faction' ? 'faction_no_credits' : 'no_credits', {
      need: total,
      have,
    })
  }
  return canReceive(view, baseTreasury(view, origin), fee) ? undefined : fail('amount_too_large')
}

function take(world: World, plan: Plan): Row {
  const row = world.take(Shipment)
  const columns = world.write(Shipment)
  const { player, pkg, origin, destination, appraisal, isInsured } = plan
  setActor(world, row, 'shipper', plan.shipper)
  setActor(world, row, 'recipient', plan.recipient)
  setActor(world, row, 'invited', plan.invited)
  columns.pkg[row] = world.read(Package).seq[pkg]
  columns.status[row] = SHIPMENT_STATUS.indexOf('posted')
  columns.shipperAgent[row] = world.read(Player).seq[player]
  columns.visibility[row] = VISIBILITIES.indexOf(plan.visibility)
  columns.service[row] = SERVICE_LEVELS.indexOf(plan.service)
  columns.origin[row] = world.read(Base).seq[origin]
  columns.destination[row] = world.read(Base).seq[destination]
  columns.hops[row] = plan.hops
  columns.bucket[row] = plan.store?.bucket ?? 0
  columns.crate[row] = openContainer(world)
  columns.escrow[row] = openAccount(world)
  columns.reward[row] = plan.reward
  columns.bonus[row] = plan.bonus
  columns.fee[row] = plan.fee
  columns.premium[row] = plan.premium
  columns.appraised[row] = appraisal.value
  columns.uninsurable[row] = UNINSURABLE_REASONS.indexOf(appraisal.reason)
  columns.exposure[row] = plan.exposure
  columns.policy[row] = POLICY_STATUS.indexOf(isInsured ? 'pending' : 'none')
  columns.postedMs[row] = world.wallMs
  columns.postedTick[row] = world.tick
  columns.dueTick[row] = world.tick + LISTING_TICKS
  enter(world, row)
  return row
}

function recordTaken(world: World, plan: Plan): void {
  if (plan.store === undefined) return
  const faction = rowOfActor(world, plan.shipper)
  const summary = `Handed a package to the shipping house of ${baseName(world, plan.origin)}.`
  const { player, origin } = plan
  recordStoreMove(world, {
    faction,
    player,
    base: origin,
    action: 'withdraw_package',
    summary,
    quantity: 1,
  })
  closeEmptyStore(world, plan.store)
}

/** Posts a contract that nothing stands against; returns its row. */
export function postShipment(world: World, plan: Plan): Row {
  const row = take(world, plan)
  const { shipper, player, origin, destination, fee, total } = plan
  const { crate, escrow } = world.read(Shipment)
  const data = { shipment_id: shipmentId(world, row) }
  const to = baseName(world, destination)
  charge(world, shipper, escrow[row], total - fee, {
    verb: 'post',
    said: `Posted a package for ${to}.`,
    data,
    agent: player,
  })
  charge(world, shipper, baseTreasury(world, origin), fee, {
    verb: 'fee',
    said: `Paid the shipping house for a package for ${to}.`,
    data,
    agent: player,
  })
  movePackage(world, plan.pkg, { kind: 'shipment', container: crate[row] })
  recordTaken(world, plan)
  assert(balanceOf(world, escrow[row]) === total - fee, 'a contract is posted short')
  return row
}
