/**
 * Wire shapes of the map: systems, places, who is near, routes, and the v2 sections `location` and
 * `queue`. Fields of domains that add theirs later (battles, wormholes, fleets) are named here and
 * absent from answers until then. Source: contract; spec, System, POI, Nearby player entry; WIRE.md
 * section 2.
 */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  choice,
  ints,
  list,
  mapOf,
  numbers,
  obj,
  opt,
  orNull,
  strings,
  Type,
} from '../../core/params.ts'
import { baseSchema, fuelFields } from '../base/schemas.ts'
import { activeBattleSchema } from '../combat/schemas.ts'
import { creatureSchema } from '../creature/state.ts'
import { depositsSchema, locationResourceSchema, poiResourceSchema } from '../mining/schemas.ts'
import { empireNpcSchema, pirateSchema } from '../npc/state.ts'
import { seenPrizeSchema } from '../prize/state.ts'
import { nearbyPlayerSchema } from './nearby-state.ts'

/** A player met on arrival. */
export const onlinePlayerSchema = obj({
  ...strings('username'),
  ...opt(strings('clan_tag', 'primary_color', 'secondary_color', 'status_message')),
  ...opt(bools('offline', 'anonymous')),
})

/* Flights */

const arrivalFields = {
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt(strings('message')),
}

/** Result of a flight from another system. */
export const jumpedResult = obj({
  action: choice('How the ship came here.', ['jumped', 'pathfinder_arrival']),
  ...strings('from_system', 'system', 'system_id'),
  ...ints('navigation_xp'),
  ...opt(ints('exploration_xp', 'piloting_xp', 'police_level')),
  ...opt(strings('poi', 'poi_id', 'system_name')),
  ...opt(ints('online_players_count')),
  ...opt({ online_players: list(onlinePlayerSchema) }),
  ...arrivalFields,
})

/** Sent as a late result of `jump`, which was answered at departure. Source: travel.md 4. */
export const driftEnded = defineEvent({
  type: 'action_result',
  summary: 'Your drift has ended: the ship dropped out in a system.',
  fields: obj({ ...strings('command'), ...ints('tick'), result: jumpedResult }),
  queue: 'system',
})

const position = obj(numbers('x', 'y'))
const literal = <const V extends string>(value: V) => choice(`Always ${value}.`, [value])

/* Places and systems */

/** A place in a list, or the current one. */
export const placeSchema = obj({
  ...strings('id', 'name', 'type'),
  ...bools('has_base'),
  ...ints('online', 'fuel_reserve'),
  position,
  ...opt(strings('class', 'base_id', 'base_name')),
  ...opt(ints('fuel_capacity', 'fuel_price', 'faction_fuel_capacity', 'faction_fuel_reserve')),
})

export const systemSchema = obj({
  ...strings('id', 'name'),
  ...bools('is_stronghold'),
  ...ints('police_level'),
  ...opt(strings('description', 'empire', 'security_status')),
  position,
  connections: list(obj({ ...strings('system_id', 'name'), ...opt(ints('distance')) })),
  pois: list(placeSchema),
})

/** A place with what can be mined there. */
export const poiSchema = obj({
  ...strings('id', 'system_id', 'type', 'name'),
  ...opt(strings('description', 'class', 'base_id')),
  ...opt(bools('hidden')),
  ...opt({ position, resources: list(poiResourceSchema) }),
})

const transitFields = {
  ...bools('in_transit'),
  ...strings('message', 'transit_type'),
  ...ints('ticks_remaining'),
}

export const getSystemResult = Type.Union([
  obj({
    action: literal('get_system'),
    kind: literal('normal'),
    ...strings('security_status'),
    system: systemSchema,
    ...opt({ poi: placeSchema, active_battle: activeBattleSchema }),
  }),
  obj({
    action: literal('get_system'),
    kind: literal('transit'),
    ...strings('from_system', 'to_system'),
    ...transitFields,
  }),
])

export const getPoiResult = Type.Union([
  obj({
    action: literal('get_poi'),
    kind: literal('normal'),
    poi: poiSchema,
    ...opt({ base: baseSchema, resources: depositsSchema, services: list(Type.String()) }),
    ...fuelFields,
    ...opt(ints('faction_fuel_capacity', 'faction_fuel_reserve')),
    ...opt(strings('wormhole_destination', 'wormhole_destination_id')),
    ...opt(strings('wormhole_expires_in', 'wormhole_prediction_hint')),
    ...opt({ active_battle: activeBattleSchema }),
  }),
  obj({
    action: literal('get_poi'),
    kind: literal('transit'),
    ...opt(strings('from_poi', 'from_system', 'to_poi', 'to_system')),
    ...transitFields,
  }),
])

