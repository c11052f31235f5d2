/** Prepares a world with armed ships at a place in a lawless system, and spectators at another. */
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
const SHIP_CLASS = 'sentence'

/** Returns two places of a system without police, station or stronghold. */
function findBattlefield(world: World): readonly [fight: Eid, watch: Eid] {
  const { alive, police, stronghold } = world.read(StarSystem)
  const { base, hidden } = world.read(Poi)
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (alive[system] !== 1 || police[system] !== 0 || stronghold[system] !== 0) continue
    const places = poisOf(world, system)
    const seen = places.filter((poi) => hidden[poi] === 0)
    if (seen.length >= 2 && places.every((poi) => base[poi] === 0)) return [seen[0], seen[1]]
  }
  throw new Error('the map has no place for a battle')
}

/** Gives a player an armed ship at a place. */
function placePlayer(world: World, player: Eid, poi: Eid): void {
  const shipClass = shipClassIndex(SHIP_CLASS)
  const modules = SHIP_CLASSES[shipClass].default_modules.map(itemIndex)
  const ship = createShip(world, { owner: player, shipClass, modules })
  world.write(Player).ship[player] = ship
  placeInSpace(world, ship, poi)
  visit(world, player, world.read(Poi).system[poi])
}

/** Prepares the world: the first `pilots` players are at the place of the battle, the rest watch. */
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
      const [fight, watch] = findBattlefield(world)
      players.forEach((player, index) => {
        placePlayer(world, player, index < pilots ? fight : watch)
      })
    },
  })
}
