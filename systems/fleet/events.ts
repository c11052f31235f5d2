/** What members are told of their fleet. It cannot be muted. Source: factions.md section 8. */
import { defineEvent } from '../../core/event.ts'
import { choice, ints, obj, opt, strings } from '../../core/params.ts'
import type { Eid } from '../../core/types.ts'

/** Append at the end. */
export const FLEET_EVENTS = [
  'invite_received',
  'invite_declined',
  'member_joined',
  'member_left',
  'member_kicked',
  'member_dropped',
  'leader_changed',
  'disbanded',
  'departed',
  'docked',
  'undocked',
  'boarded',
  'disembarked',
  'ride_lost',
] as const
export type FleetEventName = (typeof FLEET_EVENTS)[number]

export const fleetUpdate = defineEvent({
  type: 'fleet_update',
  summary: 'Something happened in your fleet, or one asks you to join.',
  fields: obj({
    event: choice('What happened.', FLEET_EVENTS),
    ...strings('fleet_id', 'leader_id', 'leader', 'message'),
    ...opt(strings('player_id', 'player', 'destination', 'base_id')),
    ...opt(ints('arrival_tick', 'expires_tick')),
  }),
  queue: 'system',
})

export interface FleetNews {
  readonly event: FleetEventName
  /** Whom it is about. */
  readonly player?: Eid
  readonly message: string
  /** Whom to tell; all members unless said. */
  readonly to?: readonly Eid[]
  readonly more?: {
    readonly destination?: string
    readonly base_id?: string
    readonly arrival_tick?: number
    readonly expires_tick?: number
  }
}
