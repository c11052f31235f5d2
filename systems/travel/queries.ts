/** Queries of system, place, players nearby, chart and routes. Source: travel.md sections 5, 9. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { fail, invalidFields, ok } from '../../core/errors.ts'
import { NEARBY_PLAYERS_MAX, SEARCH_RESULTS_MAX, SYSTEM_AGENTS_MAX } from '../../core/limits.ts'
import { NO_PARAMS, obj, optional, ref, str } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { baseById, workingServices } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { renderBase, renderFuel } from '../base/views.ts'
import { battleIn } from '../combat/model.ts'
import { renderActiveBattle } from '../combat/views.ts'
import { creatureLists, NO_CREATURES } from '../creature/views.ts'
import { fleetOf, identityFor, rosterOf } from '../fleet/model.ts'
import { renderDeposits } from '../mining/views.ts'
import { NO_NPCS, npcLists } from '../npc/listing-model.ts'
import { renderPrizes } from '../prize/views.ts'
import { gatheringAt, seePlayer, seesPoi, sensesSignature } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { routeFor } from '../wormhole/model.ts'
import { Wormhole } from '../wormhole/state.ts'
import { renderMouth } from '../wormhole/views.ts'
import { flightOf, fuelPerJump, jumpTicks } from './flight-model.ts'
import {
  inTransit,
  isBetweenSystems,
  isUnderWay,
  poiOf,
  shipOf,
  systemOf,
  vesselOf,
} from './location-model.ts'
import { playersIn, poiById, poiId, poiName, systemById, systemId, systemName } from './model.ts'
import { renderCrowd, showTo } from './nearby-views.ts'
import {
  findRouteResult,
  getMapResult,
  getNearbyResult,
  getPoiResult,
  getSystemAgentsResult,
  getSystemResult,
  searchSystemsResult,
} from './schemas.ts'
import { JUMPING, Location, Poi, StarSystem } from './state.ts'
import {
  allSystems,
  listedPlace,
  renderChart,
  renderPoi,
  renderSystem,
  renderTransit,
  securityStatus,
} from './views.ts'

const NAVIGATION = 'navigation'

function activeBattle(view: WorldView, system: Eid) {
  const battle = battleIn(view, system)
  return battle === 0 ? {} : { active_battle: renderActiveBattle(view, battle) }
}

export const getSystem = query({
  name: 'get_system',
  v2: { tool: 'game', action: 'get_system' },
  summary: 'The system where you are: its places, lanes and security.',
  category: NAVIGATION,
  params: NO_PARAMS,
  result: getSystemResult,
  needs: [],
  errors: [],
  run(view, player) {
    const ship = vesselOf(view, player)
    const action = 'get_system' as const
    if (isUnderWay(view, ship)) {
      const { isJump: _, from_poi: _from, to_poi: _to, ...transit } = renderTransit(view, ship)
      return ok({ action, kind: 'transit' as const, ...transit })
    }
    const system = systemOf(view, player)
    return ok({
      action,
      kind: 'normal' as const,
      system: renderSystem(view, player, system, listedPlace),
      poi: listedPlace(view, poiOf(view, player)),
      security_status: securityStatus(view.read(StarSystem).police[system]),
      ...activeBattle(view, system),
    })
  },
})

export const getPoi = query({
  name: 'get_poi',
  v2: { tool: 'game', action: 'get_poi' },
  summary: 'The place where you are: its base, fuel price and what can be mined.',
  category: NAVIGATION,
  params: NO_PARAMS,
  result: getPoiResult,
  needs: [],
  errors: [],
  run(view, player) {
    const ship = vesselOf(view, player)
    const action = 'get_poi' as const
    if (isUnderWay(view, ship)) {
      const { isJump: _, ...transit } = renderTransit(view, ship)
      return ok({ action, kind: 'transit' as const, ...transit })
    }
    const poi = poiOf(view, player)
    const base = view.read(Poi).base[poi]
    return ok({
      action,
      kind: 'normal' as const,
      poi: renderPoi(view, player, poi),
      resources: renderDeposits(view, ship, poi),
      ...renderMouth(view, player, poi),
      ...activeBattle(view, systemOf(view, player)),
      ...(base === 0
        ? {}
        : {
            base: renderBase(view, base),
            services: workingServices(view, base),
            ...renderFuel(view, base),
          }),
    })
  },
})

export const getNearby = query({
  name: 'get_nearby',
  v2: { tool: 'game', action: 'get_nearby' },
  summary: 'Who is at this place: players, pirates, empire ships and creatures.',
  category: NAVIGATION,
  params: NO_PARAMS,
  result: getNearbyResult,
  needs: [],
  errors: [],
  run(view, player) {
    const poi = poiOf(view, player)
    const action = 'get_nearby' as const
    if (isUnderWay(view, vesselOf(view, player))) {
      const nobody = { count: 0, nearby: [], prizes: [], ...NO_NPCS, ...NO_CREATURES }
      return ok({ action, poi_id: '', ...nobody })
    }
    const gathering = gatheringAt(view, poi)
    const shown = showTo(gathering, player, NEARBY_PLAYERS_MAX)
    return ok({
      action,
      poi_id: view.texts.get(view.read(Poi).id[poi]),
      count: shown.count,
      nearby: renderCrowd(view, player, shown.players),
      ...(shown.offlineCollapsed > 0 ? { offline_collapsed: shown.offlineCollapsed } : {}),
      ...(shown.truncated ? { truncated: true } : {}),
      unknown_signature: sensesSignature(view, player, gathering.cloaked),
      ...npcLists(view, poi),
      prizes: renderPrizes(view, poi),
      ...creatureLists(view, poi),
    })
  },
})

export const getSystemAgents = query({
  name: 'get_system_agents',
  v2: { tool: 'game', action: 'get_system_agents' },
  summary: 'Players online in this system.',
  category: NAVIGATION,
  params: NO_PARAMS,
  result: getSystemAgentsResult,
  needs: [],
  errors: ['in_transit'],
  run(view, player) {
    const ship = vesselOf(view, player)
    if (isBetweenSystems(view, ship)) return inTransit(view, player) ?? fail('in_transit')
    const system = systemOf(view, player)
    const seen = playersIn(view, system).filter(
      (other) =>
        other !== player && isBound(view, other) && seePlayer(view, player, other) !== 'nothing',
    )
    return ok({
      action: 'get_system_agents',
      system_id: systemId(view, system),
      count: seen.length,
      agents: renderCrowd(view, player, seen.slice(0, SYSTEM_AGENTS_MAX)),
      ...(seen.length > SYSTEM_AGENTS_MAX ? { truncated: true } : {}),
    })
  },
})

export const getMap = query({
  name: 'get_map',
  v2: { tool: 'game', action: 'get_map' },
  summary:
    'All systems in brief, or one: which you have visited, and how many players are online in each.',
  category: NAVIGATION,
  params: obj({
    system_id: optional(
      ref('system', str('Id of one system; all are listed without it.', { example: 'sol' })),
    ),
  }),
  result: getMapResult,
  needs: [],
  errors: ['invalid_system'],
  run(view, player, { system_id = '' }) {
    if (system_id === '') {
      const systems = renderChart(view, player, allSystems(view))
      return ok({ action: 'get_map', systems, total_count: systems.length })
    }
    const system = systemById(view, system_id)
    if (system === 0) return fail('invalid_system')
    return ok({ action: 'get_map', ...renderChart(view, player, [system])[0] })
  },
})

const SEARCH_CHARACTERS_MAX = 64

export const searchSystems = query({
  name: 'search_systems',
  v2: { tool: 'game', action: 'search_systems', rename: { query: 'text' } },
  summary: `Systems whose name or id contains a text; ${SEARCH_RESULTS_MAX} at most, by name.`,
  category: NAVIGATION,
  params: obj({
    query: str('Part of a name, whatever the case.', {
      min: 1,
      max: SEARCH_CHARACTERS_MAX,
      example: 'sol',
    }),
  }),
  result: searchSystemsResult,
  needs: [],
  errors: ['invalid_payload'],
  run(view, player, { query: text }) {
    const part = text.trim().toLowerCase()
    if (part === '') return invalidFields({ field: 'query', expected: 'some text' })
    const matching = allSystems(view).filter((system) => matches(view, system, part))
    matching.sort((a, b) => byName(view, a, b))
    const shown = matching.slice(0, SEARCH_RESULTS_MAX)
    return ok({
      action: 'search_systems',
      query: text,
      systems: renderChart(view, player, shown),
      total_found: matching.length,
      message: `Found ${counted(matching.length, 'system')}; listed here: ${shown.length}.`,
    })
  },
})

const matches = (view: WorldView, system: Eid, part: string): boolean =>
  systemName(view, system).toLowerCase().includes(part) || systemId(view, system).includes(part)

/** Orders rows by name in code-unit order, then by row. */
function byName(view: WorldView, a: Eid, b: Eid): number {
  const nameA = systemName(view, a)
  const nameB = systemName(view, b)
  if (nameA === nameB) return a - b
  return nameA < nameB ? -1 : 1
}

