/**
 * What other domains may ask of shipyards: whether a hull is for sale, and which hulls a player is
 * about to get. Source: ships.md sections 7, 8.
 */
import { assert } from '../../core/assert.ts'
import {
  EMPIRES,
  GOODS,
  itemIndex,
  SHIP_CLASSES,
  type ShipClassRow,
} from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { badFields, type Failure } from '../../core/errors.ts'
import { Container, type Held, unitsIn } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { SHIPS_PER_PLAYER_MAX } from '../../core/limits.ts'
import { divCeil, mulDivCeil, mulDivFloor } from '../../core/math.ts'
import { byIdAlone, type ReferenceDef } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { reputationOf } from '../account/model.ts'
import { baseId, empireOfBase } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Faction } from '../faction/state.ts'
import { type StorePlace, storeContainer } from '../faction/store-model.ts'
import { Flotilla } from '../prize/state.ts'
import { shipsOf } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { isHost, ownerOfBase } from '../station/model.ts'
import {
  COMMISSION_STATUS,
  Commission,
  type CommissionMode,
  type CommissionStatus,
  ForSale,
  LICENSES,
  ShipListing,
  ShipOrder,
  Yard,
} from './state.ts'

/*
 * What a hull takes and costs at a yard: bill of materials, prices, labour, time. Writes nothing.
 * Source: ships.md section 7.
 */

/** What the yard adds to the price of materials, and to the whole for itself, percent. */
export const MATERIAL_PCT = 110
const MARGIN_PCT = 10
/** A yard never pays more than so many times the base value. */
const PRICE_FACTOR_MAX = 4

/** Share of the build time by level of the yard, percent. */
const BUILD_TIME_PCT = [100, 85, 65, 45, 30] as const

/** Materials of a hull by good, ascending; default modules are among them unless it is bare. */
export function billOf(shipClass: number, bare: boolean): Held[] {
  const { build_materials, default_modules } = SHIP_CLASSES[shipClass]
  const units = new Map<number, number>()
  const add = (id: string, n: number) =>
    units.set(itemIndex(id), (units.get(itemIndex(id)) ?? 0) + n)
  for (const { item_id, quantity } of build_materials) add(item_id, quantity)
  if (!bare) for (const id of default_modules) add(id, 1)
  return [...units].map(([item, n]) => ({ item, units: n })).sort((a, b) => a.item - b.item)
}

/** Goods among a bill that are modules fitted by default, by good. */
export function fittedOf(shipClass: number, bare: boolean): number[] {
  return bare ? [] : SHIP_CLASSES[shipClass].default_modules.map(itemIndex)
}

export const worthOf = (item: number): number => Math.max(1, GOODS[item].base_value)

/** Most that a yard pays for a unit, credits. */
export const priceLimit = (item: number): number => PRICE_FACTOR_MAX * worthOf(item)

/** Credits of goods at base value. */
export const baseValueOf = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + worthOf(item) * units, 0)

/** Credits of labour. */
export function laborCost(shipClass: number): number {
  const { build_time, tier } = SHIP_CLASSES[shipClass]
  return build_time * (5 * tier + 5)
}

/** What the yard itself earns of materials and labour, credits. */
export const marginOf = (material: number, labor: number): number =>
  mulDivFloor(material + labor, MARGIN_PCT, 100)

export const levelOfYard = (view: WorldView, base: Eid): number => {
  const level = view.read(Base).level[base]
  assert(level >= 1 && level <= BUILD_TIME_PCT.length, `base ${base} has level ${level}`)
  return level
}

/** Ticks a hull is in the bay. */
export function buildTicks(view: WorldView, base: Eid, shipClass: number): number {
  const pct = BUILD_TIME_PCT[levelOfYard(view, base) - 1]
  return Math.max(1, divCeil(SHIP_CLASSES[shipClass].build_time * pct, 100))
}

/* What a commission would cost a player now. Writes nothing. Source: ships.md section 7. */

/* Why a yard does not build a class for a player. Writes nothing. Source: ships.md section 7. */

