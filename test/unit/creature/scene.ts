/** A world with its creatures, and helpers to set a scene with them. */
import { creatureIndex, itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { creatures } from '../../../systems/creature/model.ts'
import { endCreature } from '../../../systems/creature/rules.ts'
import { Creature } from '../../../systems/creature/state.ts'
import { habitatOf, makeCreature } from '../../../systems/creature/systems.ts'
import { npcsOf } from '../../../systems/npc/model.ts'
import { removeNpc } from '../../../systems/npc/rules.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { createShip, releaseShip } from '../../../systems/ship/rules.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { Location, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export const wildWorld = (players = 0): Promise<SmallWorld> =>
  smallWorld({ maxEntities: 100_000, players })

const GIVEN = new WeakMap<World, Set<Eid>>()

/** Returns a lawless system without pirates and creatures, and its first two habitable places. */
export function wilderness(world: World): { system: Eid; poi: Eid; other: Eid } {
  const given = GIVEN.get(world) ?? new Set<Eid>()
  GIVEN.set(world, given)
  const { police } = world.read(StarSystem)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    const places = poisOf(world, system).filter((poi) => habitatOf(world, poi) !== undefined)
    if (police[system] !== 0 || given.has(system) || places.length < 2) continue
    given.add(system)
    const { ship } = world.read(Npc)
    for (const hull of npcsOf(world, system).map((npc) => ship[npc])) {
      removeNpc(world, hull)
      takeAway(world, hull)
    }
    empty(world, system)
    return { system, poi: places[0], other: places[1] }
  }
  throw new Error('no wilderness is left')
}

/** Removes all creatures from a system. */
export function empty(world: World, system: Eid): void {
  const { ship } = world.read(Creature)
  const location = world.read(Location)
  for (const creature of creatures(world)) {
    const body = ship[creature]
    if (location.system[body] !== system) continue
    endCreature(world, body)
    takeAway(world, body)
  }
}

function takeAway(world: World, ship: Eid): void {
  removeFromMap(world, ship)
  releaseShip(world, ship)
}

/** Makes a stray of a kind; returns its body. */
export function stray(world: World, id: string, poi: Eid): Eid {
  const creature = makeCreature(world, { kind: creatureIndex(id), poi, herd: 0 })
  return world.read(Creature).ship[creature]
}

/** Puts a player in space at a place, in a new hull of this class and fit if one is named. */
export function putAt(
  world: World,
  player: Eid,
  poi: Eid,
  fit?: { shipClass: string; modules?: readonly string[] },
): Eid {
  if (fit) {
    const old = world.read(Player).ship[player]
    world.write(Player).ship[player] = createShip(world, {
      owner: player,
      shipClass: shipClassIndex(fit.shipClass),
      modules: (fit.modules ?? []).map(itemIndex),
    })
    removeFromMap(world, old)
  }
  const ship = world.read(Player).ship[player]
  placeInSpace(world, ship, poi)
  return ship
}

export const rowOf = (world: World, ship: Eid): Row => world.read(ShipCombat).participant[ship]
export const idOf = (world: World, ship: Eid): string => shipId(world, ship)
