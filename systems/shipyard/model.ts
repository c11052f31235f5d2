/**
 * Lookups of shipyards: what a yard builds, for whom and at what price; licences, commissions,
 * listings and orders. Source: ships.md sections 7, 8.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES, SHIP_CLASSES, type ShipClassRow } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { Container, type Held } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { SHIPS_PER_PLAYER_MAX } from '../../core/limits.ts'
import { divCeil, mulDivCeil, mulDivFloor } from '../../core/math.ts'
import { type ReferenceDef, referenceById } from '../../core/reference.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { reputationOf } from '../account/model.ts'
import { baseId, empireOfBase } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { Faction } from '../faction/state.ts'
import { PlayerPrizes } from '../prize/state.ts'
import { seesPoi } from '../sensing/model.ts'
import { shipsOf } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { isHost, ownerOfBase } from '../station/model.ts'
import { visitedBy } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { baseValueOf, billOf, fittedOf } from './materials-model.ts'
import {
  COMMISSION_STATUS,
  COMMISSIONS_AT,
  COMMISSIONS_OF,
  Commission,
  type CommissionMode,
  type CommissionStatus,
  ForSale,
  LICENSES,
  LISTINGS_AT,
  ORDERS_AT,
  ORDERS_OF,
  ShipListing,
  ShipOrder,
  Yard,
} from './state.ts'

/** What materials cost at a yard, percent of their price, and its margin on the whole. */
export const MATERIAL_PCT = 110
const MARGIN_PCT = 10
/** Build time by level of the yard, percent. */
const BUILD_TIME_PCT = [100, 85, 65, 45, 30] as const
/** Royalty to the empire that licenses the design of a hull, percent of its material value. */
export const ROYALTY_PCT = 10
/** Listing fee where no empire sets one. Source: ships.md section 8. */
const FEE_BPS_DEFAULT = 100

/* Rows by what they belong to, the oldest first */

const NONE: readonly Row[] = []

/** Returns the commissions of a yard, those for itself included. */
export const commissionsAt = (view: WorldView, base: Eid): readonly Row[] =>
  view.index(COMMISSIONS_AT).get(base) ?? NONE

/** Returns the open commissions of a player; for player 0, those that yards run themselves. */
export const commissionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(COMMISSIONS_OF).get(player) ?? NONE

/** Returns the listings of hulls for sale at a base. */
export const listingsAt = (view: WorldView, base: Eid): readonly Row[] =>
  view.index(LISTINGS_AT).get(base) ?? NONE

/** Returns the bases of the systems that a player has visited. O(bases). */
export function knownBases(view: WorldView, player: Eid): Eid[] {
  const { alive, poi } = view.read(Base)
  const { system } = view.read(Poi)
  const { seq } = view.read(StarSystem)
  const visited = visitedBy(view, player)
  const known: Eid[] = []
  for (let base = 1; base <= view.highOf(Base); base++) {
    const isKnown = alive[base] === 1 && visited[seq[system[poi[base]]]] !== undefined
    if (isKnown && seesPoi(view, player, poi[base])) known.push(base)
  }
  return known
}

/** Returns the open buy orders at a base. */
export const ordersAt = (view: WorldView, base: Eid): readonly Row[] =>
  view.index(ORDERS_AT).get(base) ?? NONE

/** Returns the open buy orders of a player. */
export const ordersOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(ORDERS_OF).get(player) ?? NONE

/** Returns the listing of a ship; 0 none. */
const listingOf = (view: WorldView, ship: Eid): Row => view.read(ForSale).listing[ship]

/* Ids */

export const commissionId = (view: WorldView, row: Row): string => idOf(view, Commission, row)
export const listingId = (view: WorldView, row: Row): string => idOf(view, ShipListing, row)
export const shipOrderId = (view: WorldView, row: Row): string => idOf(view, ShipOrder, row)

/** Returns the row with a wire id; 0 if there is none. */
export const commissionById = (view: WorldView, id: string): Row => rowOfId(view, Commission, id)
export const listingById = (view: WorldView, id: string): Row => rowOfId(view, ShipListing, id)
export const shipOrderById = (view: WorldView, id: string): Row => rowOfId(view, ShipOrder, id)

