/**
 * Prices a commission, and judges whether a yard takes it. Writes nothing; it is a rule file
 * because prices come from the market. Source: ships.md sections 7, 10.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type Failure, fail, invalidFields, ok } from '../../core/errors.ts'
import { Container, type Held, Stack } from '../../core/goods.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { divFloor, mulDivCeil, mulDivFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { empireTreasury, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { factionOf, permissionRefusal, treasuryOf } from '../faction/model.ts'
import { findMainStore } from '../faction/store-model.ts'
import { bookOf } from '../market/book-model.ts'
import { bestPrice, salesTaxBps, sellableUnits } from '../market/model.ts'
import { ASK, Managed } from '../market/state.ts'
import { askOf, managedOf, unitsInStock } from '../market/stock-model.ts'
import { isHost, ownerOfBase } from '../station/model.ts'
import {
  billOf,
  missingDetails,
  priceLimit,
  shortfall,
  storeStock,
  worthOf,
} from './materials-model.ts'
import {
  blockersOf,
  blockerTexts,
  buildTicks,
  type Charge,
  type CommissionRequest,
  commissionsAt,
  commissionsOf,
  fundedCharge,
  type HullRequest,
  laborCost,
  MATERIAL_PCT,
  marginOf,
  mayOrderHull,
  type Quote,
  royaltyOf,
} from './model.ts'
import {
  COMMISSIONS_PER_PLAYER_MAX,
  COMMISSIONS_PER_YARD_MAX,
  Commission,
  type CommissionMode,
} from './state.ts'

/** Returns the best ask of a good at a base; 0 none. */
export function bestAsk(view: WorldView, base: Eid, item: number): number {
  const book = bookOf(view, base, item)
  return book === 0 ? 0 : bestPrice(view, book, ASK)
}

/** Price of goods out of a station's reserve, percent of what the station would ask for them. */
const RESERVE_PCT = 115
/** Divisor of the target stock: that share one commission may buy from the reserve in a cycle. */
const RESERVE_CYCLE_DIVISOR = 20

/** Returns the price of a unit out of the reserve, credits; 0 if there is none left. */
export function reservePrice(view: WorldView, base: Eid, item: number): number {
  if (unitsInStock(view, base, item) === 0) return 0
  return Math.min(mulDivCeil(askOf(view, base, item), RESERVE_PCT, 100), priceLimit(item))
}

/** Returns the units that one commission may buy out of the reserve in a cycle. */
export function reserveUnits(view: WorldView, base: Eid, item: number): number {
  const units = unitsInStock(view, base, item)
  if (units === 0) return 0
  const target = view.read(Managed).target[managedOf(view, base, item)]
  return Math.min(units, divFloor(target, RESERVE_CYCLE_DIVISOR))
}

/**
 * Returns what a yard charges for materials before it buys them, credits: best asks, or else the
 * price of the reserve, between the base value and `priceLimit`.
 */
export function materialCost(view: WorldView, base: Eid, goods: readonly Held[]): number {
  const sum = goods.reduce((total, { item, units }) => {
    const offered = bestAsk(view, base, item) || reservePrice(view, base, item)
    const ask = Math.min(offered, priceLimit(item))
    return total + Math.max(worthOf(item), ask) * units
  }, 0)
  return mulDivCeil(sum, MATERIAL_PCT, 100)
}

/** Returns the part of a bill that a player has here, aboard and in storage. */
const playerStock = (
  view: WorldView,
  { player, base }: HullRequest,
  bill: readonly Held[],
): Held[] =>
  bill
    .map(({ item, units }) => ({
      item,
      units: Math.min(units, sellableUnits(view, player, base, item)),
    }))
    .filter(({ units }) => units > 0)

/**
 * Returns what a mode charges: materials to be bought, labour, the margin of the yard, and sales
 * tax unless the player brings everything.
 */
function chargeOf(view: WorldView, request: HullRequest, mode: CommissionMode): Charge {
  const { player, base, shipClass, bare } = request
  const bill = billOf(shipClass, bare)
  const brings = mode === 'credits' ? [] : playerStock(view, request, bill)
  const buys = mode === 'provide_materials' ? [] : shortfall(bill, brings)
  const material = materialCost(view, base, buys)
  const labor = laborCost(shipClass)
  const margin = marginOf(material, labor)
  const taxBps = mode === 'provide_materials' ? 0 : salesTaxBps(view, player, base)
  const tax = mulDivFloor(material + labor + margin, taxBps, 10_000)
  return { material, labor, margin, tax, taxBps, total: material + labor + margin + tax, brings }
}

