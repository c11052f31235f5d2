/**
 * Steps of combat.mend: own and remote repair, shields, flight, and what happens to each ship. Each
 * is a factory over columns that makes a pass over the members of one battle. Source: combat.md
 * sections 8 and 9, steps H8 and H9.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { Boarding, Link } from '../boarding/state.ts'
import { Ship } from '../ship/state.ts'
import { CLOAK_AGAIN_TICKS, CLOAK_HULL_PCT, REPAIR_PCT, share } from './damage-kernels.ts'
import type { Members } from './maneuver-kernels.ts'
import {
  Battle,
  COMBAT_SPECIALS,
  FATES,
  Participant,
  RING_OUTER,
  ShipCombat,
  SIDES_WIDTH,
  STANCES,
  Turn,
} from './state.ts'

const NOBODY = 0xffffffff

const FULL_PCT = 100

/** Repairers on one ship whose shares are graded; further ones count as the last. */
const GRADED = REPAIR_PCT.length - 1

/** Makes the search for the two members of each side with the lowest hull percentage. */
function makeTriage(columns: KernelColumns) {
  const { ship, side, fate } = columns.of(Participant)
  const { hull, hullMax } = columns.of(Ship)
  const lowest = new Uint32Array(SIDES_WIDTH)
  const second = new Uint32Array(SIDES_WIDTH)

  const percentOf = (row: number): number =>
    row === NOBODY ? FULL_PCT : Math.trunc((FULL_PCT * hull[ship[row]]) / hullMax[ship[row]])

  return {
    lowest,
    second,
    isAlive: (row: number): boolean => hull[ship[row]] > 0 && fate[row] === 0,
    clear(): void {
      lowest.fill(NOBODY)
      second.fill(NOBODY)
    },
    /** Considers a member; among equals the first stays, and members come in order of seq. */
    consider(row: number): void {
      const own = side[row]
      const percent = percentOf(row)
      if (percent < percentOf(lowest[own])) {
        second[own] = lowest[own]
        lowest[own] = row
      } else if (percent < percentOf(second[own])) second[own] = row
    },
  }
}

/**
 * Creates the sums of repair powers by side: the greatest few are kept in descending order, the
 * rest as a sum of shares.
 */
function createPowers() {
  const graded = new Uint32Array(SIDES_WIDTH * GRADED)
  const rest = new Uint32Array(SIDES_WIDTH)
  return {
    clear(): void {
      graded.fill(0)
      rest.fill(0)
    },
    add(side: number, power: number): void {
      let smallest = power
      for (let slot = side * GRADED; slot < (side + 1) * GRADED; slot++) {
        if (smallest <= graded[slot]) continue
        const moved = graded[slot]
        graded[slot] = smallest
        smallest = moved
      }
      rest[side] += share(smallest, REPAIR_PCT[GRADED])
    },
    sum(side: number): number {
      let power = rest[side]
      for (let k = 0; k < GRADED; k++) power += share(graded[side * GRADED + k], REPAIR_PCT[k])
      return power
    },
  }
}

/**
 * Makes the pass of remote repair: each carrier mends the ship of its side with the lowest hull
 * percentage; that ship, if it is a carrier itself, mends the next. Source: combat.md section 9,
 * step H8.
 */
export function makeHelp(columns: KernelColumns, { rows }: Members): Pass {
  const { sides } = columns.of(Battle)
  const { ship, side, remotePower } = columns.of(Participant)
  const { hull, hullMax } = columns.of(Ship)
  const { hullHelped } = columns.of(Turn)
  const triage = makeTriage(columns)
  const powers = createPowers()
  const { lowest, second } = triage

  function mend(row: number, power: number): void {
    const points = Math.min(power, hullMax[ship[row]] - hull[ship[row]])
    hull[ship[row]] += points
    hullHelped[row] += points
  }

  function help(battle: number, count: number): void {
    triage.clear()
    powers.clear()
    for (let i = 0; i < count; i++) if (triage.isAlive(rows[i])) triage.consider(rows[i])
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const isCarrier = remotePower[row] !== 0 && lowest[side[row]] !== row
      if (isCarrier && triage.isAlive(row)) powers.add(side[row], remotePower[row])
    }
    for (let own = 1; own <= sides[battle]; own++) {
      const worst = lowest[own]
      if (worst === NOBODY) continue
      if (second[own] !== NOBODY) mend(second[own], remotePower[worst])
      mend(worst, powers.sum(own))
    }
  }

  return (battle, count) => {
    let carriers = 0
    for (let i = 0; i < count; i++) if (remotePower[rows[i]] !== 0) carriers++
    if (carriers > 0) help(battle, count)
  }
}

