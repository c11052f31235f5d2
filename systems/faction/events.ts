/** What members are told of their faction. It cannot be muted. Source: factions.md section 3. */
import { defineEvent } from '../../core/event.ts'
import { choice, ints, obj, opt, strings } from '../../core/params.ts'

/** Append at the end. */
export const FACTION_EVENTS = [
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
