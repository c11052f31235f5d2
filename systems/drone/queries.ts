/** Queries of a player's own drones. Source: drones.md section 4. */
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { NO_PARAMS, obj } from '../../core/params.ts'
import { droneParam } from './commands.ts'
import { ownDrone } from './model.ts'
import { droneSchema, listSchema } from './schemas.ts'
import { renderDrone, renderDrones } from './views.ts'

const shared = { category: 'drones', needs: [] } as const

export const getDrones = query({
  ...shared,
  name: 'get_drones',
  v2: { tool: 'game_drone', action: 'list' },
  summary: 'List your drones, and what bays, bandwidth and script slots you have.',
  params: NO_PARAMS,
  result: listSchema,
  errors: [],
  run: (view, player) => ok(renderDrones(view, player)),
})

export const getDrone = query({
  ...shared,
  name: 'get_drone',
  v2: { tool: 'game_drone', action: 'get', rename: { drone_id: 'id' } },
  summary: 'Show everything about one drone: script, memory, cargo, where it is going.',
  params: obj({ drone_id: droneParam }),
  result: droneSchema,
  errors: ['drone_not_found'],
  run(view, player, { drone_id }) {
    const drone = ownDrone(view, player, drone_id)
    return drone === 0 ? fail('drone_not_found', { drone_id }) : ok(renderDrone(view, drone))
  },
})
