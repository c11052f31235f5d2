/**
 * Payment for building: credits from one account; materials from a locker or a faction store, then
 * from the cargo of the ship. Source: crafting.md section 6, build.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, itemIndex, type MaterialRow } from '../../core/catalog/index.ts'
import { type Failure, fail, failAs } from '../../core/errors.ts'
import { moveItems, namedContainer, unitsIn } from '../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { closeEmptyLocker, isPackageIn, lockerOf, manifestOf, sealedById } from '../cargo/model.ts'
import { openPackage } from '../cargo/rules.ts'
import { treasuryOf } from '../faction/model.ts'
import {
  closeEmptyStore,
  findStore,
  type StorePlace,
  storeContainer,
} from '../faction/store-model.ts'
import { creditMove } from '../log/rules.ts'
import { activeShip, cargoUnits, unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { recordCorporateExpense } from '../tax/rules.ts'
import { activeFacility, type Owner } from './model.ts'
import { OF_FACTION, OF_PLAYER } from './state.ts'

/*
 * Packages as payment: together they must hold exactly what is needed, no more. Source: crafting.md
 * section 6.
 */

/** Materials of a facility, and the packages that hold them; without packages they are loose. */
export interface Supply {
  readonly materials: readonly MaterialRow[]
  readonly packages: readonly Row[]
}

/** Returns true if packages pay for the materials. */
export const isPackaged = ({ packages }: Supply): boolean => packages.length > 0

/**
 * Returns the containers whose packages may pay: stores of a faction, the builder's locker and
 * hold.
 */
function packageSources(view: WorldView, payer: Payer): Row[] {
  const { player, base, ship } = payer
  const hold = ship === 0 ? 0 : view.read(Ship).hold[ship]
  const stores = payer.owner.kind === OF_FACTION ? payer.stores : []
  return [...stores, lockerOf(view, player, base), hold].filter((row) => row !== 0)
}

/**
 * Finds the packages that pay, if any are named. Refusals: not_found (not within reach),
 * package_mismatch.
 */
export function supplyOf(
  view: WorldView,
  payer: Payer,
  materials: readonly MaterialRow[],
  ids: readonly string[] = [],
): Supply | Failure<'not_found' | 'package_mismatch'> {
  const from = packageSources(view, payer)
  const packages: Row[] = []
  for (const id of ids) {
    const pkg = sealedById(view, id)
    if (pkg === 0 || !from.some((place) => isPackageIn(view, place, pkg))) {
      return fail('not_found', { package_id: id })
    }
    // Ids ignore case: two spellings may name the same package.
    if (!packages.includes(pkg)) packages.push(pkg)
  }
  if (packages.length === 0) return { materials, packages }
  const sums = new Map<number, number>()
  for (const pkg of packages) {
    for (const { item, units } of manifestOf(view, pkg)) {
      sums.set(item, (sums.get(item) ?? 0) + units)
    }
  }
  const isExact =
    sums.size === materials.length &&
    materials.every(({ item_id, quantity }) => sums.get(itemIndex(item_id)) === quantity)
  return isExact ? { materials, packages } : fail('package_mismatch', { need: [...materials] })
}

/** Consumes the materials: the named packages, or loose goods from the payer's stores and cargo. */
export function takeSupply(world: World, payer: Payer, supply: Supply): void {
  if (!isPackaged(supply)) {
    takeMaterials(world, payer, supply.materials)
    return
  }
  const container = namedContainer('construction')
  for (const pkg of supply.packages) openPackage(world, pkg, { kind: 'escrow', container }, false)
  closeEmptyStores(world, payer)
}

/** Where the payment for a facility comes from. */
export interface Payer {
  readonly owner: Owner
  /** The player who builds. */
  readonly player: Eid
  readonly base: Row
  readonly account: Row
  /** The store that is emptied first, if there is one; the cargo of `ship` comes last. */
  readonly stores: readonly Row[]
  readonly ship: Eid
  /** The faction store that `stores` holds or would hold; absent if a locker is used. */
  readonly place?: StorePlace
}

/**
 * Returns what an owner pays from. A player pays from their locker, then from their cargo; a
 * faction from its store or the named bucket, then from the cargo of the member who builds. Until
 * the faction has a store at the base, that member's locker replaces it, as a hold alone is too
 * small. Refusals: no_faction_storage, bucket_not_found.
 */