/** What is wrong whoever pays. */
const BLOCKERS = ['wrong_empire', 'shipyard_tier', 'piloting', 'reputation'] as const
/** What a purse or a hold can mend. */
type Blocker = (typeof BLOCKERS)[number] | 'materials' | 'credits'

/** True for what a base may build: open designs, its empire's, its faction's by licence. */
const isOwnDesign = (view: WorldView, base: Eid, { id, faction }: ShipClassRow): boolean => {
  const owner = ownerOfBase(view, base)
  if (owner !== 0 && licensesOf(view, owner).includes(id)) return true
  const empire = empireOfBase(view, base)
  return faction === '' || (empire >= 0 && EMPIRES[empire].id === faction)
}

/** True if the yard of a base could build the class, whoever asks. */
export function yardBuilds(view: WorldView, base: Eid, shipClass: number): boolean {
  const row = SHIP_CLASSES[shipClass]
  return isOwnDesign(view, base, row) && row.shipyard_tier <= view.read(Base).shipyardTier[base]
}

function lacksReputation(view: WorldView, player: Eid, base: Eid, row: ShipClassRow): boolean {
  const empire = empireOfBase(view, base)
  if (row.required_reputation <= 0 || empire < 0) return false
  return reputationOf(view, player, empire) < row.required_reputation
}

export const lacksPiloting = (view: WorldView, player: Eid, shipClass: number): boolean =>
  levelOf(view, player, 'piloting') < SHIP_CLASSES[shipClass].piloting_required

/** Blockers other than money and materials, in the order of the sheet. */
export function blockersOf(view: WorldView, player: Eid, base: Eid, shipClass: number): Blocker[] {
  const row = SHIP_CLASSES[shipClass]
  const is: Readonly<Record<(typeof BLOCKERS)[number], boolean>> = {
    wrong_empire: !isOwnDesign(view, base, row),
    shipyard_tier: row.shipyard_tier > view.read(Base).shipyardTier[base],
    piloting: lacksPiloting(view, player, shipClass),
    reputation: lacksReputation(view, player, base, row),
  }
  return BLOCKERS.filter((blocker) => is[blocker])
}

interface Flags {
  readonly fund_from_faction?: boolean
  readonly provide_materials?: boolean
  readonly source_missing_materials?: boolean
}

/** Who brings the materials. Refusal: invalid_payload, for flags that exclude each other. */
export function modeOf(flags: Flags): CommissionMode | Failure<'invalid_payload'> {
  const set = (Object.keys(EXCLUSIVE) as (keyof Flags)[]).filter((flag) => flags[flag] === true)
  if (set.length > 1) {
    const details = set.map((field) => ({ field, expected: 'the only one of these' }))
    return badFields(...details)
  }
  return set.length === 0 ? 'credits' : EXCLUSIVE[set[0]]
}

const EXCLUSIVE = {
  fund_from_faction: 'fund_from_faction',
  provide_materials: 'provide_materials',
  source_missing_materials: 'source_missing_materials',
} as const satisfies Record<keyof Flags, CommissionMode>

export const statusOf = (view: WorldView, row: Row): CommissionStatus =>
  COMMISSION_STATUS[view.read(Commission).status[row]]

/** Why a hull that is done cannot be handed over yet: no place in a table, or in a fleet. */
export function isHeldUp(view: WorldView, row: Row): boolean {
  const columns = view.read(Commission)
  const modules = fittedOf(columns.class[row], columns.bare[row] === 1).length
  if (view.roomIn(Ship) < 1 || view.roomIn(Module) < modules || view.roomIn(Container) < 1) {
    return true
  }
  const { player, order } = columns
  const owner = order[row] === 0 ? player[row] : view.read(ShipOrder).player[order[row]]
  return owner !== 0 && isFleetFull(view, owner)
}

/** The escrow of a base; 0 before its first business. */
export const escrowOf = (view: WorldView, base: Eid): Row => view.read(Yard).escrow[base]

/** What the escrow of a base holds, credits. */
export function escrowed(view: WorldView, base: Eid): number {
  const account = escrowOf(view, base)
  return account === 0 ? 0 : balanceOf(view, account)
}

