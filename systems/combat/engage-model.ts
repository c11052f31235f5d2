/** Lookups of engage (battles); writes only to its own columns. */
import type { Move } from '../../core/command.ts'
import { type ErrorCode, type Failure, fail } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
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
import { isPlaced } from '../travel/model.ts'
import { AT_POI, DOCKED_STATE, JUMPING, Location, TRAVELLING } from '../travel/state.ts'
import { AGGRESSION_TICKS } from './damage-kernels.ts'
import {
  areHostile,
  type BattleKind,
  battleIn,
  kindOfShip,
  lowestHostile,
  participantOf,
  participantsOf,
  pilotOf,
} from './model.ts'
import {
  BATTLE_KINDS,
  Battle,
  PARTICIPANT_KINDS,
  Participant,
  ShipCombat,
  UNDOCKED_NOW,
} from './state.ts'

/** Ticks after the last binding for which a ship in space can still be found. */
const ABSENCE_TICKS = 3

const recordUndocked = (world: World, ship: Eid): void => {
  world.index(UNDOCKED_NOW).add(ship)
}

/** The player who flies a ship; 0 for those the server runs. */
export const flierOf = (view: WorldView, ship: Eid): Eid => view.read(Ship).owner[ship]

/**
 * Offline for a while, and neither in a battle nor flagged when the last connection ended: out of
 * reach. Source: travel.md section 2, combat.md section 15.
 */
export function isAway(view: WorldView, ship: Eid): boolean {
  const player = flierOf(view, ship)
  if (player === 0 || isBound(view, player) || participantOf(view, ship) !== 0) return false
  const gone = view.read(Player).goneTick[player]
  const isFlagged = view.read(ShipCombat).aggressiveUntil[ship] > gone
  return view.tick > gone + (isFlagged ? AGGRESSION_TICKS : ABSENCE_TICKS)
}

/** In space in the system of that ship, as it was before this tick's attacks. */
function isInReach(view: WorldView, ship: Eid, target: Eid): boolean {
  const { state, system } = view.read(Location)
  if (ship === target || !isPlaced(view, target) || system[ship] !== system[target]) return false
  if (state[target] === DOCKED_STATE || state[target] >= JUMPING) return false
  return !view.index(UNDOCKED_NOW).has(target) && !isAway(view, target)
}

/** At the same place: prizes can be attacked nowhere else. Source: combat.md section 1. */
function isBeside(view: WorldView, ship: Eid, target: Eid): boolean {
  const { poi } = view.read(Location)
  return poi[ship] !== 0 && poi[ship] === poi[target]
}

/** The escape grace of a ship towards those who are, or were last, in the battle it left. */
function isProtected(view: WorldView, ship: Eid, target: Eid): boolean {
  const { graceUntil, lastBattle } = view.read(ShipCombat)
  if (lastBattle[target] === 0 || view.tick > graceUntil[target]) return false
  const row = participantOf(view, ship)
  const { battle } = view.read(Participant)
  const own = row === 0 ? lastBattle[ship] : view.read(Battle).seq[battle[row]]
  return own === lastBattle[target]
}

/** Why a ship may not attack another now; nothing where it may. What it costs is the law's. */
export function attackRefusal(
  view: WorldView,
  ship: Eid,
  target: Eid,
): Failure<'invalid_target' | 'protected' | 'target_cloaked'> | undefined {
  if (target === 0 || !isInReach(view, ship, target)) return fail('invalid_target')
  if (areApart(view, ship, target)) return fail('invalid_target')
  const isNearOnly = prizeOf(view, target) !== 0 || isDrone(view, target)
  if (isNearOnly && !isBeside(view, ship, target)) return fail('invalid_target')
  const [attacker, pilot] = [answering(view, ship), flierOf(view, target)]
  if (attacker !== 0 && attacker === masterOf(view, target)) return fail('invalid_target')
  if (attacker !== 0 && attacker === pilot) return fail('invalid_target')
  if (areFleetmates(view, attacker, pilot)) return fail('invalid_target')
  if (attacker !== 0 && claimantOf(view, target) === attacker) return fail('invalid_target')
  if (pilot !== 0 && view.read(Player).ship[pilot] !== target) return fail('invalid_target')
  const row = participantOf(view, target)
  if (pilot !== 0 && row === 0 && sightOf(view, attacker, pilot) === 'nothing') {
    return fail('target_cloaked')
  }
  if (isProtected(view, ship, target)) return fail('protected')
  return undefined
}

/** Who answers for what a ship does: its pilot, or whose drone it is; 0 for the server's. */
export const answering = (view: WorldView, ship: Eid): Eid =>
  flierOf(view, ship) || masterOf(view, ship)

/**
 * Side of a drone's owner in a battle, or of another of their drones; and that of their drones for
 * the owner. 0 none, and where that side is the other's.
 */
function masterSide(view: WorldView, battle: Row, ship: Eid, other: number): number {
  const master = answering(view, ship)
  if (master === 0) return 0
  const { next, side, ship: of } = view.read(Participant)
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (side[row] !== other && answering(view, of[row]) === master) return side[row]
  }
  return 0
}

/** Sides that an attack puts the two on: 0 for one still to be made. */
export interface Clash {
  readonly kind: BattleKind
  /** 0: still to be opened. */
  readonly battle: Row
  readonly own: number
  readonly other: number
}

