/** Commands of the ship exchange: browse, list, buy. Source: ships.md sections 8, 10. */
import { mutation, query } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import { PRICE_CREDITS_MAX } from '../../core/limits.ts'
import { mulDivFloor } from '../../core/math.ts'
import { bool, int, obj, optional, ref, type Static, str, words } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { allowanceRefusal, giftPart, recordGiving } from '../account/giving-model.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import {
  baseById,
  baseId,
  baseName,
  baseTreasury,
  empireOfBase,
  empireTreasury,
} from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { MAY_TRADE } from '../combat/needs.ts'
import { switchRefusal } from '../drone/model.ts'
import { activateShip } from '../fitting/activation-rules.ts'
import { storingRefusal } from '../fitting/model.ts'
import { storeHold } from '../fitting/rules.ts'
import { recordFact } from '../intel/rules.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { creditMove, logAction, logCredits } from '../log/rules.ts'
import { isPirateBase, salesTaxBps } from '../market/model.ts'
import {
  activeShip,
  modulesOf,
  ownShipById,
  rebuildValue,
  shipClassOf,
  shipId,
  shipName,
} from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { recordIncome } from '../tax/rules.ts'
import { dockedBase, notDocked } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import {
  findClass,
  knownBases,
  lacksPiloting,
  listingById,
  listingFeeOf,
  listingId,
  listingsAt,
  mayOrderHull,
  ordersAt,
} from './model.ts'
import { saleRefusal } from './needs.ts'
import { closeListing, openListing, transferShip } from './rules.ts'
import { boughtSchema, browseSchema, delistedSchema, listedSchema } from './schemas.ts'
import { recordShowroomSale } from './showroom-rules.ts'
import { SHIPS_LISTED_MAX, ShipListing, ShipOrder } from './state.ts'
import { renderListing, renderOrder } from './views.ts'

const shared = { category: 'shipyard' } as const

const listingParam = () =>
  ref('listing', str(say`Id of a listing; {browse_ships} lists them.`, { min: 1 }))
export const shipParam = () =>
  ref('own_ship', str(say`Id of a ship of yours; {list_ships} lists them.`, { min: 1 }))
export const priceParam = () =>
  int('Credits, without tax.', { min: 1, max: PRICE_CREDITS_MAX, example: 12_000 })

/* Browsing */

/** Which hulls to list; `shipClass` is an index into SHIP_CLASSES, or -1 for any class. */
interface HullFilter {
  readonly shipClass: number
  readonly maxPrice: number
}

function browse(view: WorldView, bases: readonly Eid[], { shipClass, maxPrice }: HullFilter) {
  const { ship, price, base: baseOf } = view.read(ShipListing)
  const { class: classOf } = view.read(Ship)
  const { class: orderedClass } = view.read(ShipOrder)
  const isWanted = (candidate: number) => shipClass < 0 || candidate === shipClass
  const rows = bases
    .flatMap((base) => listingsAt(view, base))
    .filter((row) => price[row] <= maxPrice && isWanted(classOf[ship[row]]))
    .sort((a, b) => price[a] - price[b])
  const orders = bases
    .flatMap((base) => ordersAt(view, base))
    .filter((row) => isWanted(orderedClass[row]))
  return {
    count: rows.length,
    listings: rows.slice(0, SHIPS_LISTED_MAX).map((row) => ({
      ...renderListing(view, row),
      base_id: baseId(view, baseOf[row]),
      base_name: baseName(view, baseOf[row]),
    })),
    buy_orders: orders.slice(0, SHIPS_LISTED_MAX).map((row) => renderOrder(view, row)),
  }
}

export const browseShips = query({
  ...shared,
  name: 'browse_ships',
  v2: { tool: 'game_ship', action: 'browse_ships' },
  summary:
    'Ships for sale at a base, or at all bases of the systems you have visited, the cheapest first; ' +
    'and what is wanted there.',
  params: obj({
    base_id: optional(
      ref('base', str('A base; the one you are docked at by default.', { min: 1 })),
    ),
    class_id: optional(
      ref('ship_class', str('Only ships of this class.', { min: 1, example: 'footnote' })),
    ),
    max_price: optional(int('Only ships at this price or less, credits.', { min: 1 })),
    everywhere: optional(bool('True: at all bases of the systems you have visited.')),
  }),
  result: browseSchema,
  needs: [],
  errors: ['not_docked', 'station_not_found', 'unknown_class'],
  run(view, player, params) {
    const { base_id, class_id, max_price, everywhere } = params
    const found = class_id === undefined ? ok(-1) : findClass(class_id)
    if (!found.ok) return found
    const filter = { shipClass: found.result, maxPrice: max_price ?? PRICE_CREDITS_MAX }
    if (everywhere === true && base_id === undefined) {
      const place = { base_id: '', base_name: 'all known bases' }
      return ok({ ...place, ...browse(view, knownBases(view, player), filter) })
    }
    const base = base_id === undefined ? dockedBase(view, player) : baseById(view, base_id)
    if (base === 0) {
      return base_id === undefined
        ? notDocked(view, player)
        : fail('station_not_found', { base_id })
    }
    const place = { base_id: baseId(view, base), base_name: baseName(view, base) }
    return ok({ ...place, ...browse(view, [base], filter) })
  },
})

