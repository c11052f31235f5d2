/** Joining and leaving fleets. The only writer of `Fleet` and `FleetMember`. */
import { assert } from '../../core/assert.ts'
import { emit } from '../../core/event.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { forgetDeclines, pairOf, recordDecline } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import {
  DECLINE_RULE,
  fleetIdOf,
  fleetmatesOf,
  fleetOf,
  INVITE_BOOK,
  invitesInto,
  invitesTo,
  membersOf,
} from './model.ts'
import { type FleetNotice, fleetUpdate } from './schemas.ts'
import {
  FLEET_INVITE_TICKS,
  FLEET_INVITES_INCOMING_MAX,
  Fleet,
  FleetMember,
  FleetRide,
  type Invite,
  MEMBERS,
  RIDERS,
} from './state.ts'

/* Invitations and recent declines. Source: factions.md section 8. */

export const dropInvite = INVITE_BOOK.remove
export const rebuildInvites = INVITE_BOOK.rebuild

/**
 * Opens an invitation, or replaces the open one of the same fleet; beyond
 * FLEET_INVITES_INCOMING_MAX the player's oldest is dropped.
 */
export function openInvite(world: World, fleet: Row, by: Eid, player: Eid): Invite {
  const invite: Invite = {
    fleet: world.read(Fleet).seq[fleet],
    player: playerNumber(world, player),
    by: playerNumber(world, by),
    expiresTick: world.tick + FLEET_INVITE_TICKS,
  }
  const before = invitesTo(world, player)
  const isAgain = before.some((open) => open.fleet === invite.fleet)
  if (!isAgain && before.length >= FLEET_INVITES_INCOMING_MAX) dropInvite(world, before[0])
  INVITE_BOOK.add(world, invite)
  return invite
}

/** Records that a player declined the leader's invitation. */
export const recordInviteDecline = (world: World, { by, player }: Invite): void =>
  recordDecline(world, DECLINE_RULE, pairOf(by, player))

/** Removes expired invitations and old declines. */
export function expireInvites(world: World): void {
  INVITE_BOOK.expire(world)
  forgetDeclines(world, DECLINE_RULE)
}

/* Membership */

/** Forms a fleet that this player leads. */
export function formFleet(world: World, player: Eid): Row {
  const fleet = world.take(Fleet)
  world.write(Fleet).leader[fleet] = player
  rostersOf(world).set(fleet, [])
  addMember(world, fleet, player)
  return fleet
}

/** Adds a player to a fleet, and drops their other invitations. */
export function addMember(world: World, fleet: Row, player: Eid): void {
  assert(fleetOf(world, player) === 0, `player ${player} is in a fleet already`)
  const membership = world.write(FleetMember)
  membership.fleet[player] = fleet
  membership.joinNumber[player] = world.nextNumber('fleet_join')
  rostersOf(world).get(fleet)?.push(player)
  for (const invite of invitesTo(world, player)) dropInvite(world, invite)
}

/** Removes a member, who must not be the leader, from their fleet. */
export function removeMember(world: World, player: Eid): void {
  const fleet = fleetOf(world, player)
  assert(fleet !== 0, `player ${player} is in no fleet`)
  assert(world.read(Fleet).leader[fleet] !== player, 'a leader is removed from their fleet')
  rostersOf(world).set(fleet, fleetmatesOf(world, player))
  clearMember(world, player)
}

function clearMember(world: World, player: Eid): void {
  const membership = world.write(FleetMember)
  membership.fleet[player] = 0
  membership.joinNumber[player] = 0
}

/** Makes another member the leader, and drops the invitations of the previous one. */
export function setLeader(world: World, fleet: Row, leader: Eid): void {
  assert(fleetOf(world, leader) === fleet, `player ${leader} is to lead a fleet they are not in`)
  for (const invite of invitesInto(world, fleet)) dropInvite(world, invite)
  world.write(Fleet).leader[fleet] = leader
}

/** Ends a fleet and its invitations. */
export function endFleet(world: World, fleet: Row): void {
  for (const invite of invitesInto(world, fleet)) dropInvite(world, invite)
  for (const member of membersOf(world, fleet)) clearMember(world, member)
  rostersOf(world).delete(fleet)
  world.release(Fleet, fleet)
}