/* Routes */

interface Target {
  readonly system: Eid
  /** The place in it; 0 for the system itself. */
  readonly poi: Eid
}

/** Finds a system by id or name, ignoring case, or a place or base that the player knows, by id. */
function targetOf(view: WorldView, player: Eid, text: string): Target | undefined {
  const system = systemById(view, text) || systemByName(view, text)
  if (system !== 0) return { system, poi: 0 }
  const base = baseById(view, text)
  const poi = base === 0 ? poiById(view, text) : view.read(Base).poi[base]
  if (poi === 0 || !seesPoi(view, player, poi)) return undefined
  return { system: view.read(Poi).system[poi], poi }
}

function systemByName(view: WorldView, name: string): Eid {
  const folded = name.toLowerCase()
  for (let row = 1; row <= view.highOf(StarSystem); row++) {
    if (systemName(view, row).toLowerCase() === folded) return row
  }
  return 0
}

/** Returns the system where a route starts: the one where the player is or to which they jump. */
function startOf(view: WorldView, player: Eid): Eid {
  const ship = vesselOf(view, player)
  const { state, toPoi } = view.read(Location)
  return state[ship] === JUMPING ? view.read(Poi).system[toPoi[ship]] : systemOf(view, player)
}

/** Renders the fuel that a route takes from each ship in the player's fleet, if they are in one. */
function renderFleetFuel(view: WorldView, player: Eid, jumps: number) {
  if (fleetOf(view, player) === 0) return {}
  const { fuel, class: shipClass } = view.read(Ship)
  const fleet_fuel = rosterOf(view, player).map((member) => {
    const ship = shipOf(view, member)
    const { id, name } = identityFor(view, player, member)
    const perJump = fuelPerJump(flightOf(view, ship))
    const estimate = jumps * perJump
    return {
      player_id: id,
      username: name,
      ship_class: SHIP_CLASSES[shipClass[ship]].id,
      fuel_per_jump: perJump,
      estimated_fuel: estimate,
      fuel_available: fuel[ship],
      fuel_on_arrival: Math.max(0, fuel[ship] - estimate),
      can_complete: fuel[ship] >= estimate,
    }
  })
  return { fleet_fuel }
}

