/** Looking at who waits, and at who is aboard. */
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { NO_PARAMS } from '../../core/params.ts'
import { activeShip } from '../ship/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { loungeOf } from './lounge-rules.ts'
import { aboardSchema, stationSchema } from './schemas.ts'
import { renderAboard, renderTerminal } from './views.ts'

export const listStationPassengers = query({
  name: 'list_station_passengers',
  v2: { tool: 'game', action: 'list_station_passengers' },
  summary:
    'Who waits at this base for a ship, where to, what they would pay, and your lounge here.',
  category: 'passengers',
  params: NO_PARAMS,
  result: stationSchema,
  needs: [DOCKED],
  errors: ['in_transit', 'not_docked'],
  run(view, player) {
    const base = dockedBase(view, player)
    return ok(renderTerminal(view, base, loungeOf(view, player, base)))
  },
})

export const listPassengers = query({
  name: 'list_passengers',
  v2: { tool: 'game', action: 'list_passengers' },
  summary: 'The passengers of the ship you fly, their deadlines, and the berths that are free.',
  category: 'passengers',
  params: NO_PARAMS,
  result: aboardSchema,
  needs: [],
  errors: [],
  run: (view, player) => ok(renderAboard(view, activeShip(view, player))),
})
