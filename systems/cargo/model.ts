/**
 * Finding lockers, packages and containers adrift, and the space that goods take in them. Callers
 * check permission before they call a function that writes.
 */
import { assert } from '../../core/assert.ts'
import {
  findGoods,
  GOODS,
  type GoodRow,
  type ItemRow,
  isModule,
  itemIndex,
} from '../../core/catalog/index.ts'
import { rowsOf, type TableDef } from '../../core/columns.ts'
import { rowOfId, seqOfWireId, wireId } from '../../core/entity.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import {
  Container,
  closeContainer,
  contentsOf,
  type Held,
  isBare,
  openContainer,
  Stack,
  unitsIn,
} from '../../core/goods.ts'
import { TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { PACKAGE_SIZE } from '../craft/state.ts'
import { serviceTier } from '../facility/model.ts'
import { Faction } from '../faction/state.ts'
import { isNoteId } from '../note/state.ts'
import { FAMILIES, Ship } from '../ship/state.ts'
import {
  ADRIFT,
  isSealedId,
  JettisonContainer,
  LOCKERS,
  Locker,
  NOTE_SIZE,
  PACKAGE_ID_PREFIX,
  PACKAGE_PLACES,
  PACKAGES_BY_LEVEL,
  Package,
  type PackagePlace,
  PLACED,
} from './state.ts'

/** More rows than there are players: keys stay distinct and below 2^53. */
const PLAYER_ROWS = 0x1000000
/** Returns the key of a player's container adrift at a place. */
export const adriftKey = (poi: Eid, player: Eid): number => poi * PLAYER_ROWS + player

/* Finding */

/** Returns the player's container at a place; 0 for none. */
export const jettisonContainerAt = (view: WorldView, poi: Eid, player: Eid): Row =>
  view.index(ADRIFT).byKey.get(adriftKey(poi, player)) ?? 0

/** Returns the containers at a place, in the order of their creation. */
export const containersAt = (view: WorldView, poi: Eid): readonly Row[] => [
  ...(view.index(ADRIFT).at.get(poi) ?? []),
]

/** Returns the UUID of a container adrift on the wire. */
export const containerId = (view: WorldView, row: Row): string =>
  wireId(view.seed, JettisonContainer.name, view.read(JettisonContainer).number[row])

/** Returns a container at a place by wire id; 0 for none. */
export function containerById(view: WorldView, poi: Eid, id: string): Row {
  const number = seqOfWireId(view.seed, JettisonContainer.name, id)
  const row = view.index(ADRIFT).byNumber.get(number) ?? 0
  return row !== 0 && view.read(JettisonContainer).poi[row] === poi ? row : 0
}

/** A player's own place for goods: the hold, or the locker at the base. */
export type Place = 'cargo' | 'storage'

/** Words for places. A map, not an object: players could pass `constructor` as a word. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['cargo', 'cargo'],
  ['storage', 'storage'],
  ['self', 'storage'],
])

/** Returns the place that a word names, in any case; undefined for none. */
export const placeByName = (word: string): Place | undefined => PLACES.get(word.toLowerCase())

/** Extraction family of each good, as index into FAMILIES; -1 for goods that are not extracted. */
const FAMILY_OF_GOOD: readonly number[] = GOODS.map((good) => {
  const family = (good as ItemRow).extracted_by
  return family === undefined ? -1 : FAMILIES.indexOf(family)
})

/**
 * Returns the space that a unit of the good takes on this ship, in percent of its size: some hulls
 * compress it. Source: mining.md 3.
 */
export function cargoFamilyPct(view: WorldView, ship: Eid, item: number): number {
  const family = FAMILY_OF_GOOD[item]
  assert(family !== undefined, `good ${item} is unknown`)
  if (family < 0) return 100
  const pct = view.read(Ship).compressionPct[ship * FAMILIES.length + family]
  assert(pct >= 25 && pct <= 100, `ship ${ship} compresses to ${pct} %`)
  return pct
}

/** More rows than there are bases: keys stay distinct and below 2^53. */
const BASE_ROWS = 0x10000
/** Returns the key of a player's locker at a base. */
export const lockerKey = (player: Eid, base: Row): number => player * BASE_ROWS + base

/** Returns the row of the player's locker at the base; 0 if it is not open. */
export const lockerRowOf = (view: WorldView, player: Eid, base: Row): Row =>
  view.index(LOCKERS).get(lockerKey(player, base)) ?? 0

/** Returns the container of the player's locker at the base; 0 if it is not open. */
export function lockerOf(view: WorldView, player: Eid, base: Row): Row {
  const locker = lockerRowOf(view, player, base)
  return locker === 0 ? 0 : view.read(Locker).container[locker]
}

/** Returns the container of the player's locker at the base, opening the locker if needed. */
export function openLocker(world: World, player: Eid, base: Row): Row {
  assert(player !== 0 && base !== 0 && base < BASE_ROWS, 'a locker needs a player and a base')
  const found = lockerOf(world, player, base)
  if (found !== 0) return found
  const container = openContainer(world)
  const row = world.take(Locker)
  const locker = world.write(Locker)
  locker.player[row] = player
  locker.base[row] = base
  locker.container[row] = container
  world.index(LOCKERS).set(lockerKey(player, base), row)
  return container
}

/**
 * Closes a locker that is empty and has no reserved places, so that the number of lockers follows
 * what is stored.
 */
export function closeEmptyLocker(world: World, player: Eid, base: Row): void {
  const lockers = world.index(LOCKERS)
  const row = lockers.get(lockerKey(player, base)) ?? 0
  if (row === 0) return
  const container = world.read(Locker).container[row]
  if (!isBare(world, container) || world.read(Locker).reserved[row] > 0) return
  closeContainer(world, container)
  world.release(Locker, row)
  lockers.delete(lockerKey(player, base))
}

/** Returns the units of a good in the player's locker at the base. */
export function storedUnits(view: WorldView, player: Eid, base: Row, item: number): number {
  const locker = lockerOf(view, player, base)
  return locker === 0 ? 0 : unitsIn(view, locker, item)
}

/** Refuses goods that may not leave their owner. Source: trade-storage.md section 1, item flags. */
export const givingRefusal = (item: number): Failure<'not_tradeable' | 'quest_item'> | undefined =>
  goodRefusal(GOODS[item])

/** Refuses a row of the catalogue that may not leave its owner: quest_item, not_tradeable. */
export function goodRefusal(good: GoodRow): Failure<'not_tradeable' | 'quest_item'> | undefined {
  if (good.quest_item === true) return fail('quest_item', { item_id: good.id })
  const isTradeable = isModule(good) || (good as ItemRow).tradeable
  return isTradeable ? undefined : fail('not_tradeable', { item_id: good.id })
}

/**
 * Returns the index of a good by id or display name. Refusal: unknown_item, with the matches of an
 * ambiguous name.
 */
export function findGood(text: string): Outcome<number, 'unknown_item'> {
  const found = findGoods(text)
  if (found.length === 1) return ok(found[0])
  if (found.length === 0) return fail('unknown_item', { item_id: text })
  return fail('unknown_item', { item_id: text, matches: found.map((index) => GOODS[index].id) })
}

/**
 * Returns true when commands may add no more rows to a table: the rest is kept for systems that
 * must not fail. Rows released in this tick count as used: they cannot be taken yet.
 */
export function isNearlyFull(view: WorldView, table: TableDef): boolean {
  const rows = rowsOf(table, view.maxEntities)
  return rows - view.roomIn(table) >= divFloor(rows * TABLE_FILL_MAX_PCT, 100)
}

/**
 * Returns true when commands may use no more lockers, containers and stacks: the rest is kept for
 * mining and settling, which must not fail.
 */
export const isStorageNearlyFull = (view: WorldView): boolean =>
  isNearlyFull(view, Locker) || isNearlyFull(view, Container) || isNearlyFull(view, Stack)

/** Returns true for a note, false for a package of goods. */
export const isNote = (view: WorldView, pkg: Row): boolean => view.read(Package).note[pkg] !== 0

/** Returns a sealed package by wire id; 0 for none. */
export function sealedById(view: WorldView, id: string): Row {
  const pkg = isSealedId(id) ? rowOfId(view, Package, id.slice(PACKAGE_ID_PREFIX.length)) : 0
  return isNote(view, pkg) ? 0 : pkg
}

export const labelOf = (view: WorldView, pkg: Row): string =>
  view.texts.get(view.read(Package).label[pkg])

/** Returns the name of a package in lists where only its id is still known. */
export const kindOfId = (id: string): string => (isNoteId(id) ? 'Note' : 'Package')

/** Returns the space of a package in a hold, which does not depend on its contents. */
export const footprintOf = (view: WorldView, pkg: Row): number =>
  isNote(view, pkg) ? NOTE_SIZE : PACKAGE_SIZE

/** The good that packing uses up, and opening may return. */
export const CARGO_CONTAINER = itemIndex('cargo_container')

/** A place for a package. Escrows and wrecks keep the owner a package had. */
export type PackageHolder =
  | { readonly kind: 'cargo'; readonly ship: Eid }
  | { readonly kind: 'locker'; readonly player: Eid; readonly base: Eid }
  | {
      readonly kind: 'store'
      readonly faction: Row
      readonly base: Eid
      readonly container: Row
    }
  | {
      readonly kind: 'escrow' | 'wreck' | 'adrift' | 'shipment'
      readonly container: Row
    }

/** Returns the packages in a container, the oldest first. O(n log n) in their number. */
export function packagesIn(view: WorldView, container: Row): Row[] {
  if (container === 0 || view.read(Container).packages[container] === 0) return []
  const { seq } = view.read(Package)
  const rows = [...(view.index(PLACED).get(container) ?? [])]
  return rows.sort((a, b) => seq[a] - seq[b])
}

/** Returns whether a package is in a container. */
export const isPackageIn = (view: WorldView, container: Row, pkg: Row): boolean =>
  view.index(PLACED).get(container)?.has(pkg) === true

/** Returns the container of a place; 0 for a locker that is not open. */
export function containerOf(view: WorldView, holder: PackageHolder): Row {
  if (holder.kind === 'cargo') return view.read(Ship).hold[holder.ship]
  if (holder.kind === 'locker') return lockerOf(view, holder.player, holder.base)
  return holder.container
}

/** Returns the kind of place a package is in. */
export const packagePlace = (view: WorldView, pkg: Row): PackagePlace =>
  PACKAGE_PLACES[view.read(Package).kind[pkg]]

/** Returns the goods sealed in a package, in the order of the catalogue. */
export const manifestOf = (view: WorldView, pkg: Row): Held[] =>
  contentsOf(view, view.read(Package).manifest[pkg])

/** The owner of a package: a player, a faction, or nobody. */
export interface PackageOwner {
  /** 0: a faction's, or nobody's. */
  readonly player: Eid
  /** 0: a player's, or nobody's. */
  readonly faction: Row
}

/** Returns the owner of a package: in a hold it is the owner of the ship. */
export function packageOwner(view: WorldView, pkg: Row): PackageOwner {
  const { ship, player, factionSeq } = view.read(Package)
  if (ship[pkg] !== 0) return { player: view.read(Ship).owner[ship[pkg]], faction: 0 }
  const number = factionSeq[pkg]
  return { player: player[pkg], faction: number === 0 ? 0 : view.rowOf(Faction, number) }
}

/**
 * Returns true while a package is in a hold or locker of the player, or in a store of `faction`
 * (the player's own; 0 for none), so that they may inspect it. Source: trade-storage.md section 5,
 * Holding.
 */
export function holdsPackage(view: WorldView, player: Eid, pkg: Row, faction: Row = 0): boolean {
  const owner = packageOwner(view, pkg)
  const place = packagePlace(view, pkg)
  if (place === 'cargo' || place === 'locker') return owner.player === player
  return place === 'store' && faction !== 0 && owner.faction === faction
}

/* Room */

/** Returns how many packages an owner may keep at a base. Source: trade-storage.md section 1. */
export function packageAllowance(view: WorldView, base: Eid): number {
  const level = Math.max(1, serviceTier(view, base, 'storage'))
  return PACKAGES_BY_LEVEL[Math.min(level, PACKAGES_BY_LEVEL.length) - 1]
}

/** Returns how many more packages fit into a player's locker, besides those reserved by jobs. */
export function packageRoom(view: WorldView, player: Eid, base: Eid): number {
  const locker = lockerRowOf(view, player, base)
  const allowance = packageAllowance(view, base)
  if (locker === 0) return allowance
  const { container, reserved } = view.read(Locker)
  const used = view.read(Container).packages[container[locker]] + reserved[locker]
  return Math.max(0, allowance - used)
}

/** Returns the space of goods in a package, where nothing is compressed. */
export const packedSize = (goods: readonly Held[]): number =>
  goods.reduce((sum, { item, units }) => sum + GOODS[item].size * units, 0)
