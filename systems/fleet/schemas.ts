/**
 * The event `fleet_update`, which cannot be muted, and wire shapes of fleets. Source: factions.md
 * section 8.
 */
import { defineEvent } from '../../core/event.ts'
import { anyObject, bools, choice, ints, list, obj, opt, strings } from '../../core/params.ts'
import type { Eid } from '../../core/types.ts'
import { stackSchema } from '../cargo/schemas.ts'

/** Names of events (append only). */
const FLEET_EVENTS = [
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
type FleetEventName = (typeof FLEET_EVENTS)[number]

export const fleetUpdate = defineEvent({
  type: 'fleet_update',
  summary: 'Something happened in your fleet, or a fleet invites you.',
  fields: obj({
    event: choice('What happened.', FLEET_EVENTS),
    ...strings('fleet_id', 'leader_id', 'leader', 'message'),
    ...opt(strings('player_id', 'player', 'destination', 'base_id')),
    ...opt(ints('arrival_tick', 'expires_tick')),
  }),
  queue: 'system',
})

/** An event of a fleet. */
export interface FleetNotice {
  readonly event: FleetEventName
  /** Player whom it is about. */
  readonly player?: Eid
  readonly message: string
  /** Recipients; all members unless given. */
  readonly to?: readonly Eid[]
  readonly details?: {
    readonly destination?: string
    readonly base_id?: string
    readonly arrival_tick?: number
    readonly expires_tick?: number
  }
}

/* Wire forms of fleets. Source: factions.md section 8, contract. */

const memberSchema = obj({
  ...strings('player_id', 'username'),
  ...bools('is_leader'),
  ...opt({
    ...bools('passenger'),
    ...strings('riding_ship_id'),
    ...ints('fuel_per_jump'),
    ship: anyObject(),
    modules: list(anyObject()),
    cargo: list(stackSchema),
  }),
})

export const statusSchema = obj({
  action: choice('Always status.', ['status']),
  ...bools('in_fleet'),
  ...opt({
    ...strings('fleet_id', 'leader', 'system_id', 'poi_id', 'invite_fleet', 'invite_from'),
    ...bools('is_leader', 'pending_invite'),
    ...ints('max_size'),
    members: list(memberSchema),
    invites: list(obj(strings('player_id', 'username'))),
  }),
})

export const createSchema = obj({
  action: choice('Always create.', ['create']),
  ...strings('fleet_id', 'message'),
  ...ints('max_size'),
})

export const acceptSchema = obj({
  action: choice('Always accept.', ['accept']),
  ...strings('fleet_id', 'leader_name', 'message'),
})

export const declineSchema = obj({
  action: choice('Always decline.', ['decline']),
  ...strings('message'),
})

export const doneSchema = obj({
  action: choice('What was done.', ['invite', 'leave', 'kick', 'disband', 'disembark']),
  ...strings('message'),
})

export const boardSchema = obj({
  action: choice('Always board.', ['board']),
  ...strings('carrier', 'carrier_ship_id', 'garaged_ship_id', 'parked_ship_id', 'message'),
})
