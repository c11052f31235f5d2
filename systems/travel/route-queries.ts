/** The way to a system, a place or a base, and what fuel it takes. Source: travel.md section 5. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { badFields, ok } from '../../core/errors.ts'
import { obj, ref, str } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseById } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { companyOf, fleetOf, signOf } from '../fleet/model.ts'
import { seesPoi } from '../sensing/model.ts'
import { Ship } from '../ship/state.ts'
import { flightOf, fuelPerJump, shipOf } from './drift-model.ts'
import { poiById, poiId, poiName, routeBetween, systemById, systemId, systemName } from './model.ts'
import { findRouteResult } from './schemas.ts'
import { JUMPING, Location, Poi, StarSystem } from './state.ts'

interface Target {
  readonly system: Eid
  /** The place meant; 0 for the system as such. */
  readonly poi: Eid
}

/**
 * A system, place or base by id, or a system by its exact name; undefined if unknown to the player.
 */
function targetOf(view: WorldView, player: Eid, text: string): Target | undefined {
  const system = systemById(view, text) || systemByName(view, text)
  if (system !== 0) return { system, poi: 0 }
  const base = baseById(view, text)
  const poi = base === 0 ? poiById(view, text) : view.read(Base).poi[base]
  if (poi === 0 || !seesPoi(view, player, poi)) return undefined
  return { system: view.read(Poi).system[poi], poi }
}

function systemByName(view: WorldView, name: string): Eid {
  const wanted = name.toLowerCase()
  for (let row = 1; row <= view.highOf(StarSystem); row++) {
    if (systemName(view, row).toLowerCase() === wanted) return row
  }
  return 0
}

/** Where a route starts: the system the ship is in, or jumps to. */
function startOf(view: WorldView, ship: Eid): Eid {
  const at = view.read(Location)
  return at.state[ship] === JUMPING ? view.read(Poi).system[at.toPoi[ship]] : at.system[ship]
}

/** What so many jumps take of every tank of the player's fleet; nothing of one who flies alone. */
function renderFleetFuel(view: WorldView, player: Eid, jumps: number) {
  if (fleetOf(view, player) === 0) return {}
  const { fuel, class: shipClass } = view.read(Ship)
  const fleet_fuel = companyOf(view, player).map((member) => {
    const ship = shipOf(view, member)
    const { id, name } = signOf(view, player, member)
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
  summary: 'The shortest way to a system, place or base, and the fuel it takes.',
  category: 'navigation',
  params: obj({
    target_system: ref(
      ['system', 'place'],
      str('Id of a system, place or base, or the name of a system.', {
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
    if (text === '') return badFields({ field: 'target_system', expected: 'an id' })
    const ship = shipOf(view, player)
    const { fuel, cargoUsed } = view.read(Ship)
    const perJump = fuelPerJump(flightOf(view, ship))
    const known = {
      fuel_per_jump: perJump,
      fuel_available: fuel[ship],
      cargo_used: cargoUsed[ship],
    }
    const target = targetOf(view, player, text)
    const route = target && routeBetween(view, startOf(view, ship), target.system)
    if (!target || !route) {
      const message = target ? 'No lanes lead there.' : 'There is no such system, place or base.'
      const none = { route: [], total_jumps: 0, estimated_fuel: 0, target_system: text }
      return ok({ action: 'find_route', found: false, message, ...none, ...known })
    }
    const jumps = route.length - 1
    const estimate = jumps * perJump
    const name = systemName(view, target.system)
    return ok({
      action: 'find_route',
      found: true,
      message: `${counted(jumps, 'jump')} to ${name}, ${counted(estimate, 'unit')} of fuel.`,
      route: route.map((system, i) => ({
        system_id: systemId(view, system),
        name: systemName(view, system),
        jumps: i,
      })),
      total_jumps: jumps,
      target_system: systemId(view, target.system),
      ...(target.poi === 0
        ? {}
        : { target_poi: poiId(view, target.poi), target_poi_name: poiName(view, target.poi) }),
      estimated_fuel: estimate,
      ...known,
      ...renderFleetFuel(view, player, jumps),
    })
  },
})
