/**
 * Steps of combat.maneuver: orders and stances, ring moves, whom each ship aims at, tackle and
 * speed. Each is a factory over columns that gives a pass over the members of one battle. Source:
 * combat.md sections 2-5 and 8, steps H1 and H2.
 */
import { assert } from '../../core/assert.ts'
import type { KernelColumns } from '../../core/columns.ts'
import type { KernelEnv } from '../../core/system.ts'
import { Module, Ship } from '../ship/state.ts'
import {
  combatSpeed,
  DISRUPTOR_REACH,
  EVADE_FUEL_UNITS,
  fleeTicks,
  isOnAutopilot,
  SCRAMBLER_REACH,
  WEB_MAX_PCT,
  WEBIFIER_REACH,
} from './damage-kernels.ts'
import {
  Battle,
  GUNS_MAX,
  MOVE_REASONS,
  ORDERED,
  PARTICIPANT_KINDS,
  Participant,
  RING_OUTER,
  SIDES_WIDTH,
  STANCES,
  Turn,
} from './state.ts'

const FIRE = STANCES.indexOf('fire')
const EVADE = STANCES.indexOf('evade')
const BRACE = STANCES.indexOf('brace')
const FLEE = STANCES.indexOf('flee')
const BOARD = STANCES.indexOf('board')
const STATION = PARTICIPANT_KINDS.indexOf('station')
const DRONE = PARTICIPANT_KINDS.indexOf('drone')
/** Of a drone. Source: drones.md section 3.6. */
const FLEE_TICKS = 3

const BY_ORDER = MOVE_REASONS.indexOf('order')
const BY_FLIGHT = MOVE_REASONS.indexOf('flee')
const BY_BOARDING = MOVE_REASONS.indexOf('board')
const BY_AUTOPILOT = MOVE_REASONS.indexOf('autopilot')

/** Values of a hull percentage, for keys made of ring and percentage. */
const PERCENTS = 128

type Pass = (battle: number, count: number, env: KernelEnv) => void

/**
 * H1: orders, stances, the autopilot's stance and target, fuel of evasion; starts the turn of each
 * member. An order to board, and any stance order of a ship that boards, is left to boarding.
 */
export function sampleOrders(columns: KernelColumns, { rows }: Muster, rings: Rivals): Pass {
  const { ship, stance, target, ring, side, orderTick } = columns.of(Participant)
  const { orderStance, orderTarget, orderMove } = columns.of(Participant)
  const { hullHit, shieldHit, webbedPct, webs, tacklePoints } = columns.of(Participant)
  const { pilotless } = columns.of(Participant)
  const { hull, fuel, issueFuel, crewEffPct } = columns.of(Ship)
  const { ringBefore, ordered, autopilot, forced, fuelBurned } = columns.of(Turn)
  const { crewPct, hullBefore } = columns.of(Turn)
  const least = rings.own

  function begin(row: number): void {
    hullHit[row] = 0
    shieldHit[row] = 0
    webbedPct[row] = 0
    webs[row] = 0
    tacklePoints[row] = 0
  }

  /** Orders of the pilot, or of the AI. */
  function obey(row: number): void {
    const wanted = orderStance[row] - 1
    let done = orderMove[row] === 0 ? 0 : ORDERED.move
    if (wanted >= 0 && wanted !== BOARD && stance[row] !== BOARD) {
      stance[row] = wanted
      orderStance[row] = 0
      done |= ORDERED.stance
    }
    if (orderTarget[row] !== 0) {
      target[row] = orderTarget[row]
      orderTarget[row] = 0
      done |= ORDERED.target
    }
    ordered[row] = done
  }

  /** Source: combat.md section 5; ours: issue fuel burns first, as anywhere. */
  function evade(row: number): void {
    const hullRow = ship[row]
    if (fuel[hullRow] < EVADE_FUEL_UNITS) {
      stance[row] = FIRE
      forced[row] = 1
      return
    }
    fuel[hullRow] -= EVADE_FUEL_UNITS
    issueFuel[hullRow] = Math.max(0, issueFuel[hullRow] - EVADE_FUEL_UNITS)
    fuelBurned[row] = EVADE_FUEL_UNITS
  }

  return (_battle, count, { tick }) => {
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      begin(row)
      obey(row)
      // ours: boarders see it through, whoever steers
      const flown = stance[row] !== BOARD && isOnAutopilot(tick, orderTick[row])
      autopilot[row] = flown ? 1 : 0
      if (flown) stance[row] = pilotless[row] === 0 ? FIRE : BRACE
      forced[row] = 0
      fuelBurned[row] = 0
      if (stance[row] === EVADE) evade(row)
      crewPct[row] = crewEffPct[ship[row]]
      hullBefore[row] = hull[ship[row]]
      ringBefore[row] = ring[row]
      if (ring[row] < least[side[row]]) least[side[row]] = ring[row]
    }
  }
}

