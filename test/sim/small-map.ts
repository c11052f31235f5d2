/**
 * A small part of the real map: the capitals and what lies nearest, few goods at each base.
 * Registered before all other domains, it sets the plan that their genesis reads. Checks and hashes
 * of every tick then cost little.
 */
import { type GalaxyPlan, generateGalaxy } from '../../core/catalog/index.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/types.ts'
import { PLAN, StarSystem } from '../../systems/travel/state.ts'

/** Capitals come first in a plan. */
const CAPITALS = 5
const SYSTEMS = 40
const GOODS_PER_BASE = 8
/** One system in this many has no law, so that pirates and players' fights are a jump away. */
const LAWLESS_EVERY = 3

/** Returns systems by lane jumps from the capitals, a few from each in turn. */
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
  const place = new Map(kept.map((index, i) => [index, i]))
  const systems = kept.map((index) => {
    const system = plan.systems[index]
    const lanes = system.lanes.flatMap((lane) => place.get(lane) ?? [])
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
