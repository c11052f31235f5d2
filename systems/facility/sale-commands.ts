/**
 * Facilities for sale at the base where they are: listing, buying, cancelling. Source:
 * crafting.md section 7.
 */
import { FACILITIES, itemIndex } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import { PRICE_CREDITS_MAX } from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, giftPart, giftWorth, recordGiving } from '../account/giving-model.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseTreasury, empireOfBase, empireTreasury } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { notifyFaction } from '../faction/rules.ts'
import { recordFact } from '../intel/rules.ts'
import { creditMove, logCredits } from '../log/rules.ts'
import { salesTax } from '../market/match-kernels.ts'
import { salesTaxBps } from '../market/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { duplicateRefusal, ownerLimitRefusal, skillRefusal } from './build-model.ts'
import { changeOwner } from './lifecycle-rules.ts'
import {
  type FacilityRequest,
  facilityId,
  facilityName,
  facilityTypeAt,
  ownerOf,
  playerOwner,
  shownType,
} from './model.ts'
import {
  accountOf,
  busyRefusal,
  isOwn,
  listedRefusal,
  managedHere,
  managingRefusal,
} from './rules.ts'
import { Facility, FacilityListing, OF_FACTION, OF_PLAYER } from './state.ts'
import { mayBuild } from './types-model.ts'
import { logFacilityAction } from './works-systems.ts'

/** Divisor of the price that gives the listing fee: 1 %. */
const FEE_DIVISOR = 100

export const listingId = (view: WorldView, listing: Row): string =>
  idOf(view, FacilityListing, listing)

/** Removes the offer of a facility, if there is one. */
export function removeListing(world: World, row: Row): void {
  const { listing } = world.write(Facility)
  if (listing[row] === 0) return
  world.release(FacilityListing, listing[row])
  listing[row] = 0
}

/** Pays the listing fee to the station. */
function payFee(world: World, player: Eid, row: Row, fee: number): void {
  const owner = ownerOf(world, row)
  const base = world.read(Facility).base[row]
  const account = accountOf(world, owner, base)
  const summary = `Fee for offering ${facilityName(world, row)}.`
  if (owner.kind === OF_PLAYER) {
    creditMove(
      world,
      player,
      account,
      baseTreasury(world, base),
      fee,
      'other',
      'facility.fee',
      summary,
    )
  } else post(world, account, baseTreasury(world, base), fee)
}

/** Returns what a facility cost to build, for the allowance of gifts, credits. */
function worthOf(view: WorldView, row: Row): number {
  const { build_cost, build_materials } = facilityTypeAt(view, row)
  const goods = build_materials.map(({ item_id, quantity }) => ({
    item: itemIndex(item_id),
    units: quantity,
  }))
  return build_cost + giftWorth(goods)
}

/**
 * Refuses a facility that cannot be offered: invalid_target, already_listed, limit_reached,
 * facility_busy, facility_damaged, facility_offline.
 */
function listingRefusal(view: WorldView, row: Row) {
  const message = 'Only what a player may own can be sold, and this is for factions; keep it.'
  if (!mayBuild(facilityTypeAt(view, row), 'player')) return fail('invalid_target', {}, message)
  const listed = listedRefusal(view, row)
  if (listed) return listed
  if (isNearlyFull(view, FacilityListing)) return fail('limit_reached', { full: 'listings' })
  return busyRefusal(view, row)
}

/** Offers a facility for sale; its owner pays the listing fee. */
export function listForSale(world: World, player: Eid, request: FacilityRequest) {
  const { price = 0, faction = false } = request
  const row = managedHere(world, player, request.facility_id ?? '')
  if (typeof row !== 'number') return row
  const owner = ownerOf(world, row)
  if ((owner.kind === OF_FACTION) !== faction) return fail('not_owner', { faction: !faction })
  if (!Number.isSafeInteger(price) || price < 1 || price > PRICE_CREDITS_MAX) {
    return fail('invalid_price', { min: 1, max: PRICE_CREDITS_MAX })
  }
  const gift = owner.kind === OF_PLAYER ? giftPart(worthOf(world, row), price) : 0
  const refused = listingRefusal(world, row) ?? allowanceRefusal(world, player, gift)
  if (refused) return refused
  const { base, listing } = world.write(Facility)
  const fee = Math.max(1, divCeil(price, FEE_DIVISOR))
  const account = accountOf(world, owner, base[row])
  const have = balanceOf(world, account)
  if (have < fee) return fail(faction ? 'faction_no_credits' : 'no_credits', { need: fee, have })
  payFee(world, player, row, fee)
  const offer = world.take(FacilityListing)
  const offers = world.write(FacilityListing)
  offers.facility[offer] = row
  offers.price[offer] = price
  offers.listedTick[offer] = world.tick
  listing[row] = offer
  logFacilityAction(
    world,
    row,
    player,
    'facility_listed',
    `Offered the facility for ${counted(price, 'credit')}.`,
  )
  return ok({
    action: 'list_for_sale',
    listing_id: listingId(world, offer),
    facility_id: facilityId(world, row),
    definition_id: facilityTypeAt(world, row).id,
    price,
    fee,
    credits_left: balanceOf(world, account),
    message: 'The facility is for sale to anyone who docks here.',
  })
}

/** Finds an offer at the base where the player is docked. Refusal: listing_not_found. */
function listingHere(
  view: WorldView,
  player: Eid,
  request: FacilityRequest,
): Row | Failure<'listing_not_found'> {
  const offer = rowOfId(view, FacilityListing, request.listing_id ?? '')
  const row = offer === 0 ? 0 : view.read(FacilityListing).facility[offer]
  const isHere = row !== 0 && view.read(Facility).base[row] === dockedBase(view, player)
  return isHere ? offer : fail('listing_not_found', { listing_id: request.listing_id })
}

