/**
 * Packages in the hands of jobs: they stand in the escrow of the job, and go back or on to a place
 * of its owner. Source: crafting.md section 5, trade-storage.md section 5.
 */
import { moveItems, unitsIn } from '../../core/goods.ts'
import { canReceive, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
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
import { freeBunker } from '../market/model.ts'
import { fitting, freeSpace, loadCargo, mayCarry } from '../ship/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { CRAFT, Job, PACKAGE_SIZE, UNPACK } from './state.ts'
import {
  countUnits,
  creditsOf,
  HOLD,
  makesFuel,
  type Place,
  placeOf,
  roomIn,
  type Store,
  storeKept,
  type Units,
} from './store-model.ts'

/*
 * Recipes that make fuel: it is no good but goes where fuel lives. The orderer's is bought by the
 * station, whose tank it fills, at what it pays to pilots; a faction's goes into its bunker.
 * Source: crafting.md section 1, fuel_output; travel.md section 7. ours: who pays, and that a run
 * waits until tank and funds, or the bunker, take all of it.
 */

function takesFuel(view: WorldView, { base }: Place, { faction }: Store, units: number): boolean {
  if (faction !== 0) return freeBunker(view, faction, base) >= units
  return quoteFuelSale(view, base, units).units === units
}

/** What a job gives, and to whom. */
interface Delivery {
  readonly recipe: number
  readonly mode: number
  readonly gives: readonly Units[]
}

/** True if a store takes all of what a job gives. */
export function takesAll(view: WorldView, place: Place, store: Store, delivery: Delivery): boolean {
  const { recipe, mode, gives } = delivery
  if (makesFuel(recipe, mode)) return takesFuel(view, place, store, countUnits(gives))
  return gives.every(({ item, units }) => roomIn(view, place, store, item) >= units)
}

/** Fuel of completed runs into the bunker, or into the tank of the station, which pays for it. */
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
  const said = `Milled ${units} fuel into the tank of ${baseName(world, base)}.`
  const wallet = walletOf(world, player)
  const data = { job_id: job, quantity: units }
  creditMove(world, player, manager[base], wallet, credits, 'crafting', 'fuel_milled', said, data)
}

const holdOf = (world: World, player: Eid): Eid => world.read(Player).ship[player]

/** Where a package or its goods go that belong into the store a job has kept. */
function holderAt(world: World, job: Row, side: 'from' | 'to'): PackageHolder {
  const { player, base, fromFaction, fromStore, toFaction, toStore } = world.read(Job)
  const store =
    side === 'from'
      ? storeKept(world, fromFaction[job], fromStore[job])
      : storeKept(world, toFaction[job], toStore[job])
  const place = { player: player[job], base: base[job] }
  if (store.faction === 0) return { kind: 'locker', ...place }
  const container = openGoods(world, place, store)
  return { kind: 'store', faction: store.faction, base: place.base, container }
}

/** Opens packages that hold a job's inputs; their cargo containers are the owner's again. */
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
 * Before a job is called off: packages that were brought go back sealed to where they stood; what
 * was packed for it is opened again there, its cargo container given back.
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
 * The package a job has made goes to its owner: aboard where it was to be and fits, or stored; into
 * the store of a faction also over what it may keep there, as other deliveries do.
 */
export function deliverPackage(world: World, job: Row): void {
  const { pkg, player, base, toStore } = world.read(Job)
  const [own, owner, place] = [pkg[job], player[job], base[job]]
  const ship = holdOf(world, owner)
  const isAboard = toStore[job] === HOLD && dockedBase(world, owner) === place
  if (isAboard && freeSpace(world, ship) >= PACKAGE_SIZE) {
    movePackage(world, own, { kind: 'cargo', ship })
  } else movePackage(world, own, holderAt(world, job, 'to'))
  freeSlot(world, owner, place)
}

/** Opens the package of an unpack job; what the hold cannot take stays in storage. */
export function deliverContents(world: World, job: Row) {
  const { pkg, player, base, facility, toStore } = world.read(Job)
  const [owner, place] = [player[job], base[job]]
  const goods = manifestOf(world, pkg[job])
  const isAboard = toStore[job] === HOLD && dockedBase(world, owner) === place
  openPackage(world, pkg[job], holderAt(world, job, 'to'), facility[job] !== 0)
  if (isAboard) {
    const ship = holdOf(world, owner)
    const locker = openLocker(world, owner, place)
    for (const { item, units } of goods) {
      if (!mayCarry(world, ship, item)) continue
      const most = Math.min(units, fitting(world, ship, item), unitsIn(world, locker, item))
      if (most > 0) loadCargo(world, ship, locker, item, most)
    }
  }
  return goods
}

/** Container of a store, which is made where there is none. */
export const openGoods = (world: World, { player, base }: Place, store: Store): Row =>
  store.faction === 0
    ? openLocker(world, player, base)
    : openStore(world, placeOf(world, base, store))

/** After goods were taken out of a store. */
export function tidyStore(world: World, { player, base }: Place, store: Store): void {
  if (store.faction === 0) closeEmptyLocker(world, player, base)
  else closeEmptyStore(world, placeOf(world, base, store))
}

interface Payment {
  readonly verb: string
  readonly said: string
  readonly jobId: string
}

interface Move {
  readonly player: Eid
  readonly store: Store
  readonly from: Row
  readonly to: Row
}

/** A posting, with its line in the log of who pays or is paid. */
function move(
  world: World,
  { player, store, from, to }: Move,
  credits: number,
  { verb, said, jobId }: Payment,
): void {
  if (store.faction === 0) {
    creditMove(world, player, from, to, credits, 'crafting', verb, said, { job_id: jobId })
    return
  }
  post(world, from, to, credits)
  const { faction } = store
  recordStoreMove(world, { faction, player, action: verb, summary: said, credits })
}

/** Credits out of the account of a store. The caller has refused what it does not hold. */
export function takeCredits(
  world: World,
  { player, store, to }: { player: Eid; store: Store; to: Row },
  credits: number,
  payment: Payment,
): void {
  if (credits === 0) return
  const from = creditsOf(world, player, store)
  move(world, { player, store, from, to }, credits, payment)
}

/** Credits into the account of a store; what no account can hold is burned. */
export function giveCredits(
  world: World,
  { player, store, from }: { player: Eid; store: Store; from: Row },
  credits: number,
  payment: Payment,
): void {
  if (credits === 0) return
  const to = creditsOf(world, player, store)
  if (!canReceive(world, to, credits)) {
    post(world, from, namedAccount('fee_sink'), credits)
    return
  }
  move(world, { player, store, from, to }, credits, payment)
}
