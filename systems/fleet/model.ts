/**
 * Lookups of fleets: members, leaders, invitations, riders, and who moves with a leader. Joining
 * and leaving are in rules.ts.
 */
import type { CommandDef } from '../../core/command.ts'
import { idOf } from '../../core/entity.ts'
import { type ErrorCode, type Failure, fail } from '../../core/errors.ts'
import { divFloor } from '../../core/math.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { inviteBook } from '../account/invites-model.ts'
import { type DeclineRule, declineWaitOf, pairOf, playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { ShipMatch } from '../arena/state.ts'
import { ShipCombat } from '../combat/state.ts'
import { counterpartyIdentity } from '../sensing/model.ts'
import { levelOf } from '../skill/model.ts'
import { Location } from '../travel/state.ts'
import {
  DECLINES,
  FLEET_DECLINE_TICKS,
  FLEET_DECLINES_MAX,
  FLEET_SIZE_BASE,
  FLEET_SIZE_LEVELS,
  FLEET_SIZE_MAX,
  Fleet,
  FleetMember,
  FleetRide,
  INVITES,
  type Invite,
  MEMBERS,
  RIDERS,
} from './state.ts'

/* Commands refused to members. Source: factions.md section 8, `no_ship`. */

/** Commands that the leader gives for every member at their place. */
const LEADER_MOVES: ReadonlySet<string> = new Set(['travel', 'jump', 'dock', 'undock'])

/** Refuses a command that a player cannot give as passenger or fleet member: no_ship, in_fleet. */
export function memberRefusal(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'in_fleet' | 'no_ship'> | undefined {
  const isMove = LEADER_MOVES.has(def.name) && def.v1 !== false
  return shiplessRefusal(view, player, def) ?? (isMove ? ownMoveRefusal(view, player) : undefined)
}

export const INVITE_BOOK = inviteBook<Invite>('fleet.invites', INVITES, ({ fleet }) => fleet)

/** How many declines, within how many ticks, make a leader wait. */
export const DECLINE_RULE: DeclineRule = {
  records: DECLINES,
  ticks: FLEET_DECLINE_TICKS,
  max: FLEET_DECLINES_MAX,
}

/** Returns the invitations to a player, the oldest first. */
export const invitesTo = (view: WorldView, player: Eid): Invite[] =>
  INVITE_BOOK.received(view, playerNumber(view, player))

/** Returns the invitations into a fleet, the oldest first. */
export const invitesInto = (view: WorldView, fleet: Row): Invite[] =>
  INVITE_BOOK.sent(view, view.read(Fleet).seq[fleet])

/** Returns the ticks until a leader may invite a player who declined often; 0 for no wait. */
export const declineWait = (view: WorldView, leader: Eid, player: Eid): number =>
  declineWaitOf(view, DECLINE_RULE, pairOf(playerNumber(view, leader), playerNumber(view, player)))

const NOBODY: readonly Eid[] = []

/** Returns the passengers of a player, in the order in which they boarded. */
export const ridersOf = (view: WorldView, carrier: Eid): readonly Eid[] =>
  view.index(RIDERS).aboard.get(carrier) ?? NOBODY

/** Returns the players without a ship at a base. */
export const ashoreAt = (view: WorldView, base: Row): readonly Eid[] =>
  view.index(RIDERS).ashore.get(base) ?? NOBODY

/** Returns the players who carry others, in the order of their numbers. */
export function carriers(view: WorldView): Eid[] {
  const { seq } = view.read(Player)
  return [...view.index(RIDERS).aboard.keys()].sort((a, b) => seq[a] - seq[b])
}

/** Returns the players who are ashore since `tick` or longer, in the order of their numbers. */
export function ashoreSince(view: WorldView, tick: number): Eid[] {
  const { sinceTick } = view.read(FleetRide)
  const { seq } = view.read(Player)
  return [...view.index(RIDERS).ashore.values()]
    .flat()
    .filter((player) => sinceTick[player] <= tick)
    .sort((a, b) => seq[a] - seq[b])
}

/** Returns the player in whose ship another rides; 0 for one with a ship, or ashore. */
export const carrierOf = (view: WorldView, player: Eid): Eid => view.read(FleetRide).carrier[player]

/** Returns true for a player without a ship who rides with nobody. */
export const isAshore = (view: WorldView, player: Eid): boolean =>
  view.read(FleetRide).base[player] !== 0

/** Returns the given players, each followed by their passengers. */
export function withRiders(view: WorldView, players: readonly Eid[]): readonly Eid[] {
  if (view.index(RIDERS).aboard.size === 0) return players
  return players.flatMap((player) => [player, ...ridersOf(view, player)])
}

/** Returns the fleet of a player; 0 for none. */
export const fleetOf = (view: WorldView, player: Eid): Row => view.read(FleetMember).fleet[player]

/** Returns the wire id of a fleet, a UUID. */
export const fleetIdOf = (view: WorldView, fleet: Row): string => idOf(view, Fleet, fleet)

/** Returns the members in the order in which they joined, the leader among them. */
export const membersOf = (view: WorldView, fleet: Row): readonly Eid[] =>
  view.index(MEMBERS).get(fleet) ?? []

/** Returns the other members of a player's fleet. */
export const fleetmatesOf = (view: WorldView, player: Eid): Eid[] =>
  membersOf(view, fleetOf(view, player)).filter((member) => member !== player)

/** Returns true for two different players in the same fleet. */
export function areFleetmates(view: WorldView, player: Eid, other: Eid): boolean {
  const fleet = fleetOf(view, player)
  return player !== other && fleet !== 0 && fleet === fleetOf(view, other)
}

/** Returns the leader of a player's fleet; 0 without a fleet. */
function leaderOf(view: WorldView, player: Eid): Eid {
  const fleet = fleetOf(view, player)
  return fleet === 0 ? 0 : view.read(Fleet).leader[fleet]
}

export const isLeader = (view: WorldView, player: Eid): boolean => leaderOf(view, player) === player

/** Returns how many members a fleet may have under its leader. Source: factions.md section 8. */
export function sizeMax(view: WorldView, fleet: Row): number {
  const level = levelOf(view, view.read(Fleet).leader[fleet], 'leadership')
  return Math.min(FLEET_SIZE_MAX, FLEET_SIZE_BASE + divFloor(level, FLEET_SIZE_LEVELS))
}

/* Moving together */

/** Returns true for players at the same place: docked at one base, or both in space at one POI. */
export function areTogether(view: WorldView, player: Eid, other: Eid): boolean {
  const { ship } = view.read(Player)
  const { poi, base } = view.read(Location)
  const [one, two] = [ship[player], ship[other]]
  if (one === 0 || two === 0 || poi[one] === 0) return false
  return poi[one] === poi[two] && base[one] === base[two]
}

/**
 * Refuses a member at the leader's place who wants to move, dock or undock alone: in_fleet. ours: a
 * member left behind may do so, since otherwise they would have to leave the fleet.
 */
export function ownMoveRefusal(view: WorldView, player: Eid): Failure<'in_fleet'> | undefined {
  const leader = leaderOf(view, player)
  if (leader === 0 || leader === player || !areTogether(view, player, leader)) return undefined
  const { id, name } = counterpartyIdentity(view, leader)
  return fail('in_fleet', { leader_id: id, leader: name === '' ? id : name })
}

/** Returns who moves with a leader: members at their place who are in no battle or match. */
export function convoyOf(view: WorldView, player: Eid): Eid[] {
  if (!isLeader(view, player)) return []
  const { ship } = view.read(Player)
  const { participant } = view.read(ShipCombat)
  const { match } = view.read(ShipMatch)
  return fleetmatesOf(view, player).filter((mate) => {
    const hull = ship[mate]
    return areTogether(view, player, mate) && participant[hull] === 0 && match[hull] === 0
  })
}

/** Returns the first refusal of a convoy member, with the name of its pilot. */
export function convoyRefusal<E extends ErrorCode>(
  view: WorldView,
  convoy: readonly Eid[],
  refusalOf: (mate: Eid) => Failure<E> | undefined,
): Failure<E> | undefined {
  for (const mate of convoy) {
    const refused = refusalOf(mate)
    if (!refused) continue
    const { id, name } = counterpartyIdentity(view, mate)
    const pilot = { player_id: id, player: name }
    const message = `${name || 'A member of your fleet'} cannot come along: ${refused.message}`
    return fail(refused.code, { ...refused.details, ...pilot }, message)
  }
  return undefined
}

/**
 * Returns the members of a player's fleet who fly a ship, in order of joining; without a fleet, the
 * player.
 */
export function rosterOf(view: WorldView, player: Eid): readonly Eid[] {
  const fleet = fleetOf(view, player)
  const members = fleet === 0 ? [player] : membersOf(view, fleet)
  const { ship } = view.read(Player)
  return members.filter((member) => ship[member] !== 0)
}

/** Returns id and name of a member as known to the viewer: the member or a fleetmate. */
export const identityFor = (
  view: WorldView,
  viewer: Eid,
  member: Eid,
): { id: string; name: string } =>
  viewer === member
    ? { id: playerId(view, member), name: usernameOf(view, member) }
    : counterpartyIdentity(view, member)

/** Categories of commands that need a ship or its hold. */
const SHIP_CATEGORIES: ReadonlySet<string> = new Set([
  'ship',
  'shipyard',
  'combat',
  'drones',
  'mining',
  'navigation',
  'salvage',
  'storage',
  'trading',
  'facility',
  'crafting',
])
/** Sections of the state that a player without a ship lacks or cannot change. */
const SHIP_SECTIONS: ReadonlySet<string> = new Set(['ship', 'modules', 'cargo', 'location'])
/** Commands by which a player ashore gets a ship again. */
const ALLOWED_ASHORE: ReadonlySet<string> = new Set(['switch_ship'])
const ALWAYS_ALLOWED: ReadonlySet<string> = new Set(['prepay_tax', 'faction_prepay_tax'])

/** Refuses a mutation that needs a ship to a player without one: no_ship. */
export function shiplessRefusal(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'no_ship'> | undefined {
  if (def.kind !== 'mutation' || view.read(Player).ship[player] !== 0) return undefined
  if (ALWAYS_ALLOWED.has(def.name)) return undefined
  if (ALLOWED_ASHORE.has(def.name) && isAshore(view, player)) return undefined
  const touches = def.changes.some((section) => SHIP_SECTIONS.has(section))
  return touches || SHIP_CATEGORIES.has(def.category) ? fail('no_ship') : undefined
}
