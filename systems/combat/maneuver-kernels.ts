/**
 * Steps of combat.maneuver: orders and stances, ring moves, aim, tackle and speed; and what all
 * kernels of combat share, the members and the sides of the battle at hand. Each step is a factory
 * over columns that makes a pass over the members. Source: combat.md sections 2-5, 8, steps H1, H2.
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
const CREATURE = PARTICIPANT_KINDS.indexOf('creature')
/** Ticks that a drone needs to flee. Source: drones.md section 3.6. */
const DRONE_FLEE_TICKS = 3

const BY_ORDER = MOVE_REASONS.indexOf('order')
const BY_FLIGHT = MOVE_REASONS.indexOf('flee')
const BY_BOARDING = MOVE_REASONS.indexOf('board')
const BY_AUTOPILOT = MOVE_REASONS.indexOf('autopilot')

/** Factor of the ring in a key of ring and hull percentage: greater than any percentage. */
const PERCENTS = 128

type Pass = (battle: number, count: number, env: KernelEnv) => void

/**
 * Makes H1, which starts the turn of each member with its orders, the autopilot's stance and the
 * fuel of evasion. An order to board, and any stance order of a boarding ship, is left to boarding.
 */
export function sampleOrders(columns: KernelColumns, { rows }: Members, rings: Rivals): Pass {
  const { ship, stance, target, ring, side, orderTick } = columns.of(Participant)
  const { orderStance, orderTarget, orderMove } = columns.of(Participant)
  const { hullHit, shieldHit, webbedPct, webs, tacklePoints } = columns.of(Participant)
  const { pilotless } = columns.of(Participant)
  const { hull, fuel, issueFuel, crewEffPct } = columns.of(Ship)
  const { ringBefore, ordered, autopilot, forced, fuelBurned } = columns.of(Turn)
  const { crewPct, hullBefore } = columns.of(Turn)
  const nearestRing = rings.own

  function begin(row: number): void {
    hullHit[row] = 0
    shieldHit[row] = 0
    webbedPct[row] = 0
    webs[row] = 0
    tacklePoints[row] = 0
  }

  /** Carries out the orders of the pilot or the AI. */
  function applyOrders(row: number): void {
    const newStance = orderStance[row] - 1
    let done = orderMove[row] === 0 ? 0 : ORDERED.move
    if (newStance >= 0 && newStance !== BOARD && stance[row] !== BOARD) {
      stance[row] = newStance
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

  /**
   * Burns the fuel of evasion. Source: combat.md section 5; ours: issue fuel burns first, as
   * everywhere.
   */
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
      applyOrders(row)
      // ours: the autopilot continues a boarding
      const isAutoFlown = stance[row] !== BOARD && isOnAutopilot(tick, orderTick[row])
      autopilot[row] = isAutoFlown ? 1 : 0
      if (isAutoFlown) stance[row] = pilotless[row] === 0 ? FIRE : BRACE
      forced[row] = 0
      fuelBurned[row] = 0
      if (stance[row] === EVADE) evade(row)
      crewPct[row] = crewEffPct[ship[row]]
      hullBefore[row] = hull[ship[row]]
      ringBefore[row] = ring[row]
      if (ring[row] < nearestRing[side[row]]) nearestRing[side[row]] = ring[row]
    }
  }
}

/**
 * Makes H2, which moves each ship by one ring at most, based on where all were before. It finds the
 * member of each side that is nearest to its enemies, by lowest ring, hull percentage and seq;
 * `champion` holds its index by side.
 */
export function moveRings(
  columns: KernelColumns,
  { rows }: Members,
  { before, after, champion }: { before: Rivals; after: Rivals; champion: Uint32Array },
): Pass {
  const { ship, stance, ring, side, kind, target, orderMove } = columns.of(Participant)
  const { guns, gunReach, gunMagazine, gunModule, pilotless } = columns.of(Participant)
  const { autopilot, moved, ringBefore } = columns.of(Turn)
  const { hull, hullMax, crewFit } = columns.of(Ship)
  const { ammo } = columns.of(Module)
  const enemyRing = before.best
  const keys = after.own

  /**
   * Steers inwards until every weapon with ammunition and a crew reaches the target or the nearest
   * enemy; a ship without such a weapon goes in all the way, where it can be shot at and boarded.
   * ours: a weapon that is cooling down counts, and one with a long reach does not keep the others
   * out of range, because equal ships would then end in a stalemate.
   */
  function steer(row: number): number {
    const nearest = target[row] === 0 ? enemyRing[side[row]] : ringBefore[target[row]]
    if (nearest > RING_OUTER) return 0
    // A hunter follows a creature that flees. Source: balance.md section 8.
    const prey = target[row]
    if (prey !== 0 && kind[prey] === CREATURE && stance[prey] === FLEE) return -1
    const mannedGuns = crewFit[ship[row]] === 0 ? 0 : guns[row]
    let step = -1
    for (let slot = row * GUNS_MAX; slot < row * GUNS_MAX + mannedGuns; slot++) {
      if (gunMagazine[slot] !== 0 && ammo[gunModule[slot]] === 0) continue
      if (gunReach[slot] < ring[row] + nearest) return -1
      step = 0
    }
    return step
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

/** Makes the pass that aims each ship at its target, or else the nearest enemy, and tackles it. */
export function takeAim(
  columns: KernelColumns,
  { rows }: Members,
  { nearest, champion }: { nearest: Rivals; champion: Uint32Array },
): Pass {
  const { hostile } = columns.of(Battle)
  const { alive, battle: battleOf, target, ring, side } = columns.of(Participant)
  const { disruptPoints, scramblePoints, webPct, webifiers } = columns.of(Participant)
  const { webbedPct, webs, tacklePoints } = columns.of(Participant)
  const { aim } = columns.of(Turn)
  const nearestSide = nearest.bestSide

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
      const chosen = target[row]
      const isValid =
        chosen !== 0 &&
        alive[chosen] === 1 &&
        battleOf[chosen] === battle &&
        ((enemies >>> (side[chosen] - 1)) & 1) === 1
      const rival = nearestSide[side[row]]
      const victim = isValid ? chosen : rival === 0 ? 0 : rows[champion[rival]]
      aim[row] = victim
      if (victim === 0) continue
      if ((disruptPoints[row] | scramblePoints[row] | webPct[row]) !== 0) tackle(row, victim)
    }
  }
}