export const getNearbyResult = obj({
  action: literal('get_nearby'),
  ...strings('poi_id'),
  ...ints('count', 'pirate_count', 'empire_npc_count', 'creature_count'),
  nearby: list(nearbyPlayerSchema),
  pirates: list(pirateSchema),
  empire_npcs: list(empireNpcSchema),
  creatures: list(creatureSchema),
  ...opt(ints('offline_collapsed')),
  ...opt(bools('unknown_signature', 'truncated')),
  ...opt({ prizes: list(seenPrizeSchema) }),
})

export const getSystemAgentsResult = obj({
  ...strings('system_id'),
  ...ints('count'),
  agents: list(nearbyPlayerSchema),
  ...opt(strings('action')),
  ...opt(ints('offline_collapsed')),
  ...opt(bools('truncated')),
})

/* The chart */

export const mapSystemSchema = obj({
  ...strings('system_id', 'name', 'visited_at'),
  ...ints('online', 'poi_count'),
  ...bools('visited'),
  position,
  connections: list(Type.String()),
  ...opt(strings('description', 'empire')),
  ...opt(bools('is_stronghold')),
  ...opt(ints('police_level')),
})

export const getMapResult = Type.Union([
  obj({ ...ints('total_count'), systems: list(mapSystemSchema), ...opt(strings('action')) }),
  mapSystemSchema,
])

export const searchSystemsResult = obj({
  ...strings('message', 'query'),
  ...ints('total_found'),
  ...opt(strings('action')),
  systems: list(mapSystemSchema),
})

export const findRouteResult = obj({
  ...bools('found'),
  ...strings('message', 'target_system'),
  ...ints('total_jumps', 'fuel_per_jump', 'estimated_fuel', 'fuel_available', 'cargo_used'),
  route: list(
    obj({
      ...strings('system_id', 'name'),
      ...ints('jumps'),
      ...opt(ints('police_level')),
      ...opt(strings('entrance_poi')),
      ...opt(bools('via_wormhole')),
    }),
  ),
  ...opt(strings('action', 'target_poi', 'target_poi_name')),
  ...opt(ints('estimated_ticks')),
  ...opt({
    fleet_fuel: list(
      obj({
        ...strings('player_id', 'username', 'ship_class'),
        ...ints('fuel_per_jump', 'estimated_fuel', 'fuel_available', 'fuel_on_arrival'),
        ...bools('can_complete'),
      }),
    ),
  }),
})

export const travelResult = obj({
  action: literal('arrived'),
  ...strings('poi', 'poi_id'),
  ...ints('online_players_count', 'offline_collapsed'),
  ...bools('online_players_truncated'),
  online_players: list(onlinePlayerSchema),
  ...arrivalFields,
  ...opt({ xp_gained: mapOf(Type.Integer()) }),
  ...opt(ints('pirate_count')),
})

export const jumpResult = Type.Union([
  jumpedResult,
  obj({
    action: choice('What the drive did.', ['pathfinder_jump', 'pathfinder_redirect']),
    ...strings('message'),
    ...numbers('bearing'),
    ...opt(numbers('origin_x', 'origin_y')),
  }),
])

/* Sections of the v2 state */

export const locationSection = obj({
  ...opt(strings('system_id', 'system_name', 'empire', 'security_status')),
  ...opt(strings('poi_id', 'poi_name', 'poi_type')),
  ...opt({
    connections: list(Type.String()),
    docked_at: orNull(Type.String()),
    resources: list(locationResourceSchema),
    nearby_players: list(nearbyPlayerSchema),
    nearby_pirates: list(pirateSchema),
    nearby_empire_npcs: list(empireNpcSchema),
  }),
  ...opt(ints('nearby_player_count', 'nearby_pirate_count', 'nearby_empire_npc_count')),
  ...opt(ints('offline_collapsed')),
  ...opt(bools('in_transit', 'unknown_signature')),
  ...opt(strings('transit_type', 'transit_dest_system_id', 'transit_dest_system_name')),
  ...opt(strings('transit_dest_poi_id', 'transit_dest_poi_name', 'void_message')),
  ...opt(ints('transit_arrival_tick', 'transit_ticks_elapsed')),
  ...opt(numbers('transit_x', 'transit_y', 'transit_bearing')),
})

export const queueSection = obj(opt(bools('has_pending')))
