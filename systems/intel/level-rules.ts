/** Tier of the facilities by which a faction knows things. Source: factions.md sections 4, 6. */
import type { Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Facility } from '../facility/columns.ts'
import { facilityTypeAt, factionFacilities, isRunning } from '../facility/rules.ts'

export type Knowing = 'faction_intel' | 'faction_trade_intel'
/** The tier that collects by itself, takes every filter and looks at what is now. */
export const LIVE_LEVEL = 2

/** Working facilities of a faction by which it has a service, the oldest first. */
export const serviceFacilities = (view: WorldView, faction: Row, service: string): Row[] =>
  factionFacilities(view, faction).filter(
    (row) => facilityTypeAt(view, row).faction_service_type === service && isRunning(view, row),
  )

/** Highest tier of a service that a faction has anywhere; 0 none. */
export const levelOfService = (view: WorldView, faction: Row, service: string): number =>
  Math.max(
    0,
    ...serviceFacilities(view, faction, service).map((row) => facilityTypeAt(view, row).level),
  )

/** Bases at which a faction has the second tier of a service, in the order of building. */
export const liveBases = (view: WorldView, faction: Row, service: Knowing): Row[] => {
  const { base } = view.read(Facility)
  return serviceFacilities(view, faction, service)
    .filter((row) => facilityTypeAt(view, row).level >= LIVE_LEVEL)
    .map((row) => base[row])
}

const FOUND = defineIndex('intel.levels', () => ({ tick: -1, levels: new Map<string, number>() }))

/**
 * True while a faction collects by itself. Found out once a faction and tick, for the systems of
 * the tick alone: many members arrive in one tick, and a large faction has many facilities.
 */
export function collects(world: World, faction: Row, service: Knowing): boolean {
  const found = world.index(FOUND)
  if (found.tick !== world.tick) {
    found.tick = world.tick
    found.levels.clear()
  }
  const key = `${faction} ${service}`
  const known = found.levels.get(key)
  if (known !== undefined) return known >= LIVE_LEVEL
  const level = levelOfService(world, faction, service)
  found.levels.set(key, level)
  return level >= LIVE_LEVEL
}
