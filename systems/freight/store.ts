/** Which contracts there are: of a package, of a party, at a base, due in a tick. */
import { idOf, rowOfId } from '../../core/entity.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Package } from '../package/columns.ts'
import { type Actor, actorAt, keyOf } from './actor-rules.ts'
import { IN_TRANSIT, POSTED, Shipment } from './columns.ts'

type Sets<K> = Map<K, Set<Row>>

const CONTRACTS = defineIndex('freight.contracts', () => ({
  /** The latest contract by number of the package, ended ones too. */
  byPackage: new Map<number, Row>(),
  shipped: new Map() as Sets<string>,
  carried: new Map() as Sets<string>,
  expected: new Map() as Sets<string>,
  ended: new Map() as Sets<string>,
  /** Those that wait for a carrier, by number of the base. */
  posted: new Map() as Sets<number>,
  due: new Map<number, Row[]>(),
  /** Those whose package is no more. */
  fated: new Set<Row>(),
}))

type Contracts = ReturnType<typeof CONTRACTS.make>
type Role = 'shipped' | 'carried' | 'expected' | 'ended'

const indexOf = (view: WorldView): Contracts => view.index(CONTRACTS)

function add<K>(sets: Sets<K>, key: K, row: Row): void {
  const rows = sets.get(key)
  if (rows) rows.add(row)
  else sets.set(key, new Set([row]))
}

function drop<K>(sets: Sets<K>, key: K, row: Row): void {
  const rows = sets.get(key)
  rows?.delete(row)
  if (rows?.size === 0) sets.delete(key)
}

/** Rows in the order of their making: sets are filled in another order after a restore. */
function inOrder(view: WorldView, rows: Iterable<Row>): Row[] {
  const { seq } = view.read(Shipment)
  return [...rows].sort((a, b) => seq[a] - seq[b])
}

/* Finding */

export const shipmentId = (view: WorldView, row: Row): string => idOf(view, Shipment, row)

/** By wire id; 0 if there is none, or it is kept no more. */
export const shipmentById = (view: WorldView, id: string): Row => rowOfId(view, Shipment, id)

/** The latest contract on a package; 0 none. */
export const shipmentOf = (view: WorldView, pkg: Row): Row =>
  indexOf(view).byPackage.get(view.read(Package).seq[pkg]) ?? 0

/** The package of a contract; 0 where it is no more. */
export const packageOf = (view: WorldView, row: Row): Row =>
  view.rowOf(Package, view.read(Shipment).pkg[row])

/** Posted or under way. */
export const isLive = (view: WorldView, row: Row): boolean =>
  view.read(Shipment).status[row] <= IN_TRANSIT

/** Contracts of a party in a role, the oldest first. O(rows × log rows) of few rows. */
export const contractsOf = (view: WorldView, role: Role, actor: Actor): Row[] =>
  inOrder(view, indexOf(view)[role].get(keyOf(actor)) ?? [])

export const countOf = (view: WorldView, role: Role, actor: Actor): number =>
  indexOf(view)[role].get(keyOf(actor))?.size ?? 0

/** Contracts that wait for a carrier at the base of that number, the oldest first. */
export const postedAt = (view: WorldView, base: number): Row[] =>
  inOrder(view, indexOf(view).posted.get(base) ?? [])

export const countPostedAt = (view: WorldView, base: number): number =>
  indexOf(view).posted.get(base)?.size ?? 0

/* Keeping */

/** Enters a row wherever its state says it belongs. */
export function enter(world: World, row: Row): void {
  const { pkg, status, origin, dueTick, fate } = world.read(Shipment)
  const index = indexOf(world)
  index.byPackage.set(pkg[row], row)
  const shipper = keyOf(actorAt(world, row, 'shipper'))
  if (isLive(world, row)) {
    add(index.shipped, shipper, row)
    add(index.expected, keyOf(actorAt(world, row, 'recipient')), row)
  } else add(index.ended, shipper, row)
  if (status[row] === POSTED) add(index.posted, origin[row], row)
  if (status[row] === IN_TRANSIT) add(index.carried, keyOf(actorAt(world, row, 'carrier')), row)
  if (fate[row] !== 0) index.fated.add(row)
  expect(world, row, dueTick[row])
}

/** Takes a row out of every list but that of packages; its state is still the old one. */
export function leave(world: World, row: Row): void {
  const { origin } = world.read(Shipment)
  const index = indexOf(world)
  const shipper = keyOf(actorAt(world, row, 'shipper'))
  drop(index.shipped, shipper, row)
  drop(index.ended, shipper, row)
  drop(index.expected, keyOf(actorAt(world, row, 'recipient')), row)
  drop(index.carried, keyOf(actorAt(world, row, 'carrier')), row)
  drop(index.posted, origin[row], row)
  index.fated.delete(row)
}

/** Forgets that a package has a contract, where it is this one. */
export function forgetPackage(world: World, row: Row): void {
  const { byPackage } = indexOf(world)
  const { pkg } = world.read(Shipment)
  if (byPackage.get(pkg[row]) === row) byPackage.delete(pkg[row])
}

function expect(world: World, row: Row, tick: number): void {
  const { due } = indexOf(world)
  const rows = due.get(tick)
  if (rows) rows.push(row)
  else due.set(tick, [row])
}

/** Sets the next timer of a contract. */
export function setDue(world: World, row: Row, tick: number): void {
  world.write(Shipment).dueTick[row] = tick
  expect(world, row, tick)
}

/** Contracts whose timer rings in this tick, the oldest first. */
export function takeDue(world: World): Row[] {
  const { due } = indexOf(world)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, dueTick } = world.read(Shipment)
  const mine = rows.filter((row) => alive[row] === 1 && dueTick[row] === world.tick)
  return inOrder(world, new Set(mine))
}

/** Notes that the package of a contract is no more; it is judged at the end of the tick. */
export const noteFated = (world: World, row: Row): void => {
  indexOf(world).fated.add(row)
}

/** Contracts whose package is no more, the oldest first. */
export function takeFated(world: World): Row[] {
  const { fated } = indexOf(world)
  if (fated.size === 0) return []
  const rows = inOrder(world, fated)
  fated.clear()
  return rows
}

/** Fills the index from the table, after a restore. */
export function rebuildContracts(world: World): void {
  const index = indexOf(world)
  for (const map of Object.values(index)) map.clear()
  const { alive } = world.read(Shipment)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Shipment); row++) if (alive[row] === 1) rows.push(row)
  for (const row of inOrder(world, rows)) enter(world, row)
}

/** True if the index has a row where its state says. */
export function isEntered(view: WorldView, row: Row): boolean {
  const { pkg, status, origin, dueTick, fate } = view.read(Shipment)
  const index = indexOf(view)
  const has = <K>(sets: Sets<K>, key: K) => sets.get(key)?.has(row) === true
  const shipper = keyOf(actorAt(view, row, 'shipper'))
  return (
    index.byPackage.has(pkg[row]) &&
    has(isLive(view, row) ? index.shipped : index.ended, shipper) &&
    has(index.posted, origin[row]) === (status[row] === POSTED) &&
    has(index.carried, keyOf(actorAt(view, row, 'carrier'))) === (status[row] === IN_TRANSIT) &&
    index.fated.has(row) === (fate[row] !== 0) &&
    index.due.get(dueTick[row])?.includes(row) === true
  )
}