/* Selling */

/** Returns the worth of a ship for the allowance of gifts, credits. */
export const worthOf = (view: WorldView, ship: Eid): number =>
  rebuildValue(view, ship, modulesOf(view, ship))

interface Offer {
  readonly ship: Eid
  readonly price: number
  readonly fee: number
}

function listingRefusal(view: WorldView, player: Eid, { ship, price, fee }: Offer) {
  const base = dockedBase(view, player)
  const refused =
    saleRefusal(view, player, ship, base) ??
    allowanceRefusal(view, player, giftPart(worthOf(view, ship), price))
  if (refused) return refused
  const have = balanceOf(view, walletOf(view, player))
  if (have < fee) return fail('no_credits', { need: fee, have })
  return isNearlyFull(view, ShipListing) ? fail('limit_reached') : undefined
}

export const listShipForSale = mutation({
  ...shared,
  name: 'list_ship_for_sale',
  v2: { tool: 'game_ship', action: 'list_ship_for_sale', rename: { ship_id: 'id' } },
  summary: 'Put a ship that is stored here up for sale; the fee does not come back.',
  order: 'plain',
  params: obj({ price: priceParam(), ship_id: shipParam() }),
  result: listedSchema,
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player'],
  errors: words(
    'ship_not_found active_ship already_listed not_stored_here ship_occupied storage_full',
    'issue_item drones_in_bay no_credits limit_reached',
  ),
  run(world, player, { price, ship_id }) {
    const base = dockedBase(world, player)
    const ship = ownShipById(world, player, ship_id)
    const fee = listingFeeOf(world, player, base, price)
    const refused = listingRefusal(world, player, { ship, price, fee })
    if (refused) return refused
    const name = shipName(world, ship)
    const message = `Listed ${name} at ${baseName(world, base)} for ${counted(price, 'credit')}.`
    const payee = isPirateBase(world, base) ? namedAccount('fee_sink') : baseTreasury(world, base)
    const wallet = walletOf(world, player)
    creditMove(world, player, wallet, payee, fee, 'ship', 'listed', message, { ship_id, price })
    storeHold(world, ship, base)
    const row = openListing(world, ship, base, price)
    return ok({
      listing_id: listingId(world, row),
      ship_id: shipId(world, ship),
      price,
      fee,
      message,
      credits_left: balanceOf(world, wallet),
    })
  },
})

export const cancelShipListing = mutation({
  ...shared,
  name: 'cancel_ship_listing',
  v2: { tool: 'game_ship', action: 'cancel_ship_listing', rename: { listing_id: 'id' } },
  summary: 'Take a ship of yours off the exchange.',
  order: 'plain',
  params: obj({ listing_id: listingParam() }),
  result: delistedSchema,
  needs: [],
  changes: ['player'],
  errors: ['listing_not_found', 'not_owner'],
  run(
    world,
    player,
    { listing_id },
  ): Outcome<Static<typeof delistedSchema>, 'listing_not_found' | 'not_owner'> {
    const row = listingById(world, listing_id)
    if (row === 0) return fail('listing_not_found', { listing_id })
    const columns = world.read(ShipListing)
    if (columns.player[row] !== player) return fail('not_owner')
    const ship = columns.ship[row]
    closeListing(world, row)
    const message = `${shipName(world, ship)} is no longer for sale.`
    const ship_id = shipId(world, ship)
    logAction(world, player, 'ship', 'delisted', message, { ship_id })
    return ok({ class_id: shipClassOf(world, ship).id, ship_id, message })
  },
})

/* Buying */

interface Purchase {
  readonly row: Row
  readonly price: number
  readonly tax: number
}

/** Refuses what the buyer may not own, pay or board; the caller has checked the listing. */
function buyerRefusal(view: WorldView, player: Eid, ship: Eid, cost: number) {
  const shipClass = view.read(Ship).class[ship]
  if (lacksPiloting(view, player, shipClass)) {
    return fail('piloting_required', { need: shipClassOf(view, ship).piloting_required })
  }
  if (!mayOrderHull(view, player)) return fail('ship_limit')
  const have = balanceOf(view, walletOf(view, player))
  if (have < cost) return fail('no_credits', { need: cost, have })
  const from = activeShip(view, player)
  return switchRefusal(view, from, ship) ?? storingRefusal(view, from, dockedBase(view, player))
}

