/** Wire forms of fleets. */
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { renderStacks } from '../cargo/views.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { activeShip, shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { renderModules, renderShip } from '../ship/views.ts'
import { flightOf, fuelPerJump } from '../travel/flight-model.ts'
import { poiOf, systemOf } from '../travel/location-model.ts'
import { poiId, systemId } from '../travel/model.ts'
import {
  carrierOf,
  fleetIdOf,
  fleetOf,
  identityFor,
  invitesInto,
  invitesTo,
  isLeader,
  membersOf,
  sizeMax,
} from './model.ts'
import { Fleet } from './state.ts'

/** Renders a member as their fleetmates see them. */
function renderMember(view: WorldView, viewer: Eid, member: Eid) {
  const ship = activeShip(view, member)
  const { id, name } = identityFor(view, viewer, member)
  const identity = { player_id: id, username: name, is_leader: isLeader(view, member) }
  const carrier = carrierOf(view, member)
  if (ship === 0) {
    const riding = carrier === 0 ? {} : { riding_ship_id: shipId(view, activeShip(view, carrier)) }
    return { ...identity, passenger: carrier !== 0, ...riding }
  }
  return {
    ...identity,
    passenger: false,
    fuel_per_jump: fuelPerJump(flightOf(view, ship)),
    ship: renderShip(view, ship),
    modules: renderModules(view, ship),
    cargo: renderStacks(view, view.read(Ship).hold[ship]),
  }
}

/** Renders the invitation that `accept` takes by default: the latest. */
function renderInvite(view: WorldView, player: Eid) {
  const invite = invitesTo(view, player).at(-1)
  if (invite === undefined) return { pending_invite: false }
  return {
    pending_invite: true,
    invite_fleet: fleetIdOf(view, view.rowOf(Fleet, invite.fleet)),
    invite_from: counterpartyIdentity(view, view.rowOf(Player, invite.by)).name,
  }
}

/** Renders a player's fleet; without one, their latest invitation. */
export function renderStatus(view: WorldView, player: Eid) {
  const fleet = fleetOf(view, player)
  const common = { action: 'status' as const, in_fleet: fleet !== 0 }
  if (fleet === 0) return { ...common, ...renderInvite(view, player) }
  const leader = view.read(Fleet).leader[fleet]
  const poi = poiOf(view, leader)
  return {
    ...common,
    fleet_id: fleetIdOf(view, fleet),
    leader: counterpartyIdentity(view, leader).name,
    is_leader: isLeader(view, player),
    max_size: sizeMax(view, fleet),
    system_id: systemId(view, systemOf(view, leader)),
    ...(poi === 0 ? {} : { poi_id: poiId(view, poi) }),
    members: membersOf(view, fleet).map((member) => renderMember(view, player, member)),
    invites: invitesInto(view, fleet).map((invite) => {
      const { id, name } = counterpartyIdentity(view, view.rowOf(Player, invite.player))
      return { player_id: id, username: name }
    }),
  }
}