export const yardReferences: readonly ReferenceDef[] = [
  referenceById('commission', commissionById, 'commission_not_found'),
  referenceById('listing', listingById, 'listing_not_found'),
  referenceById('ship_order', shipOrderById, 'order_not_found'),
]

/* Classes */

/** Returns whether yards build a class to order: no starters, pirate ships or withdrawn classes. */
export const isBuildable = (row: ShipClassRow): boolean =>
  row.shipyard_tier > 0 && !row.starter_ship && !row.legacy && row.category !== 'pirate'

/** Returns the index of a class by id or name. Refusal: unknown_class. */
export function findClass(text: string): Outcome<number, 'unknown_class'> {
  const key = text.trim().toLowerCase()
  const byId = SHIP_CLASSES.findIndex((row) => row.id === key)
  const found = byId >= 0 ? byId : SHIP_CLASSES.findIndex((row) => row.name.toLowerCase() === key)
  return found < 0 ? fail('unknown_class', { ship_class: text }) : ok(found)
}

/** Finds a class as `findClass` does, but only one that yards build. Refusal: unknown_class. */
export function findBuildable(text: string): Outcome<number, 'unknown_class'> {
  const found = findClass(text)
  if (!found.ok || isBuildable(SHIP_CLASSES[found.result])) return found
  return fail('unknown_class', { ship_class: text }, 'No yard builds ships of this class.')
}

/* Cost of a hull */

/** Returns the cost of labour, credits. */
export function laborCost(shipClass: number): number {
  const { build_time, tier } = SHIP_CLASSES[shipClass]
  return build_time * (5 * tier + 5)
}

/** Returns what the yard itself earns on materials and labour, credits. */
export const marginOf = (material: number, labor: number): number =>
  mulDivFloor(material + labor, MARGIN_PCT, 100)

const SHOWROOM_PRICES = SHIP_CLASSES.map((_, shipClass) => {
  const material = mulDivCeil(baseValueOf(billOf(shipClass, false)), MATERIAL_PCT, 100)
  const labor = laborCost(shipClass)
  return material + labor + marginOf(material, labor)
})

/** Returns what a showroom asks for a hull: its cost at base values, with the yard's margin. */
export const showroomPrice = (shipClass: number): number => SHOWROOM_PRICES[shipClass]

/** Returns the royalty of a hull and the empire it goes to; -1 for open designs. */
export function royaltyOf(shipClass: number, bare: boolean): { empire: number; credits: number } {
  const empire = EMPIRES.findIndex(({ id }) => id === SHIP_CLASSES[shipClass].faction)
  if (empire < 0) return { empire, credits: 0 }
  const value = baseValueOf(billOf(shipClass, bare))
  return { empire, credits: mulDivFloor(value, ROYALTY_PCT, 100) }
}

/** Returns the level of the base of a yard: the number of its bays. */
export const levelOfYard = (view: WorldView, base: Eid): number => {
  const level = view.read(Base).level[base]
  assert(level >= 1 && level <= BUILD_TIME_PCT.length, `base ${base} has level ${level}`)
  return level
}

/** Returns the ticks that building a hull takes, once it has a bay. */
export function buildTicks(view: WorldView, base: Eid, shipClass: number): number {
  const pct = BUILD_TIME_PCT[levelOfYard(view, base) - 1]
  return Math.max(1, divCeil(SHIP_CLASSES[shipClass].build_time * pct, 100))
}

/* Requests and quotes */

/** A hull that a player, or 0 for the yard itself, wants built. */
export interface HullRequest {
  readonly player: Eid
  readonly base: Eid
  readonly shipClass: number
  readonly bare: boolean
}

export interface CommissionRequest extends HullRequest {
  readonly mode: CommissionMode
}

/** The cost of a commission in one mode of payment, credits. */
export interface Charge {
  readonly material: number
  readonly labor: number
  readonly margin: number
  readonly tax: number
  readonly taxBps: number
  readonly total: number
  /** Materials that the player or faction provides. */
  readonly brings: readonly Held[]
}

