/**
 * How an NPC fights: whom it fires at, which ring and stance it takes. Orders go where a pilot's
 * go, and hold from the fight of this tick on. Source: combat.md section 13.
 */

import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Row, World, WorldView } from '../../core/world.ts'
import {
  Battle,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  RING_OUTER,
  STANCES,
} from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'

/** Guns of this reach and more are artillery: it stays as far away as they carry. */
const ARTILLERY_REACH = 4
/** Rings that a brawler comes closer than its guns carry: ours, where most shots hit. */
const BRAWL_RINGS = 2
/** Hull below which a ship falls back a ring, %. */
const FALL_BACK_PCT = 40
/** Ticks under fire that it cannot return after which it flees. */
const OUTRANGED_TICKS_MAX = 5

export interface Situation {
  /** Hull left, %. */
  readonly hullPct: number
  /** Of its longest gun. */
  readonly reach: number
  readonly ring: number
  readonly targetRing: number
  /** Ticks in a row in which it was hit by what it does not reach. */
  readonly outrangedTicks: number
}

export interface Course {
  readonly stance: 'fire' | 'brace' | 'flee'
  /** -1 inwards, 1 outwards. */
  readonly move: -1 | 0 | 1
}

/**
 * Ring and stance of the coming fight. Rings move before guns fire, so the stance is that of the
 * distance it will have; brace is for what it cannot shoot at yet.
 */
export function courseOf(own: Situation): Course {
  if (own.outrangedTicks >= OUTRANGED_TICKS_MAX) return { stance: 'flee', move: 0 }
  const distance = own.reach >= ARTILLERY_REACH ? own.reach : Math.max(0, own.reach - BRAWL_RINGS)
  const retreat = own.hullPct < FALL_BACK_PCT ? 1 : 0
  const wanted = Math.min(RING_OUTER, Math.max(0, distance - own.targetRing) + retreat)
  const move = wanted < own.ring ? -1 : wanted > own.ring ? 1 : 0
  const isInReach = own.ring + move + own.targetRing <= own.reach
  return { stance: isInReach ? 'fire' : 'brace', move }
}

/** Longest reach of a participant's guns. */
function reachOf(view: WorldView, row: Row): number {
  const { guns, gunReach } = view.read(Participant)
  let reach = 0
  for (let gun = row * GUNS_MAX; gun < row * GUNS_MAX + guns[row]; gun++) {
    reach = Math.max(reach, gunReach[gun])
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
 * The enemy to turn on: those that can shoot before stations and the unarmed, then the nearest, the
 * weakest by hull, the oldest. 0 none. O(participants), when a focus is lost.
 */
export function chooseFocus(view: WorldView, row: Row): Row {
  const { next, ring, guns, kind, ship, battle } = view.read(Participant)
  const { hull, hullMax } = view.read(Ship)
  let focus = 0
  let least = Number.POSITIVE_INFINITY
  for (let other = view.read(Battle).first[battle[row]]; other !== 0; other = next[other]) {
    if (!isEnemy(view, row, other)) continue
    const isStation = PARTICIPANT_KINDS[kind[other]] === 'station'
    const harmless = isStation || guns[other] === 0 ? 1 : 0
    const hullPct = Math.trunc((100 * hull[ship[other]]) / hullMax[ship[other]])
    const rank = (harmless * (RING_OUTER + 1) + ring[other]) * 101 + hullPct
    if (rank < least) [focus, least] = [other, rank]
  }
  return focus
}

/** Writes the orders of an NPC in a battle. */
export function giveOrders(world: World, row: Row): void {
  const part = world.write(Participant)
  const { hull, hullMax } = world.read(Ship)
  const focus = isEnemy(world, row, part.target[row]) ? part.target[row] : chooseFocus(world, row)
  if (focus === 0) return
  const reach = reachOf(world, row)
  const isHit = part.hullHit[row] + part.shieldHit[row] > 0
  const isOutranged = isHit && part.ring[row] + part.ring[focus] > reach
  part.holdTicks[row] = isOutranged ? Math.min(OUTRANGED_TICKS_MAX, part.holdTicks[row] + 1) : 0
  const course = courseOf({
    hullPct: Math.trunc((100 * hull[part.ship[row]]) / hullMax[part.ship[row]]),
    reach,
    ring: part.ring[row],
    targetRing: part.ring[focus],
    outrangedTicks: part.holdTicks[row],
  })
  part.orderTarget[row] = focus === part.target[row] ? 0 : focus
  part.orderMove[row] = course.move
  part.orderStance[row] = STANCES.indexOf(course.stance) + 1
  part.orderTick[row] = world.tick
}