export function payerOf(
  view: WorldView,
  player: Eid,
  owner: Owner,
  place: { readonly base: Row; readonly bucket?: string },
): Payer | Failure<'bucket_not_found' | 'no_faction_storage'> {
  const { base, bucket } = place
  const shared = { owner, player, base, ship: activeShip(view, player) }
  const locker = lockerOf(view, player, base)
  if (owner.kind === OF_PLAYER) {
    return { ...shared, account: walletOf(view, player), stores: locker === 0 ? [] : [locker] }
  }
  assert(owner.kind === OF_FACTION, 'a station builds nothing by command')
  const account = treasuryOf(view, owner.faction)
  const hasStore = activeFacility(view, owner.faction, base, 'faction_storage') !== 0
  if (!hasStore && bucket === undefined) {
    return { ...shared, account, stores: locker === 0 ? [] : [locker] }
  }
  const found = findStore(view, owner.faction, base, bucket)
  if (!found.ok) return found
  const store = storeContainer(view, found.result)
  return { ...shared, account, stores: store === 0 ? [] : [store], place: found.result }
}

/** Returns the units of an item that a payer has. */
function availableUnits(view: WorldView, payer: Payer, item: number): number {
  const stored = payer.stores.reduce((sum, store) => sum + unitsIn(view, store, item), 0)
  return stored + (payer.ship === 0 ? 0 : cargoUnits(view, payer.ship, item))
}

/** Refuses a payer who lacks something: no_credits or faction_no_credits, missing_materials. */
export function payingRefusal(
  view: WorldView,
  payer: Payer,
  credits: number,
  materials: readonly MaterialRow[],
): Failure<'faction_no_credits' | 'missing_materials' | 'no_credits'> | undefined {
  const have = balanceOf(view, payer.account)
  if (have < credits) {
    const code = payer.owner.kind === OF_FACTION ? 'faction_no_credits' : 'no_credits'
    return fail(code, { need: credits, have })
  }
  const missing = materials.flatMap(({ item_id, quantity }) => {
    const item = itemIndex(item_id)
    const units = availableUnits(view, payer, item)
    if (units >= quantity) return []
    return [{ item_id, item_name: GOODS[item].name, need: quantity, have: units }]
  })
  if (missing.length === 0) return undefined
  // A faction with a store here pays from it: what its builder has in their own does not count.
  return payer.place
    ? failAs('missing_materials', { missing }, 'missing_faction_materials')
    : fail('missing_materials', { missing })
}

/** Moves materials to `into`, by default to the sink; the caller has checked `payingRefusal`. */
export function takeMaterials(
  world: World,
  payer: Payer,
  materials: readonly MaterialRow[],
  into: Row = namedContainer('construction'),
): void {
  for (const { item_id, quantity } of materials) {
    const item = itemIndex(item_id)
    let left = quantity
    for (const store of payer.stores) {
      const units = Math.min(left, unitsIn(world, store, item))
      moveItems(world, store, into, item, units)
      left -= units
    }
    assert(left === 0 || payer.ship !== 0, `${left} of ${item_id} are missing`)
    if (left > 0) unloadCargo(world, payer.ship, into, item, left)
  }
  closeEmptyStores(world, payer)
}

/** Closes the player's locker and the faction store where they are empty. */
function closeEmptyStores(world: World, { player, base, place }: Payer): void {
  closeEmptyLocker(world, player, base)
  if (place) closeEmptyStore(world, place)
}

/** Pays credits, to the construction sink unless `entry.to` is given, and records the payment. */
export function payCredits(
  world: World,
  payer: Payer,
  credits: number,
  entry: { readonly verb: string; readonly summary: string; readonly to?: Row },
): void {
  const to = entry.to ?? namedAccount('construction')
  if (payer.owner.kind === OF_PLAYER) {
    const { verb, summary } = entry
    creditMove(world, payer.player, payer.account, to, credits, 'other', verb, summary)
    addStat(world, payer.player, 'credits_spent', credits)
    return
  }
  post(world, payer.account, to, credits)
  recordCorporateExpense(world, payer.owner.faction, payer.base, credits)
}
