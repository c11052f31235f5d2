/**
 * Wire forms of battles: how a combatant is named, the sides, and an entry of a list of
 * participants. All who are told of a battle are told the same, so no form here takes a viewer.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { BATTLE_ANNOUNCED_MAX, BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/rules.ts'
import { baseId, baseName } from '../base/rules.ts'
import { droneId, droneOf, droneType } from '../drone/hull-rules.ts'
import { figuresOf, helmName } from '../npc/rules.ts'
import { seePlayer } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { moduleTypeOf, shipId } from '../ship/rules.ts'
import { stationOf } from '../siege/station-rules.ts'
import {
  Battle,
  DAMAGE_TYPES,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  STANCES,
  ZONES,
} from './columns.ts'
import type { activeBattleSchema, participantSchema, sideSchema } from './schemas.ts'

export {
  activeBattleSchema,
  boardingSchema,
  participantSchema,
  participantsSchema,
  sideSchema,
  sidesSchema,
} from './schemas.ts'

/** The UUID of a battle on the wire. */
export const battleId = (view: WorldView, battle: Eid): string => idOf(view, Battle, battle)

/** Rows of a battle's participants, ascending by seq. */
export function participantsOf(view: WorldView, battle: Eid): Row[] {
  const { next } = view.read(Participant)
  const rows: Row[] = []
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

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
    return base === 0 ? helmName(view, ship) : baseName(view, base)
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

/* The battle of a place, for those who look around */

/** A battle with those who fight in it, as far as a list reaches. */
export function renderActiveBattle(
  view: WorldView,
  battle: Eid,
): Static<typeof activeBattleSchema> {
  const rows = participantsOf(view, battle)
  const { side } = view.read(Participant)
  return {
    battle_id: battleId(view, battle),
    participants: rows
      .slice(0, BATTLE_ANNOUNCED_MAX)
      .map((row) => ({ ...renderCombatant(view, row), side_id: side[row] })),
    sides: renderSides(view, rows),
  }
}
