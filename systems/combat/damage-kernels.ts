/**
 * The arithmetic of a fight: chances, stages of damage, split, armour, flight. Pure integer
 * functions, shared by the kernels and the battle log; the kernels decide who fires at whom.
 * Every stage truncates, and ends in 0 … POINTS_MAX. Source: combat.md sections 2-9.
 */
import { hashText } from '../../core/rng.ts'
import { DAMAGE_TYPES } from './state.ts'

/** Upper bound of the value of any stage. Source: combat.md section 6. */
export const POINTS_MAX = 0x7fffffff

const VOID = DAMAGE_TYPES.indexOf('void')
const ENERGY = DAMAGE_TYPES.indexOf('energy')

/** Chance to hit by distance, %. Source: combat.md section 4. */
const HIT_PCT = Uint8Array.of(90, 80, 65, 50, 35, 22, 12)
const HIT_PERMILLE_MIN = 50
const HIT_PERMILLE_MAX = 950
/** Shift of the chance for each point by which the speeds differ, ±5 points at most. */
const SPEED_PERMILLE = 60
const SPEED_PERMILLE_MAX = 300
const EVADE_PERMILLE = 200

const CRIT_PCT = 150

/** Damage that counts, by DAMAGE_TYPES. Source: combat.md section 6, stage 1. */
export const TYPE_PCT = Uint8Array.of(100, 100, 150, 100, 50, 70)
/** Armour that counts, by DAMAGE_TYPES. */
const ARMOR_PCT = Uint8Array.of(150, 75, 100, 25, 100, 150)
/** Damage that a ship takes, by STANCES. Source: combat.md section 5. */
export const STANCE_PCT = Uint8Array.of(100, 50, 25, 100, 100)

const SHIELD_BYPASS_MAX_PCT = 90
const ENERGY_TO_SHIELD_PCT = 75

/** EM disruption: its ticks, and the speed and damage it leaves. */
export const EM_TICKS = 3
const EM_SPEED_PCT = 70
const EM_DAMAGE_PCT = 80
/** The most by which webifiers slow a ship, %. */
export const WEB_MAX_PCT = 80

/** Fuel that a ship burns per tick of evading. Source: combat.md section 5. */
export const EVADE_FUEL_UNITS = 5
/** Ticks after an order of the pilot in which the autopilot is off. Source: combat.md section 2. */
export const AUTOPILOT_AFTER_TICKS = 10

/** The aggression flag after dealing or receiving damage. Source: combat.md section 1. */
export const AGGRESSION_TICKS = 30

/** Reach of tackle, rings. Source: combat.md section 8. */
export const DISRUPTOR_REACH = 5
export const SCRAMBLER_REACH = 3
export const WEBIFIER_REACH = 3
const FLEE_TICKS_MIN = 3
const FLEE_TICKS_MAX = 12
const FLEE_TICKS_FAST = 2
const FLEE_FAST_LEAD = 3
const FLEE_TICKS_PER_WEB = 2

/** Hull below which an emergency cloak works, and ticks until it works again. */
export const CLOAK_HULL_PCT = 20
export const CLOAK_AGAIN_TICKS = 360

/**
 * Share that the k-th repairer of one ship adds; further repairers count as the last one. Source:
 * combat.md section 9.
 */
export const REPAIR_PCT = Uint8Array.of(100, 65, 40, 15, 5)

/** Below these, the product of a value and a percentage fits in 32 bits. */
const FAST_VALUE = 1 << 23
const FAST_PCT = 1 << 8

/** Applies one stage: trunc(value × pct / 100) within 0 … POINTS_MAX, where `value` lies too. */
export function share(value: number, pct: number): number {
  return value < FAST_VALUE && pct >>> 0 < FAST_PCT
    ? ((value * pct) / 100) | 0
    : shareOfLarge(value, pct)
}

// V8 reads an export through a cell and checks it each time; it folds constants of the module.
const stage = share

function shareOfLarge(value: number, pct: number): number {
  return Math.max(0, Math.min(POINTS_MAX, Math.trunc((value * pct) / 100)))
}

/** Does what `share` does, for values and percentages that are known to be small. */
const cut = (value: number, pct: number): number => (Math.imul(value, pct) / 100) | 0

/**
 * Returns the greater number without a branch, which would be mispredicted half the time. The
 * difference must fit in 32 bits.
 */
function greaterOf(a: number, b: number): number {
  const less = (a - b) | 0
  return (a - (less & (less >> 31))) | 0
}

/* Hits */

/**
 * Returns the chance before accuracy and skill, per mille; may be negative. Source: combat.md 4.
 */
export function baseChance(distance: number, lead: number, isEvading: boolean): number {
  const speed = lead * SPEED_PERMILLE
  const bounded = Math.max(-SPEED_PERMILLE_MAX, Math.min(SPEED_PERMILLE_MAX, speed))
  return HIT_PCT[distance] * 10 + bounded - (isEvading ? EVADE_PERMILLE : 0)
}

/** Returns the chance of one weapon, per mille. `accuracy` is in points of a percent. */
export function hitChance(
  base: number,
  accuracy: number,
  tactics: number,
  targetTactics: number,
): number {
  const chance = base + 10 * accuracy
  if (chance <= 0) return HIT_PERMILLE_MIN
  const skilled = ((chance * (100 + tactics)) / (100 + targetTactics)) | 0
  return Math.max(HIT_PERMILLE_MIN, Math.min(HIT_PERMILLE_MAX, skilled))
}

