/**
 * The command `shipping`, and its actions that change something. Source: spec; crafting.md section
 * 10.
 */
import { actionCommands } from '../../core/action-table.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import { words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isStorageNearlyFull } from '../cargo/model.ts'
import { PACKAGE_SIZE } from '../craft/state.ts'
import { hasPermission } from '../faction/model.ts'
import { activeShip, freeSpace } from '../ship/model.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { type Actor, actorAt, canPay, creditsOf, speaksFor } from './actor-model.ts'
import { recordRecovery, saveDebts } from './beacons-rules.ts'
import {
  acceptShipment,
  candidateOf,
  carrierActing,
  carrierRefusal,
  giftRefusal,
  handoverRefusal,
  isAboard,
  isStored,
  requestedContract,
} from './carry-commands.ts'
import {
  baseIdOf,
  type FreightAction,
  type FreightRequest,
  freightAction,
  packageIdOf,
  payoutNow,
} from './model.ts'
import { debtsOf, outstandingOf } from './plan-model.ts'
import { postingRefusal, postShipment } from './post-commands.ts'
import { PLAN_ERRORS, PLAN_PARAMS, READING } from './read-actions-commands.ts'
import { charge, planShipment } from './rules.ts'
import { contractSchema, debtPaidSchema, FREIGHT_PARAMS, settlementSchema } from './schemas.ts'
import { deliver, returnShipment, withdrawContract } from './settle-rules.ts'
import { type Debt, IN_TRANSIT, POSTED, SHIPMENT_STATUS, Shipment } from './state.ts'
import { renderDebt, renderDebts, renderShipment, renderStanding } from './views.ts'

function post(world: World, player: Eid, request: FreightRequest) {
  const planned = planShipment(world, player, request, false)
  if (!planned.ok) return planned
  const plan = planned.result
  const refused = postingRefusal(world, plan, request.max_total_cost)
  if (refused) return refused
  const row = postShipment(world, plan)
  return ok({ action: 'post', contract: renderShipment(world, player, row) })
}

const CONTRACT_ERRORS = ['shipment_not_found', 'invalid_payload'] as const

function accept(world: World, player: Eid, request: FreightRequest) {
  const carrier = carrierActing(world, player, request.carrier)
  if ('code' in carrier) return carrier
  const row = requestedContract(world, player, request)
  if (typeof row !== 'number') return row
  const { status, origin } = world.read(Shipment)
  if (status[row] === IN_TRANSIT) return fail('already_accepted')
  const refused =
    endedRefusal(world, row) ??
    placeRefusal(world, player, origin[row]) ??
    carrierRefusal(world, row, candidateOf(world, carrier, player)) ??
    giftRefusal(world, row, carrier) ??
    handoverRefusal(world, carrier, dockedBase(world, player))
  if (refused) return refused
  acceptShipment(world, row, carrier, player)
  const contract = renderShipment(world, player, row)
  if (carrier.kind === 'faction') return ok({ action: 'accept', contract })
  return ok({ action: 'accept', contract, message: acceptedMessage(world, player, row) })
}

/** Tells a carrier how the package gets aboard, and whether their hold has room for it. */
function acceptedMessage(view: WorldView, player: Eid, row: Row): string {
  const id = packageIdOf(view, row)
  const room = freeSpace(view, activeShip(view, player))
  const load = say`The package is in storage here: {withdraw_items} with {withdraw_items.item_id} ${id} loads it.`
  return room >= PACKAGE_SIZE
    ? load
    : say`${load} It takes ${counted(PACKAGE_SIZE, 'unit')} of space, and your hold has ${room} left: make room, switch to a larger ship, or give it back with {shipping return}.`
}

function deliverAboard(world: World, player: Eid, request: FreightRequest) {
  const row = contractAboard(world, player, request, 'destination')
  if (typeof row !== 'number') return row
  const carrier = actorAt(world, row, 'carrier')
  if (!canPay(world, carrier, payoutNow(world, row))) return fail('amount_too_large')
  const { payout, refund } = deliver(world, row)
  return ok({
    action: 'deliver',
    contract: renderShipment(world, player, row),
    carrier_payout: payout,
    shipper_refund: refund,
  })
}

function bringBack(world: World, player: Eid, request: FreightRequest) {
  const row = contractAboard(world, player, request, 'origin')
  if (typeof row !== 'number') return row
  const { deadlineTick } = world.read(Shipment)
  if (world.tick > deadlineTick[row]) {
    const details = { deadline_tick: deadlineTick[row] }
    return fail('not_cancellable', details, 'The deadline has passed: deliver the package instead.')
  }
  const refund = returnShipment(world, row)
  const contract = renderShipment(world, player, row)
  return ok({ action: 'return', contract, carrier_payout: 0, shipper_refund: refund })
}