/** Withdraws an offer; the fee is not refunded. */
export function cancelListing(world: World, player: Eid, request: FacilityRequest) {
  const offer = listingHere(world, player, request)
  if (typeof offer !== 'number') return offer
  const row = world.read(FacilityListing).facility[offer]
  const refused = managingRefusal(world, player, row)
  if (refused) return refused
  removeListing(world, row)
  logFacilityAction(world, row, player, 'facility_unlisted', 'Withdrew the offer.')
  const facility_id = facilityId(world, row)
  return ok({ action: 'cancel_listing', facility_id, message: 'The offer is withdrawn.' })
}

interface Sale {
  readonly price: number
  readonly tax: number
  /** Rent in arrears, paid out of the price. */
  readonly arrears: number
}

/** Refuses a buyer who may not own the facility, or one being worked on; lists note this too. */
export function buyerRefusal(view: WorldView, player: Eid, row: Row) {
  const { type, base } = view.read(Facility)
  const owner = playerOwner(player)
  return (
    busyRefusal(view, row) ??
    skillRefusal(view, player, type[row]) ??
    duplicateRefusal(view, owner, base[row], type[row]) ??
    ownerLimitRefusal(view, owner, base[row])
  )
}

function saleOf(view: WorldView, player: Eid, offer: Row): Sale {
  const { facility, price } = view.read(FacilityListing)
  const { base, arrears } = view.read(Facility)
  const row = facility[offer]
  const tax = salesTax(price[offer], salesTaxBps(view, player, base[row]))
  return { price: price[offer], tax, arrears: arrears[row] }
}

/**
 * Refuses a sale that cannot be paid: no_credits, arrears_due (above the price), amount_too_large.
 */
function saleRefusal(
  view: WorldView,
  player: Eid,
  row: Row,
  sale: Sale,
): Failure<'amount_too_large' | 'arrears_due' | 'no_credits'> | undefined {
  const { price, tax, arrears } = sale
  const have = balanceOf(view, walletOf(view, player))
  if (have < price + tax) return fail('no_credits', { need: price + tax, have })
  const message = 'Its owner owes more rent than the price pays; choose another, or ask them.'
  if (arrears > price) return fail('arrears_due', { owed: arrears }, message)
  const base = view.read(Facility).base[row]
  const fits =
    canReceive(view, accountOf(view, ownerOf(view, row), base), price) &&
    canReceive(view, baseTreasury(view, base), arrears)
  return fits ? undefined : fail('amount_too_large')
}

/** Buys an offered facility for the player. */
export function buyListing(world: World, player: Eid, request: FacilityRequest) {
  const offer = listingHere(world, player, request)
  if (typeof offer !== 'number') return offer
  const row = world.read(FacilityListing).facility[offer]
  if (isOwn(world, player, row)) return fail('own_listing')
  const sale = saleOf(world, player, offer)
  const worth = worthOf(world, row)
  const refused =
    buyerRefusal(world, player, row) ??
    saleRefusal(world, player, row, sale) ??
    allowanceRefusal(world, player, giftPart(sale.price, worth))
  if (refused) return refused
  recordGiving(world, player, giftPart(sale.price, worth))
  const owner = ownerOf(world, row)
  if (owner.kind === OF_PLAYER) recordGiving(world, owner.player, giftPart(worth, sale.price))
  paySeller(world, player, row, sale)
  removeListing(world, row)
  changeOwner(world, row, playerOwner(player))
  const { arrears, missed } = world.write(Facility)
  arrears[row] = 0
  missed[row] = 0
  return ok({
    action: 'buy_listing',
    facility_id: facilityId(world, row),
    definition_id: FACILITIES[world.read(Facility).type[row]].id,
    price: sale.price,
    ...(sale.tax === 0 ? {} : { sales_tax: sale.tax }),
    credits_left: balanceOf(world, walletOf(world, player)),
    message: `${facilityName(world, row)} is yours now; you pay its rent.`,
  })
}

/**
 * Moves the credits of a sale: arrears to the station, the rest to the seller, tax to the empire.
 */
function paySeller(world: World, player: Eid, row: Row, { price, tax, arrears }: Sale): void {
  const { base } = world.read(Facility)
  const owner = ownerOf(world, row)
  const wallet = walletOf(world, player)
  const station = baseTreasury(world, base[row])
  const summary = `Bought ${facilityName(world, row)}.`
  const data = { facility_id: facilityId(world, row) }
  const verb = 'facility.bought'
  creditMove(world, player, wallet, station, arrears, 'other', verb, summary, data)
  const seller = accountOf(world, owner, base[row])
  creditMove(world, player, wallet, seller, price - arrears, 'other', verb, summary, data)
  if (tax > 0) {
    const empire = empireTreasury(world, empireOfBase(world, base[row]))
    creditMove(world, player, wallet, empire, tax, 'other', 'facility.tax', summary, data)
  }
  addStat(world, player, 'credits_spent', price + tax)
  const what = shownType(world, row, 0).name
  recordFact(world, { base: base[row], kind: 'purchase', player, what, credits: price })
  const saleSummary = `Sold ${facilityName(world, row)} for ${counted(price, 'credit')}.`
  if (owner.kind === OF_PLAYER) {
    const proceeds = price - arrears
    logCredits(world, owner.player, proceeds, 'other', 'facility.sold', saleSummary, data)
  } else {
    notifyFaction(world, owner.faction, {
      event: 'facility_sold',
      actor: player,
      message: saleSummary,
      details: { base_id: baseId(world, base[row]), credits: price - arrears },
    })
  }
}
