/** Posting contracts. Source: crafting.md section 10, post. */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { Container, openContainer } from '../../core/goods.ts'
import { Account, balanceOf, canReceive, openAccount } from '../../core/ledger.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal } from '../account/giving-model.ts'
import { Player } from '../account/state.ts'
import { baseName, baseTreasury } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { Package } from '../cargo/state.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { closeEmptyStore } from '../faction/store-model.ts'
import { creditsOf, isSame, LISTING_TICKS, rowOfActor } from './actor-model.ts'
import { indexContract } from './beacons-rules.ts'
import { countContracts, countPostedAt, shipmentId } from './model.ts'
import { giftOfPlan, type Plan } from './plan-model.ts'
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

/** Refuses a contract beyond a limit of its shipper, its recipient, its base or the tables. */
function countRefusal(view: WorldView, plan: Plan): Failure<'limit_reached'> | undefined {
  const { shipper, recipient, origin } = plan
  const full = (of: string, max: number) => fail('limit_reached', { of, max })
  if (countContracts(view, 'shipped', shipper) >= SHIPMENTS_PER_SHIPPER_MAX) {
    return full('contracts of a shipper', SHIPMENTS_PER_SHIPPER_MAX)
  }
  const isForOthers = recipient.kind !== 'station' && !isSame(recipient, shipper)
  if (isForOthers && countContracts(view, 'expected', recipient) >= SHIPMENTS_PER_RECIPIENT_MAX) {
    return full('contracts for a recipient', SHIPMENTS_PER_RECIPIENT_MAX)
  }
  if (countPostedAt(view, view.read(Base).seq[origin]) >= SHIPMENTS_POSTED_PER_BASE_MAX) {
    return full('contracts posted at a base', SHIPMENTS_POSTED_PER_BASE_MAX)
  }
  const isFull = [Shipment, Account, Container].some((table) => isNearlyFull(view, table))
  return isFull ? fail('limit_reached') : undefined
}

/** Refuses a planned contract that costs too much, exceeds a limit or cannot be paid. */
export function postingRefusal(view: WorldView, plan: Plan, costMax: number | undefined) {
  const { total, shipper, fee, origin } = plan
  if (costMax !== undefined && total > costMax) {
    return fail('cost_exceeded', { total, most: costMax })
  }
  const refused = countRefusal(view, plan)
  if (refused) return refused
  const have = creditsOf(view, shipper)
  if (have < total) {
    const code = shipper.kind === 'faction' ? 'faction_no_credits' : 'no_credits'
    return fail(code, { need: total, have })
  }
  if (!canReceive(view, baseTreasury(view, origin), fee)) return fail('amount_too_large')
  return allowanceRefusal(view, plan.player, giftOfPlan(plan))
}

function makeShipment(world: World, plan: Plan): Row {
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
  indexContract(world, row)
  return row
}

/** Records that a package has left the store of a faction. */
function recordWithdrawal(world: World, { store, shipper, player, origin: base }: Plan): void {
  if (store === undefined) return
  const faction = rowOfActor(world, shipper)
  const action = 'withdraw_package'
  const summary = `Handed a package to the shipping house of ${baseName(world, base)}.`
  recordStoreMove(world, { faction, player, base, action, summary, quantity: 1 })
  closeEmptyStore(world, store)
}

/** Posts a contract; returns its row. The caller has checked the refusals. */
export function postShipment(world: World, plan: Plan): Row {
  const row = makeShipment(world, plan)
  const { shipper, player, origin, destination, fee, total } = plan
  const { crate, escrow } = world.read(Shipment)
  const shared = { data: { shipment_id: shipmentId(world, row) }, agent: player }
  const to = baseName(world, destination)
  charge(world, shipper, escrow[row], total - fee, {
    verb: 'post',
    summary: `Posted a package for ${to}.`,
    ...shared,
  })
  charge(world, shipper, baseTreasury(world, origin), fee, {
    verb: 'fee',
    summary: `Paid the shipping house for a package for ${to}.`,
    ...shared,
  })
  movePackage(world, plan.pkg, { kind: 'shipment', container: crate[row] })
  recordWithdrawal(world, plan)
  assert(balanceOf(world, escrow[row]) === total - fee, 'the escrow of a posted contract is short')
  return row
}
