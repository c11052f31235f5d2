/**
 * Packages in the hands of jobs: they stand in the escrow of the job, and go back or on to a place
 * of its owner. Source: crafting.md section 5, trade-storage.md section 5.
 */
import { type Held, moveItems, unitsIn } from '../../core/goods.ts'
import { PACKAGE_SIZE } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { fitting, freeSpace, loadCargo, mayCarry, openLocker } from '../cargo/rules.ts'
import {
  CARGO_CONTAINER,
  freeSlot,
  manifestOf,
  movePackage,
  openPackage,
  type PackageHolder,
  packagesIn,
} from '../package/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { CRAFT, Job, PACK, UNPACK } from './columns.ts'
import { HOLD, openGoods, storeKept } from './store-rules.ts'

const holdOf = (world: World, player: Eid): Eid => world.read(Player).ship[player]

/** True for a job that packs: a place in its owner's locker is kept for what it makes. */
export function packsUp(world: World, job: Row): boolean {
  const { mode, pkg } = world.read(Job)
  return pkg[job] !== 0 && (mode[job] === PACK || mode[job] === CRAFT)
}

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

/** Goods that the packages in a job's escrow bring for it. */
export function broughtFor(view: WorldView, job: Row): Held[] {
  const { escrow, pkg, mode } = view.read(Job)
  if (mode[job] !== CRAFT) return []
  const brought = packagesIn(view, escrow[job]).filter((held) => held !== pkg[job])
  return brought.flatMap((held) => manifestOf(view, held))
}
