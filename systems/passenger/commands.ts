/** Passengers aboard and ashore: taking them along, letting them off. */
import { mutation } from '../../core/command.ts'
import { obj, optional, ref, str } from '../../core/params.ts'
import { DOCKED } from '../travel/rules.ts'
import { load } from './load.ts'
import { loadSchema, unloadSchema } from './schemas.ts'
import { unload } from './unload.ts'

export const loadPassenger = mutation({
  name: 'load_passenger',
  v2: { tool: 'game', action: 'load_passenger', rename: { destination: 'id' } },
  summary: 'Take aboard who waits here for a ship to a base, as many as you have berths for.',
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
  summary: 'Let passengers off here, into a ship beside yours, or into the lounge of your faction.',
  category: 'passengers',
  params: obj({
    name: str('Name or citizen_id of somebody aboard, or "all".', { min: 1, example: 'all' }),
    target: optional(
      str('Id of a ship here of yours or of your faction, or "lounge"; else they leave here.', {
        min: 1,
        example: 'lounge',
      }),
    ),
  }),
  result: unloadSchema,
  errors: [
    ...(['passenger_not_found', 'no_passengers', 'ship_not_found', 'no_lounge'] as const),
    ...(['no_berths', 'lounge_full', 'passenger_expired'] as const),
  ],
  order: 'plain',
  needs: [DOCKED],
  changes: ['player', 'ship', 'location'],
  run: (world, player, params) => unload(world, player, params),
})
