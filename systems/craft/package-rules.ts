/**
 * Packages in the hands of jobs: they stand in the escrow of the job, and go back or on to a place
 * of its owner. Source: crafting.md section 5, trade-storage.md section 5.
 */
import { type Held, moveItems, unitsIn } from '../../core/goods.ts'
import { PACKAGE_SIZE } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { fitting, freeSpace, loadCargo, mayCarry, openLocker } from '../cargo/rules.ts'
import {
  CARGO_CONTAINER,
  freeSlot,
  manifestOf,
  movePackage,
  openPackage,
  packagesIn,
} from '../package/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { CRAFT, Job, PACK, UNPACK } from './columns.ts'
import { HOLD } from './store-rules.ts'

const holdOf = (world: World, player: Eid): Eid => world.read(Player).ship[player]

/** True for a job that packs: a place in its owner's locker is kept for what it makes. */
export function packsUp(world: World, job: Row): boolean {
  const { mode, pkg } = world.read(Job)
  return pkg[job] !== 0 && (mode[job] === PACK || mode[job] === CRAFT)
}

function toLocker(world: World, job: Row, pkg: Row): void {
  const { player, base } = world.read(Job)
  movePackage(world, pkg, { kind: 'locker', player: player[job], base: base[job] })
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
 * Before a job is called off: packages that were brought go back sealed; what was packed for it is
 * opened again, its cargo container given back.
 */
export function returnPackages(world: World, job: Row): void {
  const { escrow, pkg, mode, player, base } = world.read(Job)
  const own = pkg[job]
  for (const held of packagesIn(world, escrow[job])) {
    if (held !== own || mode[job] === UNPACK) toLocker(world, job, held)
  }
  if (own === 0 || mode[job] === UNPACK) return
  openPackage(world, own, { kind: 'locker', player: player[job], base: base[job] }, true)
  freeSlot(world, player[job], base[job])
}

/** The package a job has made goes to its owner: aboard where it was to be and fits, or stored. */
export function deliverPackage(world: World, job: Row): void {
  const { pkg, player, base, toStore } = world.read(Job)
  const [own, owner, place] = [pkg[job], player[job], base[job]]
  const ship = holdOf(world, owner)
  const isAboard = toStore[job] === HOLD && dockedBase(world, owner) === place
  if (isAboard && freeSpace(world, ship) >= PACKAGE_SIZE) {
    movePackage(world, own, { kind: 'cargo', ship })
  } else toLocker(world, job, own)
  freeSlot(world, owner, place)
}

/** Opens the package of an unpack job; what the hold cannot take stays in storage. */
export function deliverContents(world: World, job: Row) {
  const { pkg, player, base, facility, toStore } = world.read(Job)
  const [owner, place] = [player[job], base[job]]
  const goods = manifestOf(world, pkg[job])
  const isAboard = toStore[job] === HOLD && dockedBase(world, owner) === place
  openPackage(world, pkg[job], { kind: 'locker', player: owner, base: place }, facility[job] !== 0)
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
