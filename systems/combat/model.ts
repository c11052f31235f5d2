/**
 * Wire forms of battles: how a combatant is named, the sides, and an entry of a list of
 * participants. All who are told of a battle are told the same, so no form here takes a viewer.
 */
import { policeFigures, SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { NpcFigures } from '../../core/catalog/types.ts'
import type { CommandDef } from '../../core/command.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import { hashText } from '../../core/rng.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { fighterOf } from '../arena/model.ts'
import { baseId, baseName, empireOfBase } from '../base/model.ts'
import { creatureOf, isCreature } from '../creature/model.ts'
import { droneFigures, droneId, droneOf, droneType, isDrone } from '../drone/model.ts'
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
import { isPlaced } from '../travel/model.ts'
import { DOCKED_STATE, Location } from '../travel/state.ts'
import { ENGAGING, GENERAL, NEWS } from './feed-state.ts'
import type { participantSchema, sideSchema } from './schemas.ts'
import {
  type BATTLE_KINDS,
  Battle,
  DAMAGE_TYPES,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  PARTICIPANTS_OF,
  Participant,
  PlayerCombat,
  ShipCombat,
  STANCES,
  ZONES,
} from './state.ts'

export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number]
export type BattleKind = (typeof BATTLE_KINDS)[number]

/** Values a row of `hostile` has: sides count from 1. */
export const SIDES_WIDTH = BATTLE_SIDES_MAX + 1

/** Why a ship is in a battle no more. The first five are the wire's. Source: spec, battle_left. */
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

/** The general battle of a system; 0 none. */
export const battleIn = (view: WorldView, system: Eid): Row => view.index(GENERAL).get(system) ?? 0

/** What a ship is in its battle; 0 if it is in none. */
export const participantOf = (view: WorldView, ship: Eid): Row =>
  ship === 0 ? 0 : view.read(ShipCombat).participant[ship]

/** What the ship a player flies is in its battle; 0 if it is in none. */
export const combatantOf = (view: WorldView, player: Eid): Row =>
  participantOf(view, view.read(Player).ship[player])

export const inBattle = (view: WorldView, player: Eid): boolean => combatantOf(view, player) !== 0

/** Battles in the order of their numbers. */
export function battles(view: WorldView): Row[] {
  const { alive, seq } = view.read(Battle)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Battle); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

export const kindOf = (view: WorldView, participant: Row): ParticipantKind =>
  PARTICIPANT_KINDS[view.read(Participant).kind[participant]]

/** Pilots of participants, in their order. */
export const pilotsOf = (view: WorldView, participants: readonly Row[]): Eid[] =>
  participants.map((row) => pilotOf(view, row)).filter((player) => player !== 0)

/* Sides */

export const bitOf = (side: number): number => 1 << (side - 1)

export function areHostile(view: WorldView, battle: Row, side: number, other: number): boolean {
  return (view.read(Battle).hostile[battle * SIDES_WIDTH + side] & bitOf(other)) !== 0
}

/** Lowest side hostile to this one; 0 none. */
export function lowestHostile(view: WorldView, battle: Row, side: number): number {
  const { sides } = view.read(Battle)
  for (let other = 1; other <= sides[battle]; other++) {
    if (areHostile(view, battle, side, other)) return other
  }
  return 0
}

/** Who joined a battle since that was told last, those that began among them. */
export const joinedNow = (view: WorldView): readonly Row[] => view.index(NEWS).joined

/** True while something waits to be told. */
export function hasNews(view: WorldView): boolean {
  const { started, joined, left } = view.index(NEWS)
  return started.length + joined.length + left.length > 0
}

/** Ships that wish to join a battle, in the order of their numbers. */
export function engagingShips(view: WorldView): Eid[] {
  const { alive, seq } = view.read(Ship)
  const ships = [...view.index(ENGAGING)].filter((ship) => alive[ship] === 1)
  return ships.sort((a, b) => seq[a] - seq[b])
}

/** What a ship is in a battle: its pilot's, or one of the server's. */
export function kindOfShip(view: WorldView, ship: Eid): ParticipantKind {
  const owner = view.read(Ship).owner[ship]
  if (isCreature(view, ship)) return 'creature'
  if (prizeOf(view, ship) !== 0) return 'prize'
  if (owner !== 0 && view.read(Player).ship[owner] === ship) return 'player'
  if (stationOf(view, ship) !== 0) return 'station'
  if (isDrone(view, ship)) return 'drone'
  return npcKindOf(view, ship) ?? 'npc'
}

export interface Blast {
  readonly row: Row
  readonly other: Row
  readonly raw: number
  readonly final: number
  readonly armor: number
  readonly shieldHit: number
  readonly hullHit: number
}

export const DIRECTION = hashText('emergency warp')

/** In a battle most mutations are refused at once. Source: combat.md section 17. */
export function battleAdmission(
  view: WorldView,
  player: Eid,
  def: CommandDef,
): Failure<'in_combat'> | undefined {
  const isAllowed = def.kind === 'mutation' && def.inBattle
  return !isAllowed && inBattle(view, player) ? fail('in_combat') : undefined
}

export const PILOTLESS_TICKS = 30

/** In a battle, or flagged in space: the fight goes on without the pilot. */
export function isFighting(view: WorldView, player: Eid): boolean {
  if (combatantOf(view, player) !== 0) return true
  const ship = activeShip(view, player)
  const isInSpace = isPlaced(view, ship) && view.read(Location).state[ship] !== DOCKED_STATE
  const until = view.read(ShipCombat).aggressiveUntil[ship]
  return isInSpace && until !== 0 && until >= view.tick
}

/** Whose a ship or a station of the server is: the crew of the system, its empire, or nobody's. */
export type Allegiance = 'crew' | 'empire' | 'nobody'

