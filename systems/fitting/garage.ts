/**
 * Garages of factions: hulls that a member has given, which stand docked at the base of the garage
 * and belong to nobody until another takes one. Source: factions.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { SHIPS_PER_PLAYER_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { activeFacility, facilityTypeAt } from '../facility/rules.ts'
import { factionOf } from '../faction/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { scrapHold } from '../salvage/rules.ts'
import { Ship } from '../ship/columns.ts'
import { recompute, releaseShip, setOwner, shipById } from '../ship/rules.ts'
import { isFleetFull } from '../shipyard/rules.ts'
import { Location } from '../travel/columns.ts'
import { unplace } from '../travel/rules.ts'
import { Garaged } from './columns.ts'
import { isParked, storeHold } from './dismantle.ts'

const SERVICE = 'faction_garage'

/** Hulls by faction: by tick of coming, then by number. */
const GARAGES = defineIndex('fitting.garages', () => new Map<Row, Eid[]>())

/** Hulls in the garages of a faction, those that came first before the others. */
export const garagedShips = (view: WorldView, faction: Row): readonly Eid[] =>
  view.index(GARAGES).get(faction) ?? []

/** Those of them at one base. */
export const garagedAt = (view: WorldView, faction: Row, base: Row): Eid[] =>
  garagedShips(view, faction).filter((ship) => view.read(Location).base[ship] === base)

/** Hulls that the garage of a faction at a base takes; 0 without one that works. */
export function garageCapacity(view: WorldView, faction: Row, base: Row): number {
  const facility = activeFacility(view, faction, base, SERVICE)
  return facility === 0 ? 0 : (facilityTypeAt(view, facility).capacity ?? 0)
}

/** The garage a hull stands in: a faction; 0 none. */
export const garageOf = (view: WorldView, ship: Eid): Row => view.read(Garaged).faction[ship]

/** A hull in a garage of the player's faction, by wire id; 0 for anything else. */
export function garagedById(view: WorldView, player: Eid, id: string): Eid {
  const ship = shipById(view, id)
  const faction = factionOf(view, player)
  return ship !== 0 && faction !== 0 && garageOf(view, ship) === faction ? ship : 0
}

/* Coming and going */

/** Refuses another hull. Refusals: no_faction_garage, garage_full. */
export function refusesGarage(view: WorldView, faction: Row, base: Row): Failure | undefined {
  const capacity = garageCapacity(view, faction, base)
  if (capacity === 0) return fail('no_faction_garage')
  const used = garagedAt(view, faction, base).length
  return used < capacity ? undefined : fail('garage_full', { used, capacity })
}

/**
 * Gives a parked hull to the garage of a faction at its base: what is in its hold goes to the
 * owner's locker, its policy ends. The caller has asked `refusesGarage`, and what else refuses a
 * gift.
 */
export function storeInGarage(world: World, ship: Eid, faction: Row): void {
  assert(isParked(world, ship), `ship ${ship} is garaged and not parked`)
  const owner = world.read(Ship).owner[ship]
  storeHold(world, ship, world.read(Location).base[ship])
  endPolicy(world, ship)
  setOwner(world, ship, 0)
  recompute(world, ship)
  const columns = world.write(Garaged)
  columns.faction[ship] = faction
  columns.depositor[ship] = owner
  columns.depositTick[ship] = world.tick
  enter(world, ship)
}

function enter(world: World, ship: Eid): void {
  const { faction, depositTick } = world.read(Garaged)
  const { seq } = world.read(Ship)
  const ships = [...garagedShips(world, faction[ship]), ship]
  ships.sort((a, b) => depositTick[a] - depositTick[b] || seq[a] - seq[b])
  world.index(GARAGES).set(faction[ship], ships)
}

function leave(world: World, ship: Eid): void {
  const columns = world.write(Garaged)
  const faction = columns.faction[ship]
  const left = garagedShips(world, faction).filter((other) => other !== ship)
  if (left.length === 0) world.index(GARAGES).delete(faction)
  else world.index(GARAGES).set(faction, left)
  columns.faction[ship] = 0
  columns.depositor[ship] = 0
  columns.depositTick[ship] = 0
}

/** Refuses to hand a hull out. Refusals: no_faction_garage (repossessed, in repair), ship_limit. */
export function refusesClaim(view: WorldView, player: Eid, ship: Eid): Failure | undefined {
  const base = view.read(Location).base[ship]
  if (garageCapacity(view, garageOf(view, ship), base) === 0) return fail('no_faction_garage')
  return isFleetFull(view, player) ? fail('ship_limit', { max: SHIPS_PER_PLAYER_MAX }) : undefined
}

/** A member takes a hull out of the garage: it is his, and parked there. */
export function claimGaraged(world: World, player: Eid, ship: Eid): void {
  assert(garageOf(world, ship) !== 0, `ship ${ship} is claimed out of no garage`)
  leave(world, ship)
  setOwner(world, ship, player)
  recompute(world, ship)
}

/* Ends */

/** A faction ends: its hulls are the heir's; those beyond his limit are broken up. */
export function emptyGarages(world: World, faction: Row, heir: Eid): void {
  for (const ship of garagedShips(world, faction)) {
    if (!isFleetFull(world, heir)) {
      claimGaraged(world, heir, ship)
      continue
    }
    leave(world, ship)
    scrapHold(world, ship)
    unplace(world, ship)
    releaseShip(world, ship)
  }
}

/** Fills the index from the columns, after a restore. */
export function rebuildGarages(world: World): void {
  world.index(GARAGES).clear()
  const { alive } = world.read(Ship)
  const { faction } = world.read(Garaged)
  for (let ship = 1; ship <= world.highOf(Ship); ship++) {
    if (alive[ship] === 1 && faction[ship] !== 0) enter(world, ship)
  }
}
