/** The map and where ships are on it. */
import type { DomainDef } from '../../core/registry.ts'
import { dock, jump, travel, undock } from './commands.ts'
import { forgetPlan, playersDockedAt } from './model.ts'
import { rebuildLists } from './occupants-rules.ts'
import {
  findRoute,
  getMap,
  getNearby,
  getPoi,
  getSystem,
  getSystemAgents,
  searchSystems,
} from './queries.ts'
import { audienceAt, audienceIn, flightAdmission, placeReferences } from './rules.ts'
import { driftEnded, locationSection, queueSection } from './schemas.ts'
import { Course, DRIFTS, Lane, Location, Poi, REVEALED, StarSystem, VISITED } from './state.ts'
import {
  arrivals,
  listsAreComplete,
  makeChart,
  positionsAreSound,
  shipsUnderWay,
} from './systems.ts'
import { renderLocation, renderQueue } from './views.ts'

export const travelDomain: DomainDef = {
  name: 'travel',
  tables: [StarSystem, Lane, Poi, Location, Course],
  records: [VISITED, REVEALED, DRIFTS],
  commands: [
    dock,
    undock,
    travel,
    jump,
    getSystem,
    getPoi,
    getNearby,
    getSystemAgents,
    getMap,
    searchSystems,
    findRoute,
  ],
  references: placeReferences,
  events: [driftEnded],
  systems: [arrivals],
  checks: [positionsAreSound, listsAreComplete],
  gauges: [shipsUnderWay],
  genesis: makeChart,
  rebuild(world) {
    forgetPlan(world)
    rebuildLists(world)
  },
  admission: flightAdmission,
  audiences: { base: playersDockedAt, poi: audienceAt, system: audienceIn },
  sections: { location: renderLocation, queue: renderQueue },
  sectionSchemas: { location: locationSection, queue: queueSection },
}
