/**
 * Commands of bases: refuelling, from the station's tank, from cells aboard or into another ship,
 * and the query of a base. Source: travel.md sections 7, 9.
 */
import { defineNeed, mutation, query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS, obj, optional, quantity, ref, str, words } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { factionOf } from '../faction/model.ts'
import { bunkerFuel } from '../faction/store-model.ts'
import { playerMeant } from '../sensing/model.ts'
import { renderStation } from '../siege/station-views.ts'
import { dockedBase, inTransitUnlessAdrift, shipOf } from '../travel/location-model.ts'
import { DOCKED, dockIfAdmitted } from '../travel/needs.ts'
import { Location, Poi } from '../travel/state.ts'
import { hasService } from './model.ts'
import { burnCells, fleetFuel, pumpInto, refuelAtStation } from './refuel-commands.ts'
import { getBaseSchema, refuelSchema } from './schemas.ts'

/**
 * Returns true where a player can fill up: from the station's tank, or the bunker of their faction.
 */
const servesFuel = (view: WorldView, player: Eid, base: Eid): boolean =>
  hasService(view, base, 'refuel') ||
  (base !== 0 && bunkerFuel(view, factionOf(view, player), base) > 0)

/**
 * Docks the ship first where the base here refuels and admits the pilot, unless an item or a
 * target is given. Source: travel.md section 6.
 */
const DOCKED_FOR_FUEL = defineNeed({
  name: 'served',
  errors: ['in_transit'],
  check: inTransitUnlessAdrift,
  ensure(world, player, params) {
    const refusal = inTransitUnlessAdrift(world, player)
    if (refusal) return refusal
    const { item_id, target } = params as { item_id?: string; target?: string }
    if (item_id !== undefined || target !== undefined || dockedBase(world, player) !== 0) {
      return undefined
    }
    const base = world.read(Poi).base[world.read(Location).poi[shipOf(world, player)]]
    if (!servesFuel(world, player, base)) return undefined
    return dockIfAdmitted
  },
})

export const refuel = mutation({
  name: 'refuel',
  v2: { tool: 'game', action: 'refuel', rename: { item_id: 'id' } },
  summary:
    'Fill the tank at the station, else burn fuel cells; with target, pump fuel into a ship here.',
  category: 'ship',
  order: 'plain',
  params: obj({
    item_id: optional(
      ref('item', str('Kind of fuel cell to burn.', { min: 1, example: 'fuel_cell' })),
    ),
    quantity: optional(quantity('Cells to burn, or units to pump; 1 unless given.')),
    target: optional(str('A player at this place, or "fleet" to list tanks.', { min: 1 })),
  }),
  result: refuelSchema,
  needs: [DOCKED_FOR_FUEL],
  adrift: true,
  changes: ['player', 'ship', 'cargo', 'location'],
  errors: words(
    'in_transit tank_full station_fuel_empty no_fuel_cells no_credits no_pump invalid_target',
    'target_no_space no_fuel invalid_item issue_item service_restricted',
  ),
  readsOnly: ({ target }) => target === 'fleet',
  run(world, player, { item_id, quantity: amount = 1, target }) {
    if (target === 'fleet') return fleetFuel(world, player)
    if (target !== undefined) {
      return pumpInto(world, player, playerMeant(world, player, target), amount)
    }
    const base = dockedBase(world, player)
    const isServed = item_id === undefined && servesFuel(world, player, base)
    return isServed
      ? refuelAtStation(world, player, base, amount)
      : burnCells(world, player, item_id, amount)
  },
})

/* The query of a base. */

export const getBase = query({
  name: 'get_base',
  v2: { tool: 'game', action: 'get_base' },
  summary: 'The base where you are docked: services, fuel, defences, condition, repairs.',
  category: 'navigation',
  params: NO_PARAMS,
  result: getBaseSchema,
  needs: [DOCKED],
  errors: ['in_transit', 'not_docked'],
  run: (view, player) => ok(renderStation(view, player, dockedBase(view, player))),
})
