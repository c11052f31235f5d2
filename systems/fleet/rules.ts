/**
 * Fleets as other domains see them: whose mate somebody is, who leads, and who flies along.
 * Joining and leaving are in members.ts.
 */
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { FLEET_SIZE_BASE, FLEET_SIZE_LEVELS, FLEET_SIZE_MAX } from '../../core/limits-fleet.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { playerId, usernameOf } from '../account/rules.ts'
import { Contest } from '../arena/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { partyOf } from '../sensing/rules.ts'
import { levelOf } from '../skill/rules.ts'
import { Location } from '../travel/columns.ts'
import { Fleet, Wing } from './columns.ts'
import { type FleetNews, fleetUpdate } from './events.ts'

/** Members by fleet, in the order in which they joined. */
const MEMBERS = defineIndex('fleet.members', () => new Map<Row, Eid[]>())

export const rollOf = (world: World): Map<Row, Eid[]> => world.index(MEMBERS)

/** The fleet a player is in; 0 none. */
export const fleetOf = (view: WorldView, player: Eid): Row => view.read(Wing).fleet[player]

/** The UUID of a fleet on the wire. */
export const fleetIdOf = (view: WorldView, fleet: Row): string => idOf(view, Fleet, fleet)

/** Members in the order in which they joined, the leader among them. */
export const membersOf = (view: WorldView, fleet: Row): readonly Eid[] =>
  view.index(MEMBERS).get(fleet) ?? []

/** Everybody else of a player's fleet. */
export const matesOf = (view: WorldView, player: Eid): Eid[] =>
  membersOf(view, fleetOf(view, player)).filter((member) => member !== player)

/** Of one fleet. Nobody is a mate of his own. */
export function areMates(view: WorldView, player: Eid, other: Eid): boolean {
  const fleet = fleetOf(view, player)
  return player !== other && fleet !== 0 && fleet === fleetOf(view, other)
}

/** The one who moves a player's fleet; 0 without one. */
export function leaderOf(view: WorldView, player: Eid): Eid {
  const fleet = fleetOf(view, player)
  return fleet === 0 ? 0 : view.read(Fleet).leader[fleet]
}

export const isLeader = (view: WorldView, player: Eid): boolean => leaderOf(view, player) === player

/** Members a fleet may have under its leader. Source: factions.md section 8. */
export function sizeMax(view: WorldView, fleet: Row): number {
  const level = levelOf(view, view.read(Fleet).leader[fleet], 'leadership')
  return Math.min(FLEET_SIZE_MAX, FLEET_SIZE_BASE + divFloor(level, FLEET_SIZE_LEVELS))
}

/* Moving together */

/** At one place: docked at the same base, or in space there. */
export function areTogether(view: WorldView, player: Eid, other: Eid): boolean {
  const { ship } = view.read(Player)
  const { poi, base } = view.read(Location)
  const [one, two] = [ship[player], ship[other]]
  if (one === 0 || two === 0 || poi[one] === 0) return false
  return poi[one] === poi[two] && base[one] === base[two]
}

/**
 * Why a player may not move, dock or undock by himself: beside his leader he flies with him.
 * Refusal: in_fleet. ours: a member left behind finds his own way, else he could only leave.
 */
export function refusesOwnMove(view: WorldView, player: Eid): Failure | undefined {
  const leader = leaderOf(view, player)
  if (leader === 0 || leader === player || !areTogether(view, player, leader)) return undefined
  return fail('in_fleet', { leader_id: partyOf(view, leader).id })
}

/** Who moves with a leader: those beside him, in no battle and no match. Nobody's for others. */
export function convoyOf(view: WorldView, player: Eid): Eid[] {
  if (!isLeader(view, player)) return []
  const { ship } = view.read(Player)
  const { participant } = view.read(Fighting)
  const { match } = view.read(Contest)
  return matesOf(view, player).filter((mate) => {
    const hull = ship[mate]
    return areTogether(view, player, mate) && participant[hull] === 0 && match[hull] === 0
  })
}

/** The first refusal among those who move along, naming its pilot; nothing where all may. */
export function refusesConvoy(
  view: WorldView,
  convoy: readonly Eid[],
  refuses: (mate: Eid) => Failure | undefined,
): Failure | undefined {
  for (const mate of convoy) {
    const refused = refuses(mate)
    if (!refused) continue
    const { id, name } = partyOf(view, mate)
    const who = { player_id: id, player: name }
    return fail(refused.code, { ...refused.details, ...who }, `${name}: ${refused.message}`)
  }
  return undefined
}

/** Everybody of a player's fleet in order of joining; he alone without one. */
export function companyOf(view: WorldView, player: Eid): readonly Eid[] {
  const fleet = fleetOf(view, player)
  return fleet === 0 ? [player] : membersOf(view, fleet)
}

/** Id and name of a member as a mate knows him, and as he knows himself. */
export const signOf = (view: WorldView, viewer: Eid, member: Eid): { id: string; name: string } =>
  viewer === member
    ? { id: playerId(view, member), name: usernameOf(view, member) }
    : partyOf(view, member)

/* Telling */

/** Tells a fleet, or others instead. Every event of a fleet goes through here. */
export function tellFleet(world: World, fleet: Row, news: FleetNews): void {
  const { event, player = 0, message, to = membersOf(world, fleet), more = {} } = news
  const leader = partyOf(world, world.read(Fleet).leader[fleet])
  const who = player === 0 ? undefined : partyOf(world, player)
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
export function tellMove(
  world: World,
  leader: Eid,
  convoy: readonly Eid[],
  news: Pick<FleetNews, 'event' | 'message' | 'more'>,
): void {
  if (convoy.length === 0) return
  tellFleet(world, fleetOf(world, leader), { ...news, player: leader, to: convoy })
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
  const { fleet, joinNumber } = world.read(Wing)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (players.alive[player] === 1 && fleet[player] !== 0) roll.get(fleet[player])?.push(player)
  }
  for (const members of roll.values()) members.sort((a, b) => joinNumber[a] - joinNumber[b])
}
