/** A swarm of drones at belts, with scripts of 50 nodes; their owners are idle. */
import { assert } from '../core/assert.ts'
import { contentsOf, moveItems, namedContainer } from '../core/goods.ts'
import { hash32 } from '../core/rng.ts'
import type { Eid, Row, World } from '../core/types.ts'
import { Player } from '../systems/account/state.ts'
import { unstow } from '../systems/drone/actions-systems.ts'
import { compile } from '../systems/drone/compile-model.ts'
import { MINING_TYPE } from '../systems/drone/figures-model.ts'
import { deployDrone, makeDrone } from '../systems/drone/lifecycle-rules.ts'
import { DRONE_ITEMS } from '../systems/drone/model.ts'
import { setScript } from '../systems/drone/script-rules.ts'
import { Drone } from '../systems/drone/state.ts'
import { Deposit } from '../systems/mining/state.ts'
import { skillIndex } from '../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../systems/skill/state.ts'
import { Poi } from '../systems/travel/state.ts'

export const DRONES_PER_PLAYER = 50
const SEED = 1
/** Number of different scripts, as if several groups of owners had each written their own. */
const SCRIPTS = 64
const BELTS = 20

/** Conditions that are false at a belt in peace, used in turn; each takes three or four steps. */
const CONDITIONS = [
  'hull_pct() < 50',
  'cargo_full()',
  'mem("state") == "home"',
  'enemy_nearby()',
  'pirate_nearby()',
  'owner_hull_pct() < 40',
  'at("nowhere")',
  'in_battle()',
  'resource_available("fuel_cell")',
  'cargo_pct() > 99',
  'tick() % 1000000 == 999999',
]

/** Returns a script of 50 nodes: 49 false conditions, then the action. */
export function scriptOf(action: string, variant: number): string {
  const nodes = Array.from({ length: 49 }, (_, i) => {
    const condition = CONDITIONS[(i + variant) % CONDITIONS.length]
    return `IF ${condition} WAIT END`
  })
  return `// ${variant}\n${nodes.join('\n')}\n${action}`
}

export interface Swarm {
  readonly drones: readonly Row[]
  /** Gives all drones scripts that end with this action. */
  order(world: World, action: string): void
  /** Empties the drones' holds and refills all deposits. */
  reset(world: World): void
}

/** Returns up to BELTS visible places with deposits. */
function findBelts(world: World): Eid[] {
  const { alive, depositCount, hidden } = world.read(Poi)
  const found: Eid[] = []
  for (let poi = 1; poi <= world.highOf(Poi) && found.length < BELTS; poi++) {
    if (alive[poi] === 1 && depositCount[poi] > 0 && hidden[poi] === 0) found.push(poi)
  }
  return found
}

/** Gives each player mining drones without scripts, and deploys them at the belts. */
export function releaseSwarm(world: World, players: readonly Eid[]): Swarm {
  const places = findBelts(world)
  const level = world.write(PlayerSkills).level
  const { bound, ship } = world.write(Player)
  const drones: Row[] = []
  for (const player of players) {
    bound[player] = 1
    level[player * SKILLS_WIDTH + skillIndex('engineering')] = 10
    level[player * SKILLS_WIDTH + skillIndex('drone_control')] = 63
    for (let i = 0; i < DRONES_PER_PLAYER; i++) {
      const drone = makeDrone(world, ship[player], MINING_TYPE)
      moveItems(
        world,
        namedContainer('supply'),
        namedContainer('drones'),
        DRONE_ITEMS[MINING_TYPE],
        1,
      )
      deployDrone(world, drone, places[hash32(SEED, drone) % places.length])
      drones.push(drone)
    }
  }
  return {
    drones,
    order(world, action) {
      drones.forEach((drone, i) => {
        const source = scriptOf(action, i % SCRIPTS)
        const compiled = compile(source, MINING_TYPE)
        assert(compiled.ok, 'a script of the benchmark does not compile')
        setScript(world, drone, source, compiled.program)
      })
    },
    reset(world) {
      const { hold } = world.read(Drone)
      const sink = namedContainer('jettison_expired')
      for (const drone of drones) {
        for (const held of contentsOf(world, hold[drone])) unstow(world, drone, sink, held)
      }
      const { base, max, baseTick } = world.write(Deposit)
      base.set(max)
      baseTick.fill(world.tick)
    },
  }
}
