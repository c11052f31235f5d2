/**
 * Steps of combat.mend: own repair, shields, flight, and what becomes of each ship. Repair of
 * others is in help.ts. Source: combat.md sections 8 and 9, steps H8 and H9.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { Boarding, Link } from '../boarding/columns.ts'
import { Ship } from '../ship/columns.ts'
import {
  COMBAT_SPECIALS,
  FATES,
  Fighting,
  Participant,
  RING_OUTER,
  STANCES,
  Turn,
} from './columns.ts'
import { CLOAK_AGAIN_TICKS, CLOAK_HULL_PCT } from './damage.ts'
import type { Muster } from './muster.ts'

const BRACE = STANCES.indexOf('brace')
const FLEE = STANCES.indexOf('flee')
const DESTROYED = FATES.indexOf('destroyed')
const FLED = FATES.indexOf('fled')
const EMERGENCY_CLOAK = FATES.indexOf('emergency_cloak')
const CLOAK = 1 << COMBAT_SPECIALS.indexOf('emergency_cloak')
/** A pass over the members of a battle. */
export type Pass = (battle: number, count: number, tick: number) => void

/** Own repair systems, and shields: of the undamaged, doubled and in any case when braced. */
export function makeRegrow(columns: KernelColumns, { rows }: Muster): Pass {
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

/** Flight, the emergency cloak, and the end of those whose hull is gone. */
export function makeFates(columns: KernelColumns, { rows }: Muster): Pass {
  const { ship, fate, stance, ring, flee, specials } = columns.of(Participant)
  const { tacklePoints, fleeNeed } = columns.of(Participant)
  const { locked, link } = columns.of(Boarding)
  const { attached } = columns.of(Link)
  const { hull, hullMax } = columns.of(Ship)
  const { cloakReadyTick } = columns.of(Fighting)

  /** Held in place it makes no progress, tackled it loses it. Source: combat.md section 8. */
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
