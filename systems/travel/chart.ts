/**
 * The chart: systems and places by their wire ids, and the plan they were made from. It is fixed
 * once the world is made, but for the places that players add (made-rules.ts).
 */
import { type GalaxyPlan, generateGalaxy } from '../../core/catalog/index.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { ICE_FIELD, Lane, POI_TYPES, Poi, StarSystem, type WirePoiType } from './columns.ts'

const SYSTEM_IDS = defineIndex('travel.system-ids', () => new Map<string, Eid>())
const POI_IDS = defineIndex('travel.poi-ids', () => new Map<string, Eid>())
const PLAN = defineIndex('travel.plan', () => ({ plan: undefined as GalaxyPlan | undefined }))

/** The plan of this world's map, for genesis: kept so that domains share it, until `forgetPlan`. */
export function galaxyPlan(view: WorldView): GalaxyPlan {
  const kept = view.index(PLAN)
  kept.plan ??= generateGalaxy(view.seed)
  return kept.plan
}

/** Lets the plan go: the world is made. */
export function forgetPlan(view: WorldView): void {
  view.index(PLAN).plan = undefined
}

/** System of a wire id, or 0. */
export function systemById(view: WorldView, id: string): Eid {
  const ids = view.index(SYSTEM_IDS)
  if (ids.size !== view.countOf(StarSystem)) {
    ids.clear()
    const system = view.read(StarSystem)
    for (let row = 1; row <= view.highOf(StarSystem); row++) {
      if (system.alive[row] === 1) ids.set(view.texts.get(system.id[row]), row)
    }
  }
  return ids.get(id) ?? 0
}

/** Systems that a lane leads to, in system order. */
export function lanesFrom(view: WorldView, system: Eid): Eid[] {
  const { firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  return Array.from({ length: laneCount[system] }, (_, i) => to[firstLane[system] + i])
}

/** Place of a wire id, hidden ones too, or 0. */
export function poiById(view: WorldView, id: string): Eid {
  const ids = view.index(POI_IDS)
  if (ids.size !== view.countOf(Poi)) {
    ids.clear()
    const poi = view.read(Poi)
    for (let row = 1; row <= view.highOf(Poi); row++) {
      if (poi.alive[row] === 1) ids.set(view.texts.get(poi.id[row]), row)
    }
  }
  return ids.get(id) ?? 0
}

export const systemId = (view: WorldView, system: Eid): string =>
  view.texts.get(view.read(StarSystem).id[system])

export const systemName = (view: WorldView, system: Eid): string =>
  view.texts.get(view.read(StarSystem).name[system])

export const poiId = (view: WorldView, poi: Eid): string => view.texts.get(view.read(Poi).id[poi])

export const poiName = (view: WorldView, poi: Eid): string =>
  view.texts.get(view.read(Poi).name[poi])

/** What a place is called by type: an ice field by itself, though its row says belt and class. */
export function poiType(view: WorldView, poi: Eid): WirePoiType {
  const { type, class: kind } = view.read(Poi)
  return view.texts.get(kind[poi]) === ICE_FIELD ? ICE_FIELD : POI_TYPES[type[poi]]
}

/** True for what a filter by type finds: wormholes are relics, and go by their class too. */
export const isOfType = (view: WorldView, poi: Eid, wanted: string): boolean =>
  poiType(view, poi) === wanted || view.texts.get(view.read(Poi).class[poi]) === wanted

/** Places of a system, hidden ones too, in the order of their making. */
export function poisOf(view: WorldView, system: Eid): Eid[] {
  const { firstPoi, poiCount, firstMade } = view.read(StarSystem)
  const pois = Array.from({ length: poiCount[system] }, (_, i) => firstPoi[system] + i)
  const { nextMade } = view.read(Poi)
  for (let poi = firstMade[system]; poi !== 0; poi = nextMade[poi]) pois.push(poi)
  return pois
}
