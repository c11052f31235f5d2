/** Invariants of fleets. Source: factions.md section 12. */
import { assert } from '../../core/assert.ts'
import { FLEET_INVITES_INCOMING_MAX, FLEET_SIZE_MAX } from '../../core/limits-fleet.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Player } from '../account/columns.ts'
import { berthCount } from '../passenger/berth-rules.ts'
import { Fleet, INVITES, Ride, Wing } from './columns.ts'
import { invitesTo } from './invites.ts'
import { ashoreAt, ridersOf } from './ride-rules.ts'
import { fleetOf, membersOf } from './rules.ts'

export const fleetsHold: CheckDef = {
  name: 'fleets have their members and one leader',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Player)
    const { alive: isFleet, leader } = view.read(Fleet)
    const { fleet } = view.read(Wing)
    let counted = 0
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 0 || fleet[player] === 0) continue
      counted++
      if (isFleet[fleet[player]] === 0) assert(false, `player ${player} flies in no known fleet`)
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
  name: 'invitations into fleets are open to those who may join',
  run(view, full) {
    if (!full) return
    for (const [key, { fleet, player }] of view.records(INVITES).entries()) {
      const [row, who] = [view.rowOf(Fleet, fleet), view.rowOf(Player, player)]
      assert(row !== 0 && who !== 0, `invitation ${key} leads nowhere`)
      assert(fleetOf(view, who) === 0, `invitation ${key} asks a member of a fleet`)
      assert(invitesTo(view, who).length <= FLEET_INVITES_INCOMING_MAX, `${key} is one too many`)
    }
  },
}

export const ridesHold: CheckDef = {
  name: 'who has no ship rides with one who has, in a berth, or is ashore',
  run(view, full) {
    if (!full) return
    const { alive, ship } = view.read(Player)
    const { carrier, base, number } = view.read(Ride)
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 0) continue
      const isShipless = ship[player] === 0
      if (isShipless !== (number[player] !== 0)) assert(false, `player ${player}: where is he?`)
      if (!isShipless) continue
      const [pilot, at] = [carrier[player], base[player]]
      if ((pilot === 0) === (at === 0)) assert(false, `player ${player} is in two places, or none`)
      const listed = pilot === 0 ? ashoreAt(view, at) : ridersOf(view, pilot)
      if (!listed.includes(player)) assert(false, `rider ${player} is not found`)
      if (pilot === 0) continue
      if (ship[pilot] === 0) assert(false, `carrier ${pilot} has no ship`)
      const isCrowded = ridersOf(view, pilot).length > berthCount(view, ship[pilot])
      if (isCrowded) assert(false, `carrier ${pilot} has too few berths`)
    }
  },
}