/** Reasons against a commission that neither credits nor materials can remove. */
const BLOCKERS = ['wrong_empire', 'shipyard_tier', 'piloting', 'reputation'] as const
type Blocker = (typeof BLOCKERS)[number] | 'materials' | 'credits'

export interface Quote {
  readonly blockers: readonly Blocker[]
  /** With materials bought: all of them, or those the player lacks. */
  readonly buying: Charge
  readonly providing: Charge
  readonly hasMaterials: boolean
  readonly canBuy: boolean
  readonly canProvide: boolean
  /** Whether the base has an exchange, on which the yard can buy materials. */
  readonly hasExchange: boolean
  readonly ticks: number
  readonly tierHere: number
  readonly tierRequired: number
  readonly credits: number
}

/** Returns what a faction pays its own yard: labour alone, without margin or tax. */
export function fundedCharge(shipClass: number, bare: boolean): Charge {
  const labor = laborCost(shipClass)
  const brings = billOf(shipClass, bare)
  return { material: 0, labor, margin: 0, tax: 0, taxBps: 0, total: labor, brings }
}

/** Returns whether a base may build a class: open, of its empire, or licensed to its faction. */
function mayUseDesign(view: WorldView, base: Eid, { id, faction }: ShipClassRow): boolean {
  const owner = ownerOfBase(view, base)
  if (owner !== 0 && licensesOf(view, owner).includes(id)) return true
  const empire = empireOfBase(view, base)
  return faction === '' || (empire >= 0 && EMPIRES[empire].id === faction)
}

/** Returns whether the yard of a base could build the class for anybody. */
export function yardBuilds(view: WorldView, base: Eid, shipClass: number): boolean {
  const row = SHIP_CLASSES[shipClass]
  return mayUseDesign(view, base, row) && row.shipyard_tier <= view.read(Base).shipyardTier[base]
}

function lacksReputation(view: WorldView, player: Eid, base: Eid, row: ShipClassRow): boolean {
  const empire = empireOfBase(view, base)
  if (row.required_reputation <= 0 || empire < 0) return false
  return reputationOf(view, player, empire) < row.required_reputation
}

export const lacksPiloting = (view: WorldView, player: Eid, shipClass: number): boolean =>
  levelOf(view, player, 'piloting') < SHIP_CLASSES[shipClass].piloting_required

/** Returns the blockers besides credits and materials, in the order of the sheet. */
export function blockersOf(view: WorldView, player: Eid, base: Eid, shipClass: number): Blocker[] {
  const row = SHIP_CLASSES[shipClass]
  const isBlocked: Readonly<Record<(typeof BLOCKERS)[number], boolean>> = {
    wrong_empire: !mayUseDesign(view, base, row),
    shipyard_tier: row.shipyard_tier > view.read(Base).shipyardTier[base],
    piloting: lacksPiloting(view, player, shipClass),
    reputation: lacksReputation(view, player, base, row),
  }
  return BLOCKERS.filter((blocker) => isBlocked[blocker])
}

/** Returns why a yard does not build a class, in words. */
export function blockerTexts(blockers: readonly Blocker[], shipClass: number): string {
  const row = SHIP_CLASSES[shipClass]
  const owner = EMPIRES.find(({ id }) => id === row.faction)?.name ?? 'another empire'
  const texts: Readonly<Record<Blocker, string>> = {
    wrong_empire: `only the yards of ${owner} build it, and stations whose faction has a licence`,
    shipyard_tier: `it takes a yard of tier ${row.shipyard_tier}`,
    piloting: `it takes piloting ${row.piloting_required}`,
    reputation: `it takes a reputation of ${row.required_reputation} with ${owner}`,
    materials: 'materials are missing',
    credits: 'you lack the credits',
  }
  return blockers.map((blocker) => texts[blocker]).join('; ')
}

