/**
 * Packages: finding them, making, moving, opening and destroying them. Who may ask for what is the
 * caller's business. Notes are among them, but for making and opening: what is said of packages
 * here holds of a note too unless `sealed` is said. Source: trade-storage.md sections 1, 5.
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
import { include } from '../../core/groups.ts'
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
  packagesIn,
  packedSize,
  placeOf,
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

/** What moving, opening and destroying packages writes. */
export const PACKAGE_WRITES: readonly TableDef[] = [
  Container,
  Locker,
  Package,
  Ship,
  Shipment,
  Stack,
]

/* The player's own two places at a base: the hold of the ship flown, and their locker there. */

/** Units of a good at a place. */
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

/** Container of a place; 0 for a locker that is not open. */
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

/** The id of a package on the wire: `package:<uuid>`, or `note:<uuid>`. */
export function packageId(view: WorldView, pkg: Row): string {
  const note = view.read(Package).note[pkg]
  return note === 0 ? PACKAGE_ID_PREFIX + idOf(view, Package, pkg) : noteId(view, note)
}

/** A package by wire id; 0 none. */
export const packageById = (view: WorldView, id: string): Row =>
  isNoteId(id) ? view.read(Note).pkg[noteById(view, id)] : sealedById(view, id)

/** How a package is called in lists: by its label, if it has one; a note by its title. */
export function packageName(view: WorldView, pkg: Row): string {
  const note = view.read(Package).note[pkg]
  return note === 0 ? labelOf(view, pkg) || 'Package' : noteTitle(view, note)
}

/** How it is called in sentences: a label is for its owner, a title for everybody. */
export const packageWords = (view: WorldView, pkg: Row): string =>
  isNote(view, pkg) ? `the note "${packageName(view, pkg)}"` : 'a package'

/** Keeps a place in a player's locker for a package to come: of a pack job. */
export function reserveSlot(world: World, player: Eid, base: Eid): void {
  openLocker(world, player, base)
  world.write(Locker).reserved[lockerRowOf(world, player, base)]++
}

/** Gives a reserved place back, when the package has come or will not. */
export function freeSlot(world: World, player: Eid, base: Eid): void {
  const locker = lockerRowOf(world, player, base)
  const { reserved } = world.write(Locker)
  assert(locker !== 0 && reserved[locker] > 0, 'no place is reserved')
  reserved[locker]--
  closeEmptyLocker(world, player, base)
}

/* Standing somewhere */

const numberOfFaction = (view: WorldView, faction: Row): number =>
  faction === 0 ? 0 : view.read(Faction).seq[faction]

/** Enters a package in the container where it stands. */
function place(world: World, pkg: Row, holder: PackageHolder): void {
  const container =
    holder.kind === 'locker'
      ? openLocker(world, holder.player, holder.base)
      : containerOf(world, holder)
  const columns = world.write(Package)
  assert(columns.holder[pkg] === 0 && container !== 0, `package ${pkg} stands in two places`)
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
    columns.factionSeq[pkg] = holder.kind === 'store' ? numberOfFaction(world, holder.faction) : 0
  }
  enter(world, pkg)
}

function enter(world: World, pkg: Row): void {
  const { holder } = world.read(Package)
  world.write(Container).packageSpace[holder[pkg]] += footprintOf(world, pkg)
  const placed = world.index(PLACED)
  include(placed, holder[pkg], pkg)
}

/** Takes a package out of where it stands; its owner is kept. */
function lift(world: World, pkg: Row): void {
  const columns = world.write(Package)
  const { packages, packageSpace } = world.write(Container)
  const from = columns.holder[pkg]
  assert(from !== 0 && packages[from] > 0, `package ${pkg} stands nowhere`)
  const owner = packageOwner(world, pkg)
  const [isStored, base] = [placeOf(world, pkg) === 'locker', columns.base[pkg]]
  const space = footprintOf(world, pkg)
  if (columns.ship[pkg] !== 0) world.write(Ship).cargoUsed[columns.ship[pkg]] -= space
  columns.holder[pkg] = 0
  columns.ship[pkg] = 0
  columns.base[pkg] = 0
  columns.player[pkg] = owner.player
  columns.factionSeq[pkg] = numberOfFaction(world, owner.faction)
  packages[from]--
  packageSpace[from] -= space
  const placed = world.index(PLACED)
  placed.get(from)?.delete(pkg)
  if (packages[from] === 0) placed.delete(from)
  if (isStored) closeEmptyLocker(world, owner.player, base)
}

/**
 * Moves a package to another place and, into a hold, locker or store, to its owner. The caller has
 * seen to room: 100 in a hold, packageRoom in a locker.
 */
export function movePackage(world: World, pkg: Row, to: PackageHolder): void {
  if (containerOf(world, to) === world.read(Package).holder[pkg]) return
  lift(world, pkg)
  place(world, pkg, to)
  raise(world, packageMoved, { pkg: pkg })
}

