/** Wire forms of fleets. Source: factions.md section 8, contract. */
import {
  anyObject,
  bools,
  choice,
  ints,
  list,
  mapOf,
  obj,
  opt,
  strings,
  Type,
} from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { renderStacks, stackSchema } from '../cargo/views.ts'
import { partyOf } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { activeShip, shipId } from '../ship/rules.ts'
import { renderModules, renderShip } from '../ship/views.ts'
import { flightOf, fuelPerJump, poiId, poiOf, systemId, systemOf } from '../travel/rules.ts'
import { Fleet } from './columns.ts'
import { invitesInto, invitesTo } from './invites.ts'
import { carrierOf } from './ride-rules.ts'
import { fleetIdOf, fleetOf, isLeader, membersOf, signOf, sizeMax } from './rules.ts'

/* Schemas */

const memberSchema = obj({
  ...strings('player_id', 'username'),
  ...bools('is_leader'),
  ...opt({
    ...bools('passenger'),
    ...strings('riding_ship_id'),
    ...ints('fuel_per_jump'),
    ship: anyObject(),
    modules: list(anyObject()),
    cargo: list(stackSchema),
  }),
})

export const statusSchema = obj({
  action: choice('Always status.', ['status']),
  ...bools('in_fleet'),
  ...opt({
    ...strings('fleet_id', 'leader', 'system_id', 'poi_id', 'invite_fleet', 'invite_from'),
    ...bools('is_leader', 'pending_invite'),
    ...ints('max_size'),
    members: list(memberSchema),
    invites: list(obj(strings('player_id', 'username'))),
  }),
})

export const createSchema = obj({
  action: choice('Always create.', ['create']),
  ...strings('fleet_id', 'message'),
  ...ints('max_size'),
})

export const acceptSchema = obj({
  action: choice('Always accept.', ['accept']),
  ...strings('fleet_id', 'leader_name', 'message'),
})

export const declineSchema = obj({
  action: choice('Always decline.', ['decline']),
  ...strings('message'),
})

export const doneSchema = obj({
  action: choice('What was done.', ['invite', 'leave', 'kick', 'disband', 'disembark']),
  ...strings('message'),
})

export const boardSchema = obj({
  action: choice('Always board.', ['board']),
  ...strings('carrier', 'carrier_ship_id', 'garaged_ship_id', 'parked_ship_id', 'message'),
})

const example = mapOf(Type.String())

export const fleetHelpSchema = obj({
  action: choice('Always help.', ['help']),
  ...strings('command', 'description'),
  actions: list(
    obj({
      ...strings('action', 'description'),
      params: list(Type.String()),
      ...opt({ example, examples: list(example) }),
    }),
  ),
  ...opt({ sources: mapOf(Type.String()), targets: mapOf(Type.String()) }),
  notes: list(Type.String()),
})

/* Rendering */

/** A member as his mates see him. */
function renderMember(view: WorldView, viewer: Eid, member: Eid) {
  const ship = activeShip(view, member)
  const { id, name } = signOf(view, viewer, member)
  const sign = { player_id: id, username: name, is_leader: isLeader(view, member) }
  const carrier = carrierOf(view, member)
  if (ship === 0) {
    const riding = carrier === 0 ? {} : { riding_ship_id: shipId(view, activeShip(view, carrier)) }
    return { ...sign, passenger: carrier !== 0, ...riding }
  }
  return {
    ...sign,
    passenger: false,
    fuel_per_jump: fuelPerJump(flightOf(view, ship)),
    ship: renderShip(view, ship),
    modules: renderModules(view, ship),
    cargo: renderStacks(view, view.read(Ship).hold[ship]),
  }
}

/** The invitation that `accept` takes up: the latest. */
function renderInvite(view: WorldView, player: Eid) {
  const invite = invitesTo(view, player).at(-1)
  if (invite === undefined) return { pending_invite: false }
  return {
    pending_invite: true,
    invite_fleet: fleetIdOf(view, view.rowOf(Fleet, invite.fleet)),
    invite_from: partyOf(view, view.rowOf(Player, invite.by)).name,
  }
}

/** A player's fleet, or the invitation that waits for him. */
export function renderStatus(view: WorldView, player: Eid) {
  const fleet = fleetOf(view, player)
  const head = { action: 'status' as const, in_fleet: fleet !== 0 }
  if (fleet === 0) return { ...head, ...renderInvite(view, player) }
  const leader = view.read(Fleet).leader[fleet]
  const poi = poiOf(view, leader)
  return {
    ...head,
    fleet_id: fleetIdOf(view, fleet),
    leader: partyOf(view, leader).name,
    is_leader: isLeader(view, player),
    max_size: sizeMax(view, fleet),
    system_id: systemId(view, systemOf(view, leader)),
    ...(poi === 0 ? {} : { poi_id: poiId(view, poi) }),
    members: membersOf(view, fleet).map((member) => renderMember(view, player, member)),
    invites: invitesInto(view, fleet).map((invite) => {
      const asked = view.rowOf(Player, invite.player)
      return { player_id: partyOf(view, asked).id, username: partyOf(view, asked).name }
    }),
  }
}