/** Returns a quote; if `isSourcing`, the player brings what they have, the yard buys the rest. */
export function quoteOf(view: WorldView, request: HullRequest, isSourcing: boolean): Quote {
  const { player, base, shipClass, bare } = request
  const buying = chargeOf(view, request, isSourcing ? 'source_missing_materials' : 'credits')
  const providing = chargeOf(view, request, 'provide_materials')
  const credits = balanceOf(view, walletOf(view, player))
  const hasMaterials = shortfall(billOf(shipClass, bare), providing.brings).length === 0
  const hasExchange = hasService(view, base, 'market')
  const canBuy = hasExchange && credits >= buying.total
  const canProvide = hasMaterials && credits >= providing.total
  const blockers = [...blockersOf(view, player, base, shipClass)]
  if (!hasMaterials && !canBuy) blockers.push('materials')
  const cheapest = hasMaterials ? Math.min(providing.total, buying.total) : buying.total
  if (credits < cheapest) blockers.push('credits')
  return {
    blockers,
    buying,
    providing,
    hasMaterials,
    canBuy,
    canProvide,
    hasExchange,
    credits,
    ticks: buildTicks(view, base, shipClass),
    tierHere: view.read(Base).shipyardTier[base],
    tierRequired: SHIP_CLASSES[shipClass].shipyard_tier,
  }
}

/* Refusals */

/** Refuses a commission over a limit. Refusals: limit_reached, ship_limit. */
function limitRefusal(
  view: WorldView,
  { player, base }: HullRequest,
): Failure<'limit_reached' | 'ship_limit'> | undefined {
  if (commissionsOf(view, player).length >= COMMISSIONS_PER_PLAYER_MAX) {
    return fail('limit_reached', { max: COMMISSIONS_PER_PLAYER_MAX, of: 'commissions of yours' })
  }
  if (commissionsAt(view, base).length >= COMMISSIONS_PER_YARD_MAX) {
    return fail('limit_reached', { max: COMMISSIONS_PER_YARD_MAX, of: 'commissions at a yard' })
  }
  const isFull = [Commission, Container, Stack].some((table) => isNearlyFull(view, table))
  if (isFull) return fail('limit_reached')
  return mayOrderHull(view, player) ? undefined : fail('ship_limit')
}

/** Refuses what the player cannot provide or pay. Refusals: missing_materials, no_credits. */
function paymentRefusal(
  view: WorldView,
  request: CommissionRequest,
  charge: Charge,
): Failure<'missing_materials' | 'no_credits'> | undefined {
  const missing = missingDetails(billOf(request.shipClass, request.bare), charge.brings)
  const mayBuy = request.mode !== 'provide_materials' && hasService(view, request.base, 'market')
  if (missing.length > 0 && !mayBuy) return fail('missing_materials', { missing })
  const have = balanceOf(view, walletOf(view, request.player))
  return have < charge.total ? fail('no_credits', { need: charge.total, have }) : undefined
}

/**
 * Refuses payment by a faction at a yard that is not its own, and any other payment at a faction's
 * yard. Refusals: not_in_faction, no_permission, invalid_payload. Source: ships.md section 7,
 * modes.
 */
function fundingRefusal(
  view: WorldView,
  { player, base, mode }: CommissionRequest,
): Failure<'invalid_payload' | 'no_permission' | 'not_in_faction'> | undefined {
  if (mode === 'fund_from_faction') {
    const denied = permissionRefusal(view, player, 'manage_treasury')
    if (denied || isHost(view, player, base)) return denied
    const message = 'A faction has ships built only at its own stations: dock at one of them.'
    return fail('no_permission', { required: 'own_station' }, message)
  }
  if (ownerOfBase(view, base) === 0) return undefined
  return invalidFields({ field: 'fund_from_faction', expected: 'true at the yard of a faction' })
}

/**
 * Returns the charge for a faction, or refuses. Refusals: no_faction_storage,
 * missing_faction_materials, faction_no_credits, amount_too_large.
 */
function judgeFunded(view: WorldView, { player, base, shipClass, bare }: HullRequest) {
  const faction = factionOf(view, player)
  const store = findMainStore(view, faction, base)
  if (!store.ok) return store
  const bill = billOf(shipClass, bare)
  const missing = missingDetails(bill, storeStock(view, store.result, bill))
  if (missing.length > 0) return fail('missing_faction_materials', { missing })
  const charge = fundedCharge(shipClass, bare)
  const royalty = royaltyOf(shipClass, bare)
  const have = balanceOf(view, treasuryOf(view, faction))
  const need = charge.total + royalty.credits
  if (have < need) return fail('faction_no_credits', { need, have })
  const fits =
    royalty.empire < 0 || canReceive(view, empireTreasury(view, royalty.empire), royalty.credits)
  return fits ? ok(charge) : fail('amount_too_large')
}

/** Returns the charge for a commission, or the reason why the yard does not take it. */
export function judgeCommission(view: WorldView, request: CommissionRequest) {
  const { player, base, shipClass, mode } = request
  const fundingRefused = fundingRefusal(view, request)
  if (fundingRefused) return fundingRefused
  if (blockersOf(view, player, base, shipClass).length > 0) {
    const { blockers } = quoteOf(view, request, mode === 'source_missing_materials')
    const message = `This yard does not build that for you: ${blockerTexts(blockers, shipClass)}.`
    return fail('commission_blocked', { blockers }, message)
  }
  if (mode === 'fund_from_faction') {
    return limitRefusal(view, request) ?? judgeFunded(view, request)
  }
  const charge = chargeOf(view, request, mode)
  const refused = paymentRefusal(view, request, charge) ?? limitRefusal(view, request)
  return refused ?? ok(charge)
}
