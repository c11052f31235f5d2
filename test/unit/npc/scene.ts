/** A small world with all its pirates, and helpers to set a scene. */
import { itemIndex, PIRATES, shipClassIndex } from '../../../core/catalog/index.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { lurkPlacesOf, npcOf, npcsOf, PIRATE } from '../../../systems/npc/model.ts'
import { removeNpc, scheduleDecision } from '../../../systems/npc/rules.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { depthOf } from '../../../systems/travel/depth-model.ts'
import { placeInSpace, removeFromMap } from '../../../systems/travel/rules.ts'
import { StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export const pirateWorld = (players = 0): Promise<SmallWorld> =>
  smallWorld({ maxEntities: 80_000, players })

/**
 * Returns a system of a police level with all its pirates and at least two places where they lurk,
 * a different system each time.
 */
export function freshSystem(small: SmallWorld, police: number): Eid {
  const { world } = small
  const given = GIVEN.get(world) ?? new Set<Eid>()
  GIVEN.set(world, given)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    const { police: level, stronghold } = world.read(StarSystem)
    if (level[system] !== police || stronghold[system] === 1 || given.has(system)) continue
    // Only the deep ones among the lawless systems have all tiers.
    if (police === 0 && depthOf(world, system) < 3) continue
    given.add(system)
    if (lurkPlacesOf(world, system).length > 1) return system
  }
  throw new Error(`no system is left with police level ${police}`)
}

const GIVEN = new WeakMap<World, Set<Eid>>()

/** Leaves only these pirates in a system, at its first haunt, to act in the next tick. */
export function leaveOnly(world: World, system: Eid, kept: readonly Eid[]): Eid {
  const [haunt] = lurkPlacesOf(world, system)
  for (const ship of piratesIn(world, system)) {
    if (!kept.includes(ship)) remove(world, ship)
    else {
      placeInSpace(world, ship, haunt)
      scheduleDecision(world, npcOf(world, ship), world.tick + 1)
    }
  }
  return haunt
}

/** Returns the hulls of the pirates of a system, or only those of a tier. */
export function piratesIn(world: World, system: Eid, tier?: 'T1' | 'T2' | 'T3'): Eid[] {
  const { ship, type, kind } = world.read(Npc)
  return npcsOf(world, system)
    .filter(
      (npc) => kind[npc] === PIRATE && (tier === undefined || PIRATES[type[npc]].tier === tier),
    )
    .map((npc) => ship[npc])
    .sort((a, b) => a - b)
}

export function remove(world: World, ship: Eid): void {
  removeNpc(world, ship)
  removeFromMap(world, ship)
  world.release(Ship, ship)
}

/** Puts the player in space at a place; in a hull of this class and fit, if one is named. */
export function putAt(
  world: World,
  player: Eid,
  poi: Eid,
  shipClass?: string,
  modules: readonly string[] = [],
): Eid {
  if (shipClass !== undefined) {
    const old = world.read(Player).ship[player]
    world.write(Player).ship[player] = createShip(world, {
      owner: player,
      shipClass: shipClassIndex(shipClass),
      modules: modules.map(itemIndex),
    })
    removeFromMap(world, old)
  }
  const ship = world.read(Player).ship[player]
  placeInSpace(world, ship, poi)
  return ship
}

/** Returns a ship's participant in a battle, and its target's ship; 0 for none. */
export function standing(world: World, ship: Eid): { row: Row; target: Eid; side: number } {
  const row = world.read(ShipCombat).participant[ship]
  const { target, ship: shipOf, side } = world.read(Participant)
  return { row, target: shipOf[target[row]], side: side[row] }
}