/**
 * H2: one ring a tick and ship, all at once: judged by where everybody was before. Finds the member
 * of each side that is nearest to its enemies: least ring, then lowest hull percentage, then lowest
 * seq. `champion`: by side, its place among the members.
 */
export function moveRings(
  columns: KernelColumns,
  { rows }: Muster,
  { before, after, champion }: { before: Rivals; after: Rivals; champion: Uint32Array },
): Pass {
  const { ship, stance, ring, side, kind, target, orderMove } = columns.of(Participant)
  const { guns, gunReach, gunMagazine, gunModule, pilotless } = columns.of(Participant)
  const { autopilot, moved, ringBefore } = columns.of(Turn)
  const { hull, hullMax, crewFit } = columns.of(Ship)
  const { ammo } = columns.of(Module)
  const enemyRing = before.least
  const keys = after.own

  /**
   * Inwards until a weapon that has ammunition and a crew reaches its target, or else the nearest
   * enemy; so a ship without any comes in all the way, where it can be shot at and boarded. ours: a
   * weapon that cools down counts.
   */
  function steer(row: number): number {
    const nearest = target[row] === 0 ? enemyRing[side[row]] : ringBefore[target[row]]
    if (nearest > RING_OUTER) return 0
    const manned = crewFit[ship[row]] === 0 ? 0 : guns[row]
    for (let at = row * GUNS_MAX; at < row * GUNS_MAX + manned; at++) {
      if (gunMagazine[at] !== 0 && ammo[gunModule[at]] === 0) continue
      if (gunReach[at] >= ring[row] + nearest) return 0
    }
    return -1
  }

  function stepOf(row: number): number {
    if (kind[row] === STATION) return 0
    if (stance[row] === FLEE) {
      moved[row] = BY_FLIGHT
      return 1
    }
    if (stance[row] === BOARD) {
      moved[row] = BY_BOARDING
      return -1
    }
    if (orderMove[row] !== 0) {
      moved[row] = BY_ORDER
      return orderMove[row]
    }
    moved[row] = BY_AUTOPILOT
    return autopilot[row] === 1 && pilotless[row] === 0 ? steer(row) : 0
  }

  return (_battle, count) => {
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const from = ring[row]
      const to = Math.max(0, Math.min(RING_OUTER, from + stepOf(row)))
      orderMove[row] = 0
      if (to === from) moved[row] = 0
      else ring[row] = to
      if (to * PERCENTS > keys[side[row]]) continue
      const percent = ((100 * hull[ship[row]]) / hullMax[ship[row]]) | 0
      if (to * PERCENTS + percent >= keys[side[row]]) continue
      keys[side[row]] = to * PERCENTS + percent
      champion[side[row]] = i
    }
  }
}

/** Whom each ship fires at, and whom it tackles: the target it was given, or the nearest enemy. */
export function takeAim(
  columns: KernelColumns,
  { rows }: Muster,
  { nearest, champion }: { nearest: Rivals; champion: Uint32Array },
): Pass {
  const { hostile } = columns.of(Battle)
  const { alive, battle: of, target, ring, side } = columns.of(Participant)
  const { disruptPoints, scramblePoints, webPct, webifiers } = columns.of(Participant)
  const { webbedPct, webs, tacklePoints } = columns.of(Participant)
  const { aim } = columns.of(Turn)
  const nearestSide = nearest.at

  function tackle(row: number, victim: number): void {
    const distance = ring[row] + ring[victim]
    if (distance <= DISRUPTOR_REACH) tacklePoints[victim] += disruptPoints[row]
    if (distance <= SCRAMBLER_REACH) tacklePoints[victim] += scramblePoints[row]
    if (distance > WEBIFIER_REACH || webPct[row] === 0) return
    webbedPct[victim] = Math.min(WEB_MAX_PCT, webbedPct[victim] + webPct[row])
    webs[victim] = Math.min(0xff, webs[victim] + webifiers[row])
  }

  return (battle, count) => {
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const enemies = hostile[battle * SIDES_WIDTH + side[row]]
      const wanted = target[row]
      const isFair =
        wanted !== 0 &&
        alive[wanted] === 1 &&
        of[wanted] === battle &&
        ((enemies >>> (side[wanted] - 1)) & 1) === 1
      const rival = nearestSide[side[row]]
      const victim = isFair ? wanted : rival === 0 ? 0 : rows[champion[rival]]
      aim[row] = victim
      if (victim === 0) continue
      if ((disruptPoints[row] | scramblePoints[row] | webPct[row]) !== 0) tackle(row, victim)
    }
  }
}

