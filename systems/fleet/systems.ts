/** What time does to fleets: lapsed invitations, leaders and members who are gone. */
import {
  FLEET_ASHORE_TICKS,
  FLEET_LEADER_AWAY_TICKS,
  FLEET_MEMBER_AWAY_TICKS,
  FLEET_REVIEW_TICKS,
} from '../../core/limits-fleet.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isBound } from '../account/rules.ts'
import { loseRide, wakeAtHome } from '../combat/rules.ts'
import { jailOf } from '../law/rules.ts'
import { riderBerths } from '../passenger/berth-rules.ts'
import { partyOf } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { dockedBase } from '../travel/rules.ts'
import { Fleet, Ride, Wing } from './columns.ts'
import { expireInvites } from './invites.ts'
import { discharge, dissolve, handOver } from './members.ts'
import { ashoreSince, carriers, ridersOf } from './ride-rules.ts'
import { land } from './rides.ts'
import { areMates, membersOf, tellFleet } from './rules.ts'

const awayTicks = (view: WorldView, player: Eid): number =>
  isBound(view, player) ? 0 : view.tick - view.read(Player).goneTick[player]

/** Has the next by order of joining lead who is there; ours: nobody who is gone himself. */
function reviewLeader(world: World, fleet: Row): void {
  const leader = world.read(Fleet).leader[fleet]
  if (awayTicks(world, leader) < FLEET_LEADER_AWAY_TICKS) return
  const next = membersOf(world, fleet).find((member) => isBound(world, member))
  if (next === undefined) return
  handOver(world, fleet, next)
  const { name } = partyOf(world, next)
  tellFleet(world, fleet, {
    event: 'leader_changed',
    player: next,
    message: `${name} leads the fleet now: its leader is gone.`,
  })
}

/** Drops members who are long gone, and ends a fleet whose leader is. */
function reviewMembers(world: World, fleet: Row): void {
  const gone = membersOf(world, fleet).filter(
    (member) => awayTicks(world, member) >= FLEET_MEMBER_AWAY_TICKS,
  )
  const leader = world.read(Fleet).leader[fleet]
  if (gone.includes(leader)) {
    dissolve(world, fleet)
    return
  }
  for (const member of gone) {
    discharge(world, member)
    tellFleet(world, fleet, {
      event: 'member_dropped',
      player: member,
      message: `${partyOf(world, member).name} was long away and is in the fleet no more.`,
    })
  }
}

/** Invitations end when they are due. */
export const lapsing: SystemDef = {
  name: 'fleet.lapse',
  phase: 'arrive',
  reads: [],
  writes: [],
  run: expireInvites,
}

/** Leaders are looked at each tick, every fleet's members once in FLEET_REVIEW_TICKS. */
export const reviewing: SystemDef = {
  name: 'fleet.review',
  phase: 'produce',
  reads: [Player],
  writes: [Fleet, Wing],
  run(world) {
    const { alive } = world.read(Fleet)
    const high = world.highOf(Fleet)
    for (let row = 1; row <= high; row++) {
      if (alive[row] === 0) continue
      reviewLeader(world, row)
      if (row % FLEET_REVIEW_TICKS === world.tick % FLEET_REVIEW_TICKS) reviewMembers(world, row)
    }
  },
}

/** At a base those go ashore who belong to the carrier no more, or have no berth any longer. */
function reviewRiders(world: World, carrier: Eid): void {
  const base = dockedBase(world, carrier)
  const berths = riderBerths(world, world.read(Player).ship[carrier])
  let seated = 0
  for (const rider of ridersOf(world, carrier)) {
    const isMate = areMates(world, carrier, rider)
    if (base !== 0 && !(isMate && seated < berths)) land(world, rider, base)
    // ours: nobody waits for ever in a ship whose pilot does not come back
    else if (base === 0 && awayTicks(world, carrier) >= FLEET_MEMBER_AWAY_TICKS) {
      loseRide(world, rider)
    } else seated++
  }
}

/** Passengers, and those ashore: after an hour they wake at home. O(both). */
export const riding: SystemDef = {
  name: 'fleet.ride',
  phase: 'produce',
  reads: [],
  writes: [Ride, Player, Ship, Location],
  run(world) {
    for (const carrier of carriers(world)) reviewRiders(world, carrier)
    for (const player of ashoreSince(world, world.tick - FLEET_ASHORE_TICKS)) {
      if (jailOf(world, player) < 0) wakeAtHome(world, player)
    }
  },
}
