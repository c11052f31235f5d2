/** Commands of passengers. */
import { mutation, query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS, obj, optional, ref, str, words } from '../../core/params.ts'
import { activeShip } from '../ship/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { load, unload } from './boarding-commands.ts'
import { loungeOf } from './model.ts'
import { aboardSchema, loadSchema, stationSchema, unloadSchema } from './schemas.ts'
import { renderAboard, renderTerminal } from './views.ts'

export const loadPassenger = mutation({
  name: 'load_passenger',
  v2: { tool: 'game', action: 'load_passenger', rename: { destination: 'id' } },
  summary: 'Board people who wait here for a ship to a base, as many as you have berths for.',
  category: 'passengers',
  params: obj({
    destination: ref(
      'base',
      str('Id or name of the base they want to go to.', {
        min: 1,
        example: 'sol_station',
      }),
    ),
  }),
  result: loadSchema,
  errors: ['station_not_found', 'no_passengers', 'no_berths', 'limit_reached'],
  order: 'plain',
  needs: [DOCKED],
  changes: ['player', 'ship', 'location'],
  run: (world, player, { destination }) => load(world, player, destination),
})

export const unloadPassenger = mutation({
  name: 'unload_passenger',
  v2: { tool: 'game', action: 'unload_passenger', rename: { name: 'id' } },
  summary: 'Let passengers off here, or move them to another ship or your faction’s lounge here.',
  category: 'passengers',
  params: obj({
    name: str('Name or citizen_id of somebody aboard, or "all".', { min: 1, example: 'all' }),
    target: optional(
      str('Id of a ship of yours or your faction docked here, or "lounge"; absent: let them off.', {
        min: 1,
        example: 'lounge',
      }),
    ),
  }),
  result: unloadSchema,
  errors: words(
    'passenger_not_found no_passengers ship_not_found no_lounge no_berths lounge_full',
    'passenger_expired',
  ),
  order: 'plain',
  needs: [DOCKED],
  changes: ['player', 'ship', 'location'],
  run: (world, player, params) => unload(world, player, params),
})

export const listStationPassengers = query({
  name: 'list_station_passengers',
  v2: { tool: 'game', action: 'list_station_passengers' },
  summary:
    'List who waits here for a ship, with destinations and fares, and the guests of your lounge.',
  category: 'passengers',
  params: NO_PARAMS,
  result: stationSchema,
  needs: [DOCKED],
  errors: [],
  run(view, player) {
    const base = dockedBase(view, player)
    return ok(renderTerminal(view, base, loungeOf(view, player, base)))
  },
})

export const listPassengers = query({
  name: 'list_passengers',
  v2: { tool: 'game', action: 'list_passengers' },
  summary: 'List the passengers of the ship you fly, their deadlines, and the free berths.',
  category: 'passengers',
  params: NO_PARAMS,
  result: aboardSchema,
  needs: [],
  errors: [],
  run: (view, player) => ok(renderAboard(view, activeShip(view, player))),
})
