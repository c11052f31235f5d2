/** The time per tick of the NPCs of the whole map: in peace, and at war in one system of ten. */
import { assert } from '../core/assert.ts'
import { stateHash } from '../core/hash.ts'
import type { World } from '../core/types.ts'
import { Player } from '../systems/account/state.ts'
import { aggress } from '../systems/combat/engage-rules.ts'
import { uncommittedPirates } from '../systems/npc/model.ts'
import { Npc } from '../systems/npc/state.ts'
import { placeInSpace } from '../systems/travel/rules.ts'
import { StarSystem } from '../systems/travel/state.ts'
import { type BenchDef, medianOf } from './bench.ts'
import { benchWorld } from './worlds.ts'

const WARS = { tiny: 2, full: 50 }
const TICKS = { tiny: 20, full: 600 }

/** Runs only the systems of NPCs and the arrivals they cause; returns the median tick in ms. */
function medianTick(world: World, systems: readonly ((world: World) => void)[], ticks: number) {
  const times: number[] = []
  for (let i = 0; i < ticks; i++) {
    world.tick++
    const since = performance.now()
    for (const run of systems) run(world)
    times.push(performance.now() - since)
    world.recycle()
  }
  return medianOf(times)
}

/**
 * Has a player attack the first pirate in each of some systems; pirates called to help join in.
 */
function startWars(world: World, wars: number): number {
  const { entryPoi } = world.read(StarSystem)
  let begun = 0
  for (let system = 1; system <= world.highOf(StarSystem) && begun < wars; system++) {
    const [target] = uncommittedPirates(world, system)
    if (target === undefined) continue
    const ship = world.read(Player).ship[++begun]
    placeInSpace(world, ship, entryPoi[system])
    assert(aggress(world, ship, target).ok, `the attack in system ${system} was refused`)
  }
  return begun
}

export const bench: BenchDef = {
  name: 'npc',
  about:
    'Full size: the pirates of all 545 systems, which spawn, search, fly and attack; then with 50 battles ' +
    'of one player against the pirates of a system.',
  variants: ['all'],
  lines: [
    { of: 'tick, peace', unit: 'ms' },
    { of: 'tick, 50 battles', against: 'tick, peace' },
  ],
  async run(size) {
    const { engine, close } = await benchWorld({ players: WARS[size] })
    const { world, registry } = engine
    const names = ['npc.spawn', 'travel.arrive', 'npc.engage', 'npc.decide']
    const systems = names.map((name) => {
      const found = registry.systems.find((system) => system.name === name)?.run
      assert(found, `there is no system ${name}`)
      return found
    })
    const peace = medianTick(world, systems, TICKS[size])
    startWars(world, WARS[size])
    const war = medianTick(world, systems, TICKS[size])
    await close()
    return {
      medianMs: { 'tick, peace': peace, 'tick, 50 battles': war },
      rows: world.countOf(Npc),
      hash: stateHash(world),
    }
  },
}
