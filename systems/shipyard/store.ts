/** Which commissions, listings and orders there are: of a base, of a player, due in a tick. */
import { idOf, rowOfId } from '../../core/entity.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Commission, ForSale, ShipListing, ShipOrder } from './columns.ts'

/** Rows by what they belong to, each list in the order of making. */
type Lists = Map<Eid, readonly Row[]>

const lists = (name: string) => defineIndex(name, (): Lists => new Map())

const INDEXES = {
  commissionsAt: lists('shipyard.commissions_at'),
  commissionsOf: lists('shipyard.commissions_of'),
  listingsAt: lists('shipyard.listings_at'),
  ordersAt: lists('shipyard.orders_at'),
  ordersOf: lists('shipyard.orders_of'),
} as const
type ListName = keyof typeof INDEXES

const NOTHING: readonly Row[] = []

const listOf = (view: WorldView, name: ListName, key: Eid): readonly Row[] =>
  view.index(INDEXES[name]).get(key) ?? NOTHING

function add(world: World, name: ListName, key: Eid, row: Row): void {
  world.index(INDEXES[name]).set(key, [...listOf(world, name, key), row])
}

function drop(world: World, name: ListName, key: Eid, row: Row): void {
  const left = listOf(world, name, key).filter((other) => other !== row)
  if (left.length === 0) world.index(INDEXES[name]).delete(key)
  else world.index(INDEXES[name]).set(key, left)
}

/** Commissions of a yard, the oldest first, its own included. */
export const commissionsAt = (view: WorldView, base: Eid): readonly Row[] =>
  listOf(view, 'commissionsAt', base)
/** Open commissions of a player, the oldest first; 0: what yards build for themselves. */
export const commissionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  listOf(view, 'commissionsOf', player)
/** Hulls for sale at a base, the oldest listing first. */
export const listingsAt = (view: WorldView, base: Eid): readonly Row[] =>
  listOf(view, 'listingsAt', base)
/** Open buy orders at a base, the oldest first. */
export const ordersAt = (view: WorldView, base: Eid): readonly Row[] =>
  listOf(view, 'ordersAt', base)
/** Open buy orders of a player, the oldest first. */
export const ordersOf = (view: WorldView, player: Eid): readonly Row[] =>
  listOf(view, 'ordersOf', player)

export function enterCommission(world: World, row: Row): void {
  const { base, player } = world.read(Commission)
  add(world, 'commissionsAt', base[row], row)
  add(world, 'commissionsOf', player[row], row)
}

export function removeCommission(world: World, row: Row): void {
  const { base, player } = world.read(Commission)
  drop(world, 'commissionsAt', base[row], row)
  drop(world, 'commissionsOf', player[row], row)
}

export const enterListing = (world: World, row: Row): void =>
  add(world, 'listingsAt', world.read(ShipListing).base[row], row)

export const removeListing = (world: World, row: Row): void =>
  drop(world, 'listingsAt', world.read(ShipListing).base[row], row)

export function enterOrder(world: World, row: Row): void {
  const { base, player } = world.read(ShipOrder)
  add(world, 'ordersAt', base[row], row)
  add(world, 'ordersOf', player[row], row)
}

export function removeOrder(world: World, row: Row): void {
  const { base, player } = world.read(ShipOrder)
  drop(world, 'ordersAt', base[row], row)
  drop(world, 'ordersOf', player[row], row)
}

/**
 * The timing wheel: commissions by the tick they are done in. An entry of one that was cancelled,
 * or is due at another tick now, is passed over when its tick comes.
 */
const DUE = defineIndex('shipyard.due', () => new Map<number, Row[]>())

export function expectDone(world: World, row: Row): void {
  const due = world.index(DUE)
  const tick = world.read(Commission).doneTick[row]
  const rows = due.get(tick)
  if (rows) rows.push(row)
  else due.set(tick, [row])
}

/** Commissions that are done in this tick, the oldest first. */
export function takeDone(world: World): Row[] {
  const due = world.index(DUE)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, doneTick, seq } = world.read(Commission)
  const live = [...new Set(rows)].filter((row) => alive[row] === 1 && doneTick[row] === world.tick)
  return live.sort((a, b) => seq[a] - seq[b])
}

type Kept = typeof Commission | typeof ShipListing | typeof ShipOrder

/** Rows in use in the order of their making. */
function inOrder(view: WorldView, table: Kept): Row[] {
  const { alive, seq } = view.read(table as typeof ShipListing)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(table); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

/** Fills the indexes from the tables, after a restore. */
export function rebuildShipyards(world: World): void {
  for (const name of Object.keys(INDEXES) as ListName[]) world.index(INDEXES[name]).clear()
  world.index(DUE).clear()
  for (const row of inOrder(world, Commission)) {
    enterCommission(world, row)
    if (world.read(Commission).doneTick[row] !== 0) expectDone(world, row)
  }
  for (const row of inOrder(world, ShipListing)) enterListing(world, row)
  for (const row of inOrder(world, ShipOrder)) enterOrder(world, row)
}

/* Ids */

export const commissionId = (view: WorldView, row: Row): string => idOf(view, Commission, row)
export const listingId = (view: WorldView, row: Row): string => idOf(view, ShipListing, row)
export const shipOrderId = (view: WorldView, row: Row): string => idOf(view, ShipOrder, row)

/** By wire id; 0 if there is none. */
export const commissionById = (view: WorldView, id: string): Row => rowOfId(view, Commission, id)
export const listingById = (view: WorldView, id: string): Row => rowOfId(view, ShipListing, id)
export const shipOrderById = (view: WorldView, id: string): Row => rowOfId(view, ShipOrder, id)

/** The listing of a ship; 0 none. */
export const listingOf = (view: WorldView, ship: Eid): Row => view.read(ForSale).listing[ship]
