/** Wire shapes of drone commands. Source: contract, *DroneResponse; drones.md section 4. */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  choice,
  ints,
  list,
  mapOf,
  obj,
  opt,
  type Static,
  strings,
  Type,
} from '../../core/params.ts'

/* Events */

const DRONES = { queue: 'system', channel: () => 'drones' as const } as const

export const droneUpdate = defineEvent({
  type: 'drone_update',
  summary: 'A drone of yours has hit something, or was hit; attacker_id then says by whom.',
  fields: obj({
    ...ints('tick', 'damage'),
    ...strings('drone_id', 'owner_id', 'target_id', 'damage_type'),
    ...opt(strings('attacker_id')),
  }),
  ...DRONES,
})

export const droneDestroyed = defineEvent({
  type: 'drone_destroyed',
  summary: 'A drone of yours is lost.',
  fields: obj({
    ...strings('drone_id', 'owner_id', 'drone_type'),
    ...opt(strings('killer_id')),
  }),
  ...DRONES,
  queue: 'combat',
})

export const droneAdrift = defineEvent({
  type: 'drone_adrift',
  summary: 'A drone of yours has lost its bay: it goes on until a ship with room recalls it.',
  fields: obj({
    ...strings('drone_id', 'owner_id', 'drone_type', 'system_id'),
    ...opt(strings('poi_id')),
  }),
  ...DRONES,
})

export const droneScan = defineEvent({
  type: 'drone_scan',
  summary: 'The players that a scout drone of yours sees at its place.',
  fields: obj({
    ...strings('drone_id', 'poi_id'),
    players: list(
      obj({ ...strings('id', 'username'), ...ints('hull_pct'), ...opt(strings('faction_id')) }),
    ),
  }),
  ...DRONES,
})

export const droneSurvey = defineEvent({
  type: 'drone_survey',
  summary: 'A place that a scout drone of yours has revealed to you.',
  fields: obj({
    ...strings('drone_id', 'system_id', 'poi_id', 'poi_name'),
    resources: list(
      obj({
        ...strings('resource_id'),
        ...ints('richness', 'remaining'),
        ...opt(ints('max_remaining')),
      }),
    ),
  }),
  ...DRONES,
})

/* Answers */

/** What a drone is doing, as answers name it. Source: drones.md section 4, statuses. */
export const STATUSES = [
  'in_bay',
  'idle',
  'running',
  'traveling',
  'in_battle',
  'no_script_slot',
  'step_limit',
  'adrift',
] as const
export type DroneStatus = (typeof STATUSES)[number]

const status = { status: choice('What the drone is doing.', STATUSES) }

export const loadSchema = obj({
  ...ints('bay_capacity', 'bay_count', 'hull'),
  ...strings('drone_id', 'drone_type', 'message'),
  ...status,
})

export const unloadSchema = obj(strings('drone_id', 'item_id', 'message'))

const flags = opt(bools('auto_docked', 'auto_undocked'))

export const deploySchema = Type.Union([
  obj({
    action: choice('One drone.', ['deploy_drone']),
    ...ints('bandwidth_total', 'bandwidth_used', 'hull', 'max_hull'),
    ...strings('drone_id', 'drone_type', 'message'),
    ...status,
    ...flags,
  }),
  obj({
    action: choice('All that the bandwidth allows.', ['deploy_all_drones']),
    ...ints('bandwidth_total', 'bandwidth_used', 'deployed', 'skipped'),
    ...strings('message'),
    ...flags,
  }),
])

export const recallSchema = obj({ ...ints('recalled', 'skipped'), ...strings('message') })

export const uploadSchema = obj({ ...strings('drone_id', 'message'), ...ints('script_len') })

export const nameSchema = obj(strings('drone_id', 'message', 'name'))

const entrySchema = obj({
  ...ints('cargo_pct', 'hull', 'max_hull'),
  ...bools('has_script'),
  ...strings('id', 'type'),
  ...status,
  ...opt(strings('name', 'poi_id', 'script_preview', 'travel_to')),
  ...opt(ints('travel_ticks')),
})
export type DroneEntry = Static<typeof entrySchema>

export const listSchema = obj({
  ...ints('bandwidth_total', 'bandwidth_used', 'bay_capacity', 'bay_count', 'deployed_count'),
  ...ints('script_slots', 'scripts_running'),
  drones: list(entrySchema),
})

export const droneSchema = obj({
  cargo: list(
    obj({
      ...strings('item_id'),
      ...ints('quantity'),
      ...opt(strings('name')),
      ...opt(ints('size')),
    }),
  ),
  ...ints('cargo_capacity', 'cargo_used', 'hull', 'max_hull'),
  ...strings('id', 'item_id', 'loaded_at', 'script', 'type'),
  ...status,
  memory: mapOf(Type.String()),
  ...opt(strings('deployed_at', 'name', 'poi_id', 'system_id', 'travel_to')),
  ...opt(ints('travel_ticks')),
})