export const findRoute = query({
  name: 'find_route',
  v2: { tool: 'game', action: 'find_route', rename: { target_system: 'id' } },
  summary:
    'The shortest way to a system, place or base, by lanes and the wormholes you know, and the ' +
    'fuel it takes.',
  category: NAVIGATION,
  params: obj({
    target_system: ref(
      ['system', 'place'],
      str('Id or name of a system, place or base.', {
        min: 1,
        example: 'sirius',
      }),
    ),
  }),
  result: findRouteResult,
  needs: [],
  errors: ['invalid_payload'],
  run(view, player, { target_system }) {
    const text = target_system.trim()
    if (text === '') return invalidFields({ field: 'target_system', expected: 'an id or name' })
    const ship = vesselOf(view, player)
    const { fuel, cargoUsed } = view.read(Ship)
    const flight = flightOf(view, ship)
    const perJump = fuelPerJump(flight)
    const shared = {
      fuel_per_jump: perJump,
      fuel_available: fuel[ship],
      cargo_used: cargoUsed[ship],
    }
    const target = targetOf(view, player, text)
    const route = target && routeFor(view, player, startOf(view, player), target.system)
    if (!target || !route) {
      const message = target
        ? 'No route that you know leads there.'
        : 'There is no such system, place or base.'
      const none = { route: [], total_jumps: 0, estimated_fuel: 0, target_system: text }
      return ok({ action: 'find_route', found: false, message, ...none, ...shared })
    }
    const jumps = route.length - 1
    const estimate = jumps * perJump
    const name = systemName(view, target.system)
    const { police } = view.read(StarSystem)
    const need = `${counted(jumps, 'jump')} to ${name}, ${counted(estimate, 'unit')} of fuel`
    return ok({
      action: 'find_route',
      found: true,
      message:
        estimate > fuel[ship]
          ? say`${need}; you have ${fuel[ship]}: {refuel} on the way.`
          : `${need}.`,
      route: route.map(({ system, path }, i) => ({
        system_id: systemId(view, system),
        name: systemName(view, system),
        jumps: i,
        police_level: police[system],
        ...(path === 0
          ? {}
          : { via_wormhole: true, entrance_poi: poiId(view, view.read(Wormhole).entrance[path]) }),
      })),
      total_jumps: jumps,
      target_system: systemId(view, target.system),
      ...(target.poi === 0
        ? {}
        : { target_poi: poiId(view, target.poi), target_poi_name: poiName(view, target.poi) }),
      estimated_fuel: estimate,
      estimated_ticks: jumps * jumpTicks(flight),
      ...shared,
      ...renderFleetFuel(view, player, jumps),
    })
  },
})