/** Speed after EM disruption and webs, and how long those who flee still have to. */
export function reckonSpeed(columns: KernelColumns, { rows }: Muster, fastest: Rivals): Pass {
  const { speed, side, stance, kind, emTicks, webbedPct, webs } = columns.of(Participant)
  const { stabilizers, tacklePoints, effectiveSpeed, fleeNeed } = columns.of(Participant)
  const slowness = fastest.own
  const best = fastest.least

  return (battle, count) => {
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const now = combatSpeed(speed[row], emTicks[row] !== 0, webbedPct[row])
      effectiveSpeed[row] = now
      tacklePoints[row] -= stabilizers[row]
      if (-now < slowness[side[row]]) slowness[side[row]] = -now
    }
    fastest.compare(battle)
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      if (stance[row] !== FLEE) {
        fleeNeed[row] = 0
        continue
      }
      const enemy = best[side[row]]
      const chaser = enemy > 0 ? 0 : -enemy
      const isDrone = kind[row] === DRONE
      fleeNeed[row] = isDrone ? FLEE_TICKS : fleeTicks(effectiveSpeed[row], chaser, webs[row])
    }
  }
}

/*
 * What the kernels of combat share: the members of the battle at hand, and what is known of each of
 * its sides.
 */

export interface Muster {
  /** Rows of participants, ascending by seq; the first `gather` of them hold. */
  readonly rows: Uint32Array
  /** Reads the members of a battle; returns how many there are. */
  gather(battle: number): number
}

const MUSTERS = new WeakMap<KernelColumns, Muster>()

/** The one muster of all kernels of an isolate: they take turns. */
export function musterOf(columns: KernelColumns): Muster {
  const found = MUSTERS.get(columns) ?? createMuster(columns)
  MUSTERS.set(columns, found)
  return found
}

function createMuster(columns: KernelColumns): Muster {
  const { first, count } = columns.of(Battle)
  const { next, alive } = columns.of(Participant)
  const rows = new Uint32Array(alive.length)
  return {
    rows,
    gather(battle) {
      let n = 0
      for (let row = first[battle]; row !== 0; row = next[row]) rows[n++] = row
      assert(n === count[battle], 'the list of a battle has another length than its count')
      return n
    },
  }
}

/** For each side: the best of its enemies by a figure of each side. */
interface Rivals {
  /** By side: the figure to be compared; set by the caller, `none` where there is nobody. */
  readonly own: Int32Array
  /** By side: the least figure of its enemies. */
  readonly least: Int32Array
  /** By side: the side that has it; 0 none. */
  readonly at: Uint8Array
  clear(battle: number): void
  compare(battle: number): void
}

const NO_FIGURE = 0x7fffffff

/** Least figures over hostile sides. Equal ones go to the lower `tie`, which the caller sets. */
export function createRivals(columns: KernelColumns, tie?: Uint32Array): Rivals {
  const { sides, hostile } = columns.of(Battle)
  const own = new Int32Array(SIDES_WIDTH)
  const least = new Int32Array(SIDES_WIDTH)
  const at = new Uint8Array(SIDES_WIDTH)
  return {
    own,
    least,
    at,
    clear: (battle) => {
      own.fill(NO_FIGURE, 0, sides[battle] + 1)
    },
    compare(battle) {
      for (let side = 1; side <= sides[battle]; side++) {
        least[side] = NO_FIGURE
        at[side] = 0
        for (let bits = hostile[battle * SIDES_WIDTH + side]; bits !== 0; bits &= bits - 1) {
          const other = 32 - Math.clz32(bits & -bits)
          const isLess = own[other] < least[side]
          const isTied = own[other] === least[side] && tie !== undefined && at[side] !== 0
          if (isLess || (isTied && tie[other] < tie[at[side]])) {
            least[side] = own[other]
            at[side] = other
          }
        }
      }
    },
  }
}
