/** Joining and leaving fleets. The only writer of `Fleet` and `FleetMember`. */

import { assert } from '../../core/assert.ts'
import { emit } from '../../core/event.ts'
import { append, drop } from '../../core/groups.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { forgetDeclines, pairOf, recordDecline } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import {
  BOOK,
  fleetIdOf,
  fleetmatesOf,
  fleetOf,
  invitesInto,
  invitesTo,
  membersOf,
  RULE,
} from './model.ts'
import { type FleetNews, fleetUpdate } from './schemas.ts'
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

/* Open invitations into fleets, and who declined one of late. Source: factions.md section 8. */

/*
 * Riding along: players without a ship of their own, aboard another's or ashore where they went off
 * board. Where somebody is who rides follows from where their carrier is. Source: factions.md
 * section 8.
 */

export const dropInvite = BOOK.remove
export const rebuildInvites = BOOK.rebuild

/**
 * Opens an invitation, in place of one that waits; beyond what a player may have the oldest is
 * dropped.
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
  BOOK.add(world, invite)
  return invite
}

/** Notes that a player declined. */
export const recordInviteDecline = (world: World, { by, player }: Invite): void =>
  recordDecline(world, RULE, pairOf(by, player))

/** Invitations lapse, and old refusals are forgotten. */
export function expireInvites(world: World): void {
  BOOK.expire(world)
  forgetDeclines(world, RULE)
}

/** Makes a fleet that this player leads. */
export function formFleet(world: World, player: Eid): Row {
  const fleet = world.take(Fleet)
  world.write(Fleet).leader[fleet] = player
  rollOf(world).set(fleet, [])
  addMember(world, fleet, player)
  return fleet
}

/** Takes a player into a fleet; what else they were asked is void. */
export function addMember(world: World, fleet: Row, player: Eid): void {
  assert(fleetOf(world, player) === 0, `player ${player} is in a fleet already`)
  const wing = world.write(FleetMember)
  wing.fleet[player] = fleet
  wing.joinNumber[player] = world.nextNumber('fleet_join')
  rollOf(world).get(fleet)?.push(player)
  for (const invite of invitesTo(world, player)) dropInvite(world, invite)
}

/** Takes a member who does not lead out of their fleet. */
export function discharge(world: World, player: Eid): void {
  const fleet = fleetOf(world, player)
  assert(fleet !== 0, `player ${player} is in no fleet`)
  assert(world.read(Fleet).leader[fleet] !== player, 'a leader leaves their fleet')
  rollOf(world).set(fleet, fleetmatesOf(world, player))
  clear(world, player)
}

function clear(world: World, player: Eid): void {
  const wing = world.write(FleetMember)
  wing.fleet[player] = 0
  wing.joinNumber[player] = 0
}

/** Has another member lead. */
export function handOver(world: World, fleet: Row, leader: Eid): void {
  assert(fleetOf(world, leader) === fleet, `player ${leader} leads a fleet of others`)
  for (const invite of invitesInto(world, fleet)) dropInvite(world, invite)
  world.write(Fleet).leader[fleet] = leader
}

/** Ends a fleet and its invitations. */
export function dissolve(world: World, fleet: Row): void {
  for (const invite of invitesInto(world, fleet)) dropInvite(world, invite)
  for (const member of membersOf(world, fleet)) clear(world, member)
  rollOf(world).delete(fleet)
  world.release(Fleet, fleet)
}

/* Coming and going */

function begin(world: World, player: Eid, carrier: Eid, base: Row): void {
  assert(world.read(Player).ship[player] === 0, `player ${player} rides and flies`)
  endRide(world, player)
  const ride = world.write(FleetRide)
  ride.carrier[player] = carrier
  ride.base[player] = base
  ride.number[player] = world.nextNumber('fleet_ride')
  ride.sinceTick[player] = world.tick
  const { aboard, ashore } = world.index(RIDERS)
  if (carrier !== 0) append(aboard, carrier, player)
  else append(ashore, base, player)
}

/** A player whose ship is laid up goes aboard another's. */
export function rideWith(world: World, player: Eid, carrier: Eid): void {
  assert(world.read(Player).ship[carrier] !== 0, `carrier ${carrier} has no ship`)
  begin(world, player, carrier, 0)
}

/** A player without a ship stands at a base. */
export const putAshore = (world: World, player: Eid, base: Row): void =>
  begin(world, player, 0, base)

/** A player is about to fly again; nothing for one who does. */
export function endRide(world: World, player: Eid): void {
  const ride = world.write(FleetRide)
  const [carrier, base] = [ride.carrier[player], ride.base[player]]
  const { aboard, ashore } = world.index(RIDERS)
  if (carrier !== 0) drop(aboard, carrier, player)
  if (base !== 0) drop(ashore, base, player)
  ride.carrier[player] = 0
  ride.base[player] = 0
  ride.number[player] = 0
  ride.sinceTick[player] = 0
}

/** Fills the index from the columns. */
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
    if (carrier[player] !== 0) append(aboard, carrier[player], player)
    else append(ashore, base[player], player)
  }
}

const rollOf = (world: World): Map<Row, Eid[]> => world.index(MEMBERS)

/* Telling */

/** Tells a fleet, or others instead. Every event of a fleet goes through here. */
export function notifyFleet(world: World, fleet: Row, news: FleetNews): void {
  const { event, player = 0, message, to = membersOf(world, fleet), more = {} } = news
  const leader = counterpartyIdentity(world, world.read(Fleet).leader[fleet])
  const who = player === 0 ? undefined : counterpartyIdentity(world, player)
  const payload = {
    event,
    fleet_id: fleetIdOf(world, fleet),
    leader_id: leader.id,
    leader: leader.name,
    message,
    ...(who ? { player_id: who.id, player: who.name } : {}),
    ...more,
  }
  if (to.length > 0) emit(world, fleetUpdate, payload, { kind: 'players', rows: [...to] })
}

/** Tells those who moved along with their leader what became of them. */
export function notifyMove(
  world: World,
  leader: Eid,
  convoy: readonly Eid[],
  news: Pick<FleetNews, 'event' | 'message' | 'more'>,
): void {
  if (convoy.length === 0) return
  notifyFleet(world, fleetOf(world, leader), { ...news, player: leader, to: convoy })
}

/* Indexes */

/** Lists the members of every fleet, and says who stands by whom. */
export function rebuildFleets(world: World): void {
  const roll = rollOf(world)
  roll.clear()
  const { alive, seq } = world.read(Fleet)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Fleet); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) roll.set(row, [])
  const players = world.read(Player)
  const { fleet, joinNumber } = world.read(FleetMember)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (players.alive[player] === 1 && fleet[player] !== 0) roll.get(fleet[player])?.push(player)
  }
  for (const members of roll.values()) members.sort((a, b) => joinNumber[a] - joinNumber[b])
}
