/**
 * Battles and their participants: finding them, their sides, pilots and owners, and how they are
 * named and listed on the wire. Everyone sees the same of a battle, so nothing here takes a viewer.
 */
import { policeFigures, SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { NpcFigures } from '../../core/catalog/types.ts'
import type { CommandDef } from '../../core/command.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { fighterOf } from '../arena/model.ts'
import { baseId, baseName, empireOfBase } from '../base/model.ts'
import { creatureOf, describeCreature, isCreature } from '../creature/model.ts'
import { droneFigures, droneId, droneOf, droneType, isDrone, masterOf } from '../drone/model.ts'
import {
  empireNpcOf,
  empireOfNpc,
  isPirate,
  isPolice,
  npcKindOf,
  npcOf,
  pilotName,
  pirateOf,
} from '../npc/model.ts'
import { Npc } from '../npc/state.ts'
import { prizeOf } from '../prize/model.ts'
import { seePlayer } from '../sensing/model.ts'
import { activeShip, moduleTypeOf, shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isPirateBase, stationFigures, stationOf } from '../siege/model.ts'
import { isOnMap } from '../travel/model.ts'
import { DOCKED_STATE, Location } from '../travel/state.ts'
import { NOTICES } from './report-state.ts'
import type { participantSchema, sideSchema } from './schemas.ts'
import {
  BATTLE_KINDS,
  Battle,
  DAMAGE_TYPES,
  ENGAGING,
  GENERAL,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  PARTICIPANTS_OF,
  Participant,
  PlayerCombat,
  RINGS,
  ShipCombat,
  SIDES_WIDTH,
  STANCES,
} from './state.ts'

export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number]
export type BattleKind = (typeof BATTLE_KINDS)[number]

/** Why a ship has left its battle. The first five are sent. Source: spec, battle_left. */
export const LEAVE_REASONS = [
  'fled',
  'destroyed',
  'knocked_out',
  'emergency_warp',
  'emergency_cloak',
  'captured',
  'stalemate',
  'battle_ended',
] as const
export type LeaveReason = (typeof LEAVE_REASONS)[number]

/* Battles */

/** Returns the general battle of a system; 0 if there is none. */
export const battleIn = (view: WorldView, system: Eid): Row => view.index(GENERAL).get(system) ?? 0

/** Returns all battles, ascending by their numbers. */
export function battles(view: WorldView): Row[] {
  const { alive, seq } = view.read(Battle)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Battle); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

export const battleKindOf = (view: WorldView, battle: Row): BattleKind =>
  BATTLE_KINDS[view.read(Battle).kind[battle]]

/** Returns whether a battle is a match, in which the law does not apply. Source: combat.md 12. */
export const isMatch = (view: WorldView, battle: Row): boolean =>
  battleKindOf(view, battle) === 'arena'

/** Returns the UUID of a battle on the wire. */
export const battleId = (view: WorldView, battle: Eid): string => idOf(view, Battle, battle)

/** Returns whether joins, starts or departures have yet to be sent. */
export function hasNotices(view: WorldView): boolean {
  const { started, joined, left, called } = view.index(NOTICES)
  return started.length + joined.length + left.length + called.length > 0
}

/* Participants */

/** Returns the participant that a ship is; 0 outside battles. */
export const participantOf = (view: WorldView, ship: Eid): Row =>
  ship === 0 ? 0 : view.read(ShipCombat).participant[ship]

/** Returns the participant that a player's active ship is; 0 outside battles. */
export const combatantOf = (view: WorldView, player: Eid): Row =>
  participantOf(view, view.read(Player).ship[player])

export const inBattle = (view: WorldView, player: Eid): boolean => combatantOf(view, player) !== 0

/** Returns a battle's participants, ascending by seq. */
export const participantsOf: (view: WorldView, battle: Eid) => Row[] = PARTICIPANTS_OF.rows

export const kindOf = (view: WorldView, participant: Row): ParticipantKind =>
  PARTICIPANT_KINDS[view.read(Participant).kind[participant]]

/** Returns the kind of participant that a ship would be. */
export function kindOfShip(view: WorldView, ship: Eid): ParticipantKind {
  const owner = view.read(Ship).owner[ship]
  if (isCreature(view, ship)) return 'creature'
  if (prizeOf(view, ship) !== 0) return 'prize'
  if (owner !== 0 && view.read(Player).ship[owner] === ship) return 'player'
  if (stationOf(view, ship) !== 0) return 'station'
  if (isDrone(view, ship)) return 'drone'
  return npcKindOf(view, ship) ?? 'npc'
}

