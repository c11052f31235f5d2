/**
 * Fills a new world's chart from the galaxy plan: systems, lanes, places. Bases and deposits follow
 * in their domains.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRE_IDS, type PoiPlan, type SystemPlan } from '../../core/catalog/index.ts'
import { isqrt } from '../../core/math.ts'
import type { Eid, World } from '../../core/types.ts'
import { galaxyPlan } from './model.ts'
import { Lane, POI_TYPES, Poi, StarSystem } from './state.ts'

/** System i of the plan is row i+1; places follow each other in plan order from row 1. */
export function makeChart(world: World): void {
  const { systems } = galaxyPlan(world)
  for (const plan of systems) makeSystem(world, plan)
  for (const [index, plan] of systems.entries()) {
    makeLanes(world, index + 1, plan)
    makePlaces(world, index + 1, plan)
  }
}

function makeSystem(world: World, plan: SystemPlan): void {
  const row = world.take(StarSystem)
  const system = world.write(StarSystem)
  world.setText(StarSystem, 'id', row, plan.id)
  world.setText(StarSystem, 'name', row, plan.name)
  world.setText(StarSystem, 'description', row, plan.description)
  system.empire[row] = plan.empire === null ? 0 : EMPIRE_IDS.indexOf(plan.empire) + 1
  system.police[row] = plan.police_level
  system.stronghold[row] = plan.is_stronghold ? 1 : 0
  system.x[row] = plan.x
  system.y[row] = plan.y
}

function makeLanes(world: World, row: Eid, plan: SystemPlan): void {
  const system = world.write(StarSystem)
  const lane = world.write(Lane)
  system.laneCount[row] = plan.lanes.length
  for (const [i, neighbour] of plan.lanes.entries()) {
    const taken = world.take(Lane)
    if (i === 0) system.firstLane[row] = taken
    assert(taken === system.firstLane[row] + i, 'lanes of a system are consecutive rows')
    const to = neighbour + 1
    const dx = system.x[row] - system.x[to]
    const dy = system.y[row] - system.y[to]
    lane.to[taken] = to
    lane.distance[taken] = isqrt(dx * dx + dy * dy)
  }
}

function makePlaces(world: World, row: Eid, plan: SystemPlan): void {
  const system = world.write(StarSystem)
  assert(plan.entry_poi < plan.pois.length, `system ${plan.id} has no place to arrive at`)
  system.poiCount[row] = plan.pois.length
  for (const [i, place] of plan.pois.entries()) {
    const poi = makePlace(world, row, place)
    if (i === 0) system.firstPoi[row] = poi
    assert(poi === system.firstPoi[row] + i, 'places of a system are consecutive rows')
  }
  system.entryPoi[row] = system.firstPoi[row] + plan.entry_poi
}

function makePlace(world: World, system: Eid, plan: PoiPlan): Eid {
  const row = world.take(Poi)
  const poi = world.write(Poi)
  world.setText(Poi, 'id', row, plan.id)
  world.setText(Poi, 'name', row, plan.name)
  world.setText(Poi, 'description', row, plan.description)
  world.setText(Poi, 'class', row, plan.class ?? '')
  poi.type[row] = POI_TYPES.indexOf(plan.type)
  poi.system[row] = system
  poi.x[row] = plan.x
  poi.y[row] = plan.y
  poi.hidden[row] = plan.hidden ? 1 : 0
  poi.difficulty[row] = plan.difficulty
  return row
}