/** Makes the pass that computes speed after EM disruption and webs, and the ticks to flee. */
export function computeSpeed(columns: KernelColumns, { rows }: Members, fastest: Rivals): Pass {
  const { speed, side, stance, kind, emTicks, webbedPct, webs } = columns.of(Participant)
  const { stabilizers, tacklePoints, effectiveSpeed, fleeNeed } = columns.of(Participant)
  const slowness = fastest.own
  const enemySlowness = fastest.best

  return (battle, count) => {
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const effective = combatSpeed(speed[row], emTicks[row] !== 0, webbedPct[row])
      effectiveSpeed[row] = effective
      tacklePoints[row] -= stabilizers[row]
      if (-effective < slowness[side[row]]) slowness[side[row]] = -effective
    }
    fastest.compare(battle)
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      if (stance[row] !== FLEE) {
        fleeNeed[row] = 0
        continue
      }
      const enemy = enemySlowness[side[row]]
      const chaser = enemy > 0 ? 0 : -enemy
      const isDrone = kind[row] === DRONE
      fleeNeed[row] = isDrone ? DRONE_FLEE_TICKS : fleeTicks(effectiveSpeed[row], chaser, webs[row])
    }
  }
}

/* Members and sides of the battle at hand */

/** The participants of the current battle. */
export interface Members {
  /** Participants, ascending by seq; the first are valid, as many as `gather` returned. */
  readonly rows: Uint32Array
  /** Reads the members of a battle; returns how many there are. */
  gather(battle: number): number
}

const MEMBERS = new WeakMap<KernelColumns, Members>()

/** Returns the members that all kernels of an isolate share: they take turns. */
export function membersOf(columns: KernelColumns): Members {
  const members = MEMBERS.get(columns) ?? createMembers(columns)
  MEMBERS.set(columns, members)
  return members
}

function createMembers(columns: KernelColumns): Members {
  const { first, count } = columns.of(Battle)
  const { next, alive } = columns.of(Participant)
  const rows = new Uint32Array(alive.length)
  return {
    rows,
    gather(battle) {
      let n = 0
      for (let row = first[battle]; row !== 0; row = next[row]) rows[n++] = row
      assert(n === count[battle], 'a battle does not list as many as it counts')
      return n
    },
  }
}

/** For each side the best of its enemies: the one with the lowest figure. */
interface Rivals {
  /** By side: its figure, set by the caller; NO_FIGURE for a side without members. */
  readonly own: Int32Array
  /** By side: the lowest figure of its enemies. */
  readonly best: Int32Array
  /** By side: the enemy side that has it; 0 if there is none. */
  readonly bestSide: Uint8Array
  clear(battle: number): void
  compare(battle: number): void
}

const NO_FIGURE = 0x7fffffff

/**
 * Creates a comparison of hostile sides. Of sides with equal figures, the one with the lower `tie`
 * wins, which the caller has set.
 */
export function createRivals(columns: KernelColumns, tie?: Uint32Array): Rivals {
  const { sides, hostile } = columns.of(Battle)
  const own = new Int32Array(SIDES_WIDTH)
  const best = new Int32Array(SIDES_WIDTH)
  const bestSide = new Uint8Array(SIDES_WIDTH)
  return {
    own,
    best,
    bestSide,
    clear: (battle) => {
      own.fill(NO_FIGURE, 0, sides[battle] + 1)
    },
    compare(battle) {
      for (let side = 1; side <= sides[battle]; side++) {
        best[side] = NO_FIGURE
        bestSide[side] = 0
        for (let bits = hostile[battle * SIDES_WIDTH + side]; bits !== 0; bits &= bits - 1) {
          const other = 32 - Math.clz32(bits & -bits)
          const isLess = own[other] < best[side]
          const isTied = own[other] === best[side] && tie !== undefined && bestSide[side] !== 0
          if (isLess || (isTied && tie[other] < tie[bestSide[side]])) {
            best[side] = own[other]
            bestSide[side] = other
          }
        }
      }
    },
  }
}