/** Returns the player who flies a participant's ship; 0 for a ship of the server. */
export function pilotOf(view: WorldView, participant: Row): Eid {
  const ship = view.read(Participant).ship[participant]
  return kindOf(view, participant) === 'player' ? view.read(Ship).owner[ship] : 0
}

/** Returns the pilots of participants, in their order. */
export const pilotsOf = (view: WorldView, participants: readonly Row[]): Eid[] =>
  participants.map((row) => pilotOf(view, row)).filter((player) => player !== 0)

/** Returns the player who answers for what a ship does, as its owner or its drone's; 0 for none. */
export const answerableFor = (view: WorldView, ship: Eid): Eid =>
  view.read(Ship).owner[ship] || masterOf(view, ship)

/** Returns the ships that are scheduled to join a battle, ascending by their numbers. */
export function engagingShips(view: WorldView): Eid[] {
  const { alive, seq } = view.read(Ship)
  const ships = [...view.index(ENGAGING)].filter((ship) => alive[ship] === 1)
  return ships.sort((a, b) => seq[a] - seq[b])
}

/** Returns whether a player is in a battle, or flagged in space: the fight goes on without them. */
export function isFighting(view: WorldView, player: Eid): boolean {
  if (inBattle(view, player)) return true
  const ship = activeShip(view, player)
  const isInSpace = isOnMap(view, ship) && view.read(Location).state[ship] !== DOCKED_STATE
  const until = view.read(ShipCombat).aggressiveUntil[ship]
  return isInSpace && until !== 0 && until >= view.tick
}

/**
 * Returns the figures that a ship of the server fights with in place of those of its hull and fit;
 * undefined for other ships.
 */
export function npcFiguresOf(view: WorldView, ship: Eid): NpcFigures | undefined {
  if (isPolice(view, ship)) return policeFigures(view.read(Npc).type[npcOf(view, ship)])
  const npc = pirateOf(view, ship) ?? empireNpcOf(view, ship) ?? stationFigures(view, ship)
  return npc ?? droneFigures(view, ship) ?? creatureOf(view, ship) ?? fighterOf(view, ship)
}

/* Sides */

/** Returns the bit of a side in a set of sides. */
export const bitOf = (side: number): number => 1 << (side - 1)

/** Returns whether two sides of a battle are enemies. */
export function areHostile(view: WorldView, battle: Row, side: number, other: number): boolean {
  return (view.read(Battle).hostile[battle * SIDES_WIDTH + side] & bitOf(other)) !== 0
}

/** Returns the lowest side hostile to this one; 0 if there is none. */
export function lowestHostile(view: WorldView, battle: Row, side: number): number {
  const { sides } = view.read(Battle)
  for (let other = 1; other <= sides[battle]; other++) {
    if (areHostile(view, battle, side, other)) return other
  }
  return 0
}

/** Who a ship or a station of the server fights for: a system's crew, an empire, or nobody. */
export type Allegiance = 'crew' | 'empire' | 'nobody'

/** Returns who a ship or station fights for. */
export function allegianceOf(view: WorldView, ship: Eid): Allegiance {
  const base = stationOf(view, ship)
  const isOfCrew = base === 0 ? isPirate(view, ship) : isPirateBase(view, base)
  if (isOfCrew) return 'crew'
  const empire = base === 0 ? empireOfNpc(view, ship) : empireOfBase(view, base)
  return empire >= 0 ? 'empire' : 'nobody'
}

/* Refusals */

/** Refuses most mutations in a battle. Source: combat.md section 17. */
export function battleAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'in_combat'> | undefined {
  const isAllowed = def.kind === 'mutation' && def.inBattle
  return !isAllowed && inBattle(view, player) ? fail('in_combat') : undefined
}

/** Refuses a player who may not trade with others or give for a while. Source: travel.md 0. */
export function tradeRefusal(
  view: WorldView,
  player: Eid,
): Failure<'trading_restricted'> | undefined {
  const until = view.read(PlayerCombat).restrictedUntil[player]
  if (until === 0 || view.tick > until) return undefined
  return fail('trading_restricted', { until_tick: until })
}

/* Names */

