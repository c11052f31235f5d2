/** Wire shapes of factions. */
import { defineEvent } from '../../core/event.ts'
import { bools, choice, ints, list, obj, opt, optional, strings } from '../../core/params.ts'
import { stackSchema } from '../cargo/schemas.ts'
import { diplomacyFields } from '../diplomacy/schemas.ts'

/** Names of events (append only). */
const FACTION_EVENTS = [
  'invite_received',
  'invite_withdrawn',
  'invite_declined',
  'member_joined',
  'member_left',
  'member_kicked',
  'member_promoted',
  'leader_changed',
  'role_created',
  'role_edited',
  'role_deleted',
  'edited',
  'withdrawal',
  'order_filled',
  'facility_built',
  'facility_upgraded',
  'facility_dismantled',
  'facility_sold',
  'facility_reclaimed',
  'war_declared',
  'peace_proposed',
  'peace_made',
  'alliance_proposed',
  'alliance_made',
  'alliance_ended',
  'enemy_marked',
  'enemy_cleared',
  'base_founded',
  'base_changed',
  'base_dismantled',
  'base_short',
  'lounge_warning',
  'mission_accepted',
  'mission_completed',
] as const
export type FactionEventName = (typeof FACTION_EVENTS)[number]

export const factionEvent = defineEvent({
  type: 'faction_event',
  summary: 'Something happened in your faction, or between you and one.',
  fields: obj({
    event: choice('What happened.', FACTION_EVENTS),
    ...strings('faction_id', 'faction_name', 'faction_tag', 'message'),
    ...opt(strings('actor_id', 'actor', 'target_id', 'target', 'role_id', 'role')),
    ...opt(strings('base_id', 'item_id')),
    ...opt(strings('other_faction_id', 'other_faction_name', 'other_faction_tag')),
    ...opt(strings('reason', 'terms')),
    ...opt(ints('quantity', 'credits', 'law_from_tick')),
  }),
  queue: 'faction',
})

/** The index is the bit in a role's permissions, which are world state (append only). */
export const PERMISSIONS = [
  'invite',
  'kick',
  'promote',
  'manage_roles',
  'manage_diplomacy',
  'manage_bases',
  'manage_treasury',
  'broadcast',
  'manage_facilities',
  'officer_room_access',
] as const

/* Lists of factions */

export const factionRowSchema = obj({
  ...strings('id', 'name', 'tag', 'leader_username', 'primary_color', 'secondary_color'),
  ...ints('member_count', 'owned_bases'),
})

/* A faction */

const permissionsSchema = obj(bools(...PERMISSIONS))

export const factionInfoSchema = obj({
  ...strings('id', 'name', 'tag', 'leader_id', 'leader_username', 'description', 'charter'),
  ...strings('primary_color', 'secondary_color', 'created_at', 'founder_empire'),
  ...ints('member_count', 'owned_bases', 'total_fuel_capacity', 'total_fuel_reserve'),
  ...bools('is_member', 'is_ally', 'is_enemy', 'at_war'),
  ...opt(strings('emblem')),
  ...opt({ ...diplomacyFields, allies: list(factionRowSchema), enemies: list(factionRowSchema) }),
  ...opt(bools('ally_intel_opt_out', 'ally_fuel_access', 'ally_facility_access')),
  ...opt(ints('treasury', 'members_limit', 'members_offset', 'member_cap')),
  ...opt(bools('members_truncated')),
  members: optional(
    list(
      obj({
        ...strings('player_id', 'username', 'role', 'joined_at', 'last_seen'),
        ...bools('is_online'),
      }),
    ),
  ),
  roles: optional(
    list(obj({ ...strings('id', 'name'), ...ints('priority'), permissions: permissionsSchema })),
  ),
  facilities: optional(
    list(
      obj({
        ...strings('facility_id', 'base_id', 'name', 'type'),
        ...bools('active'),
        ...opt({ ...strings('faction_service'), ...bools('under_construction') }),
      }),
    ),
  ),
  fuel_bunkers: optional(
    list(obj({ ...strings('base_id', 'base_name'), ...ints('fuel_capacity', 'fuel_reserve') })),
  ),
})

/* The storage of a faction */

/** Answer of view_faction_storage. Source: contract, ViewFactionStorageResponse. */
export const factionStorageSchema = obj({
  ...strings('action', 'base_id', 'faction_id', 'faction_name', 'faction_tag', 'hint'),
  ...ints('credits'),
  ...opt(ints('faction_fuel_capacity', 'faction_fuel_reserve')),
  items: list(stackSchema),
  buckets: optional(
    list(
      obj({
        ...strings('id', 'name'),
        ...ints('cap_per_item', 'package_cap'),
        items: list(stackSchema),
      }),
    ),
  ),
  recent_activity: list(
    obj({
      ...strings('action', 'player', 'timestamp'),
      ...opt({ ...ints('credits', 'quantity'), ...strings('item') }),
    }),
  ),
})
