/**
 * Who watches which place, and which ships changed in a way that watchers can see. Whoever moves a
 * ship, docks it, takes it into a battle, binds its pilot or changes how he looks notes it here;
 * what of it is told is decided in observe.ts. A leaf: it is imported by those who move ships.
 */
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import {
  enlist,
  type Following,
  followed,
  followersIn,
  refill,
  strikeOff,
} from '../account/following-rules.ts'
import { CONTACTS, Watch } from './columns.ts'

/** Watchers by place. */
const WATCHERS = defineIndex('sensing.watchers', () => new Map() as Following)
/** Ships changed since watchers were told last. Empty while nobody watches anything. */
const CHANGED = defineIndex('sensing.changed', () => new Set<Eid>())

/** Notes that a ship, or what is shown of it, has changed. O(1). */
export function noteChange(world: World, ship: Eid): void {
  if (ship !== 0 && world.index(WATCHERS).size > 0) world.index(CHANGED).add(ship)
}

/** Notes that what is shown of a player has changed. */
export function noteLook(world: World, player: Eid): void {
  noteChange(world, world.read(Player).ship[player])
}

/** Takes the ships noted since the last call, in the order of their first change. */
export function takeChanges(world: World): Eid[] {
  const changed = world.index(CHANGED)
  const ships = [...changed]
  changed.clear()
  return ships
}

/* Watches */

/** The place a player watches; 0 none. */
export const watchedPlace = (view: WorldView, player: Eid): Eid => view.read(Watch).poi[player]

/** Places that somebody watches, in the order of their rows: the same after a restore. */
export const watchedPlaces = (view: WorldView): Eid[] => followed(view.index(WATCHERS))

/** Watchers of a place, in durable-id order. */
export const watchersOf = (view: WorldView, poi: Eid): Eid[] =>
  followersIn(view, view.index(WATCHERS), poi)

export interface NewWatch {
  readonly poi: Eid
  /** Bit of BOUND. */
  readonly channel: number
  readonly isActive: boolean
  readonly hasSignature: boolean
}

/** A player watches a place from now on, and no other. */
export function startWatch(world: World, player: Eid, watch: NewWatch): void {
  endWatch(world, player)
  const columns = world.write(Watch)
  columns.poi[player] = watch.poi
  columns.channel[player] = watch.channel
  columns.active[player] = watch.isActive ? 1 : 0
  columns.signature[player] = watch.hasSignature ? 1 : 0
  enlist(world.index(WATCHERS), player, watch.poi)
}

/** False when the player watched nothing. */
export function endWatch(world: World, player: Eid): boolean {
  const poi = watchedPlace(world, player)
  if (poi === 0) return false
  strikeOff(world.index(WATCHERS), player, poi)
  const columns = world.write(Watch)
  columns.poi[player] = 0
  columns.channel[player] = 0
  columns.signature[player] = 0
  endSweep(world, player)
  return true
}

/** The watch goes on without looking for cloaked ships. */
export function endSweep(world: World, player: Eid): void {
  world.write(Watch).active[player] = 0
  const key = String(world.read(Player).seq[player])
  const contacts = world.records(CONTACTS).get(key)
  if (contacts && contacts.locked.length > 0) {
    world.records(CONTACTS).set(key, { ...contacts, locked: [] })
  }
}

/** The player has lost these channels: bits of BOUND. */
export function endWatchOn(world: World, player: Eid, channels: number): void {
  if ((world.read(Watch).channel[player] & channels) !== 0) endWatch(world, player)
}

/** Fills the index from the column, after a restore. */
export function rebuildWatches(world: World): void {
  world.index(CHANGED).clear()
  refill(world, world.index(WATCHERS), world.read(Watch).poi)
}
