/** What owners are told of their drones. Source: drones.md section 4. */
import { defineEvent } from '../../core/event.ts'
import { ints, list, obj, opt, strings } from '../../core/params.ts'

const DRONES = { queue: 'system', channel: () => 'drones' as const } as const

export const droneUpdate = defineEvent({
  type: 'drone_update',
  summary: 'A drone of yours has hit something, or was hit: then attacker_id tells by whom.',
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
  summary: 'Whom a scout drone of yours sees at its place.',
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
