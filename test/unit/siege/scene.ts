/** Stations to be attacked, and pilots who attack them. */
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import type { PublishedEmission } from '../../../core/ports.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { BASE_KINDS, Base } from '../../../systems/base/state.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { stationShipOf } from '../../../systems/siege/model.ts'
import { trackDamage } from '../../../systems/siege/rules.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import type { SmallWorld } from '../../small-world.ts'

const GIVEN = new WeakMap<World, Set<Eid>>()

/** Returns a station of a kind, a different one each time. */
export function freshBase(small: SmallWorld, kind: (typeof BASE_KINDS)[number]): Eid {
  const { world } = small
  const given = GIVEN.get(world) ?? new Set<Eid>()
  GIVEN.set(world, given)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (given.has(base) || world.read(Base).kind[base] !== BASE_KINDS.indexOf(kind)) continue
    given.add(base)
    return base
  }
  throw new Error(`no ${kind} station is left`)
}

/** Makes a new pilot at the place of a station, in a hull with these modules. */
export function besieger(
  small: SmallWorld,
  base: Eid,
  modules: readonly string[] = ['blaster_ii', 'blaster_ii'],
): Eid {
  const { world } = small
  const player = small.join(`Besieger ${small.players.length + 1}`)
  const old = world.read(Player).ship[player]
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex('black_tithe'),
    modules: modules.map(itemIndex),
  })
  world.write(Player).ship[player] = ship
  removeFromMap(world, old)
  placeInSpace(world, ship, world.read(Base).poi[base])
  small.takeEmissions()
  return player
}

/** Leaves a station this much hull, no shield and no armour; disarms it if `isDisarmed`. */
export function weaken(world: World, base: Eid, hull: number, isDisarmed = true): void {
  const columns = world.write(Base)
  columns.hull[base] = hull
  columns.shield[base] = 0
  columns.shieldMax[base] = 0
  columns.armor[base] = 0
  trackDamage(world, base)
  if (isDisarmed) columns.weaponDamage[base] = 0
}

export const idOfBase = (world: World, base: Eid): string =>
  world.texts.get(world.read(Base).id[base])

export const shipOf = (world: World, player: Eid): Eid => world.read(Player).ship[player]

/** Returns a station's participant in its battle; 0 if there is none. */
export const rowOfBase = (world: World, base: Eid): Row =>
  stationShipOf(world, base) === 0
    ? 0
    : world.read(ShipCombat).participant[stationShipOf(world, base)]

/** Returns the emissions of one type. */
export const newsOf = (emissions: readonly PublishedEmission[], type: string) =>
  emissions.filter((emission) => emission.type === type)

export const numberOf = (world: World, player: Eid): number => world.read(Player).seq[player]