/** What a store of a faction has of a bill. */
export function heldInStore(view: WorldView, place: StorePlace, bill: readonly Held[]): Held[] {
  const goods = storeContainer(view, place)
  if (goods === 0) return []
  return bill.map(({ item, units }) => ({
    item,
    units: Math.min(units, unitsIn(view, goods, item)),
  }))
}

/** What a hull owes to the empire whose licence it is built under; empire -1 for open designs. */
export function royaltyOf(shipClass: number, bare: boolean): { empire: number; credits: number } {
  const empire = EMPIRES.findIndex(({ id }) => id === SHIP_CLASSES[shipClass].faction)
  if (empire < 0) return { empire, credits: 0 }
  const value = baseValueOf(billOf(shipClass, bare))
  return { empire, credits: mulDivFloor(value, ROYALTY_PCT, 100) }
}

/** What the treasury puts aside: labor. Its own yard asks nothing for itself, and no tax is due. */
export function fundedCharge(shipClass: number, bare: boolean): Charge {
  const labor = laborCost(shipClass)
  const brings = billOf(shipClass, bare)
  return { material: 0, labor, margin: 0, tax: 0, taxBps: 0, total: labor, brings }
}

/** Of the material value of each hull built under a licence, for the empire. */
export const ROYALTY_PCT = 10

export const keyOf = (view: WorldView, faction: Row): string =>
  String(view.read(Faction).seq[faction])

/** Ids of the classes that a faction has licences for. */
export const licensesOf = (view: WorldView, faction: Row): readonly string[] =>
  view.records(LICENSES).get(keyOf(view, faction)) ?? []

/** Fee where no empire sets one. Source: ships.md section 8. */
const FEE_BPS_DEFAULT = 100

/** Fee for listing a ship, credits; none at a station of one's own faction. ships.md section 8. */
export function listingFeeOf(view: WorldView, player: Eid, base: Eid, price: number): number {
  if (isHost(view, player, base)) return 0
  const empire = empireOfBase(view, base)
  const bps = empire < 0 ? FEE_BPS_DEFAULT : EMPIRES[empire].policy.ship_listing_fee_bps
  return Math.max(1, mulDivCeil(price, bps, 10_000))
}

/** Hulls that a station has for sale or builds for itself. */
export function ownHullsAt(view: WorldView, base: Eid): number {
  const { player } = view.read(ShipListing)
  const { player: builder } = view.read(Commission)
  const shown = listingsAt(view, base).filter((row) => player[row] === 0).length
  return shown + commissionsAt(view, base).filter((row) => builder[row] === 0).length
}

/** Whom a quote is for, and what of. */
export interface Wanted {
  readonly player: Eid
  readonly base: Eid
  readonly shipClass: number
  readonly bare: boolean
}

/** Credits of one way to pay. */
export interface Charge {
  readonly material: number
  readonly labor: number
  readonly margin: number
  readonly tax: number
  readonly taxBps: number
  readonly total: number
  /** What the player brings. */
  readonly brings: readonly Held[]
}

/** What a bill lacks beside what is there. */
export function lessThan(bill: readonly Held[], there: readonly Held[]): Held[] {
  const units = new Map(there.map((held) => [held.item, held.units]))
  return bill
    .map((want) => ({ item: want.item, units: want.units - (units.get(want.item) ?? 0) }))
    .filter((want) => want.units > 0)
}

/** The same for the details of a refusal. */
export function missingOf(bill: readonly Held[], there: readonly Held[]) {
  const needed = new Map(bill.map(({ item, units }) => [item, units]))
  return lessThan(bill, there).map(({ item, units }) => {
    const need = needed.get(item) ?? units
    return { item_id: GOODS[item].id, item_name: GOODS[item].name, need, have: need - units }
  })
}

export interface Quote {
  readonly blockers: readonly Blocker[]
  /** By the mode that buys: all of it, or what the player lacks. */
  readonly buying: Charge
  readonly providing: Charge
  readonly hasMaterials: boolean
  readonly canBuy: boolean
  readonly canProvide: boolean
  /** The yard has an exchange to buy at. */
  readonly buys: boolean
  readonly ticks: number
  readonly tierHere: number
  readonly tierRequired: number
  readonly credits: number
}