const EXCLUSIVE_MODES = [
  'fund_from_faction',
  'provide_materials',
  'source_missing_materials',
] as const
type ModeFlags = Readonly<Partial<Record<(typeof EXCLUSIVE_MODES)[number], boolean>>>

/**
 * Returns the mode that the flags of a request ask for. Refusal: invalid_payload, for flags that
 * exclude each other.
 */
export function modeOf(flags: ModeFlags): CommissionMode | Failure<'invalid_payload'> {
  const set = EXCLUSIVE_MODES.filter((mode) => flags[mode] === true)
  if (set.length < 2) return set[0] ?? 'credits'
  return invalidFields(...set.map((field) => ({ field, expected: 'the only one of these' })))
}

/* Commissions */

export const statusOf = (view: WorldView, row: Row): CommissionStatus =>
  COMMISSION_STATUS[view.read(Commission).status[row]]

/** Returns whether a finished hull has to wait: no room in a table, or in the buyer's fleet. */
export function isDeliveryBlocked(view: WorldView, row: Row): boolean {
  const columns = view.read(Commission)
  const modules = fittedOf(columns.class[row], columns.bare[row] === 1).length
  if (view.roomIn(Ship) < 1 || view.roomIn(Module) < modules || view.roomIn(Container) < 1) {
    return true
  }
  const { player, order } = columns
  const owner = order[row] === 0 ? player[row] : view.read(ShipOrder).player[order[row]]
  return owner !== 0 && isFleetFull(view, owner)
}

/** Returns the escrow account of a base; 0 before its first business. */
export const escrowOf = (view: WorldView, base: Eid): Row => view.read(Yard).escrow[base]

/** Returns the credits in the escrow of a base. */
export function escrowBalance(view: WorldView, base: Eid): number {
  const account = escrowOf(view, base)
  return account === 0 ? 0 : balanceOf(view, account)
}

/* Licences */

export const licenseKey = (view: WorldView, faction: Row): string =>
  String(view.read(Faction).seq[faction])

/** Returns the ids of the classes that a faction has licences for. */
export const licensesOf = (view: WorldView, faction: Row): readonly string[] =>
  view.records(LICENSES).get(licenseKey(view, faction)) ?? []

/* The exchange */

/** Returns the fee for listing a ship, credits; none at a station of the seller's own faction. */
export function listingFeeOf(view: WorldView, player: Eid, base: Eid, price: number): number {
  if (isHost(view, player, base)) return 0
  const empire = empireOfBase(view, base)
  const bps = empire < 0 ? FEE_BPS_DEFAULT : EMPIRES[empire].policy.ship_listing_fee_bps
  return Math.max(1, mulDivCeil(price, bps, 10_000))
}

/** Returns whether a ship is listed for sale: then it cannot be flown, scrapped, given or moved. */
export const isListed = (view: WorldView, ship: Eid): boolean => listingOf(view, ship) !== 0

/** Renders the listing of a ship for list_ships; nothing where it is not for sale. */
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

/** Counts the hulls that a station has for sale or builds for itself. */
export function ownHullsAt(view: WorldView, base: Eid): number {
  const { player: seller } = view.read(ShipListing)
  const { player: customer } = view.read(Commission)
  const listed = listingsAt(view, base).filter((row) => seller[row] === 0).length
  return listed + commissionsAt(view, base).filter((row) => customer[row] === 0).length
}

/** Counts the hulls that a player owns or has claimed as prizes. */
const hullsOf = (view: WorldView, player: Eid): number =>
  shipsOf(view, player).length + view.read(PlayerPrizes).claimed[player]

/** Returns whether a player has all the hulls they may have. Source: ships.md 1, ship_limit. */
export const isFleetFull = (view: WorldView, player: Eid): boolean =>
  hullsOf(view, player) >= SHIPS_PER_PLAYER_MAX

/** Returns whether a player may order one more hull; hulls already ordered count. */
export function mayOrderHull(view: WorldView, player: Eid): boolean {
  const ordered = commissionsOf(view, player).length + ordersOf(view, player).length
  return hullsOf(view, player) + ordered < SHIPS_PER_PLAYER_MAX
}