/** Cancels a contract of the player, or of a faction whose treasury they manage. */
function cancel(world: World, player: Eid, request: FreightRequest) {
  const row = requestedContract(world, player, request)
  if (typeof row !== 'number') return row
  const shipper = actorAt(world, row, 'shipper')
  if (!speaksFor(world, player, shipper)) return fail('shipment_not_found', { ...request })
  if (shipper.kind === 'faction' && !hasPermission(world, player, 'manage_treasury')) {
    return fail('no_permission', { required: 'manage_treasury' })
  }
  const { status, escrow } = world.read(Shipment)
  if (status[row] !== POSTED) {
    return fail('not_cancellable', { status: SHIPMENT_STATUS[status[row]] })
  }
  const held = balanceOf(world, escrow[row])
  if (!canPay(world, shipper, held)) return fail('amount_too_large')
  const refund = withdrawContract(world, row, 'canceled')
  const contract = renderShipment(world, player, row)
  return ok({ action: 'cancel', contract, shipper_refund: refund })
}

function payDebt(world: World, player: Eid, request: FreightRequest) {
  const base = dockedBase(world, player)
  if (!hasService(world, base, 'missions')) return fail('no_missions_service')
  const restricted = serviceRefusal(world, player, base, 'missions')
  if (restricted) return restricted
  const carrier = carrierActing(world, player, request.carrier)
  if ('code' in carrier) return carrier
  const outstanding = outstandingOf(world, carrier)
  const amount = Math.min(outstanding, request.amount ?? outstanding)
  const refused = payingRefusal(world, carrier, amount)
  if (refused) return refused
  const changed = payDebts(world, carrier, amount, player)
  return ok({
    action: 'pay_debt',
    amount_paid: amount,
    ...renderStanding(world, player, carrier),
    updated_debts: changed.map((debt) => renderDebt(world, player, carrier, debt)),
    outstanding_debts: renderDebts(world, player, carrier),
  })
}

const WRITING: readonly FreightAction[] = [
  freightAction({
    name: 'post',
    kind: 'mutation',
    summary: 'Post a package; you pay reward, bonus, fee and premium in advance.',
    required: ['base_reward', 'destination_base_id', 'package_id'],
    optional: ['max_total_cost', ...PLAN_PARAMS],
    needs: [DOCKED],
    errors: [
      ...PLAN_ERRORS,
      ...words('cost_exceeded limit_reached no_credits faction_no_credits trading_restricted'),
    ],
    result: contractSchema,
    run: post,
  }),
  freightAction({
    name: 'accept',
    kind: 'mutation',
    summary: 'Accept a contract where it is posted: the package goes into your storage there.',
    required: ['shipment_id'],
    optional: ['carrier'],
    needs: [DOCKED],
    errors: [
      ...CONTRACT_ERRORS,
      ...words(
        'not_in_faction no_permission already_accepted wrong_station not_eligible freight_debt',
        'tier_too_low liability_limit limit_reached storage_full no_storage_service',
        'no_faction_storage bucket_not_found trading_restricted',
      ),
    ],
    result: contractSchema,
    run: accept,
  }),
  freightAction({
    name: 'deliver',
    kind: 'mutation',
    summary: 'Deliver a package from your hold at its destination; its carrier is paid.',
    optional: ['package_id', 'shipment_id'],
    needs: [DOCKED],
    errors: [
      ...CONTRACT_ERRORS,
      ...words('wrong_station package_not_aboard storage_full amount_too_large'),
    ],
    result: settlementSchema,
    run: deliverAboard,
  }),
  freightAction({
    name: 'return',
    kind: 'mutation',
    summary: 'Return a package to its origin before the deadline: nobody owes anything.',
    optional: ['package_id', 'shipment_id'],
    needs: [DOCKED],
    errors: [
      ...CONTRACT_ERRORS,
      ...words('wrong_station package_not_aboard storage_full not_cancellable'),
    ],
    result: settlementSchema,
    run: bringBack,
  }),
  freightAction({
    name: 'cancel',
    kind: 'mutation',
    summary: 'Cancel a contract that nobody has accepted; the service fee is not refunded.',
    required: ['shipment_id'],
    needs: [],
    errors: [...CONTRACT_ERRORS, 'no_permission', 'not_cancellable', 'amount_too_large'],
    result: settlementSchema,
    run: cancel,
  }),
  freightAction({
    name: 'pay_debt',
    kind: 'mutation',
    summary: 'Pay the shipping houses what you owe for lost packages.',
    optional: ['amount', 'carrier'],
    needs: [DOCKED],
    errors: words(
      'no_missions_service not_in_faction no_permission no_debt no_credits faction_no_credits',
      'amount_too_large service_restricted',
    ),
    result: debtPaidSchema,
    run: payDebt,
  }),
]

