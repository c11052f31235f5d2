/** Fleets: their leaders and members, members who ride in another's ship, and invitations. */
import { defineComponent, defineEntity, f64, ref, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'

/** Maximum size of a fleet: a base size plus one per ten levels of its leader, up to a cap. */
export const FLEET_SIZE_BASE = 4
export const FLEET_SIZE_LEVELS = 10
export const FLEET_SIZE_MAX = 14
/** Ticks after which an unanswered invitation expires. */
export const FLEET_INVITE_TICKS = 30
export const FLEET_INVITES_INCOMING_MAX = 5
/** Declines by one player, within FLEET_DECLINE_TICKS, after which a leader must wait. */
export const FLEET_DECLINES_MAX = 3
export const FLEET_DECLINE_TICKS = 360
/** Ticks that a leader may be offline before another member leads the fleet. */
export const FLEET_LEADER_AWAY_TICKS = 6
/** Ticks that a member may be offline before the fleet drops them. */
export const FLEET_MEMBER_AWAY_TICKS = 360
/** ours: ticks after which a player ashore without a ship respawns at home: an hour. */
export const FLEET_ASHORE_TICKS = 360
/** Ticks between two reviews of a fleet's members; leaders are reviewed each tick. */
export const FLEET_REVIEW_TICKS = 6

/** A fleet: players who fly and fight together. Source: factions.md section 8. */
export const Fleet = defineEntity('fleet', ROWS.fleets, {
  leader: ref('player', 'the member who moves the others'),
})

/** A player's membership in a fleet. */
export const FleetMember = defineComponent(Player, 'wing', {
  fleet: ref('fleet', 'the fleet the player is in; 0 none'),
  joinNumber: f64('number of this entry into a fleet among all ever; members are listed by it'),
})

/** A player without a ship: they ride with another, or are ashore. All 0 for one with a ship. */
export const FleetRide = defineComponent(Player, 'ride', {
  carrier: ref('player', 'player in whose ship they ride; 0 none'),
  base: ref('base', 'where they are ashore; 0 aboard'),
  number: f64('number of this move aboard or ashore among all ever; passengers are listed by it'),
  sinceTick: u32('tick in which the player went aboard or ashore'),
})

/** An open invitation into a fleet. */
export interface Invite {
  /** Numbers of the fleet, of the invited player and of the one who invites. */
  readonly fleet: number
  readonly player: number
  readonly by: number
  readonly expiresTick: number
}

/** Open invitations by numbers `fleet:player`, the oldest first. */
export const INVITES = defineRecords<Invite>('fleet_invites', ROWS.fleetInvites)

/** Ticks in which a player last declined a leader's invitations, by numbers `leader:player`. */
export const DECLINES = defineRecords<readonly number[]>('fleet_declines', ROWS.fleetInvites)

/** Players without a ship: by their carrier, and ashore by base; in the order of arrival. */
interface Riders {
  readonly aboard: Map<Eid, Eid[]>
  readonly ashore: Map<Row, Eid[]>
}
export const RIDERS = defineIndex<Riders>('fleet.riders', () => ({
  aboard: new Map(),
  ashore: new Map(),
}))

/** Members by fleet, in the order in which they joined. */
export const MEMBERS = defineIndex('fleet.members', () => new Map<Row, Eid[]>())
