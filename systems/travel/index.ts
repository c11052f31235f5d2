/** The map and where ships are on it. */
import type { CommandDef } from '../../core/command.ts'
import type { Failure } from '../../core/errors.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { inBattle } from '../combat/rules.ts'
import { ashoreAt, withRiders } from '../fleet/ride-rules.ts'
import { forgetPlan } from './chart.ts'
import { listsAreComplete, positionsAreSound } from './checks.ts'
import { Course, DRIFTS, Lane, Location, Poi, REVEALED, StarSystem, VISITED } from './columns.ts'
import { dock, jump, travel, undock } from './commands.ts'
import { driftEnded } from './events.ts'
import { findRoute } from './find-route.ts'
import { makeChart } from './genesis.ts'
import { rebuildLists } from './lists.ts'
import {
  getMap,
  getNearby,
  getPoi,
  getSystem,
  getSystemAgents,
  publicMap,
  searchSystems,
} from './queries.ts'
import { placeReferences } from './references.ts'
import {
  inTransit,
  inTransitUnlessAdrift,
  playersAt,
  playersDockedAt,
  playersIn,
  poisOf,
} from './rules.ts'
import { locationSection, queueSection } from './schemas.ts'
import { arrivals } from './systems.ts'
import { renderLocation, renderQueue } from './views.ts'

/** Returns who is told what happens at a place: riders too, and those without a ship. */
const audienceAt = (view: WorldView, poi: Eid): Eid[] => [
  ...withRiders(view, playersAt(view, poi)),
  ...ashoreAt(view, view.read(Poi).base[poi]),
]

/** Returns the players who are told what happens in a system. */
const audienceIn = (view: WorldView, system: Eid): Eid[] => [
  ...withRiders(view, playersIn(view, system)),
  ...poisOf(view, system).flatMap((poi) => ashoreAt(view, view.read(Poi).base[poi])),
]

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
    publicMap,
  ],
  references: placeReferences,
  events: [driftEnded],
  systems: [arrivals],
  checks: [positionsAreSound, listsAreComplete],
  genesis: makeChart,
  rebuild(world) {
    forgetPlan(world)
    rebuildLists(world)
  },
  admission: refuseUnderWay,
  audiences: { base: playersDockedAt, poi: audienceAt, system: audienceIn },
  sections: { location: renderLocation, queue: renderQueue },
  sectionSchemas: { location: locationSection, queue: queueSection },
}

/**
 * Under way every mutation is refused at once; a battle holds the flight up, and what it allows
 * goes; a ship adrift has a few of its own. Source: travel.md section 2.
 */
function refuseUnderWay(view: WorldView, player: Eid, def: CommandDef): Failure | undefined {
  if (inBattle(view, player)) return undefined
  const isAllowedAdrift = def.kind === 'mutation' && def.adrift
  return isAllowedAdrift ? inTransitUnlessAdrift(view, player) : inTransit(view, player)
}
