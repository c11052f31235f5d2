/** Fleets: pilots who fly and fight together under one leader. Source: factions.md section 8. */
import type { DomainDef } from '../../core/registry.ts'
import { fleetCommands } from './commands.ts'
import { memberRefusal } from './model.ts'
import { rebuildFleets, rebuildInvites, rebuildRides } from './rules.ts'
import { fleetUpdate } from './schemas.ts'
import { DECLINES, Fleet, FleetMember, FleetRide, INVITES } from './state.ts'
import {
  expireFleetInvites,
  fleetInvitesHold,
  fleetmatesGrant,
  fleetsHold,
  reviewFleets,
  reviewRides,
  ridesHold,
} from './systems.ts'

export const fleetDomain: DomainDef = {
  name: 'fleet',
  tables: [Fleet, FleetMember, FleetRide],
  records: [INVITES, DECLINES],
  commands: fleetCommands,
  events: [fleetUpdate],
  systems: [expireFleetInvites, reviewFleets, reviewRides],
  checks: [fleetsHold, fleetInvitesHold, ridesHold],
  grants: [fleetmatesGrant],
  rebuild(world) {
    rebuildFleets(world)
    rebuildInvites(world)
    rebuildRides(world)
  },
  admission: memberRefusal,
}
