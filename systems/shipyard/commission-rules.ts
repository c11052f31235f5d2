/** Whether a yard takes a commission. Writes nothing. Source: ships.md sections 7, 10. */
import { badFields, type Failure, fail, ok } from '../../core/errors.ts'
import { Container, Stack } from '../../core/goods.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import type { WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { empireTreasury, hasService } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { factionOf, permissionRefusal, treasuryOf } from '../faction/model.ts'
import { findStore } from '../faction/store-model.ts'
import { isHost, ownerOfBase } from '../station/model.ts'
import {
  billOf,
  blockersOf,
  type Charge,
  commissionsAt,
  commissionsOf,
  fundedCharge,
  heldInStore,
  mayOrderHull,
  missingOf,
  royaltyOf,
  type Wanted,
} from './model.ts'
import { chargeOf, quoteOf } from './rules.ts'
import {
  COMMISSIONS_PER_PLAYER_MAX,
  COMMISSIONS_PER_YARD_MAX,
  Commission,
  type CommissionMode,
} from './state.ts'

export interface Plan extends Wanted {
  readonly mode: CommissionMode
}

/** Refusals: limit_reached, ship_limit. */
function tooManyRefusal(
  view: WorldView,
  { player, base }: Plan,
): Failure<'limit_reached' | 'ship_limit'> | undefined {
  if (commissionsOf(view, player).length >= COMMISSIONS_PER_PLAYER_MAX) {
    return fail('limit_reached', { max: COMMISSIONS_PER_PLAYER_MAX, of: 'commissions of yours' })
  }
  if (commissionsAt(view, base).length >= COMMISSIONS_PER_YARD_MAX) {
    return fail('limit_reached', { max: COMMISSIONS_PER_YARD_MAX, of: 'commissions at a yard' })
  }
  const full = [Commission, Container, Stack].some((table) => isNearlyFull(view, table))
  if (full) return fail('limit_reached')
  return mayOrderHull(view, player) ? undefined : fail('ship_limit')
}

/** Refusals: missing_materials, no_credits. */
function paymentRefusal(
  view: WorldView,
  plan: Plan,
  charge: Charge,
): Failure<'missing_materials' | 'no_credits'> | undefined {
  const missing = missingOf(billOf(plan.shipClass, plan.bare), charge.brings)
  const mayBuy = plan.mode !== 'provide_materials' && hasService(view, plan.base, 'market')
  if (missing.length > 0 && !mayBuy) {
    return fail('missing_materials', { missing })
  }
  const have = balanceOf(view, walletOf(view, plan.player))
  return have < charge.total ? fail('no_credits', { need: charge.total, have }) : undefined
}

/**
 * A faction pays at a yard of its own alone, and its yards build in no other way. Refusals:
 * not_in_faction, no_permission, invalid_payload. Source: ships.md section 7, modes.
 */
function fundingRefusal(
  view: WorldView,
  { player, base, mode }: Plan,
): Failure<'invalid_payload' | 'no_permission' | 'not_in_faction'> | undefined {
  if (mode === 'fund_from_faction') {
    const message = 'A faction has ships built at stations of its own alone; this is none.'
    const denied = permissionRefusal(view, player, 'manage_treasury')
    if (denied || isHost(view, player, base)) return denied
    return fail('no_permission', { required: 'own_station' }, message)
  }
  if (ownerOfBase(view, base) === 0) return undefined
  const details = [{ field: 'fund_from_faction', expected: 'true at the yard of a faction' }]
  return badFields(...details)
}

/**
 * What a faction is charged, or why it cannot pay. Refusals: no_faction_storage,
 * missing_faction_materials, faction_no_credits, amount_too_large.
 */
function fundedRefusal(view: WorldView, plan: Plan) {
  const { player, base, shipClass, bare } = plan
  const faction = factionOf(view, player)
  const store = findStore(view, faction, base)
  if (!store.ok) return store
  const bill = billOf(shipClass, bare)
  const missing = missingOf(bill, heldInStore(view, store.result, bill))
  if (missing.length > 0) {
    return fail('missing_faction_materials', { missing })
  }
  const charge = fundedCharge(shipClass, bare)
  const royalty = royaltyOf(shipClass, bare)
  const have = balanceOf(view, treasuryOf(view, faction))
  const need = charge.total + royalty.credits
  if (have < need) return fail('faction_no_credits', { need, have })
  const fits =
    royalty.empire < 0 || canReceive(view, empireTreasury(view, royalty.empire), royalty.credits)
  return fits ? ok(charge) : fail('amount_too_large')
}

/** What a commission is charged, or why the yard does not take it. */
export function commissionRefusal(view: WorldView, plan: Plan) {
  const { player, base, shipClass, mode } = plan
  const outside = fundingRefusal(view, plan)
  if (outside) return outside
  if (blockersOf(view, player, base, shipClass).length > 0) {
    const { blockers } = quoteOf(view, plan, mode === 'source_missing_materials')
    return fail('commission_blocked', { blockers })
  }
  if (mode === 'fund_from_faction') return tooManyRefusal(view, plan) ?? fundedRefusal(view, plan)
  const charge = chargeOf(view, plan, mode)
  const refused = paymentRefusal(view, plan, charge) ?? tooManyRefusal(view, plan)
  return refused ?? ok(charge)
}