/** By wire id; 0 if there is none. */
export const commissionById = (view: WorldView, id: string): Row => rowOfId(view, Commission, id)
export const listingById = (view: WorldView, id: string): Row => rowOfId(view, ShipListing, id)
export const shipOrderById = (view: WorldView, id: string): Row => rowOfId(view, ShipOrder, id)

/* What yards and their customers put up, by id. */

export const yardReferences: readonly ReferenceDef[] = [
  byIdAlone('commission', commissionById, 'commission_not_found'),
  byIdAlone('listing', listingById, 'listing_not_found'),
  byIdAlone('ship_order', shipOrderById, 'order_not_found'),
]

/** True for a ship on the exchange: neither flown, scrapped, given, towed nor moved. */
export const isListed = (view: WorldView, ship: Eid): boolean => listingOf(view, ship) !== 0

/** The listing of a ship as list_ships shows it; nothing where it is not for sale. */
export function renderSale(view: WorldView, ship: Eid) {
  const row = listingOf(view, ship)
  if (row === 0) return {}
  const { price, base } = view.read(ShipListing)
  return {
    listing_id: listingId(view, row),
    listing_price: price[row],
    listing_base_id: baseId(view, base[row]),
  }
}

/** Hulls that a player owns or has claimed as prizes. */
const hullsOf = (view: WorldView, player: Eid): number =>
  shipsOf(view, player).length + view.read(Flotilla).claimed[player]

/** True when one hull more would be too many now. Source: ships.md section 1, ship_limit. */
export const isFleetFull = (view: WorldView, player: Eid): boolean =>
  hullsOf(view, player) >= SHIPS_PER_PLAYER_MAX

/** As `isFleetFull`, with the hulls counted that are ordered and not there yet. */
export function mayOrderHull(view: WorldView, player: Eid): boolean {
  const coming = commissionsOf(view, player).length + ordersOf(view, player).length
  return hullsOf(view, player) + coming < SHIPS_PER_PLAYER_MAX
}

/** Rows by what they belong to, each list in the order of making. */
type Lists = Map<Eid, readonly Row[]>

const lists = (name: string) => defineIndex(name, (): Lists => new Map())

export const INDEXES = {
  commissionsAt: lists('shipyard.commissions_at'),
  commissionsOf: lists('shipyard.commissions_of'),
  listingsAt: lists('shipyard.listings_at'),
  ordersAt: lists('shipyard.orders_at'),
  ordersOf: lists('shipyard.orders_of'),
} as const
export type ListName = keyof typeof INDEXES

const NOTHING: readonly Row[] = []

export const listOf = (view: WorldView, name: ListName, key: Eid): readonly Row[] =>
  view.index(INDEXES[name]).get(key) ?? NOTHING

/** Commissions of a yard, the oldest first, its own included. */
export const commissionsAt = (view: WorldView, base: Eid): readonly Row[] =>
  listOf(view, 'commissionsAt', base)
/** Open commissions of a player, the oldest first; 0: what yards build for themselves. */
export const commissionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  listOf(view, 'commissionsOf', player)
/** Hulls for sale at a base, the oldest listing first. */
export const listingsAt = (view: WorldView, base: Eid): readonly Row[] =>
  listOf(view, 'listingsAt', base)
/** Open buy orders at a base, the oldest first. */
export const ordersAt = (view: WorldView, base: Eid): readonly Row[] =>
  listOf(view, 'ordersAt', base)
/** Open buy orders of a player, the oldest first. */
export const ordersOf = (view: WorldView, player: Eid): readonly Row[] =>
  listOf(view, 'ordersOf', player)

/* Ids */

export const commissionId = (view: WorldView, row: Row): string => idOf(view, Commission, row)
export const listingId = (view: WorldView, row: Row): string => idOf(view, ShipListing, row)
export const shipOrderId = (view: WorldView, row: Row): string => idOf(view, ShipOrder, row)

/** The listing of a ship; 0 none. */
const listingOf = (view: WorldView, ship: Eid): Row => view.read(ForSale).listing[ship]
