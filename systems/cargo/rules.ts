/**
 * Packages: finding, creating, moving, opening and destroying them. Permission is checked by the
 * caller. Notes count as packages here unless a comment says `sealed`, but are not created by
 * packing and cannot be opened. Source: trade-storage.md sections 1, 5.
 */
import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import { idOf } from '../../core/entity.ts'
import {
  Container,
  closeContainer,
  contentsOf,
  type Held,
  moveItems,
  type NamedContainer,
  namedContainer,
  openContainer,
  Stack,
} from '../../core/goods.ts'
import { addToSet } from '../../core/groups.ts'
import { raise } from '../../core/occurrence.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { PACKAGE_SIZE } from '../craft/state.ts'
import { Faction } from '../faction/state.ts'
import { Shipment } from '../freight/state.ts'
import { burnNote, enterNote, type NoteDraft, noteById, noteId, noteTitle } from '../note/model.ts'
import { isNoteId, Note } from '../note/state.ts'
import { activeShip, cargoUnits, loadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import {
  CARGO_CONTAINER,
  closeEmptyLocker,
  containerOf,
  footprintOf,
  isNote,
  labelOf,
  lockerKey,
  lockerOf,
  lockerRowOf,
  manifestOf,
  openLocker,
  type PackageHolder,
  type PackageOwner,
  type Place,
  packageOwner,
  packagePlace,
  packagesIn,
  packedSize,
  sealedById,
  storedUnits,
} from './model.ts'
import {
  LOCKERS,
  Locker,
  PACKAGE_ID_PREFIX,
  PACKAGE_LABEL_CHARACTERS_MAX,
  PACKAGE_PLACES,
  Package,
  PLACED,
  packageGone,
  packageMoved,
} from './state.ts'

/** Tables written by moving, opening and destroying packages. */
export const PACKAGE_WRITES: readonly TableDef[] = [
  Container,
  Locker,
  Package,
  Ship,
  Shipment,
  Stack,
]

/* A player's two places at a base: the hold of their active ship, and their locker there. */

/** Returns the units of a good at a place. */
export const unitsAt = (
  view: WorldView,
  player: Eid,
  base: Eid,
  place: Place,
  item: number,
): number =>
  place === 'cargo'
    ? cargoUnits(view, activeShip(view, player), item)
    : storedUnits(view, player, base, item)

/** Returns the container of a place; 0 for a locker that is not open. */
export const containerAt = (view: WorldView, player: Eid, base: Eid, place: Place) =>
  place === 'cargo' ? view.read(Ship).hold[activeShip(view, player)] : lockerOf(view, player, base)

/** Fills the locker index from the table, after a restore. */
export function rebuildLockers(world: World): void {
  const lockers = world.index(LOCKERS)
  lockers.clear()
  const { alive, player, base } = world.read(Locker)
  for (let row = 1; row <= world.highOf(Locker); row++) {
    if (alive[row] === 1) lockers.set(lockerKey(player[row], base[row]), row)
  }
}

/** Returns the id of a package on the wire: `package:<uuid>`, or `note:<uuid>`. */
export function packageId(view: WorldView, pkg: Row): string {
  const note = view.read(Package).note[pkg]
  return note === 0 ? PACKAGE_ID_PREFIX + idOf(view, Package, pkg) : noteId(view, note)
}

/** Returns a package by wire id; 0 for none. */
export const packageById = (view: WorldView, id: string): Row =>
  isNoteId(id) ? view.read(Note).pkg[noteById(view, id)] : sealedById(view, id)

/** Returns the name of a package in lists: its label, if it has one; of a note its title. */
export function packageName(view: WorldView, pkg: Row): string {
  const note = view.read(Package).note[pkg]
  return note === 0 ? labelOf(view, pkg) || 'Package' : noteTitle(view, note)
}

/** Names a package in sentences: a label is private to its owner, a note's title is public. */
export const describePackage = (view: WorldView, pkg: Row): string =>
  isNote(view, pkg) ? `the note "${packageName(view, pkg)}"` : 'a package'

/** Reserves a place in a player's locker for the package that a pack job makes. */
export function reserveSlot(world: World, player: Eid, base: Eid): void {
  openLocker(world, player, base)
  world.write(Locker).reserved[lockerRowOf(world, player, base)]++
}

/** Frees a reserved place, once the package has arrived or the job has ended without one. */
export function freeSlot(world: World, player: Eid, base: Eid): void {
  const locker = lockerRowOf(world, player, base)
  const { reserved } = world.write(Locker)
  assert(locker !== 0 && reserved[locker] > 0, 'no place is reserved')
  reserved[locker]--
  closeEmptyLocker(world, player, base)
}

/* Places */

const factionSeqOf = (view: WorldView, faction: Row): number =>
  faction === 0 ? 0 : view.read(Faction).seq[faction]

/** Puts a package that has no place into one. */
function placeIn(world: World, pkg: Row, holder: PackageHolder): void {
  const container =
    holder.kind === 'locker'
      ? openLocker(world, holder.player, holder.base)
      : containerOf(world, holder)
  const columns = world.write(Package)
  assert(columns.holder[pkg] === 0 && container !== 0, `package ${pkg} is in two places`)
  columns.holder[pkg] = container
  columns.kind[pkg] = PACKAGE_PLACES.indexOf(holder.kind)
  world.write(Container).packages[container]++
  if (holder.kind === 'cargo') {
    columns.ship[pkg] = holder.ship
    columns.player[pkg] = 0
    columns.factionSeq[pkg] = 0
    world.write(Ship).cargoUsed[holder.ship] += footprintOf(world, pkg)
  } else if (holder.kind === 'locker' || holder.kind === 'store') {
    columns.base[pkg] = holder.base
    columns.player[pkg] = holder.kind === 'locker' ? holder.player : 0
    columns.factionSeq[pkg] = holder.kind === 'store' ? factionSeqOf(world, holder.faction) : 0
  }
  indexPackage(world, pkg)
}

function indexPackage(world: World, pkg: Row): void {
  const { holder } = world.read(Package)
  world.write(Container).packageSpace[holder[pkg]] += footprintOf(world, pkg)
  const placed = world.index(PLACED)
  addToSet(placed, holder[pkg], pkg)
}

/** Takes a package out of its place, and keeps its owner. */
function removeFromHolder(world: World, pkg: Row): void {
  const columns = world.write(Package)
  const { packages, packageSpace } = world.write(Container)
  const from = columns.holder[pkg]
  assert(from !== 0 && packages[from] > 0, `package ${pkg} has no place`)
  const owner = packageOwner(world, pkg)
  const [isStored, base] = [packagePlace(world, pkg) === 'locker', columns.base[pkg]]
  const space = footprintOf(world, pkg)
  if (columns.ship[pkg] !== 0) world.write(Ship).cargoUsed[columns.ship[pkg]] -= space
  columns.holder[pkg] = 0
  columns.ship[pkg] = 0
  columns.base[pkg] = 0
  columns.player[pkg] = owner.player
  columns.factionSeq[pkg] = factionSeqOf(world, owner.faction)
  packages[from]--
  packageSpace[from] -= space
  const placed = world.index(PLACED)
  placed.get(from)?.delete(pkg)
  if (packages[from] === 0) placed.delete(from)
  if (isStored) closeEmptyLocker(world, owner.player, base)
}

/**
 * Moves a package to another place and, in a hold, locker or store, to the owner of that place. The
 * caller has checked the room: 100 in a hold, packageRoom in a locker.
 */
export function movePackage(world: World, pkg: Row, to: PackageHolder): void {
  if (containerOf(world, to) === world.read(Package).holder[pkg]) return
  removeFromHolder(world, pkg)
  placeIn(world, pkg, to)
  raise(world, packageMoved, { pkg })
}

/** Marks the packages in the hold of a lost ship as in its wreck, which keeps the container. */
export function leavePackagesInWreck(world: World, container: Row): void {
  for (const pkg of packagesIn(world, container)) {
    removeFromHolder(world, pkg)
    placeIn(world, pkg, { kind: 'wreck', container })
    raise(world, packageMoved, { pkg })
  }
}

/* Creation and destruction */

interface NewPackage {
  /** Holds the contents and one cargo container. */
  readonly from: Row
  readonly contents: readonly Held[]
  readonly to: PackageHolder
  /** At most 255 characters. */
  readonly label: string
  /** 0: nobody. */
  readonly creator: Eid
  /** Required where the place itself has no owner. */
  readonly owner?: PackageOwner
}

/**
 * Packs goods with one cargo container. The caller has checked the size (at most 100), the room,
 * that no quest items are among them, and the table (isNearlyFull). Source: trade-storage.md
 * section 5.
 */
export function createPackage(world: World, made: NewPackage): Row {
  const { from, contents, label } = made
  const size = packedSize(contents)
  assert(size >= 1 && size <= PACKAGE_SIZE, `a package of size ${size}`)
  assert(label.length <= PACKAGE_LABEL_CHARACTERS_MAX, 'a label is too long')
  const manifest = openContainer(world)
  for (const { item, units } of contents) moveItems(world, from, manifest, item, units)
  moveItems(world, from, namedContainer('packaging'), CARGO_CONTAINER, 1)
  const pkg = world.take(Package)
  const columns = world.write(Package)
  columns.manifest[pkg] = manifest
  columns.creator[pkg] = made.creator
  columns.createdMs[pkg] = world.wallMs
  columns.size[pkg] = size
  columns.player[pkg] = made.owner?.player ?? 0
  columns.factionSeq[pkg] = factionSeqOf(world, made.owner?.faction ?? 0)
  world.setText(Package, 'label', pkg, label)
  placeIn(world, pkg, made.to)
  return pkg
}

/**
 * Creates an empty package for goods still to be made: it is in an escrow, and takes its cargo
 * container from there. `fillPackage` fills it. Source: crafting.md section 5.
 */
export function createEmptyPackage(
  world: World,
  made: Omit<NewPackage, 'contents' | 'to'> & { readonly owner: PackageOwner },
): Row {
  const { from, label, owner } = made
  assert(label.length <= PACKAGE_LABEL_CHARACTERS_MAX, 'a label is too long')
  moveItems(world, from, namedContainer('packaging'), CARGO_CONTAINER, 1)
  const manifest = openContainer(world)
  const pkg = world.take(Package)
  const columns = world.write(Package)
  columns.manifest[pkg] = manifest
  columns.creator[pkg] = made.creator
  columns.createdMs[pkg] = world.wallMs
  columns.player[pkg] = owner.player
  columns.factionSeq[pkg] = factionSeqOf(world, owner.faction)
  world.setText(Package, 'label', pkg, label)
  placeIn(world, pkg, { kind: 'escrow', container: from })
  return pkg
}

/** Puts goods into a package made by createEmptyPackage. The caller has checked that they fit. */
export function fillPackage(world: World, pkg: Row, from: Row, goods: readonly Held[]): void {
  const columns = world.write(Package)
  assert(packagePlace(world, pkg) === 'escrow', `package ${pkg} is sealed`)
  for (const { item, units } of goods) moveItems(world, from, columns.manifest[pkg], item, units)
  const size = packedSize(manifestOf(world, pkg))
  assert(size <= PACKAGE_SIZE, `a package of size ${size}`)
  columns.size[pkg] = size
}

/** Creates a note in a hold. The caller has checked the room and the tables. */
export function createNote(world: World, ship: Eid, draft: NoteDraft): Row {
  const pkg = world.take(Package)
  const columns = world.write(Package)
  columns.creator[pkg] = draft.author
  columns.createdMs[pkg] = world.wallMs
  columns.note[pkg] = enterNote(world, pkg, draft)
  placeIn(world, pkg, { kind: 'cargo', ship })
  return pkg
}

/**
 * Releases a sealed package after `take` has moved its contents; the caller also moves its cargo
 * container out of `packaging`.
 */
function releasePackage(world: World, pkg: Row, take: (manifest: Row) => void): void {
  assert(!isNote(world, pkg), `package ${pkg} is a note: nothing is in it`)
  removeFromHolder(world, pkg)
  const { manifest } = world.read(Package)
  const container = manifest[pkg]
  take(container)
  closeContainer(world, container)
  world.release(Package, pkg)
}

/**
 * Opens a sealed package: its contents go to a place (the caller has checked that they fit into a
 * hold), and its cargo container goes there too or is destroyed. Source: trade-storage.md section
 * 5, unpack.
 */
export function openPackage(
  world: World,
  pkg: Row,
  into: PackageHolder,
  returnsContainer: boolean,
): void {
  const packaging = namedContainer('packaging')
  raise(world, packageGone, { pkg, how: 'opened' })
  releasePackage(world, pkg, (manifest) => {
    const goods = contentsOf(world, manifest)
    const target =
      into.kind === 'locker' ? openLocker(world, into.player, into.base) : containerOf(world, into)
    const put = (from: Row, { item, units }: Held): void => {
      if (into.kind === 'cargo') loadCargo(world, into.ship, from, item, units)
      else moveItems(world, from, target, item, units)
    }
    for (const held of goods) put(manifest, held)
    if (returnsContainer) put(packaging, { item: CARGO_CONTAINER, units: 1 })
    else moveItems(world, packaging, namedContainer('burned'), CARGO_CONTAINER, 1)
  })
}

/** Destroys a package with its contents. */
export function destroyPackage(world: World, pkg: Row, sink: NamedContainer): void {
  const note = world.read(Package).note[pkg]
  if (note !== 0) {
    removeFromHolder(world, pkg)
    burnNote(world, note)
    world.release(Package, pkg)
    return
  }
  raise(world, packageGone, { pkg, how: 'destroyed' })
  releasePackage(world, pkg, (manifest) => {
    for (const { item, units } of contentsOf(world, manifest)) {
      moveItems(world, manifest, namedContainer(sink), item, units)
    }
    moveItems(world, namedContainer('packaging'), namedContainer(sink), CARGO_CONTAINER, 1)
  })
}

/** Destroys every package in a container. */
export function destroyPackages(world: World, container: Row, sink: NamedContainer): void {
  for (const pkg of packagesIn(world, container)) destroyPackage(world, pkg, sink)
}

/** Fills the index, and the package space of containers, from the table, after a restore. */
export function rebuildPackages(world: World): void {
  world.index(PLACED).clear()
  world.write(Container).packageSpace.fill(0, 0, world.highOf(Container) + 1)
  const { alive } = world.read(Package)
  for (let pkg = 1; pkg <= world.highOf(Package); pkg++)
    if (alive[pkg] === 1) indexPackage(world, pkg)
}
