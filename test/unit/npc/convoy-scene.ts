/** A convoy in a world with all its pirates, and helpers to follow it. */
import { EMPIRES } from '../../../core/catalog/index.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { capitalOf } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { sendConvoys } from '../../../systems/market/convoys-rules.ts'
import { managedAt } from '../../../systems/market/quote-model.ts'
import { Book, Managed } from '../../../systems/market/state.ts'
import { managedOf, unitsInStock } from '../../../systems/market/stock-model.ts'
import { jumpsTo, systemOfBase } from '../../../systems/mission/model.ts'
import { allConvoys } from '../../../systems/npc/convoy-model.ts'
import { formConvoy } from '../../../systems/npc/convoy-rules.ts'
import { Convoy } from '../../../systems/npc/convoy-state.ts'
import { PIRATE } from '../../../systems/npc/model.ts'
import { Npc } from '../../../systems/npc/state.ts'
import { activeShip } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Location, StarSystem } from '../../../systems/travel/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { pirateWorld, remove } from './scene.ts'

export interface ConvoyScene {
  readonly small: SmallWorld
  readonly world: World
  readonly convoy: Row
  readonly ship: Eid
  readonly item: number
  readonly from: Eid
  readonly to: Eid
}

/** Lets every capital order the goods it lacks: ores, in a new world. */
export function sendAll(world: World): void {
  for (const empire of EMPIRES.keys()) sendConvoys(world, capitalOf(world, empire))
}

const JUMPS_MAX = 4
const UNITS = 100

/** Finds a base near a capital with enough units of a good that the capital keeps in stock. */
function findSupplier(world: World, to: Eid): { from: Eid; item: number } {
  const { alive, pirateRepRequired } = world.read(Base)
  const { item: itemOf } = world.read(Book)
  const { book } = world.read(Managed)
  for (let from = 1; from <= world.highOf(Base); from++) {
    if (alive[from] === 0 || pirateRepRequired[from] !== 0) continue
    const jumps = jumpsTo(world, to, systemOfBase(world, from))
    if (jumps < 2 || jumps > JUMPS_MAX) continue
    const item = managedAt(world, from)
      .map((row) => itemOf[book[row]])
      .find((good) => managedOf(world, to, good) !== 0 && unitsInStock(world, from, good) >= UNITS)
    if (item !== undefined) return { from, item }
  }
  throw new Error('no base has enough of anything')
}

/** Forms a convoy that is a few jumps away from a capital. */
export async function convoyScene(): Promise<ConvoyScene> {
  const small = await pirateWorld()
  const { world } = small
  const to = capitalOf(world, 0)
  const { from, item } = findSupplier(world, to)
  const stock = world.read(Base).stock[from]
  const units = formConvoy(world, { from, to, item, units: UNITS, stock })
  world.write(Managed).stock[managedOf(world, from, item)] -= units
  const [convoy] = allConvoys(world)
  return { small, world, convoy, ship: world.read(Convoy).ship[convoy], item, from, to }
}

/** Removes all pirates from the world. */
export function pacify(world: World): void {
  const { alive, kind, ship } = world.read(Npc)
  for (let npc = 1; npc <= world.highOf(Npc); npc++) {
    if (alive[npc] === 1 && kind[npc] === PIRATE) remove(world, ship[npc])
  }
}

/** Docks a player at a base. */
export const dockAt = (world: World, player: Eid, base: Eid): void =>
  dockShip(world, activeShip(world, player), base)

/** Moves a player to the place of a ship, or to the one where its jump ends. */
export function follow(world: World, player: Eid, ship: Eid): void {
  const { system, poi } = world.read(Location)
  const own = activeShip(world, player)
  const place = poi[ship] || world.read(StarSystem).entryPoi[system[ship]]
  if (poi[own] !== place) placeInSpace(world, own, place)
}

/** Runs ticks until a convoy has ended; calls `before` ahead of each. */
export function runUntilOver({ small, world, ship }: ConvoyScene, before: () => void): void {
  const { alive, seq } = world.read(Ship)
  const number = seq[ship]
  for (let i = 0; i < 800 && alive[ship] === 1 && seq[ship] === number; i++) {
    before()
    small.ticks(1)
  }
}

/** Puts a freighter at a place in space, as if it had come out of a jump there. */
export const bringTo = (world: World, convoy: Row, poi: Eid): void =>
  placeInSpace(world, world.read(Convoy).ship[convoy], poi)

export const systemOf = systemOfBase
export const managerOf = (world: World, base: Eid): Row => world.read(Base).manager[base]