export const shippingCommands = actionCommands<FreightRequest>({
  name: 'shipping',
  tool: 'game_shipping',
  category: 'shipping',
  summary: 'Have packages carried from base to base, or carry those of others for a reward.',
  params: FREIGHT_PARAMS,
  rows: [...READING, ...WRITING],
  changes: ['player', 'ship', 'cargo'],
  lacks: ({ name }, request) =>
    name === 'post' && request.base_reward === undefined ? fail('reward_required') : undefined,
  help: {
    description: 'Has packages carried from base to base by players and factions.',
    notes: [
      'A contract is about one sealed package: craft pack_package makes one.',
      'Reward and bonus are in escrow. The bonus shrinks from the target tick to the deadline.',
      'Late packages can still be delivered for 2,880 ticks; the reward shrinks to 0 meanwhile.',
      'The carrier is liable for the package, whoever holds it. Opening it is a breach.',
      'A carrier who loses a package owes the shipping house, and accepts none until that is paid.',
    ],
  },
})

/** Refuses a player who is not docked at the base with this number. */
function placeRefusal(
  view: WorldView,
  player: Eid,
  number: number,
): Failure<'wrong_station'> | undefined {
  const here = view.read(Base).seq[dockedBase(view, player)]
  return here === number ? undefined : fail('wrong_station', { base_id: baseIdOf(view, number) })
}

/** Refuses a contract that has ended. */
function endedRefusal(view: WorldView, row: Row): Failure<'shipment_not_found'> | undefined {
  const { status } = view.read(Shipment)
  if (status[row] <= IN_TRANSIT) return undefined
  const word = SHIPMENT_STATUS[status[row]]
  const message = say`This contract has ended: ${word}; {shipping list} shows the open ones.`
  return fail('shipment_not_found', { status: word }, message)
}

/**
 * Finds a contract in transit whose package the player has aboard at its origin or destination; at
 * its origin also in storage.
 */
function contractAboard(
  world: WorldView,
  player: Eid,
  request: FreightRequest,
  place: 'origin' | 'destination',
) {
  const row = requestedContract(world, player, request)
  if (typeof row !== 'number') return row
  const refused =
    endedRefusal(world, row) ?? placeRefusal(world, player, world.read(Shipment)[place][row])
  if (refused) return refused
  const isCarried = world.read(Shipment).status[row] === IN_TRANSIT
  // What never fitted into the hold is returned out of the locker where accepting has put it.
  const isHere =
    isAboard(world, player, row) || (place === 'origin' && isStored(world, player, row))
  if (!isCarried || !isHere) return fail('package_not_aboard')
  return isStorageNearlyFull(world) ? fail('storage_full') : row
}

function payingRefusal(view: WorldView, carrier: Actor, amount: number) {
  if (outstandingOf(view, carrier) === 0) return fail('no_debt')
  const have = creditsOf(view, carrier)
  if (have < amount) {
    const code = carrier.kind === 'faction' ? 'faction_no_credits' : 'no_credits'
    return fail(code, { need: amount, have })
  }
  const insurer = namedAccount('freight_insurance')
  return canReceive(view, insurer, amount) ? undefined : fail('amount_too_large')
}

/** Pays debts, the oldest first; returns those that changed, with their new amounts. */
function payDebts(world: World, carrier: Actor, amount: number, player: Eid): Debt[] {
  charge(world, carrier, namedAccount('freight_insurance'), amount, {
    verb: 'debt',
    summary: `Paid ${counted(amount, 'credit')} of the debts for lost packages.`,
    agent: player,
  })
  let left = amount
  const changed: Debt[] = []
  const after = debtsOf(world, carrier).map((debt) => {
    const paid = Math.min(left, debt.outstanding)
    left -= paid
    if (paid === 0) return debt
    const reduced = { ...debt, outstanding: debt.outstanding - paid }
    changed.push(reduced)
    return reduced
  })
  const open = after.filter(({ outstanding }) => outstanding > 0)
  saveDebts(world, carrier, open)
  if (open.length === 0) recordRecovery(world, carrier)
  return changed
}
