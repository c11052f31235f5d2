/**
 * Who watches which place, and which ships changed in a way that watchers can see. Whoever moves a
 * ship, docks it, takes it into a battle, binds its pilot or changes how they look notes it here;
 * what of it is told is decided in observe-commands.ts. A leaf: it is imported by those who move
 * ships.
 */
import { exclude, include } from '../../core/groups.ts'
import { SENSED_CONTACTS_MAX } from '../../core/limits.ts'
import type { Eid, World } from '../../core/types.ts'
import { refill } from '../account/model.ts'
import { Cloaked, Player } from '../account/state.ts'
import { PlayerCombat } from '../combat/state.ts'
import { Poi, REVEALED } from '../travel/state.ts'
import { contactsOf, keyOf, markMoved, revealedTo, watchedPlace } from './model.ts'
import { CHANGED, CONTACTS, WATCHERS, Watch } from './state.ts'

/** Ticks for which a cloaked ship that was made out stays in the sights. travel.md section 8. */
export const CONTACT_TICKS = 6

/** Reveals hidden places to a player, for ever. */
export function reveal(world: World, player: Eid, pois: readonly Eid[]): void {
  const { seq, hidden } = world.read(Poi)
  const known = revealedTo(world, player)
  const found = pois.filter((poi) => hidden[poi] === 1).map((poi) => seq[poi])
  const all = [...known, ...found.filter((number) => !known.includes(number))]
  if (all.length > known.length) {
    world.records(REVEALED).set(String(world.read(Player).seq[player]), all)
  }
}

/* Cloaks */

/** Puts a player's cloak on or takes it off. The only writer of `cloaked`. */
export function setCloak(world: World, player: Eid, isOn: boolean): void {
  const { cloaked, ship } = world.write(Player)
  if (!isOn) world.write(PlayerCombat).cloakUntil[player] = 0
  if ((cloaked[player] === 1) === isOn) return
  cloaked[player] = isOn ? 1 : 0
  if (isOn) world.tag(Player, player, Cloaked)
  else world.untag(Player, player, Cloaked)
  markMoved(world, ship[player])
}

export function rebuildCloaks(world: World): void {
  const { alive, cloaked } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && cloaked[player] === 1) world.tag(Player, player, Cloaked)
  }
}

/**
 * The observer has made these cloaked players out; of too many the first ones. `locked` replaces
 * those an active watch holds.
 */
export function makeOut(
  world: World,
  observer: Eid,
  players: readonly Eid[],
  locked?: readonly number[],
): void {
  const { seq } = world.read(Player)
  const until = world.tick + CONTACT_TICKS
  const before = contactsOf(world, observer)
  const fresh = players.slice(0, SENSED_CONTACTS_MAX).map((player) => seq[player])
  const kept = before.seen.filter(([number, end]) => end >= world.tick && !fresh.includes(number))
  const seen = [...fresh.map((number) => [number, until] as const), ...kept]
  const after = {
    seen: seen.slice(0, SENSED_CONTACTS_MAX),
    locked: locked ?? before.locked,
  }
  if (after.seen.length + after.locked.length === 0) {
    world.records(CONTACTS).delete(keyOf(world, observer))
  } else world.records(CONTACTS).set(keyOf(world, observer), after)
}

/** Forgets contacts that are out of the sights. O(observers who had any). */
export function forgetContacts(world: World): void {
  for (const [key, { seen, locked }] of [...world.records(CONTACTS).entries()]) {
    if (locked.length === 0 && seen.every(([, until]) => until < world.tick)) {
      world.records(CONTACTS).delete(key)
    }
  }
}

/** Takes the ships noted since the last call, in the order of their first change. */
export function takeChanges(world: World): Eid[] {
  const changed = world.index(CHANGED)
  const ships = [...changed]
  changed.clear()
  return ships
}

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
  include(world.index(WATCHERS), watch.poi, player)
}

/** False when the player watched nothing. */
export function endWatch(world: World, player: Eid): boolean {
  const poi = watchedPlace(world, player)
  if (poi === 0) return false
  exclude(world.index(WATCHERS), poi, player)
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
