/** Invariants of fleets, expired invitations, absent leaders and members, and passengers. */
import { assert } from '../../core/assert.ts'
import { Stack } from '../../core/goods.ts'
import { grant } from '../../core/guard.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { allied, Player } from '../account/state.ts'
import { JettisonContainer, Locker, Package } from '../cargo/state.ts'
import { loseRide, respawn } from '../combat/rules.ts'
import { PlayerCombat } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { Drone, DroneMemo, DroneScript, DroneWord, Squadron } from '../drone/state.ts'
import { Cover, Policy } from '../insurance/state.ts'
import { detainingEmpire } from '../law/model.ts'
import { CriminalRecord, Warrant } from '../law/state.ts'
import { berthCount, riderBerths } from '../passenger/model.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import {
  areFleetmates,
  ashoreAt,
  ashoreSince,
  carriers,
  fleetOf,
  invitesTo,
  membersOf,
  ridersOf,
} from './model.ts'
import { disembarkAt } from './rides-commands.ts'
import { endFleet, expireInvites, notifyFleet, removeMember, setLeader } from './rules.ts'
import {
  FLEET_ASHORE_TICKS,
  FLEET_INVITES_INCOMING_MAX,
  FLEET_LEADER_AWAY_TICKS,
  FLEET_MEMBER_AWAY_TICKS,
  FLEET_REVIEW_TICKS,
  FLEET_SIZE_MAX,
  Fleet,
  FleetMember,
  FleetRide,
  INVITES,
} from './state.ts'

/* Invariants of fleets. Source: factions.md section 12. */

export const fleetsHold: CheckDef = {
  name: 'fleets have their members and one leader',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Player)
    const { alive: isFleet, leader } = view.read(Fleet)
    const { fleet } = view.read(FleetMember)
    let counted = 0
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 0 || fleet[player] === 0) continue
      counted++
      if (isFleet[fleet[player]] === 0) assert(false, `player ${player} is in an unknown fleet`)
    }
    let listed = 0
    for (let row = 1; row <= view.highOf(Fleet); row++) {
      if (isFleet[row] === 0) continue
      const members = membersOf(view, row)
      listed += members.length
      assert(members.includes(leader[row]), `fleet ${row} is led by a stranger`)
      assert(members.length <= FLEET_SIZE_MAX, `fleet ${row} has ${members.length} members`)
      assert(
        members.every((member) => fleet[member] === row),
        `fleet ${row} lists a stranger`,
      )
    }
    assert(listed === counted, `fleets list ${listed} of ${counted} members`)
  },
}

export const fleetInvitesHold: CheckDef = {
  name: 'fleets: invitations are of existing fleets, to players in no fleet',
  run(view, full) {
    if (!full) return
    for (const [key, { fleet, player }] of view.records(INVITES).entries()) {
      const [fleetRow, invitee] = [view.rowOf(Fleet, fleet), view.rowOf(Player, player)]
      assert(fleetRow !== 0 && invitee !== 0, `invitation ${key} has no fleet or no player`)
      assert(fleetOf(view, invitee) === 0, `invitation ${key} is to a fleet member`)
      assert(
        invitesTo(view, invitee).length <= FLEET_INVITES_INCOMING_MAX,
        `invitation ${key} is beyond the limit`,
      )
    }
  },
}

export const ridesHold: CheckDef = {
  name: 'fleets: a player without a ship has a berth with a carrier, or is ashore',
  run(view, full) {
    if (!full) return
    const { alive, ship } = view.read(Player)
    const { carrier, base, number } = view.read(FleetRide)
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 0) continue
      const isShipless = ship[player] === 0
      if (isShipless !== (number[player] !== 0)) assert(false, `player ${player}: wrong ride`)
      if (!isShipless) continue
      const [pilot, place] = [carrier[player], base[player]]
      if ((pilot === 0) === (place === 0)) assert(false, `player ${player}: two places, or none`)
      const listed = pilot === 0 ? ashoreAt(view, place) : ridersOf(view, pilot)
      if (!listed.includes(player)) assert(false, `rider ${player} is not found`)
      if (pilot === 0) continue
      if (ship[pilot] === 0) assert(false, `carrier ${pilot} has no ship`)
      const isCrowded = ridersOf(view, pilot).length > berthCount(view, ship[pilot])
      if (isCrowded) assert(false, `carrier ${pilot} has too few berths`)
    }
  },
}

