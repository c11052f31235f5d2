/**
 * What jobs move in and out of stores: goods, fuel, packages, credits. Source: crafting.md sections
 * 1, 2, 5; trade-storage.md section 5.
 */
import { type Held, moveItems, unitsIn } from '../../core/goods.ts'
import { canReceive, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import {
  CARGO_CONTAINER,
  closeEmptyLocker,
  manifestOf,
  openLocker,
  type PackageHolder,
  packagesIn,
} from '../cargo/model.ts'
import { freeSlot, movePackage, openPackage } from '../cargo/rules.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { closeEmptyStore, openStore } from '../faction/store-model.ts'
import { changeBunker } from '../faction/store-rules.ts'
import { creditMove } from '../log/rules.ts'
import { quoteFuelSale } from '../market/book-model.ts'
import { freeBunkerUnits } from '../market/model.ts'
import { activeShip, canCarry, freeSpace, loadCargo, unitsThatFit } from '../ship/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { countUnits, makesFuel } from './recipe-model.ts'
import { CRAFT, Job, PACKAGE_SIZE, UNPACK } from './state.ts'
import {
  creditsOf,
  HOLD,
  type Place,
  roomIn,
  type Store,
  savedStore,
  storePlaceOf,
} from './store-model.ts'

/*
 * Fuel: the station buys that of a player for its tank, at the price it pays pilots; that of a
 * faction goes into its bunker. Source: crafting.md section 1, fuel_output; travel.md section 7.
 * ours: who pays, and that a run waits until tank and funds, or the bunker, can take all of it.
 */

function takesFuel(view: WorldView, { base }: Place, { faction }: Store, units: number): boolean {
  if (faction !== 0) return freeBunkerUnits(view, faction, base) >= units
  return quoteFuelSale(view, base, units).units === units
}

/** Outputs of runs on their way to a store. */
interface Delivery {
  readonly recipe: number
  readonly mode: number
  readonly gives: readonly Held[]
}

/** Returns whether a store takes all outputs. */
export function takesAll(view: WorldView, place: Place, store: Store, delivery: Delivery): boolean {
  const { recipe, mode, gives } = delivery
  if (makesFuel(recipe, mode)) return takesFuel(view, place, store, countUnits(gives))
  return gives.every(({ item, units }) => roomIn(view, place, store, item) >= units)
}

/** Pours fuel into the bunker of a faction, or into the tank of the station, which pays for it. */
export function pourFuel(
  world: World,
  { player, base }: Place,
  { faction }: Store,
  units: number,
  job: string,
): void {
  if (faction !== 0) {
    changeBunker(world, faction, base, units)
    return
  }
  const { credits } = quoteFuelSale(world, base, units)
  world.write(Base).fuel[base] += units
  const { manager } = world.read(Base)
  const summary = `Milled ${units} fuel into the tank of ${baseName(world, base)}.`
  const wallet = walletOf(world, player)
  const data = { job_id: job, quantity: units }
  creditMove(
    world,
    player,
    manager[base],
    wallet,
    credits,
    'crafting',
    'fuel_milled',
    summary,
    data,
  )
}

/* Packages */

/** Returns where a package goes in the store that paid for a job, or that gets its outputs. */
function holderAt(world: World, job: Row, side: 'from' | 'to'): PackageHolder {
  const { player, base, fromFaction, fromStore, toFaction, toStore } = world.read(Job)
  const store =
    side === 'from'
      ? savedStore(world, fromFaction[job], fromStore[job])
      : savedStore(world, toFaction[job], toStore[job])
  const place = { player: player[job], base: base[job] }
  if (store.faction === 0) return { kind: 'locker', ...place }
  const container = openGoods(world, place, store)
  return { kind: 'store', faction: store.faction, base: place.base, container }
}

/** Opens the packages of a job's inputs; their cargo containers go back to the owner. */
export function openInputs(world: World, job: Row): void {
  const { escrow, pkg, mode, player, base } = world.read(Job)
  if (mode[job] !== CRAFT) return
  for (const held of packagesIn(world, escrow[job])) {
    if (held === pkg[job]) continue
    openPackage(world, held, { kind: 'escrow', container: escrow[job] }, true)
    const locker = openLocker(world, player[job], base[job])
    moveItems(world, escrow[job], locker, CARGO_CONTAINER, 1)
  }
}

/**
 * Removes the packages from the escrow of a cancelled job: those that were supplied go back sealed,
 * the one packed for it is opened again and its cargo container returned.
 */
export function returnPackages(world: World, job: Row): void {
  const { escrow, pkg, mode, player, base } = world.read(Job)
  const own = pkg[job]
  for (const held of packagesIn(world, escrow[job])) {
    if (held !== own || mode[job] === UNPACK) movePackage(world, held, holderAt(world, job, 'from'))
  }
  if (own === 0 || mode[job] === UNPACK) return
  openPackage(world, own, holderAt(world, job, 'from'), true)
  freeSlot(world, player[job], base[job])
}

/**
 * Delivers the package that a job made: aboard if that was ordered and it fits, else into storage.
 * Like other deliveries, it may exceed what the store of a faction holds.
 */
export function deliverPackage(world: World, job: Row): void {
  const { pkg, player, base, toStore } = world.read(Job)
  const owner = player[job]
  const place = base[job]
  const ship = activeShip(world, owner)
  const isAboard = toStore[job] === HOLD && dockedBase(world, owner) === place
  if (isAboard && freeSpace(world, ship) >= PACKAGE_SIZE) {
    movePackage(world, pkg[job], { kind: 'cargo', ship })
  } else movePackage(world, pkg[job], holderAt(world, job, 'to'))
  freeSlot(world, owner, place)
}

/** Opens the package of an unpack job; what the hold cannot take stays in storage. */
export function deliverContents(world: World, job: Row) {
  const { pkg, player, base, facility, toStore } = world.read(Job)
  const owner = player[job]
  const place = base[job]
  const goods = manifestOf(world, pkg[job])
  const isAboard = toStore[job] === HOLD && dockedBase(world, owner) === place
  openPackage(world, pkg[job], holderAt(world, job, 'to'), facility[job] !== 0)
  if (isAboard) {
    const ship = activeShip(world, owner)
    const locker = openLocker(world, owner, place)
    for (const { item, units } of goods) {
      if (!canCarry(world, ship, item)) continue
      const aboard = Math.min(units, unitsThatFit(world, ship, item), unitsIn(world, locker, item))
      if (aboard > 0) loadCargo(world, ship, locker, item, aboard)
    }
  }
  return goods
}

/* Goods and credits */

/** Returns the container of a store, opening the store if needed. */
export const openGoods = (world: World, { player, base }: Place, store: Store): Row =>
  store.faction === 0
    ? openLocker(world, player, base)
    : openStore(world, storePlaceOf(world, base, store))

/** Closes a store that is empty, after goods were taken out. */
export function tidyStore(world: World, { player, base }: Place, store: Store): void {
  if (store.faction === 0) closeEmptyLocker(world, player, base)
  else closeEmptyStore(world, storePlaceOf(world, base, store))
}

interface Payment {
  readonly verb: string
  readonly summary: string
  readonly jobId: string
}

interface Transfer {
  readonly player: Eid
  readonly store: Store
  readonly from: Row
  readonly to: Row
}

/** Moves credits, and logs it for the player or the faction whose store it is. */
function transfer(
  world: World,
  { player, store, from, to }: Transfer,
  credits: number,
  { verb, summary, jobId }: Payment,
): void {
  const { faction } = store
  if (faction === 0) {
    creditMove(world, player, from, to, credits, 'crafting', verb, summary, { job_id: jobId })
    return
  }
  post(world, from, to, credits)
  recordStoreMove(world, { faction, player, action: verb, summary, credits })
}

/** Takes credits out of the account of a store; the caller has refused what it does not hold. */
export function takeCredits(
  world: World,
  { player, store, to }: Omit<Transfer, 'from'>,
  credits: number,
  payment: Payment,
): void {
  if (credits === 0) return
  const from = creditsOf(world, player, store)
  transfer(world, { player, store, from, to }, credits, payment)
}

/** Gives credits to the account of a store; what it cannot hold is burned. */
export function giveCredits(
  world: World,
  { player, store, from }: Omit<Transfer, 'to'>,
  credits: number,
  payment: Payment,
): void {
  if (credits === 0) return
  const to = creditsOf(world, player, store)
  if (!canReceive(world, to, credits)) {
    post(world, from, namedAccount('fee_sink'), credits)
    return
  }
  transfer(world, { player, store, from, to }, credits, payment)
}
