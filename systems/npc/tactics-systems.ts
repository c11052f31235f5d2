/**
 * How an NPC fights: which target, ring and stance it chooses. Its orders are stored in the same
 * columns as a player's and take effect in the fight phase of this tick. Source: combat.md section
 * 13.
 */
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { requestBoarding } from '../boarding/rules.ts'
import { Boarding } from '../boarding/state.ts'
import { battles, participantsOf } from '../combat/model.ts'
import {
  Battle,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  RING_OUTER,
  ShipCombat,
  STANCES,
} from '../combat/state.ts'
import { Module, Ship } from '../ship/state.ts'
import { isFreighter, isPolice, keepsHulls, npcOf } from './model.ts'
import { Npc } from './state.ts'

/** Minimum reach of artillery: a ship with such a gun stays as far away as the gun can fire. */
const ARTILLERY_REACH = 4
/** Rings by which other ships come closer than their reach. ours: most shots hit from there. */
const BRAWL_RINGS = 2
/** Hull below which a ship falls back a ring, %. */
const FALL_BACK_PCT = 40
/** Maximum shield at which a hull can be boarded, %. Source: combat.md section 10. */
const BOARDING_SHIELD_PCT = 25
/** Ticks under fire from out of reach after which a ship flees. */
const OUTRANGED_TICKS_MAX = 5

/** What a ship bases its choice of ring and stance on. */
export interface Situation {
  /** Hull left, %. */
  readonly hullPct: number
  /** The longest reach of its guns that have ammunition. */
  readonly reach: number
  /** Whether it can fire: `dry` if no gun has ammunition, `none` if it has no guns. */
  readonly arms: 'ready' | 'dry' | 'none'
  readonly ring: number
  readonly targetRing: number
  /** Consecutive ticks in which it was hit from beyond its own reach. */
  readonly outrangedTicks: number
  /** True if its hold is not empty: it has plundered somebody. */
  readonly hasLoot: boolean
}

interface Course {
  readonly stance: 'fire' | 'brace' | 'flee'
  /** -1 for one ring inwards, 1 for one outwards. */
  readonly move: -1 | 0 | 1
}

/**
 * Chooses ring and stance for the next fight phase. Ships move before guns fire, so the stance is
 * chosen for the distance after the move; a ship braces while its target is out of reach.
 */
export function courseOf(situation: Situation): Course {
  const wantsToLeave = situation.hasLoot || situation.outrangedTicks >= OUTRANGED_TICKS_MAX
  if (wantsToLeave || situation.arms === 'none') return { stance: 'flee', move: 0 }
  if (situation.arms === 'dry')
    return { stance: 'brace', move: situation.ring < RING_OUTER ? 1 : 0 }
  const distance =
    situation.reach >= ARTILLERY_REACH
      ? situation.reach
      : Math.max(0, situation.reach - BRAWL_RINGS)
  const retreat = situation.hullPct < FALL_BACK_PCT ? 1 : 0
  const wanted = Math.min(RING_OUTER, Math.max(0, distance - situation.targetRing) + retreat)
  const move = wanted < situation.ring ? -1 : wanted > situation.ring ? 1 : 0
  const isInReach = situation.ring + move + situation.targetRing <= situation.reach
  return { stance: isInReach ? 'fire' : 'brace', move }
}

/** The course of a freighter: it is too slow to flee, so it stays with its guards. */
const HOLD_POSITION: Course = { stance: 'fire', move: 0 }

/** Returns the longest reach of a participant's guns that have ammunition; -1 if none has. */
function reachOf(view: WorldView, row: Row): number {
  const { guns, gunReach, gunMagazine, gunModule } = view.read(Participant)
  const { ammo } = view.read(Module)
  let reach = -1
  for (let gun = row * GUNS_MAX; gun < row * GUNS_MAX + guns[row]; gun++) {
    const isLoaded = gunMagazine[gun] === 0 || ammo[gunModule[gun]] > 0
    if (isLoaded) reach = Math.max(reach, gunReach[gun])
  }
  return reach
}

function isEnemy(view: WorldView, row: Row, other: Row): boolean {
  const { alive, battle, side } = view.read(Participant)
  if (alive[other] === 0 || battle[other] !== battle[row]) return false
  const hostile = view.read(Battle).hostile[battle[row] * (BATTLE_SIDES_MAX + 1) + side[row]]
  return ((hostile >>> (side[other] - 1)) & 1) === 1
}

/**
 * Chooses the enemy to fire at; 0 if there is none. Armed ships come before stations and unarmed
 * ships; among equals the nearest is chosen, then the one with the least hull, then the oldest.
 * O(participants).
 */
export function chooseFocus(view: WorldView, row: Row): Row {
  const { next, ring, guns, kind, ship, battle } = view.read(Participant)
  const { hull, hullMax } = view.read(Ship)
  let focus = 0
  let lowestRank = Number.POSITIVE_INFINITY
  for (let other = view.read(Battle).first[battle[row]]; other !== 0; other = next[other]) {
    if (!isEnemy(view, row, other)) continue
    const isStation = PARTICIPANT_KINDS[kind[other]] === 'station'
    const harmless = isStation || guns[other] === 0 ? 1 : 0
    const hullPct = Math.trunc((100 * hull[ship[other]]) / hullMax[ship[other]])
    const rank = (harmless * (RING_OUTER + 1) + ring[other]) * 101 + hullPct
    if (rank < lowestRank) [focus, lowestRank] = [other, rank]
  }
  return focus
}