/** Purpose of the number a weapon draws; its two rolls are the lower and the upper digits. */
export const ROLL = hashText('combat.roll')
const PERMILLE = 1000
/** Returns the roll to hit, and the roll for a critical hit, of a drawn number; per mille. */
export const hitRoll = (drawn: number): number => (drawn >>> 0) % PERMILLE
export const critRoll = (drawn: number): number => ((drawn / PERMILLE) >>> 0) % PERMILLE

/** Returns the damage after stage 1, by its type. */
export const typedDamage = (damage: number, type: number): number => stage(damage, TYPE_PCT[type])

/** Returns what EM disruption and crew leave of a weapon's damage, in ten thousandths. */
export const effortPermyriad = (isDisrupted: boolean, crewPct: number): number =>
  isDisrupted ? EM_DAMAGE_PCT * crewPct : 100 * crewPct

/** Effort of a weapon that nothing weakens. */
export const WHOLE_EFFORT = 10_000

/** Below it, the product with an effort fits in 32 bits. */
const FAST_DAMAGE = 1 << 17

/** Returns the damage after stage 3, in one truncation. */
export const damageByEffort = (damage: number, effort: number): number =>
  damage < FAST_DAMAGE
    ? (Math.imul(damage, effort) / 10_000) | 0
    : Math.trunc((damage * effort) / 10_000)

/** Returns the damage of a critical hit, stage 4. */
export const criticalDamage = (damage: number): number => stage(damage, CRIT_PCT)

/* Reductions: stages 8 to 12 */

/**
 * Returns the damage left after the target's stance (%) and its reductions (0-75 % each): defensive
 * buffs, the shields skill (0 without a shield), typed resistance, flat and adaptive reduction.
 */
export function reduced(
  damage: number,
  stancePct: number,
  defense: number,
  shieldSkill: number,
  typed: number,
  flat: number,
): number {
  if (damage < FAST_VALUE) {
    const met = cut(cut(damage, stancePct), 100 - defense)
    return cut(cut(cut(met, 100 - shieldSkill), 100 - typed), 100 - flat)
  }
  const met = stage(stage(damage, stancePct), 100 - defense)
  return stage(stage(stage(met, 100 - shieldSkill), 100 - typed), 100 - flat)
}

/* The split: stage 13 */

/** Returns the share of damage that bypasses the shield, %. */
export function bypassPct(type: number, ownPct: number): number {
  if (type === VOID) return 100
  return Math.min(SHIELD_BYPASS_MAX_PCT, ownPct)
}

/** Returns the effect of damage on a shield, %. `ammoPct` is added to 100. */
export function shieldPct(type: number, ammoPct: number): number {
  const base = type === ENERGY ? ENERGY_TO_SHIELD_PCT : 100
  if (ammoPct === 0) return base
  return Math.max(1, stage(base, 100 + ammoPct))
}

/** Returns what is left for the hull of damage that met a shield with the effect `pct`. */
export function spill(shield: number, effective: number, pct: number): number {
  if (shield > effective) return 0
  const rest = effective - shield
  return pct === 100 ? rest : Math.trunc((rest * 100) / pct)
}

/** Returns the armour that counts against a hit. */
export function armorAgainst(armor: number, type: number, meltPct: number, bypass: number): number {
  let left = armor
  if (meltPct !== 0) left = meltPct >= 100 ? 0 : stage(left, 100 - meltPct)
  left = stage(left, ARMOR_PCT[type])
  if (bypass === 0) return left
  return bypass >= 100 ? 0 : stage(left, 100 - bypass)
}

/** Returns the damage to the hull behind armour, at least a tenth. `ammoPct` is added to 100. */
export function hullDamage(damage: number, armor: number, ammoPct: number): number {
  if (damage === 0) return 0
  const floor = ((damage + 9) / 10) | 0
  const behind = greaterOf((damage - armor) | 0, floor)
  return ammoPct === 0 ? behind : stage(behind, 100 + ammoPct)
}

/* Movement and flight */

/** Returns the speed in a battle. Source: combat.md section 4. */
export function combatSpeed(speed: number, isDisrupted: boolean, webbedPct: number): number {
  const disrupted = isDisrupted ? stage(speed, EM_SPEED_PCT) : speed
  return webbedPct === 0 ? disrupted : stage(disrupted, 100 - webbedPct)
}

/** Returns the ticks of flight needed at the outer ring. Source: combat.md section 8. */
export function fleeTicks(speed: number, fastest: number, webs: number): number {
  if (speed >= fastest + FLEE_FAST_LEAD) return FLEE_TICKS_FAST
  const slower = Math.max(0, fastest - speed)
  return Math.min(FLEE_TICKS_MAX, FLEE_TICKS_MIN + slower) + FLEE_TICKS_PER_WEB * webs
}

/** Returns whether the pilot has given no order, or none for a while. `orderTick` 0: none yet. */
export const isOnAutopilot = (tick: number, orderTick: number): boolean =>
  orderTick === 0 || tick > orderTick + AUTOPILOT_AFTER_TICKS