/** Makes what stands in the hold of a lost ship stand in its wreck, which takes the container. */
export function leaveInWreck(world: World, container: Row): void {
  for (const pkg of packagesIn(world, container)) {
    lift(world, pkg)
    place(world, pkg, { kind: 'wreck', container })
    raise(world, packageMoved, { pkg: pkg })
  }
}

/* Making and ending */

interface NewPackage {
  /** Holds the contents and one cargo container. */
  readonly from: Row
  readonly contents: readonly Held[]
  readonly to: PackageHolder
  /** At most 255 characters. */
  readonly label: string
  /** 0 nobody. */
  readonly creator: Eid
  /** Of a package made where nobody owns what is there. */
  readonly owner?: PackageOwner
}

/**
 * Packs goods with one cargo container. The caller has seen to size (at most 100), room, bound
 * goods (none) and a row (isNearlyFull). Source: trade-storage.md section 5.
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
  columns.factionSeq[pkg] = numberOfFaction(world, made.owner?.faction ?? 0)
  world.setText(Package, 'label', pkg, label)
  place(world, pkg, made.to)
  return pkg
}

/**
 * A package with nothing in it yet, for goods still to be made: it stands in an escrow, and takes
 * its cargo container from there. `fillPackage` fills it. Source: crafting.md section 5.
 */
export function layOutPackage(
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
  columns.factionSeq[pkg] = numberOfFaction(world, owner.faction)
  world.setText(Package, 'label', pkg, label)
  place(world, pkg, { kind: 'escrow', container: from })
  return pkg
}

/** Puts goods into a package that is laid out. The caller has seen that they fit. */
export function fillPackage(world: World, pkg: Row, from: Row, goods: readonly Held[]): void {
  const columns = world.write(Package)
  assert(placeOf(world, pkg) === 'escrow', `package ${pkg} is sealed`)
  for (const { item, units } of goods) moveItems(world, from, columns.manifest[pkg], item, units)
  const size = packedSize(manifestOf(world, pkg))
  assert(size <= PACKAGE_SIZE, `a package of size ${size}`)
  columns.size[pkg] = size
}

/** Lays out a note in a hold, with its text. The caller has seen to room, and to rows. */
export function createNote(world: World, ship: Eid, draft: NoteDraft): Row {
  const pkg = world.take(Package)
  const columns = world.write(Package)
  columns.creator[pkg] = draft.author
  columns.createdMs[pkg] = world.wallMs
  columns.note[pkg] = enterNote(world, pkg, draft)
  place(world, pkg, { kind: 'cargo', ship })
  return pkg
}

/**
 * Lifts a sealed package for good; what was in it and its cargo container are the caller's to
 * place.
 */
function dissolve(world: World, pkg: Row, take: (manifest: Row) => void): void {
  assert(!isNote(world, pkg), `package ${pkg} is a note: nothing is in it`)
  lift(world, pkg)
  const { manifest } = world.read(Package)
  const container = manifest[pkg]
  take(container)
  closeContainer(world, container)
  world.release(Package, pkg)
}

/**
 * Opens a sealed package: its contents go to a place (into a hold what the caller knows to fit),
 * its cargo container there too, or up in smoke. Source: trade-storage.md section 5, unpack.
 */
export function openPackage(
  world: World,
  pkg: Row,
  into: PackageHolder,
  returnsContainer: boolean,
): void {
  const packaging = namedContainer('packaging')
  raise(world, packageGone, { pkg: pkg, how: 'opened' })
  dissolve(world, pkg, (manifest) => {
    const goods = contentsOf(world, manifest)
    const target =
      into.kind === 'locker' ? openLocker(world, into.player, into.base) : containerOf(world, into)
    const put = (from: Row, { item, units }: Held): void => {
      if (into.kind === 'cargo') loadCargo(world, into.ship, from, item, units)
      else moveItems(world, from, target, item, units)
    }
    for (const held of goods) put(manifest, held)
    const one = { item: CARGO_CONTAINER, units: 1 }
    if (returnsContainer) put(packaging, one)
    else moveItems(world, packaging, namedContainer('burned'), one.item, one.units)
  })
}

/** Destroys a package with all that is in it. */
export function destroyPackage(world: World, pkg: Row, sink: NamedContainer): void {
  const note = world.read(Package).note[pkg]
  if (note !== 0) {
    lift(world, pkg)
    burnNote(world, note)
    world.release(Package, pkg)
    return
  }
  raise(world, packageGone, { pkg: pkg, how: 'destroyed' })
  dissolve(world, pkg, (manifest) => {
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

/** Fills the index, and what containers count, from the table, after a restore. */
export function rebuildPackages(world: World): void {
  world.index(PLACED).clear()
  world.write(Container).packageSpace.fill(0, 0, world.highOf(Container) + 1)
  const { alive } = world.read(Package)
  for (let pkg = 1; pkg <= world.highOf(Package); pkg++) if (alive[pkg] === 1) enter(world, pkg)
}