/** Side of the pirates in a battle, or of the police: each stand together. 0 none. */
function kindredSide(view: WorldView, battle: Row, ship: Eid): number {
  if (answering(view, ship) !== 0 || prizeOf(view, ship) !== 0) return 0
  const wanted = PARTICIPANT_KINDS.indexOf(kindOfShip(view, ship))
  const { next, kind, side } = view.read(Participant)
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (kind[row] === wanted) return side[row]
  }
  return 0
}

/** Side that a ship not in the battle yet takes there; 0: one of its own. */
export const newSide = (view: WorldView, battle: Row, ship: Eid, other: number): number =>
  masterSide(view, battle, ship, other) ||
  kindredSide(view, battle, ship) ||
  alliedSide(view, battle, answering(view, ship), other)

/** How an attacker goes about it. */
export interface Clashing {
  /** Of the battle that is opened where there is none to join. */
  readonly kind: BattleKind
  /** A side of the battle that the attacker takes if they are on none; 0: whichever fits. */
  readonly side: number
}
export const IN_GENERAL: Clashing = { kind: 'general', side: 0 }

/** What an attack asks for beyond whom it is on. */
interface Wish extends Clashing {
  /** The side of a battle that a target takes which is in none yet, against `foe`; 0 a new one. */
  kinOf(battle: Row, foe: number): number
}

/** Where an attack puts attacker and target. Refusals: invalid_target, limit_reached. */
export function planClash(
  view: WorldView,
  ship: Eid,
  target: Eid,
  wish: Wish,
): Clash | Failure<'invalid_target' | 'limit_reached'> {
  const { battle: of, side } = view.read(Participant)
  const [a, b] = [participantOf(view, ship), participantOf(view, target)]
  const { kind } = wish
  const general = kind === 'general' ? battleIn(view, view.read(Location).system[ship]) : 0
  const battle = of[a || b] || general
  if (isNearlyFull(view, Battle) || isNearlyFull(view, Participant)) return fail('limit_reached')
  if (battle === 0) return { kind, battle, own: 0, other: 0 }
  if (a !== 0 && b !== 0 && of[a] !== of[b]) return fail('invalid_target')
  const isHunt = BATTLE_KINDS[view.read(Battle).kind[battle]] === 'hunt'
  if (b === 0 && (isHunt || kind === 'hunt')) return fail('invalid_target')
  const other = b === 0 ? wish.kinOf(battle, side[a]) : side[b]
  const isHunter = isHunt && a === 0 && isCreature(view, target)
  const joined = isHunter ? lowestHostile(view, battle, other) : newSide(view, battle, ship, other)
  const own = a === 0 ? wish.side || joined : side[a]
  const isSplit = own !== 0 && own === other
  const wanted = isSplit ? 1 : Number(own === 0) + Number(other === 0)
  if (wanted <= BATTLE_SIDES_MAX - view.read(Battle).sides[battle]) {
    return { kind, battle, own: isSplit ? 0 : own, other }
  }
  const lowest = own === 0 ? lowestHostile(view, battle, other) : lowestHostile(view, battle, own)
  if (isSplit || wanted === 2 || lowest === 0) return fail('limit_reached')
  const sides = own === 0 ? { own: lowest, other } : { own, other: lowest }
  return { kind, battle, ...sides }
}

/** Undocks so, and notes who has left the dock. */
export const recordingUndock =
  <E extends ErrorCode>(move: Move<E>): Move<E> =>
  (world, player) => {
    const convoy = convoyOf(world, player)
    const done = move(world, player)
    if (done === 'auto_undocked') {
      for (const pilot of [player, ...convoy]) recordUndocked(world, activeShip(world, pilot))
    }
    return done
  }

/**
 * Side of a battle on which those stand who stand by a player, if it is hostile to `other`; 0 none.
 * `other` 0: whatever it is hostile to.
 */
function alliedSide(view: WorldView, battle: Row, player: Eid, other: number): number {
  if (player === 0) return 0
  const { side } = view.read(Participant)
  const found = participantsOf(view, battle).find((row) => {
    const pilot = pilotOf(view, row)
    if (pilot === 0 || side[row] === other || !areAllied(view, player, pilot)) return false
    return other === 0 || areHostile(view, battle, side[row], other)
  })
  return found === undefined ? 0 : side[found]
}

/** In space in this system, free to fight, and not just escaped from this very battle. */
export function canHelp(view: WorldView, battle: Row, ship: Eid): boolean {
  const { state, system } = view.read(Location)
  const { system: place, seq } = view.read(Battle)
  const { participant, lastBattle, graceUntil } = view.read(ShipCombat)
  if (!isPlaced(view, ship) || system[ship] !== place[battle]) return false
  if (state[ship] !== AT_POI && state[ship] !== TRAVELLING) return false
  if (participant[ship] !== 0 || view.read(ShipMatch).match[ship] !== 0) return false
  const hasEscaped = lastBattle[ship] === seq[battle] && view.tick <= graceUntil[ship]
  return !hasEscaped && !isAway(view, ship)
}

/** True if a side of the battle that is hostile to this one holds somebody a player stands by. */
export function isTorn(view: WorldView, row: Row, player: Eid): boolean {
  const { battle, side } = view.read(Participant)
  return alliedSide(view, battle[row], player, side[row]) !== 0
}
