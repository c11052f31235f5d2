/**
 * Attacks before they happen: which ones a ship may make, on which sides of which battle they put
 * attacker and target, and who may be called to help.
 */
import type { Move } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areAllied, isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { areApart } from '../arena/model.ts'
import { ShipMatch } from '../arena/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { isCreature } from '../creature/model.ts'
import { isDrone, masterOf } from '../drone/model.ts'
import { areFleetmates, convoyOf } from '../fleet/model.ts'
import { claimantOf, prizeOf } from '../prize/model.ts'
import { sightOf } from '../sensing/model.ts'
import { activeShip } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isOnMap } from '../travel/model.ts'
import { AT_POI, DOCKED_STATE, JUMPING, Location, TRAVELLING } from '../travel/state.ts'
import { AGGRESSION_TICKS } from './damage-kernels.ts'
import {
  answerableFor,
  areHostile,
  type BattleKind,
  battleIn,
  battleKindOf,
  kindOf,
  kindOfShip,
  lowestHostile,
  participantOf,
  participantsOf,
  pilotOf,
} from './model.ts'
import { Battle, Participant, ShipCombat, UNDOCKED_NOW } from './state.ts'

/** Ticks after the last connection for which a ship in space can still be found. */
const ABSENCE_TICKS = 3

/**
 * Returns whether a ship is out of reach: it is in no battle, and its player has been offline for
 * a while, which is longer if the ship was flagged for aggression when the last connection ended.
 * Source: travel.md section 2, combat.md 15.
 */
export function isOutOfReach(view: WorldView, ship: Eid): boolean {
  const player = view.read(Ship).owner[ship]
  if (player === 0 || isBound(view, player) || participantOf(view, ship) !== 0) return false
  const goneTick = view.read(Player).goneTick[player]
  const isFlagged = view.read(ShipCombat).aggressiveUntil[ship] > goneTick
  return view.tick > goneTick + (isFlagged ? AGGRESSION_TICKS : ABSENCE_TICKS)
}

/** Returns whether a target was in space in the ship's system before this tick's attacks. */
function isInReach(view: WorldView, ship: Eid, target: Eid): boolean {
  const { state, system } = view.read(Location)
  if (ship === target || !isOnMap(view, target) || system[ship] !== system[target]) return false
  if (state[target] === DOCKED_STATE || state[target] >= JUMPING) return false
  return !view.index(UNDOCKED_NOW).has(target) && !isOutOfReach(view, target)
}

function areAtOnePlace(view: WorldView, ship: Eid, target: Eid): boolean {
  const { poi } = view.read(Location)
  return poi[ship] !== 0 && poi[ship] === poi[target]
}

/** Returns whether a target has just escaped from the battle the ship is in, or last was in. */
function isProtected(view: WorldView, ship: Eid, target: Eid): boolean {
  const { graceUntil, lastBattle } = view.read(ShipCombat)
  if (lastBattle[target] === 0 || view.tick > graceUntil[target]) return false
  const row = participantOf(view, ship)
  const { battle } = view.read(Participant)
  const battleSeq = row === 0 ? lastBattle[ship] : view.read(Battle).seq[battle[row]]
  return battleSeq === lastBattle[target]
}

/** Refuses an attack that is not possible; whether it is a crime is for the law domain. */
export function attackRefusal(
  view: WorldView,
  ship: Eid,
  target: Eid,
): Failure<'invalid_target' | 'protected' | 'target_cloaked'> | undefined {
  if (target === 0 || !isInReach(view, ship, target) || areApart(view, ship, target)) {
    return fail('invalid_target')
  }
  // Prizes and drones can be attacked from their own place alone. Source: combat.md section 1.
  const isNearOnly = prizeOf(view, target) !== 0 || isDrone(view, target)
  const there = 'Drones and prizes can be attacked from their own place only; fly there first.'
  if (isNearOnly && !areAtOnePlace(view, ship, target)) return fail('invalid_target', {}, there)
  const attacker = answerableFor(view, ship)
  const pilot = view.read(Ship).owner[target]
  const holders = [pilot, masterOf(view, target), claimantOf(view, target)]
  const own = 'That ship is yours or obeys you; choose another target.'
  if (attacker !== 0 && holders.includes(attacker)) return fail('invalid_target', {}, own)
  const mate = say`You are in one fleet; {fleet leave} it first, or choose another target.`
  if (areFleetmates(view, attacker, pilot)) return fail('invalid_target', {}, mate)
  if (pilot !== 0 && view.read(Player).ship[pilot] !== target) return fail('invalid_target')
  const isHidden = pilot !== 0 && sightOf(view, attacker, pilot) === 'nothing'
  if (isHidden && participantOf(view, target) === 0) return fail('target_cloaked')
  return isProtected(view, ship, target) ? fail('protected') : undefined
}

/* Sides */

/** Returns the side of the first participant for which a condition holds; 0 if there is none. */
export function sideOfFirst(
  view: WorldView,
  battle: Row,
  condition: (row: Row) => boolean,
): number {
  const row = participantsOf(view, battle).find(condition)
  return row === undefined ? 0 : view.read(Participant).side[row]
}

/** Returns a side, not `other`, on which a ship's owner or a drone of theirs fights; 0: none. */
function ownerSide(view: WorldView, battle: Row, ship: Eid, other: number): number {
  const player = answerableFor(view, ship)
  if (player === 0) return 0
  const { side, ship: shipOf } = view.read(Participant)
  return sideOfFirst(
    view,
    battle,
    (row) => side[row] !== other && answerableFor(view, shipOf[row]) === player,
  )
}

