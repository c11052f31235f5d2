/**
 * A small part of the real map: the capitals and the nearest systems, with few goods at each base,
 * so that checks and hashes in every tick cost little. Registered before all other domains, it sets
 * the plan that their genesis reads.
 */
import { type GalaxyPlan, generateGalaxy } from '../../core/catalog/index.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { PLAN, StarSystem } from '../../systems/travel/state.ts'

/** Capitals come first in a plan. */
const CAPITALS = 5
const SYSTEMS = 40
const GOODS_PER_BASE = 8
/** Every so many systems one is lawless, so that pirates and fights are a jump away. */
const LAWLESS_EVERY = 3

/** Returns the systems that are the fewest jumps from a capital. */
function nearest(plan: GalaxyPlan): number[] {
  const kept = Array.from({ length: CAPITALS }, (_, i) => i)
  for (let position = 0; position < kept.length && kept.length < SYSTEMS; position++) {
    for (const lane of plan.systems[kept[position]].lanes) {
      if (!kept.includes(lane) && kept.length < SYSTEMS) kept.push(lane)
    }
  }
  return kept.sort((a, b) => a - b)
}

function smallPlan(seed: number): GalaxyPlan {
  const plan = generateGalaxy(seed)
  const kept = nearest(plan)
  const newIndexes = new Map(kept.map((index, i) => [index, i]))
  const systems = kept.map((index) => {
    const system = plan.systems[index]
    const lanes = system.lanes.flatMap((lane) => newIndexes.get(lane) ?? [])
    const pois = system.pois.map((poi) => {
      if (!poi.base) return poi
      return { ...poi, base: { ...poi.base, managed: poi.base.managed.slice(0, GOODS_PER_BASE) } }
    })
    const isLawless = index >= CAPITALS && index % LAWLESS_EVERY === 0
    return { ...system, lanes, pois, ...(isLawless ? { police_level: 0 } : {}) }
  })
  return { ...plan, systems }
}

export const smallMapDomain: DomainDef = {
  name: 'small_map',
  genesis(world: World) {
    world.index(PLAN).plan = smallPlan(world.seed)
  },
}

export const isSmall = (world: World): boolean => world.countOf(StarSystem) <= SYSTEMS