/** Returns whether everyone may know who the pilot is. */
function isNamed(view: WorldView, pilot: Eid): boolean {
  return pilot !== 0 && seePlayer(view, 0, pilot) === 'full'
}

/** Returns a player's public id and name; for an anonymous one the hull's id and no name. */
export function publicIdentity(
  view: WorldView,
  pilot: Eid,
  ship: Eid,
): { id: string; name: string } {
  return isNamed(view, pilot)
    ? { id: playerId(view, pilot), name: usernameOf(view, pilot) }
    : { id: shipId(view, ship), name: '' }
}

/**
 * Returns a participant's public id: that of a drone, a named player or a station, or the hull's.
 */
export function combatantId(view: WorldView, participant: Row): string {
  const ship = view.read(Participant).ship[participant]
  const drone = droneOf(view, ship)
  if (drone !== 0) return droneId(view, drone)
  const pilot = pilotOf(view, participant)
  if (isNamed(view, pilot)) return playerId(view, pilot)
  const base = stationOf(view, ship)
  return base === 0 ? shipId(view, ship) : baseId(view, base)
}

/** Returns the name of a participant's pilot, station or hull; empty for an anonymous pilot. */
export function combatantName(view: WorldView, participant: Row): string {
  const pilot = pilotOf(view, participant)
  if (pilot !== 0) return isNamed(view, pilot) ? usernameOf(view, pilot) : ''
  const ship = view.read(Participant).ship[participant]
  const base = stationOf(view, ship)
  return base === 0 ? pilotName(view, ship) : baseName(view, base)
}

/** Returns the name of a participant's weapon; an NPC's has that of its kind or damage type. */
export function gunName(view: WorldView, participant: Row, gun: number): string {
  const { gunModule, gunType, ship } = view.read(Participant)
  const slot = participant * GUNS_MAX + gun
  if (gunModule[slot] !== 0) return moduleTypeOf(view, gunModule[slot]).name
  return npcFiguresOf(view, ship[participant])?.guns[gun]?.name ?? DAMAGE_TYPES[gunType[slot]]
}

/** Returns the class of a hull, the type of a drone, or the species of a creature. */
function classOf(view: WorldView, ship: Eid): string {
  if (isCreature(view, ship)) return describeCreature(view, ship).species
  const drone = droneOf(view, ship)
  return drone === 0 ? SHIP_CLASSES[view.read(Ship).class[ship]].id : droneType(view, drone)
}

/* Entries of lists */

/** Returns the fields of an entry that do not change while the battle lasts. */
export function renderCombatant(view: WorldView, participant: Row) {
  return {
    player_id: combatantId(view, participant),
    username: combatantName(view, participant),
    ship_class: classOf(view, view.read(Participant).ship[participant]),
    kind: kindOf(view, participant),
    is_npc: pilotOf(view, participant) === 0,
  }
}

/** Returns points in percent of `max`, truncated; 0 if `max` is 0. */
export const percentOf = (points: number, max: number): number =>
  max === 0 ? 0 : ((100 * points) / max) | 0

export function renderParticipant(
  view: WorldView,
  participant: Row,
): Static<typeof participantSchema> {
  const { side, ring, stance, ship } = view.read(Participant)
  const { hull, hullMax, shield, shieldMax } = view.read(Ship)
  const hullRow = ship[participant]
  return {
    ...renderCombatant(view, participant),
    side_id: side[participant],
    zone: RINGS[ring[participant]],
    stance: STANCES[stance[participant]],
    hull_pct: percentOf(hull[hullRow], hullMax[hullRow]),
    shield_pct: percentOf(shield[hullRow], shieldMax[hullRow]),
  }
}

/** Lists the sides of these participants, ascending. */
export function renderSides(
  view: WorldView,
  participants: readonly Row[],
): Static<typeof sideSchema>[] {
  const { side } = view.read(Participant)
  const counts = new Uint32Array(BATTLE_SIDES_MAX + 1)
  for (const row of participants) counts[side[row]]++
  return sidesOf(counts)
}

/** Lists the sides that have members, by how many there are of each side. */
export function sidesOf(counts: Uint32Array): Static<typeof sideSchema>[] {
  const sides: Static<typeof sideSchema>[] = []
  counts.forEach((count, id) => {
    if (count > 0) sides.push({ side_id: id, player_count: count })
  })
  return sides
}
