/**
 * Riding along: players without a ship of their own, aboard another's or ashore where they went off
 * board. Where somebody is who rides follows from where his carrier is. Source: factions.md
 * section 8.
 */
import { assert } from '../../core/assert.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { Ride } from './columns.ts'

/** Those without a ship: by their carrier, and ashore by base; in the order of their coming. */
interface Riders {
  readonly aboard: Map<Eid, Eid[]>
  readonly ashore: Map<Row, Eid[]>
}
const RIDERS = defineIndex<Riders>('fleet.riders', () => ({
  aboard: new Map(),
  ashore: new Map(),
}))

const NOBODY: readonly Eid[] = []

/** Passengers of a player, those who came first before the others. */
export const ridersOf = (view: WorldView, carrier: Eid): readonly Eid[] =>
  view.index(RIDERS).aboard.get(carrier) ?? NOBODY

/** Players without a ship at a base. */
export const ashoreAt = (view: WorldView, base: Row): readonly Eid[] =>
  view.index(RIDERS).ashore.get(base) ?? NOBODY

/** Who carries others, in the order of their numbers. */
export function carriers(view: WorldView): Eid[] {
  const { seq } = view.read(Player)
  return [...view.index(RIDERS).aboard.keys()].sort((a, b) => seq[a] - seq[b])
}

/** Who is ashore since this tick or longer, in the order of their numbers. */
export function ashoreSince(view: WorldView, tick: number): Eid[] {
  const { sinceTick } = view.read(Ride)
  const { seq } = view.read(Player)
  return [...view.index(RIDERS).ashore.values()]
    .flat()
    .filter((player) => sinceTick[player] <= tick)
    .sort((a, b) => seq[a] - seq[b])
}

/** The player in whose ship another rides; 0 for one who flies, or is ashore. */
export const carrierOf = (view: WorldView, player: Eid): Eid => view.read(Ride).carrier[player]

/** True for a player without a ship who rides with nobody. */
export const isAshore = (view: WorldView, player: Eid): boolean =>
  view.read(Ride).base[player] !== 0

/** Players and those who ride with them. */
export function withRiders(view: WorldView, players: readonly Eid[]): readonly Eid[] {
  if (view.index(RIDERS).aboard.size === 0) return players
  return players.flatMap((player) => [player, ...ridersOf(view, player)])
}

/* Coming and going */

function enter(map: Map<Eid, Eid[]>, key: Eid, player: Eid): void {
  const found = map.get(key)
  if (found) found.push(player)
  else map.set(key, [player])
}

function leave(map: Map<Eid, Eid[]>, key: Eid, player: Eid): void {
  const left = (map.get(key) ?? []).filter((other) => other !== player)
  if (left.length === 0) map.delete(key)
  else map.set(key, left)
}

function begin(world: World, player: Eid, carrier: Eid, base: Row): void {
  assert(world.read(Player).ship[player] === 0, `player ${player} rides and flies`)
  endRide(world, player)
  const ride = world.write(Ride)
  ride.carrier[player] = carrier
  ride.base[player] = base
  ride.number[player] = world.nextNumber('fleet_ride')
  ride.sinceTick[player] = world.tick
  const { aboard, ashore } = world.index(RIDERS)
  if (carrier !== 0) enter(aboard, carrier, player)
  else enter(ashore, base, player)
}

/** A player whose ship is laid up goes aboard another's. */
export function rideWith(world: World, player: Eid, carrier: Eid): void {
  assert(world.read(Player).ship[carrier] !== 0, `carrier ${carrier} has no ship`)
  begin(world, player, carrier, 0)
}

/** A player without a ship stands at a base. */
export const putAshore = (world: World, player: Eid, base: Row): void =>
  begin(world, player, 0, base)

/** A player is about to fly again; nothing for one who does. */
export function endRide(world: World, player: Eid): void {
  const ride = world.write(Ride)
  const [carrier, base] = [ride.carrier[player], ride.base[player]]
  const { aboard, ashore } = world.index(RIDERS)
  if (carrier !== 0) leave(aboard, carrier, player)
  if (base !== 0) leave(ashore, base, player)
  ride.carrier[player] = 0
  ride.base[player] = 0
  ride.number[player] = 0
  ride.sinceTick[player] = 0
}

/** Fills the index from the columns. */
export function rebuildRides(world: World): void {
  const { aboard, ashore } = world.index(RIDERS)
  aboard.clear()
  ashore.clear()
  const { alive } = world.read(Player)
  const { carrier, base, number } = world.read(Ride)
  const riders: Eid[] = []
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && number[player] !== 0) riders.push(player)
  }
  for (const player of riders.sort((a, b) => number[a] - number[b])) {
    if (carrier[player] !== 0) enter(aboard, carrier[player], player)
    else enter(ashore, base[player], player)
  }
}
