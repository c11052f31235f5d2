/**
 * Places that players add to the chart: moorings of stations and outposts. They stay when what
 * stood there is gone, and are built upon again. Source: crafting.md section 8. ours: nothing that
 * leads to a place has to be called back, and litter takes no place from those who come after.
 */
import { assert } from '../../core/assert.ts'
import { idOf } from '../../core/entity.ts'
import { MADE_POIS_PER_SYSTEM_MAX } from '../../core/limits-station.ts'
import { hash32 } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { POI_TYPES, Poi, StarSystem } from './columns.ts'

/** A new place lies so far from the one its founder was at, milli-AU on each axis at most. */
const OFFSET_MILLI_AU = 40

/** Places of a system that players have made, the oldest first. */
export function madePlaces(view: WorldView, system: Eid): Eid[] {
  const { nextMade } = view.read(Poi)
  const made: Eid[] = []
  for (let poi = view.read(StarSystem).firstMade[system]; poi !== 0; poi = nextMade[poi]) {
    made.push(poi)
  }
  return made
}

/** True for a place that a player has made. */
export const isMadePlace = (view: WorldView, poi: Eid): boolean =>
  madePlaces(view, view.read(Poi).system[poi]).includes(poi)

/** Name and description of a place; what stands there gives it both. */
export function describePlace(world: World, poi: Eid, name: string, description: string): void {
  world.setText(Poi, 'name', poi, name)
  world.setText(Poi, 'description', poi, description)
}

/** A new place beside another. The caller has made sure that the system takes one more. */
export function makePlaceBeside(world: World, beside: Eid): Eid {
  const system = world.read(Poi).system[beside]
  const made = madePlaces(world, system)
  assert(made.length < MADE_POIS_PER_SYSTEM_MAX, `system ${system} takes no more places`)
  const row = world.take(Poi)
  const poi = world.write(Poi)
  world.setText(Poi, 'id', row, idOf(world, Poi, row))
  world.setText(Poi, 'class', row, 'mooring')
  poi.type[row] = POI_TYPES.indexOf('station')
  poi.system[row] = system
  const off = (axis: number): number => {
    const span = 2 * OFFSET_MILLI_AU + 1
    return (hash32(world.seed, poi.seq[row], axis) % span) - OFFSET_MILLI_AU
  }
  poi.x[row] = poi.x[beside] + off(1)
  poi.y[row] = poi.y[beside] + off(2)
  const last = made[made.length - 1]
  const columns = world.write(StarSystem)
  if (last === undefined) columns.firstMade[system] = row
  else poi.nextMade[last] = row
  columns.madeCount[system]++
  return row
}
