/**
 * Stores of a faction at a base: its main store, its buckets, its fuel bunker. A store is open
 * while it holds something; whether it can be reached depends on the facility. The caller checks
 * permission. Source: factions.md section 4; trade-storage.md section 1.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { Container, closeContainer, isBare, openContainer, unitsIn } from '../../core/goods.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { packageAllowance } from '../cargo/model.ts'
import {
  activeFacility,
  facilitiesAt,
  facilityById,
  facilityName,
  facilityTypeAt,
  isRunning,
} from '../facility/model.ts'
import { Facility, OF_FACTION } from '../facility/state.ts'
import { Faction, FactionStore, STORES } from './state.ts'

/** A store of a faction at a base. */
export interface StorePlace {
  readonly faction: Row
  readonly base: Row
  /** Number of the facility that is the bucket; 0 the main store. */
  readonly bucket: number
}

/** More rows than there are bases: keys stay distinct and below 2^53. */
const BASE_ROWS = 0x10000
const storeKey = ({ faction, base }: StorePlace): number => faction * BASE_ROWS + base

function storeRow(view: WorldView, place: StorePlace): Row {
  const { bucket } = view.read(FactionStore)
  const rows = view.index(STORES).get(storeKey(place)) ?? []
  return rows.find((row) => bucket[row] === place.bucket) ?? 0
}

/** Returns the container of a store; 0 while it holds nothing. */
export function storeContainer(view: WorldView, place: StorePlace): Row {
  const row = storeRow(view, place)
  return row === 0 ? 0 : view.read(FactionStore).container[row]
}

/** Returns the open stores of a faction at a base: the main one, then buckets. */
export function storesAt(view: WorldView, faction: Row, base: Row): StorePlace[] {
  const { bucket } = view.read(FactionStore)
  const rows = view.index(STORES).get(storeKey({ faction, base, bucket: 0 })) ?? []
  return rows.map((row) => ({ faction, base, bucket: bucket[row] }))
}

/** Returns the row of a store, opening the store if needed. */
export function openStoreRow(world: World, place: StorePlace): Row {
  const found = storeRow(world, place)
  if (found !== 0) return found
  assert(place.faction !== 0 && place.base !== 0, 'a store needs a faction and a base')
  const row = world.take(FactionStore)
  const columns = world.write(FactionStore)
  columns.faction[row] = place.faction
  columns.base[row] = place.base
  columns.bucket[row] = place.bucket
  columns.container[row] = openContainer(world)
  listStore(world, row)
  return row
}

/** Adds the row of a store to the index. */
export function listStore(world: World, row: Row): void {
  const { faction, base, bucket } = world.read(FactionStore)
  const key = storeKey({ faction: faction[row], base: base[row], bucket: 0 })
  const stores = world.index(STORES)
  const rows = [...(stores.get(key) ?? []), row].sort((a, b) => bucket[a] - bucket[b])
  stores.set(key, rows)
}

/**
 * Returns the container of a store, opening the store if needed. The caller has checked that there
 * are rows left, and calls closeEmptyStore if it puts nothing in. The facility is not checked:
 * goods ordered or begun earlier arrive even if the facility has been lost.
 */
export const openStore = (world: World, place: StorePlace): Row =>
  world.read(FactionStore).container[openStoreRow(world, place)]

/** Closes a store that is empty. */
export function closeEmptyStore(world: World, place: StorePlace): void {
  const row = storeRow(world, place)
  if (row === 0) return
  const { container, fuel } = world.read(FactionStore)
  if (!isBare(world, container[row]) || fuel[row] > 0) return
  closeContainer(world, container[row])
  const stores = world.index(STORES)
  const rows = (stores.get(storeKey(place)) ?? []).filter((other) => other !== row)
  if (rows.length > 0) stores.set(storeKey(place), rows)
  else stores.delete(storeKey(place))
  world.release(FactionStore, row)
}

/* Buckets */

/** Returns the facilities that are working buckets of the faction at the base, the oldest first. */
export function bucketsAt(view: WorldView, faction: Row, base: Row): Row[] {
  const { ownerKind, faction: owner } = view.read(Facility)
  return facilitiesAt(view, base).filter(
    (row) =>
      ownerKind[row] === OF_FACTION &&
      owner[row] === faction &&
      isRunning(view, row) &&
      facilityTypeAt(view, row).faction_service_type === 'storage_extension',
  )
}

/** Returns the number by which a store refers to the facility of its bucket. */
export const bucketNumber = (view: WorldView, facility: Row): number =>
  view.read(Facility).seq[facility]

/** Returns a bucket by the id of its facility, or by name ignoring case; 0 for none. */
export function bucketByText(view: WorldView, faction: Row, base: Row, idOrName: string): Row {
  const buckets = bucketsAt(view, faction, base)
  const byId = facilityById(view, idOrName)
  if (byId !== 0) return buckets.includes(byId) ? byId : 0
  const name = idOrName.trim().toLowerCase()
  return buckets.find((row) => facilityName(view, row).toLowerCase() === name) ?? 0
}

