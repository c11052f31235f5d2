/** Which commissions, listings and orders there are: of a base, of a player, due in a tick. */

import { assert } from '../../core/assert.ts'
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type Held, moveItems } from '../../core/goods.ts'
import { append } from '../../core/groups.ts'
import { balanceOf, canReceive, openAccount, post } from '../../core/ledger.ts'
import { divFloor, mulDivCeil, mulDivFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { baseTreasury, empireOfBase, empireTreasury, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { openCitizenPool } from '../facility/rules.ts'
import { factionOf, recordFactionLog, treasuryOf } from '../faction/model.ts'
import {
  closeEmptyStore,
  openStore as openFactionStore,
  type StorePlace,
  storeContainer,
} from '../faction/store-model.ts'
import { storeHold } from '../fitting/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { creditMove } from '../log/rules.ts'
import type { LogData } from '../log/state.ts'
import { bookOf } from '../market/book-model.ts'
import { bestPrice, salesTaxBps, sellable } from '../market/model.ts'
import { ASK } from '../market/state.ts'
import { recompute, setOwner } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { recordCorporateExpense } from '../tax/rules.ts'
import { isPlaced } from '../travel/model.ts'
import { dockShip } from '../travel/rules.ts'
import { materialsOf } from './materials-model.ts'
import { openStore } from './materials-rules.ts'
import {
  billOf,
  blockersOf,
  buildTicks,
  type Charge,
  escrowOf,
  INDEXES,
  type ListName,
  laborCost,
  lessThan,
  listOf,
  MATERIAL_PCT,
  marginOf,
  priceLimit,
  type Quote,
  royaltyOf,
  type Wanted,
  worthOf,
} from './model.ts'
import {
  Commission,
  type CommissionMode,
  DUE,
  ForSale,
  ShipListing,
  ShipOrder,
  Yard,
} from './state.ts'

/** What the yard reckons a unit at: the station's best ask, within its bounds. */
function unitPrice(view: WorldView, base: Eid, item: number): number {
  const book = bookOf(view, base, item)
  const ask = book === 0 ? 0 : bestPrice(view, book, ASK)
  return Math.max(worthOf(item), Math.min(ask, priceLimit(item)))
}

/** Credits the yard asks for materials, before they are bought. */
export function materialCost(view: WorldView, base: Eid, goods: readonly Held[]): number {
  const sum = goods.reduce((total, { item, units }) => {
    return total + unitPrice(view, base, item) * units
  }, 0)
  return mulDivCeil(sum, MATERIAL_PCT, 100)
}

/* The account of a base that holds what commissions and buy orders there have paid in. */

export function openEscrow(world: World, base: Eid): Row {
  const yard = world.write(Yard)
  if (yard.escrow[base] === 0) yard.escrow[base] = openAccount(world)
  return yard.escrow[base]
}

/** Sales tax, out of the escrow, to the empire of the base. */
export function payTax(world: World, base: Eid, credits: number): void {
  if (credits === 0) return
  const empire = empireOfBase(world, base)
  assert(empire >= 0, 'sales tax in lawless space')
  post(world, escrowOf(world, base), empireTreasury(world, empire), credits)
}

/** What the station has earned, out of the escrow. */
export const payStation = (world: World, base: Eid, credits: number): void =>
  post(world, openEscrow(world, base), baseTreasury(world, base), credits)

/**
 * Gives credits of the escrow back to who paid them in; to the station what a wallet cannot take.
 */
export function giveBack(
  world: World,
  to: { readonly player: Eid; readonly base: Eid },
  credits: number,
  said: string,
  data: LogData,
): void {
  const escrow = openEscrow(world, to.base)
  const wallet = to.player === 0 ? 0 : walletOf(world, to.player)
  if (wallet === 0 || !canReceive(world, wallet, credits)) {
    post(world, escrow, world.read(Base).manager[to.base], credits)
    return
  }
  creditMove(world, to.player, escrow, wallet, credits, 'ship', 'escrow_returned', said, data)
}

/*
 * Hulls that a faction has built at its own yard: materials out of its store, labor and royalty out
 * of its treasury. Source: ships.md section 7, fund_from_faction; crafting.md 8, licences.
 */

/** Pays for a hull out of the treasury; returns the credits, royalty included. */
export function payFunded(world: World, wanted: Wanted, charge: Charge): number {
  const { player, base, shipClass, bare } = wanted
  const faction = factionOf(world, player)
  const treasury = treasuryOf(world, faction)
  const { empire, credits } = royaltyOf(shipClass, bare)
  post(world, treasury, openEscrow(world, base), charge.total)
  if (empire >= 0) post(world, treasury, empireTreasury(world, empire), credits)
  const paid = charge.total + credits
  recordCorporateExpense(world, faction, base, paid)
  const summary = `Commissioned ${SHIP_CLASSES[shipClass].name} for ${counted(paid, 'credit')}.`
  const data = { ship_class: SHIP_CLASSES[shipClass].id, credits: paid, royalty: credits }
  recordFactionLog(world, faction, player, { verb: 'ship_commission', summary, data })
  return paid
}

const storeOf = (view: WorldView, row: Row): StorePlace => {
  const { funder, base } = view.read(Commission)
  return { faction: funder[row], base: base[row], bucket: 0 }
}

/** Takes the materials of a commission out of the store of who funds it. */
export function takeFromStore(world: World, row: Row, goods: readonly Held[]): void {
  const place = storeOf(world, row)
  const from = storeContainer(world, place)
  const to = openStore(world, row, 'provided')
  for (const { item, units } of goods) moveItems(world, from, to, item, units)
  closeEmptyStore(world, place)
}

/** Pays those who worked at a funded hull: they are citizens of the station. */
export function payWages(world: World, base: Eid, credits: number): void {
  post(world, openEscrow(world, base), openCitizenPool(world, base), credits)
}

/** Calls a funded hull off: half the labor and all materials go back where they came from. */
export function cancelFunded(world: World, row: Row): { refund: number; returned: Held[] } {
  const { base, labor, funder } = world.read(Commission)
  const refund = divFloor(labor[row], 2)
  post(world, openEscrow(world, base[row]), treasuryOf(world, funder[row]), refund)
  payWages(world, base[row], labor[row] - refund)
  const returned = materialsOf(world, row, 'provided')
  const from = openStore(world, row, 'provided')
  const to = openFactionStore(world, storeOf(world, row))
  for (const { item, units } of returned) moveItems(world, from, to, item, units)
  closeEmptyStore(world, storeOf(world, row))
  return { refund, returned }
}

/*
 * Hulls for sale: putting them on the exchange, taking them off, selling them. Hulls of the
 * station's own are in no place until they are sold. Source: ships.md section 8.
 */

/** Puts a hull on the exchange; of nobody: into the showroom. */
export function openListing(world: World, ship: Eid, base: Eid, price: number): Row {
  assert(world.read(ForSale).listing[ship] === 0, `ship ${ship} is listed twice`)
  const row = world.take(ShipListing)
  const columns = world.write(ShipListing)
  columns.ship[row] = ship
  columns.base[row] = base
  columns.player[row] = world.read(Ship).owner[ship]
  columns.price[row] = price
  columns.createdMs[row] = world.wallMs
  world.write(ForSale).listing[ship] = row
  enterListing(world, row)
  return row
}

/** Takes a hull off the exchange. */
export function closeListing(world: World, row: Row): void {
  world.write(ForSale).listing[world.read(ShipListing).ship[row]] = 0
  removeListing(world, row)
  world.release(ShipListing, row)
}

/** Gives a hull a new owner: uninsured, docked at the base, its cargo in the seller's storage. */
export function passOn(world: World, ship: Eid, to: Eid, base: Eid): void {
  if (world.read(Ship).owner[ship] !== 0) storeHold(world, ship, base)
  endPolicy(world, ship)
  setOwner(world, ship, to)
  if (!isPlaced(world, ship)) dockShip(world, ship, base)
  recompute(world, ship)
}

/** What of the bill a player has here, aboard and in storage. */
export const heldOf = (view: WorldView, { player, base }: Wanted, bill: readonly Held[]): Held[] =>
  bill
    .map(({ item, units }) => ({
      item,
      units: Math.min(units, sellable(view, player, base, item)),
    }))
    .filter(({ units }) => units > 0)

/**
 * What a mode charges: materials that are to be bought, labour, the yard's part of both, and sales
 * tax unless the player brings everything.
 */
export function chargeOf(view: WorldView, wanted: Wanted, mode: CommissionMode): Charge {
  const { player, base, shipClass, bare } = wanted
  const bill = billOf(shipClass, bare)
  const brings = mode === 'credits' ? [] : heldOf(view, wanted, bill)
  const buys = mode === 'provide_materials' ? [] : lessThan(bill, brings)
  const material = materialCost(view, base, buys)
  const labor = laborCost(shipClass)
  const margin = marginOf(material, labor)
  const taxBps = mode === 'provide_materials' ? 0 : salesTaxBps(view, player, base)
  const tax = mulDivFloor(material + labor + margin, taxBps, 10_000)
  return { material, labor, margin, tax, taxBps, total: material + labor + margin + tax, brings }
}

/** A quote; `sourcing`: the player brings what they have, the yard buys the rest. */
export function quoteOf(view: WorldView, wanted: Wanted, sourcing: boolean): Quote {
  const { player, base, shipClass, bare } = wanted
  const buying = chargeOf(view, wanted, sourcing ? 'source_missing_materials' : 'credits')
  const providing = chargeOf(view, wanted, 'provide_materials')
  const credits = balanceOf(view, walletOf(view, player))
  const hasMaterials = lessThan(billOf(shipClass, bare), providing.brings).length === 0
  const buys = hasService(view, base, 'market')
  const canBuy = buys && credits >= buying.total
  const canProvide = hasMaterials && credits >= providing.total
  const blockers = [...blockersOf(view, player, base, shipClass)]
  if (!hasMaterials && !canBuy) blockers.push('materials')
  const least = hasMaterials ? Math.min(providing.total, buying.total) : buying.total
  if (credits < least) blockers.push('credits')
  return {
    blockers,
    buying,
    providing,
    hasMaterials,
    canBuy,
    canProvide,
    buys,
    credits,
    ticks: buildTicks(view, base, shipClass),
    tierHere: view.read(Base).shipyardTier[base],
    tierRequired: SHIP_CLASSES[shipClass].shipyard_tier,
  }
}

function add(world: World, name: ListName, key: Eid, row: Row): void {
  world.index(INDEXES[name]).set(key, [...listOf(world, name, key), row])
}

function drop(world: World, name: ListName, key: Eid, row: Row): void {
  const left = listOf(world, name, key).filter((other) => other !== row)
  if (left.length === 0) world.index(INDEXES[name]).delete(key)
  else world.index(INDEXES[name]).set(key, left)
}

export function enterCommission(world: World, row: Row): void {
  const { base, player } = world.read(Commission)
  add(world, 'commissionsAt', base[row], row)
  add(world, 'commissionsOf', player[row], row)
}

export function removeCommission(world: World, row: Row): void {
  const { base, player } = world.read(Commission)
  drop(world, 'commissionsAt', base[row], row)
  drop(world, 'commissionsOf', player[row], row)
}

const enterListing = (world: World, row: Row): void =>
  add(world, 'listingsAt', world.read(ShipListing).base[row], row)

const removeListing = (world: World, row: Row): void =>
  drop(world, 'listingsAt', world.read(ShipListing).base[row], row)

export function enterOrder(world: World, row: Row): void {
  const { base, player } = world.read(ShipOrder)
  add(world, 'ordersAt', base[row], row)
  add(world, 'ordersOf', player[row], row)
}

export function removeOrder(world: World, row: Row): void {
  const { base, player } = world.read(ShipOrder)
  drop(world, 'ordersAt', base[row], row)
  drop(world, 'ordersOf', player[row], row)
}

export function scheduleDelivery(world: World, row: Row): void {
  const due = world.index(DUE)
  const tick = world.read(Commission).doneTick[row]
  append(due, tick, row)
}

/** Commissions that are done in this tick, the oldest first. */
export function takeDone(world: World): Row[] {
  const due = world.index(DUE)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, doneTick, seq } = world.read(Commission)
  const live = [...new Set(rows)].filter((row) => alive[row] === 1 && doneTick[row] === world.tick)
  return live.sort((a, b) => seq[a] - seq[b])
}

type Kept = typeof Commission | typeof ShipListing | typeof ShipOrder

/** Rows in use in the order of their making. */
function inOrder(view: WorldView, table: Kept): Row[] {
  const { alive, seq } = view.read(table as typeof ShipListing)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(table); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

/** Fills the indexes from the tables, after a restore. */
export function rebuildShipyards(world: World): void {
  for (const name of Object.keys(INDEXES) as ListName[]) world.index(INDEXES[name]).clear()
  world.index(DUE).clear()
  for (const row of inOrder(world, Commission)) {
    enterCommission(world, row)
    if (world.read(Commission).doneTick[row] !== 0) scheduleDelivery(world, row)
  }
  for (const row of inOrder(world, ShipListing)) enterListing(world, row)
  for (const row of inOrder(world, ShipOrder)) enterOrder(world, row)
}
