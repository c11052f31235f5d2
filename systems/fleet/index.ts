/** Fleets: pilots who fly and fight together under one leader. Source: factions.md section 8. */
import type { CommandDef } from '../../core/command.ts'
import type { Failure } from '../../core/errors.ts'
import type { DomainDef } from '../../core/registry.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { fleetInvitesHold, fleetsHold, ridesHold } from './checks.ts'
import { DECLINES, Fleet, INVITES, Ride, Wing } from './columns.ts'
import { fleet, fleetActions } from './commands.ts'
import { fleetUpdate } from './events.ts'
import { rebuildInvites } from './invites.ts'
import { matesStandTogether } from './observers.ts'
import { rebuildRides } from './ride-rules.ts'
import { rebuildFleets, refusesOwnMove } from './rules.ts'
import { refusesShipless } from './shipless.ts'
import { lapsing, reviewing, riding } from './systems.ts'

/** What only the leader does for everybody beside him. */
const MOVES: ReadonlySet<string> = new Set(['travel', 'jump', 'dock', 'undock'])

function refuseMember(view: WorldView, player: Eid, def: CommandDef): Failure | undefined {
  const isMove = MOVES.has(def.name) && def.v1 !== false
  return refusesShipless(view, player, def) ?? (isMove ? refusesOwnMove(view, player) : undefined)
}

export const fleetDomain: DomainDef = {
  name: 'fleet',
  tables: [Fleet, Wing, Ride],
  records: [INVITES, DECLINES],
  commands: [fleet, ...fleetActions],
  events: [fleetUpdate],
  systems: [lapsing, reviewing, riding],
  checks: [fleetsHold, fleetInvitesHold, ridesHold],
  grants: [matesStandTogether],
  rebuild(world) {
    rebuildFleets(world)
    rebuildInvites(world)
    rebuildRides(world)
  },
  admission: refuseMember,
}