/** Returns the facility of a bucket; 0 for the main store, or where it no longer exists. */
export const facilityOfStore = (view: WorldView, { bucket }: StorePlace): Row =>
  bucket === 0 ? 0 : view.rowOf(Facility, bucket)

/** Finds the main store of a faction at a base. Refusal: no_faction_storage. */
export function findMainStore(
  view: WorldView,
  faction: Row,
  base: Row,
): Outcome<StorePlace, 'no_faction_storage'> {
  const isThere = base !== 0 && activeFacility(view, faction, base, 'faction_storage') !== 0
  return isThere ? ok({ faction, base, bucket: 0 }) : fail('no_faction_storage')
}

/**
 * Finds a store that can be reached; without `bucket` the main one. Refusals: no_faction_storage,
 * bucket_not_found.
 */
export function findStore(
  view: WorldView,
  faction: Row,
  base: Row,
  bucket?: string,
): Outcome<StorePlace, 'bucket_not_found' | 'no_faction_storage'> {
  const main = findMainStore(view, faction, base)
  if (!main.ok || bucket === undefined || bucket === '') return main
  const facility = bucketByText(view, faction, base, bucket)
  if (facility === 0) return fail('bucket_not_found', { bucket })
  return ok({ faction, base, bucket: bucketNumber(view, facility) })
}

/** Returns the cap of a store for each item, in units; 0 where it cannot be reached. */
export function capOfStore(view: WorldView, place: StorePlace): number {
  const facility =
    place.bucket === 0
      ? activeFacility(view, place.faction, place.base, 'faction_storage')
      : facilityOfStore(view, place)
  return facility === 0 ? 0 : (facilityTypeAt(view, facility).capacity ?? 0)
}

/** Returns the units of an item in a faction's store. */
export function unitsInStore(view: WorldView, place: StorePlace, item: number): number {
  const container = storeContainer(view, place)
  return container === 0 ? 0 : unitsIn(view, container, item)
}

/** Returns the units of an item that still fit under the cap. Deliveries may exceed it. */
export function roomInStore(view: WorldView, place: StorePlace, item: number): number {
  return Math.max(0, capOfStore(view, place) - unitsInStore(view, place, item))
}

/**
 * Returns the container of a store that can be reached; 0 while it holds nothing. Refusals:
 * no_faction_storage, bucket_not_found.
 */
export function factionStore(
  view: WorldView,
  faction: Row,
  base: Row,
  bucket?: string,
): Row | Failure<'bucket_not_found' | 'no_faction_storage'> {
  const found = findStore(view, faction, base, bucket)
  return found.ok ? storeContainer(view, found.result) : found
}

/* Packages */

/** Returns how many more packages a faction may keep in all its stores at a base. */
export function factionPackageRoom(view: WorldView, faction: Row, base: Row): number {
  const { packages } = view.read(Container)
  const used = storesAt(view, faction, base).reduce(
    (sum, place) => sum + packages[storeContainer(view, place)],
    0,
  )
  return Math.max(0, packageAllowance(view, base) - used)
}

/* Fuel */

/** Returns the capacity of the working bunker at the base, in units of fuel; 0 without one. */
export function bunkerCapacity(view: WorldView, faction: Row, base: Row): number {
  const facility = activeFacility(view, faction, base, 'faction_fuel_bunker')
  return facility === 0 ? 0 : (facilityTypeAt(view, facility).capacity ?? 0)
}

/** Returns the units of fuel the faction has at the base, whether it can be reached or not. */
export function bunkerFuel(view: WorldView, faction: Row, base: Row): number {
  const row = storeRow(view, { faction, base, bucket: 0 })
  return row === 0 ? 0 : view.read(FactionStore).fuel[row]
}

/** Returns the units of fuel that still fit into the bunker. */
export const bunkerRoom = (view: WorldView, faction: Row, base: Row): number =>
  Math.max(0, bunkerCapacity(view, faction, base) - bunkerFuel(view, faction, base))

/* All stores */

/** Returns the open stores of a faction, by base and bucket. O(open stores). */
export function storesOf(view: WorldView, faction: Row): StorePlace[] {
  const { alive, faction: owner, base, bucket } = view.read(FactionStore)
  const found: StorePlace[] = []
  for (let row = 1; row <= view.highOf(FactionStore); row++) {
    if (alive[row] === 0 || owner[row] !== faction) continue
    found.push({ faction, base: base[row], bucket: bucket[row] })
  }
  return found.sort((a, b) => a.base - b.base || a.bucket - b.bucket)
}

/** Returns true if the index contains the row. */
export function isListed(view: WorldView, row: Row): boolean {
  const { faction, base, bucket } = view.read(FactionStore)
  const place = { faction: faction[row], base: base[row], bucket: bucket[row] }
  return view.read(Faction).alive[faction[row]] === 1 && storeRow(view, place) === row
}