/* Reviews */

export const fleetmatesGrant = grant(allied, (view, { player, other }) =>
  areFleetmates(view, player, other),
)

const awayTicks = (view: WorldView, player: Eid): number =>
  isBound(view, player) ? 0 : view.tick - view.read(Player).goneTick[player]

/** Replaces an absent leader with the first member to join who is online; ours: with no other. */
function reviewLeader(world: World, fleet: Row): void {
  const leader = world.read(Fleet).leader[fleet]
  if (awayTicks(world, leader) < FLEET_LEADER_AWAY_TICKS) return
  const next = membersOf(world, fleet).find((member) => isBound(world, member))
  if (next === undefined) return
  setLeader(world, fleet, next)
  const { name } = counterpartyIdentity(world, next)
  notifyFleet(world, fleet, {
    event: 'leader_changed',
    player: next,
    message: `${name} leads the fleet now: its leader is offline.`,
  })
}

/** Removes members who are offline for too long, and ends a fleet whose leader is. */
function reviewMembers(world: World, fleet: Row): void {
  const gone = membersOf(world, fleet).filter(
    (member) => awayTicks(world, member) >= FLEET_MEMBER_AWAY_TICKS,
  )
  const leader = world.read(Fleet).leader[fleet]
  if (gone.includes(leader)) {
    endFleet(world, fleet)
    return
  }
  for (const member of gone) {
    removeMember(world, member)
    notifyFleet(world, fleet, {
      event: 'member_dropped',
      player: member,
      message: `${counterpartyIdentity(world, member).name} was offline for too long and is dropped.`,
    })
  }
}

/** Removes expired invitations. */
export const expireFleetInvites: SystemDef = {
  name: 'fleet.lapse',
  phase: 'arrive',
  writes: [],
  run: expireInvites,
}

/** Reviews leaders each tick, and the members of each fleet every FLEET_REVIEW_TICKS. */
export const reviewFleets: SystemDef = {
  name: 'fleet.review',
  phase: 'produce',
  writes: [Fleet, FleetMember],
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

/** Puts ashore, at a base, riders who are no longer in the carrier's fleet or have no berth. */
function reviewRidersOf(world: World, carrier: Eid): void {
  const base = dockedBase(world, carrier)
  const berths = riderBerths(world, world.read(Player).ship[carrier])
  let seated = 0
  for (const rider of ridersOf(world, carrier)) {
    const isMate = areFleetmates(world, carrier, rider)
    if (base !== 0 && !(isMate && seated < berths)) disembarkAt(world, rider, base)
    // ours: nobody waits forever in a ship whose pilot does not come back
    else if (base === 0 && awayTicks(world, carrier) >= FLEET_MEMBER_AWAY_TICKS) {
      loseRide(world, rider)
    } else seated++
  }
}

/** Reviews passengers, and respawns players who are ashore for an hour. O(both). */
export const reviewRides: SystemDef = {
  name: 'fleet.ride',
  phase: 'produce',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...BUFF_WRITES,
    Cover,
    CriminalRecord,
    Drone,
    DroneMemo,
    DroneScript,
    DroneWord,
    FleetRide,
    JettisonContainer,
    Locker,
    Package,
    PlayerCombat,
    Policy,
    Squadron,
    Stack,
    Warrant,
  ],
  run(world) {
    for (const carrier of carriers(world)) reviewRidersOf(world, carrier)
    for (const player of ashoreSince(world, world.tick - FLEET_ASHORE_TICKS)) {
      if (detainingEmpire(world, player) < 0) respawn(world, player)
    }
  },
}
