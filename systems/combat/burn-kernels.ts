/**
 * Last step of combat.fire: burns, then the effects of this tick's hits take hold, and the damage
 * that each ship took is counted. Source: combat.md section 6, step H6.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { Ship } from '../ship/state.ts'
import { AGGRESSION_TICKS, POINTS_MAX } from './damage-kernels.ts'
import {
  ATTACK_FLAGS,
  Attack,
  DAMAGE_TYPES,
  FATES,
  PARTICIPANT_KINDS,
  Participant,
  ShipCombat,
  STANCES,
  Turn,
} from './state.ts'
import { AT, type Entries, type Wound } from './strike-kernels.ts'

const NEXT = AT.next
const MAX_POINTS = POINTS_MAX
const FLAG_TICKS = AGGRESSION_TICKS
const EMERGENCY_WARP = FATES.indexOf('emergency_warp')
const FIRE = STANCES.indexOf('fire')
const PLAYER = PARTICIPANT_KINDS.indexOf('player')
const THERMAL = DAMAGE_TYPES.indexOf('thermal')
const { hit: HIT, burn: BURN } = ATTACK_FLAGS

/** Makes the function that damages the hull of a ship on fire, and returns the points. */
function makeBurn(columns: KernelColumns, { state }: Entries, wound: Wound) {
  const { ship, kind, burnDamage, burnTicks, burnBy, dealt, xpDealt } = columns.of(Participant)
  const { hull } = columns.of(Ship)
  const { attacker, target, type, flags, fired, hits, raw } = columns.of(Attack)
  const { againstPct, preHit, stance, final } = columns.of(Attack)

  function write(entry: number, row: number): void {
    attacker[entry] = burnBy[row]
    target[entry] = row
    type[entry] = THERMAL
    flags[entry] = HIT | BURN
    fired[entry] = 0
    hits[entry] = 0
    raw[entry] = burnDamage[row]
    againstPct[entry] = 0
    preHit[entry] = burnDamage[row]
    stance[entry] = FIRE
    final[entry] = burnDamage[row]
  }

  function credit(source: number, row: number, points: number): void {
    dealt[source] = Math.min(MAX_POINTS, dealt[source] + points)
    if (kind[source] !== PLAYER) return
    const index = 2 * source + (kind[row] === PLAYER ? 1 : 0)
    xpDealt[index] = Math.min(MAX_POINTS, xpDealt[index] + points)
  }

  return (row: number): number => {
    const points = Math.min(hull[ship[row]], burnDamage[row])
    if (points > 0) {
      const entry = state[NEXT]++
      write(entry, row)
      wound(entry, row, 0, points)
      if (burnBy[row] !== 0) credit(burnBy[row], row, points)
    }
    if (--burnTicks[row] === 0) {
      burnDamage[row] = 0
      burnBy[row] = 0
    }
    return points
  }
}

/** Makes the function that applies this tick's effects; a stronger fire replaces a weaker one. */
function makeEffects(columns: KernelColumns) {
  const { emTicks, meltPct, meltTicks, burnDamage, burnTicks, burnBy } = columns.of(Participant)
  const { emTicks: newEm, meltPct: newMelt, meltTicks: newMeltTicks } = columns.of(Turn)
  const { burnDamage: newBurn, burnTicks: newBurnTicks, burnBy: newBy } = columns.of(Turn)

  return (row: number): void => {
    emTicks[row] = Math.max(emTicks[row], newEm[row])
    if (newMeltTicks[row] !== 0 && newMelt[row] >= meltPct[row]) {
      meltPct[row] = newMelt[row]
      meltTicks[row] = Math.max(meltTicks[row], newMeltTicks[row])
    }
    if (newBurnTicks[row] !== 0 && newBurn[row] >= burnDamage[row]) {
      burnDamage[row] = newBurn[row]
      burnTicks[row] = newBurnTicks[row]
      burnBy[row] = newBy[row]
    }
    newEm[row] = 0
    newMelt[row] = 0
    newMeltTicks[row] = 0
    newBurn[row] = 0
    newBurnTicks[row] = 0
  }
}

/**
 * Makes the function that counts what the exchange did to a ship that was hit, flags the ship for
 * aggression, and leaves one point of hull to a ship that its device warps out.
 */
function makeToll(columns: KernelColumns) {
  const { ship, kind, fate, hullHit, shieldHit, taken, hullTaken } = columns.of(Participant)
  const { xpShield, xpHull } = columns.of(Participant)
  const { duelShield, duelHull } = columns.of(Turn)
  const { hull } = columns.of(Ship)
  const { aggressiveUntil } = columns.of(ShipCombat)

  function learn(row: number): void {
    const others = 2 * row
    const players = others + 1
    xpShield[others] = Math.min(MAX_POINTS, xpShield[others] + shieldHit[row] - duelShield[row])
    xpShield[players] = Math.min(MAX_POINTS, xpShield[players] + duelShield[row])
    xpHull[others] = Math.min(MAX_POINTS, xpHull[others] + hullHit[row] - duelHull[row])
    xpHull[players] = Math.min(MAX_POINTS, xpHull[players] + duelHull[row])
    duelShield[row] = 0
    duelHull[row] = 0
  }

  return (row: number, tick: number): void => {
    taken[row] = Math.min(MAX_POINTS, taken[row] + hullHit[row] + shieldHit[row])
    hullTaken[row] = Math.min(MAX_POINTS, hullTaken[row] + hullHit[row])
    aggressiveUntil[ship[row]] = tick + FLAG_TICKS
    if (kind[row] === PLAYER) learn(row)
    if (fate[row] === EMERGENCY_WARP) hull[ship[row]] = 1
  }
}

/** Makes the function that ends the exchange for a ship, and returns the points of its burn. */
export function makeExchangeEnd(columns: KernelColumns, entries: Entries, wound: Wound) {
  const { emTicks, meltPct, meltTicks, burnTicks, hullHit, shieldHit } = columns.of(Participant)
  const { emTicks: newEm, meltTicks: newMelt, burnTicks: newBurn } = columns.of(Turn)
  const burn = makeBurn(columns, entries, wound)
  const applyEffects = makeEffects(columns)
  const countToll = makeToll(columns)

  return (row: number, tick: number): number => {
    const points = burnTicks[row] === 0 ? 0 : burn(row)
    if (emTicks[row] !== 0) emTicks[row]--
    if (meltTicks[row] !== 0 && --meltTicks[row] === 0) meltPct[row] = 0
    if ((newEm[row] | newMelt[row] | newBurn[row]) !== 0) applyEffects(row)
    if ((hullHit[row] | shieldHit[row]) !== 0) countToll(row, tick)
    return points
  }
}
