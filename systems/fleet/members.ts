/** Joining and leaving fleets. The only writer of Fleet and Wing. */
import { assert } from '../../core/assert.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Fleet, Wing } from './columns.ts'
import { dropInvite, invitesInto, invitesTo } from './invites.ts'
import { fleetOf, matesOf, membersOf, rollOf } from './rules.ts'

/** Makes a fleet that this player leads. */
export function formFleet(world: World, player: Eid): Row {
  const fleet = world.take(Fleet)
  world.write(Fleet).leader[fleet] = player
  rollOf(world).set(fleet, [])
  enlist(world, fleet, player)
  return fleet
}

/** Takes a player into a fleet; what else he was asked is void. */
export function enlist(world: World, fleet: Row, player: Eid): void {
  assert(fleetOf(world, player) === 0, `player ${player} is in a fleet already`)
  const wing = world.write(Wing)
  wing.fleet[player] = fleet
  wing.joinNumber[player] = world.nextNumber('fleet_join')
  rollOf(world).get(fleet)?.push(player)
  for (const invite of invitesTo(world, player)) dropInvite(world, invite)
}

/** Takes a member who does not lead out of his fleet. */
export function discharge(world: World, player: Eid): void {
  const fleet = fleetOf(world, player)
  assert(fleet !== 0, `player ${player} is in no fleet`)
  assert(world.read(Fleet).leader[fleet] !== player, 'a leader leaves his fleet')
  rollOf(world).set(fleet, matesOf(world, player))
  clear(world, player)
}

function clear(world: World, player: Eid): void {
  const wing = world.write(Wing)
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