/*
 * Rides: players without a ship are aboard a carrier's ship or ashore at a base. The position of a
 * passenger is that of their carrier. Source: factions.md section 8.
 */

function beginRide(world: World, player: Eid, carrier: Eid, base: Row): void {
  assert(world.read(Player).ship[player] === 0, `player ${player} rides and flies`)
  endRide(world, player)
  const ride = world.write(FleetRide)
  ride.carrier[player] = carrier
  ride.base[player] = base
  ride.number[player] = world.nextNumber('fleet_ride')
  ride.sinceTick[player] = world.tick
  const { aboard, ashore } = world.index(RIDERS)
  if (carrier !== 0) addToList(aboard, carrier, player)
  else addToList(ashore, base, player)
}

/** Puts a player without a ship aboard the ship of a carrier. */
export function rideWith(world: World, player: Eid, carrier: Eid): void {
  assert(world.read(Player).ship[carrier] !== 0, `carrier ${carrier} has no ship`)
  beginRide(world, player, carrier, 0)
}

/** Puts a player without a ship ashore at a base. */
export const putAshore = (world: World, player: Eid, base: Row): void =>
  beginRide(world, player, 0, base)

/** Ends the ride of a player who gets a ship again; does nothing for one who has a ship. */
export function endRide(world: World, player: Eid): void {
  const ride = world.write(FleetRide)
  const [carrier, base] = [ride.carrier[player], ride.base[player]]
  const { aboard, ashore } = world.index(RIDERS)
  if (carrier !== 0) removeFromList(aboard, carrier, player)
  if (base !== 0) removeFromList(ashore, base, player)
  ride.carrier[player] = 0
  ride.base[player] = 0
  ride.number[player] = 0
  ride.sinceTick[player] = 0
}

/** Fills the index from the columns, after a restore. */
export function rebuildRides(world: World): void {
  const { aboard, ashore } = world.index(RIDERS)
  aboard.clear()
  ashore.clear()
  const { alive } = world.read(Player)
  const { carrier, base, number } = world.read(FleetRide)
  const riders: Eid[] = []
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && number[player] !== 0) riders.push(player)
  }
  for (const player of riders.sort((a, b) => number[a] - number[b])) {
    if (carrier[player] !== 0) addToList(aboard, carrier[player], player)
    else addToList(ashore, base[player], player)
  }
}

const rostersOf = (world: World): Map<Row, Eid[]> => world.index(MEMBERS)

/* Notices */

/** Notifies the members of a fleet, or `to` instead. Sends every event of a fleet. */
export function notifyFleet(world: World, fleet: Row, notice: FleetNotice): void {
  const { event, player = 0, message, to = membersOf(world, fleet), details = {} } = notice
  const leader = counterpartyIdentity(world, world.read(Fleet).leader[fleet])
  const subject = player === 0 ? undefined : counterpartyIdentity(world, player)
  const payload = {
    event,
    fleet_id: fleetIdOf(world, fleet),
    leader_id: leader.id,
    leader: leader.name,
    message,
    ...(subject ? { player_id: subject.id, player: subject.name } : {}),
    ...details,
  }
  if (to.length > 0) emit(world, fleetUpdate, payload, { kind: 'players', rows: [...to] })
}

/** Notifies the members who moved with their leader. */
export function notifyMove(
  world: World,
  leader: Eid,
  convoy: readonly Eid[],
  notice: Pick<FleetNotice, 'event' | 'message' | 'details'>,
): void {
  if (convoy.length === 0) return
  notifyFleet(world, fleetOf(world, leader), { ...notice, player: leader, to: convoy })
}

/* Indexes */

/** Fills the members of every fleet from the columns, after a restore. */
export function rebuildFleets(world: World): void {
  const rosters = rostersOf(world)
  rosters.clear()
  const { alive, seq } = world.read(Fleet)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Fleet); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) rosters.set(row, [])
  const players = world.read(Player)
  const { fleet, joinNumber } = world.read(FleetMember)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (players.alive[player] === 1 && fleet[player] !== 0) rosters.get(fleet[player])?.push(player)
  }
  for (const members of rosters.values()) members.sort((a, b) => joinNumber[a] - joinNumber[b])
}