/** Returns the side of an NPC ship's own kind: pirates fight together, as police do. 0: none. */
function kindSide(view: WorldView, battle: Row, ship: Eid): number {
  if (answerableFor(view, ship) !== 0 || prizeOf(view, ship) !== 0) return 0
  const kind = kindOfShip(view, ship)
  return sideOfFirst(view, battle, (row) => kindOf(view, row) === kind)
}

/**
 * Returns the side of the first ally of a player who fights against `other`, or on any side if
 * that is 0; 0 if there is none.
 */
function alliedSide(view: WorldView, battle: Row, player: Eid, other: number): number {
  if (player === 0) return 0
  const { side } = view.read(Participant)
  return sideOfFirst(view, battle, (row) => {
    const pilot = pilotOf(view, row)
    if (pilot === 0 || side[row] === other || !areAllied(view, player, pilot)) return false
    return other === 0 || areHostile(view, battle, side[row], other)
  })
}

/** Returns the side that a ship joins in a battle against `other`; 0: none, it needs a new one. */
export const sideToJoin = (view: WorldView, battle: Row, ship: Eid, other: number): number =>
  ownerSide(view, battle, ship, other) ||
  kindSide(view, battle, ship) ||
  alliedSide(view, battle, answerableFor(view, ship), other)

/* The plan of an attack */

/** How an attack opens or joins a battle. */
export interface AttackOptions {
  /** Of the battle that is opened if there is none to join. */
  readonly kind: BattleKind
  /** Side that an attacker who is on none takes; 0: whichever fits. */
  readonly side: number
}
export const GENERAL_ATTACK: AttackOptions = { kind: 'general', side: 0 }

interface PlanOptions extends AttackOptions {
  /** Returns the side that a target in no battle takes against the attacker's; 0: a new one. */
  targetSide(battle: Row, attackerSide: number): number
}

/** Where an attack puts the two; 0 for a battle or a side that is still to be made. */
export interface AttackPlan {
  readonly kind: BattleKind
  readonly battle: Row
  readonly attackerSide: number
  readonly targetSide: number
}

/** Plans an attack. Refusals: invalid_target, limit_reached. */
export function planAttack(
  view: WorldView,
  ship: Eid,
  target: Eid,
  options: PlanOptions,
): AttackPlan | Failure<'invalid_target' | 'limit_reached'> {
  const { battle: battleOf, side } = view.read(Participant)
  const attacker = participantOf(view, ship)
  const victim = participantOf(view, target)
  const { kind } = options
  const general = kind === 'general' ? battleIn(view, view.read(Location).system[ship]) : 0
  const battle = battleOf[attacker || victim] || general
  if (isNearlyFull(view, Battle) || isNearlyFull(view, Participant)) return fail('limit_reached')
  if (battle === 0) return { kind, battle, attackerSide: 0, targetSide: 0 }
  const areInTwoBattles = attacker !== 0 && victim !== 0 && battleOf[attacker] !== battleOf[victim]
  const isHunt = battleKindOf(view, battle) === 'hunt'
  if (areInTwoBattles || (victim === 0 && (isHunt || kind === 'hunt')))
    return fail('invalid_target')
  const other = victim === 0 ? options.targetSide(battle, side[attacker]) : side[victim]
  const isHunter = isHunt && attacker === 0 && isCreature(view, target)
  const joined = isHunter
    ? lowestHostile(view, battle, other)
    : sideToJoin(view, battle, ship, other)
  const own = attacker === 0 ? options.side || joined : side[attacker]
  // Whoever attacks their own side leaves it.
  const isSplit = own !== 0 && own === other
  const sidesNeeded = isSplit ? 1 : Number(own === 0) + Number(other === 0)
  if (sidesNeeded <= BATTLE_SIDES_MAX - view.read(Battle).sides[battle]) {
    return { kind, battle, attackerSide: isSplit ? 0 : own, targetSide: other }
  }
  // No room for a further side: one of the two takes the side of an enemy of the other.
  const lowest = lowestHostile(view, battle, own === 0 ? other : own)
  if (isSplit || sidesNeeded === 2 || lowest === 0) return fail('limit_reached')
  return { kind, battle, attackerSide: own || lowest, targetSide: own === 0 ? other : lowest }
}

/* Undocking to attack */

/** Wraps a move to record who undocks by it: this tick's attackers still find them docked. */
export const recordingUndock =
  <E extends ErrorCode>(move: Move<E>): Move<E> =>
  (world, player) => {
    const convoy = convoyOf(world, player)
    const done = move(world, player)
    if (done === 'auto_undocked') {
      const undocked = world.index(UNDOCKED_NOW)
      for (const pilot of [player, ...convoy]) undocked.add(activeShip(world, pilot))
    }
    return done
  }

/* Calls for help */

/**
 * Returns whether a ship is in space in the system, free to fight, and did not just escape from
 * this battle.
 */
export function canHelp(view: WorldView, battle: Row, ship: Eid): boolean {
  const { state, system } = view.read(Location)
  const { system: place, seq } = view.read(Battle)
  const { participant, lastBattle, graceUntil } = view.read(ShipCombat)
  if (!isOnMap(view, ship) || system[ship] !== place[battle]) return false
  if (state[ship] !== AT_POI && state[ship] !== TRAVELLING) return false
  if (participant[ship] !== 0 || view.read(ShipMatch).match[ship] !== 0) return false
  const hasEscaped = lastBattle[ship] === seq[battle] && view.tick <= graceUntil[ship]
  return !hasEscaped && !isOutOfReach(view, ship)
}

/** Returns whether a player has allies on a side that is hostile to the participant's. */
export function hasAlliesAgainst(view: WorldView, row: Row, player: Eid): boolean {
  const { battle, side } = view.read(Participant)
  return alliedSide(view, battle[row], player, side[row]) !== 0
}
