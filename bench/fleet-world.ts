/** A world with two fleets at one place of a lawless system, and some who look on from afar. */
import { itemIndex, SHIP_CLASSES, shipClassIndex } from '../core/catalog/index.ts'
import type { Eid, World } from '../core/types.ts'
import type { ConnectionOptions } from '../storage/db.ts'
import { Player } from '../systems/account/state.ts'
import { createShip } from '../systems/ship/rules.ts'
import { poisOf } from '../systems/travel/model.ts'
import { placeInSpace, visit } from '../systems/travel/rules.ts'
import { Poi, StarSystem } from '../systems/travel/state.ts'
import { prepareWorld } from './prepared.ts'

/** A frigate with three guns that need no ammunition. */
const HULL = 'sentence'

/** Where they fight: a system without law, station or stronghold, and with room to look on. */
function arenaOf(world: World): readonly [fight: Eid, watch: Eid] {
  const { alive, police, stronghold } = world.read(StarSystem)
  const { base, hidden } = world.read(Poi)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (alive[system] !== 1 || police[system] !== 0 || stronghold[system] !== 0) continue
    const places = poisOf(world, system)
    const seen = places.filter((poi) => hidden[poi] === 0)
    if (seen.length >= 2 && places.every((poi) => base[poi] === 0)) return [seen[0], seen[1]]
  }
  throw new Error('this map has no place for a battle')
}

function station(world: World, player: Eid, poi: Eid): void {
  const shipClass = shipClassIndex(HULL)
  const modules = SHIP_CLASSES[shipClass].default_modules.map(itemIndex)
  const ship = createShip(world, { owner: player, shipClass, modules })
  world.write(Player).ship[player] = ship
  placeInSpace(world, ship, poi)
  visit(world, player, world.read(Poi).system[poi])
}

/** The first half of `pilots` is one fleet, the other half the other; who comes after looks on. */
export function prepareBattle(
  connection: ConnectionOptions,
  pilots: number,
  spectators: number,
  maxEntities: number,
): Promise<void> {
  return prepareWorld({
    connection,
    maxEntities,
    players: pilots + spectators,
    arrange(world, players) {
      const [fight, watch] = arenaOf(world)
      players.forEach((player, index) => {
        station(world, player, index < pilots ? fight : watch)
      })
    },
  })
}