/** Returns the enemy that a participant already fires at, or else a new one. */
function focusOf(view: WorldView, row: Row, choose: (row: Row) => Row): Row {
  const target = view.read(Participant).target[row]
  return isEnemy(view, row, target) ? target : choose(row)
}

/** Returns the only participant that police fire at; 0 while that one is not in the battle. */
function policeTarget(view: WorldView, row: Row): Row {
  const ship = view.read(Participant).ship[row]
  const prey = view.rowOf(Ship, view.read(Npc).prey[npcOf(view, ship)])
  const target = prey === 0 ? 0 : view.read(ShipCombat).participant[prey]
  return isEnemy(view, row, target) ? target : 0
}

/**
 * Returns whether a crew with marines wants to board its target: the target's shield must be low
 * enough, and there must be cargo to plunder that the own empty hold can take. Crews that keep
 * hulls board without cargo too. ours: the sheet says what boarders do, but not when they board.
 */
function wantsToBoard(view: WorldView, row: Row, focus: Row, hullPct: number): boolean {
  const { capable, link } = view.read(Boarding)
  if (capable[row] === 0 || link[row] !== 0 || hullPct < FALL_BACK_PCT) return false
  const { marinesFit, shield, shieldMax, cargoUsed, cargoCap } = view.read(Ship)
  const { ship } = view.read(Participant)
  const [own, other] = [ship[row], ship[focus]]
  const isOpen = shield[other] * 100 <= shieldMax[other] * BOARDING_SHIELD_PCT
  const isLaden = cargoUsed[other] > 0 && cargoUsed[own] === 0 && cargoCap[own] > 0
  const isWorthIt = isLaden || keepsHulls(view, own)
  return marinesFit[own] > 0 && isOpen && isWorthIt
}

/** Updates the number of consecutive ticks in which a participant was hit from beyond its reach. */
function countOutranged(world: World, row: Row, distance: number, reach: number): number {
  const { holdTicks, hullHit, shieldHit } = world.write(Participant)
  const isOutranged = hullHit[row] + shieldHit[row] > 0 && distance > reach
  holdTicks[row] = isOutranged ? Math.min(OUTRANGED_TICKS_MAX, holdTicks[row] + 1) : 0
  return holdTicks[row]
}

/** Lists the NPCs in battles, in the order of their rows. */
function fightingNpcs(view: WorldView): Row[] {
  if (view.countOf(Battle) === 0) return []
  const { ship } = view.read(Participant)
  return battles(view)
    .flatMap((battle) => participantsOf(view, battle).map((row) => npcOf(view, ship[row])))
    .filter((npc) => npc !== 0)
    .sort((a, b) => a - b)
}

/**
 * Gives orders to all NPCs in battles. O(participants): the best target is the same for all ships
 * of a side, so it is searched only once for each side.
 */
export function commandNpcs(world: World): void {
  const { ship } = world.read(Npc)
  const { participant } = world.read(ShipCombat)
  const { battle, side } = world.read(Participant)
  const found = new Map<number, Row>()
  const choose = (row: Row): Row => {
    const key = battle[row] * (BATTLE_SIDES_MAX + 1) + side[row]
    const focus = found.get(key) ?? chooseFocus(world, row)
    found.set(key, focus)
    return focus
  }
  for (const npc of fightingNpcs(world)) giveOrders(world, participant[ship[npc]], choose)
}

/** Writes the orders of an NPC in a battle; one that is boarding keeps its orders. */
export function giveOrders(
  world: World,
  row: Row,
  choose: (row: Row) => Row = (own) => chooseFocus(world, own),
): void {
  const columns = world.write(Participant)
  const { hull, hullMax, cargoUsed, marinesFit } = world.read(Ship)
  const ship = columns.ship[row]
  columns.orderTick[row] = world.tick
  if (STANCES[columns.stance[row]] === 'board') return
  const arePolice = isPolice(world, ship)
  const focus = arePolice ? policeTarget(world, row) : focusOf(world, row, choose)
  if (focus === 0) return
  if (focus !== columns.target[row]) columns.orderTarget[row] = focus
  const hullPct = Math.trunc((100 * hull[ship]) / hullMax[ship])
  const isBoarding =
    wantsToBoard(world, row, focus, hullPct) &&
    requestBoarding(world, row, focus, marinesFit[ship]) === undefined
  if (isBoarding) return
  const reach = reachOf(world, row)
  const course = isFreighter(world, ship)
    ? HOLD_POSITION
    : courseOf({
        hullPct,
        reach,
        arms: reach >= 0 ? 'ready' : columns.guns[row] > 0 ? 'dry' : 'none',
        ring: columns.ring[row],
        targetRing: columns.ring[focus],
        outrangedTicks: arePolice
          ? 0
          : countOutranged(world, row, columns.ring[row] + columns.ring[focus], reach),
        hasLoot: cargoUsed[ship] > 0,
      })
  columns.orderMove[row] = course.move
  columns.orderStance[row] = STANCES.indexOf(course.stance) + 1
}