function judgePurchase(view: WorldView, player: Eid, listing_id: string) {
  const row = listingById(view, listing_id)
  if (row === 0) return fail('listing_not_found', { listing_id })
  const columns = view.read(ShipListing)
  const base = columns.base[row]
  if (base !== dockedBase(view, player)) {
    return fail('wrong_station', { base_id: baseId(view, base) })
  }
  if (columns.player[row] === player) return fail('own_listing')
  const price = columns.price[row]
  const tax = mulDivFloor(price, salesTaxBps(view, player, base), 10_000)
  const ship = columns.ship[row]
  const isSoldByPlayer = columns.player[row] !== 0
  const refused =
    buyerRefusal(view, player, ship, price + tax) ??
    (isSoldByPlayer
      ? allowanceRefusal(view, player, giftPart(price, worthOf(view, ship)))
      : undefined)
  if (refused) return refused
  const fits = canReceive(view, payeeOf(view, row), price)
  return fits ? ok({ row, price, tax }) : fail('amount_too_large')
}

/** Returns the account that the price of a listing goes to. */
function payeeOf(view: WorldView, row: Row): Row {
  const { player: seller, base } = view.read(ShipListing)
  return seller[row] === 0 ? baseTreasury(view, base[row]) : walletOf(view, seller[row])
}

/** Moves the price to the seller and the tax to the empire. */
function pay(world: World, player: Eid, { row, price, tax }: Purchase): void {
  const columns = world.read(ShipListing)
  const seller = columns.player[row]
  const ship = columns.ship[row]
  const base = columns.base[row]
  const name = shipName(world, ship)
  const data = { ship_id: shipId(world, ship), price }
  const wallet = walletOf(world, player)
  const summary = `Bought ${name} for ${counted(price, 'credit')}.`
  creditMove(world, player, wallet, payeeOf(world, row), price, 'ship', 'bought', summary, data)
  if (tax > 0) {
    const treasury = empireTreasury(world, empireOfBase(world, base))
    creditMove(world, player, wallet, treasury, tax, 'ship', 'sales_tax', 'Sales tax.', data)
  }
  addStat(world, player, 'ships_purchased', 1)
  recordFact(world, { base, kind: 'purchase', player, what: name, credits: price })
  addStat(world, player, 'credits_spent', price + tax)
  if (seller === 0) return
  const worth = worthOf(world, ship)
  recordGiving(world, player, giftPart(price, worth))
  recordGiving(world, seller, giftPart(worth, price))
  const sold = `Sold ${name} for ${counted(price, 'credit')}.`
  logCredits(world, seller, price, 'ship', 'sold', sold, data)
  addStat(world, seller, 'credits_earned', price)
  recordIncome(world, seller, 'ship_sale', price)
}

export const buyListedShip = mutation({
  ...shared,
  name: 'buy_listed_ship',
  v2: { tool: 'game_ship', action: 'buy_listed_ship', rename: { listing_id: 'id' } },
  summary: 'Buy a ship that is for sale here and board it; the one you flew is stored here.',
  order: 'plain',
  params: obj({ listing_id: listingParam() }),
  result: boughtSchema,
  needs: [MAY_TRADE, DOCKED, AT_LIBERTY],
  changes: ['player', 'ship', 'modules', 'cargo'],
  errors: words(
    'listing_not_found wrong_station own_listing piloting_required ship_limit no_credits',
    'drones_in_bay amount_too_large storage_full limit_reached',
  ),
  run(world, player, { listing_id }) {
    const judged = judgePurchase(world, player, listing_id)
    if (!judged.ok) return judged
    const { row, price, tax } = judged.result
    const columns = world.read(ShipListing)
    const ship = columns.ship[row]
    const base = columns.base[row]
    const oldShip = activeShip(world, player)
    const isLaden = world.read(Ship).cargoUsed[oldShip] > 0
    pay(world, player, judged.result)
    const isFromShowroom = columns.player[row] === 0
    closeListing(world, row)
    if (isFromShowroom) recordShowroomSale(world, base)
    transferShip(world, ship, player, base)
    activateShip(world, player, ship)
    const name = shipName(world, ship)
    const moved = isLaden ? say` Its cargo is in your storage; {withdraw_items} fetches it.` : ''
    return ok({
      class_id: shipClassOf(world, ship).id,
      ship_id: shipId(world, ship),
      old_ship_id: shipId(world, oldShip),
      price,
      sales_tax: tax,
      credits_left: balanceOf(world, walletOf(world, player)),
      message: `${name} is yours, and you are aboard; ${shipName(world, oldShip)} is stored here.${moved}`,
    })
  },
})