const BRACE = STANCES.indexOf('brace')

const FLEE = STANCES.indexOf('flee')

const DESTROYED = FATES.indexOf('destroyed')

const FLED = FATES.indexOf('fled')

const EMERGENCY_CLOAK = FATES.indexOf('emergency_cloak')

const CLOAK = 1 << COMBAT_SPECIALS.indexOf('emergency_cloak')

/** A pass over the members of a battle. */
type Pass = (battle: number, count: number, tick: number) => void

/**
 * Makes the pass that runs own repair systems and regrows shields: those of ships not hit in this
 * tick, and twice as fast those of braced ships, hit or not.
 */
export function makeRegrow(columns: KernelColumns, { rows }: Members): Pass {
  const { ship, fate, stance, repairPower, hullHit, shieldHit } = columns.of(Participant)
  const { hull, hullMax, shield, shieldMax, shieldRegen } = columns.of(Ship)
  const { hullMended, hullHelped, shieldRegrown } = columns.of(Turn)

  return (_battle, count) => {
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      const hullRow = ship[row]
      hullMended[row] = 0
      hullHelped[row] = 0
      shieldRegrown[row] = 0
      if (hull[hullRow] === 0 || fate[row] !== 0) continue
      if (repairPower[row] !== 0 && hull[hullRow] < hullMax[hullRow]) {
        const points = Math.min(repairPower[row], hullMax[hullRow] - hull[hullRow])
        hull[hullRow] += points
        hullMended[row] = points
      }
      const isBraced = stance[row] === BRACE
      if (!isBraced && (hullHit[row] | shieldHit[row]) !== 0) continue
      const room = shieldMax[hullRow] - shield[hullRow]
      if (room <= 0) continue
      const points = Math.min(room, isBraced ? 2 * shieldRegen[hullRow] : shieldRegen[hullRow])
      shield[hullRow] += points
      shieldRegrown[row] = points
    }
  }
}

/** Makes the pass that decides flight, the emergency cloak, and the end of ships without a hull. */
export function makeFates(columns: KernelColumns, { rows }: Members): Pass {
  const { ship, fate, stance, ring, flee, specials } = columns.of(Participant)
  const { tacklePoints, fleeNeed } = columns.of(Participant)
  const { locked, link } = columns.of(Boarding)
  const { attached } = columns.of(Link)
  const { hull, hullMax } = columns.of(Ship)
  const { cloakReadyTick } = columns.of(ShipCombat)

  /**
   * Advances the flight of a ship: one held in place makes no progress, a tackled one loses it.
   * Source: combat.md section 8.
   */
  function run(row: number): void {
    if (stance[row] !== FLEE || ring[row] !== RING_OUTER || tacklePoints[row] > 0) {
      flee[row] = 0
      return
    }
    if (locked[row] === 1) return
    flee[row]++
    if (flee[row] >= fleeNeed[row]) fate[row] = FLED
  }

  function hide(row: number, tick: number): void {
    const hullRow = ship[row]
    const isHeld = locked[row] === 1 || attached[link[row]] === 1
    if (isHeld || tick < cloakReadyTick[hullRow]) return
    if (100 * hull[hullRow] >= CLOAK_HULL_PCT * hullMax[hullRow]) return
    cloakReadyTick[hullRow] = tick + CLOAK_AGAIN_TICKS
    fate[row] = EMERGENCY_CLOAK
  }

  return (_battle, count, tick) => {
    for (let i = 0; i < count; i++) {
      const row = rows[i]
      if (fate[row] !== 0) continue
      if (hull[ship[row]] === 0) {
        fate[row] = DESTROYED
        continue
      }
      if (stance[row] === FLEE) run(row)
      else flee[row] = 0
      if ((specials[row] & CLOAK) !== 0 && fate[row] === 0) hide(row, tick)
    }
  }
}