export function allegianceOf(view: WorldView, ship: Eid): Allegiance {
  const base = stationOf(view, ship)
  if (base !== 0) {
    if (isPirateBase(view, base)) return 'crew'
    return empireOfBase(view, base) >= 0 ? 'empire' : 'nobody'
  }
  if (isPirate(view, ship)) return 'crew'
  return empireOfNpc(view, ship) >= 0 ? 'empire' : 'nobody'
}

/** Why a player may not trade with others or give them anything. Source: travel.md section 0. */
export function tradeRefusal(
  view: WorldView,
  player: Eid,
): Failure<'trading_restricted'> | undefined {
  const until = view.read(PlayerCombat).restrictedUntil[player]
  if (until === 0 || view.tick > until) return undefined
  return fail('trading_restricted', { until_tick: until })
}

/** The UUID of a battle on the wire. */
export const battleId = (view: WorldView, battle: Eid): string => idOf(view, Battle, battle)

/** Rows of a battle's participants, ascending by seq. */
export const participantsOf: (view: WorldView, battle: Eid) => Row[] = PARTICIPANTS_OF.rows

/** The player who flies a participant's ship; 0 for what the server flies. */
export function pilotOf(view: WorldView, participant: Row): Eid {
  const { kind, ship } = view.read(Participant)
  const isPlayer = PARTICIPANT_KINDS[kind[participant]] === 'player'
  return isPlayer ? view.read(Ship).owner[ship[participant]] : 0
}

/** True when everybody may know who flies it. */
function isNamed(view: WorldView, pilot: Eid): boolean {
  return pilot !== 0 && seePlayer(view, 0, pilot) === 'full'
}

/** What a player is called by everybody: the own id and name, or the hull's id where hidden. */
export function pilotSign(view: WorldView, pilot: Eid, ship: Eid): { id: string; name: string } {
  return isNamed(view, pilot)
    ? { id: playerId(view, pilot), name: usernameOf(view, pilot) }
    : { id: shipId(view, ship), name: '' }
}

/** What a participant is called by: of players and stations their own id, else the hull's. */
export function combatantId(view: WorldView, participant: Row): string {
  const pilot = pilotOf(view, participant)
  const ship = view.read(Participant).ship[participant]
  const drone = droneOf(view, ship)
  if (drone !== 0) return droneId(view, drone)
  if (isNamed(view, pilot)) return playerId(view, pilot)
  const base = stationOf(view, ship)
  return base === 0 ? shipId(view, ship) : baseId(view, base)
}

/**
 * User name; of what the server flies, the name of who steers it or of the hull; empty for the
 * anonymous.
 */
export function combatantName(view: WorldView, participant: Row): string {
  const pilot = pilotOf(view, participant)
  if (pilot === 0) {
    const ship = view.read(Participant).ship[participant]
    const base = stationOf(view, ship)
    return base === 0 ? pilotName(view, ship) : baseName(view, base)
  }
  return isNamed(view, pilot) ? usernameOf(view, pilot) : ''
}

/** Name of a weapon by its place; without a module that of its kind, else the damage. */
export function gunName(view: WorldView, participant: Row, gun: number): string {
  const { gunModule, gunType, ship } = view.read(Participant)
  const at = participant * GUNS_MAX + gun
  if (gunModule[at] !== 0) return moduleTypeOf(view, gunModule[at]).name
  return figuresOf(view, ship[participant])?.guns[gun]?.name ?? DAMAGE_TYPES[gunType[at]]
}

/** Class of a hull; of a drone its type. */
function classOf(view: WorldView, ship: Eid): string {
  const drone = droneOf(view, ship)
  return drone === 0 ? SHIP_CLASSES[view.read(Ship).class[ship]].id : droneType(view, drone)
}

/** What of an entry stays while the battle lasts. */
export function renderCombatant(view: WorldView, participant: Row) {
  const { kind, ship } = view.read(Participant)
  return {
    player_id: combatantId(view, participant),
    username: combatantName(view, participant),
    ship_class: classOf(view, ship[participant]),
    kind: PARTICIPANT_KINDS[kind[participant]],
    is_npc: pilotOf(view, participant) === 0,
  }
}

/** Truncated, so what lives still shows 0 at worst; nothing to lose shows as nothing left. */
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
    zone: ZONES[ring[participant]],
    stance: STANCES[stance[participant]],
    hull_pct: percentOf(hull[hullRow], hullMax[hullRow]),
    shield_pct: percentOf(shield[hullRow], shieldMax[hullRow]),
  }
}

/** Sides that have members, ascending; `player_count` counts all of them. */
export function renderSides(
  view: WorldView,
  participants: readonly Row[],
): Static<typeof sideSchema>[] {
  const { side } = view.read(Participant)
  const counts = new Uint32Array(BATTLE_SIDES_MAX + 1)
  for (const row of participants) counts[side[row]]++
  return sidesOf(counts)
}

/** The sides of these counts, by number. */
export function sidesOf(counts: Uint32Array): Static<typeof sideSchema>[] {
  const sides: Static<typeof sideSchema>[] = []
  counts.forEach((count, id) => {
    if (count > 0) sides.push({ side_id: id, player_count: count })
  })
  return sides
}

/**
 * Figures of what the server flies, in place of those of hull and fit; undefined for other ships.
 * A kind of NPC, a station and a creature have their place here.
 */
export function figuresOf(view: WorldView, ship: Eid): NpcFigures | undefined {
  if (isPolice(view, ship)) return policeFigures(view.read(Npc).type[npcOf(view, ship)])
  const npc = pirateOf(view, ship) ?? empireNpcOf(view, ship) ?? stationFigures(view, ship)
  return npc ?? droneFigures(view, ship) ?? creatureOf(view, ship) ?? fighterOf(view, ship)
}
