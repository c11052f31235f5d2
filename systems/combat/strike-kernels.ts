/**
 * Steps of combat.fire after the weapons: stages 6 to 13 of each entry on the running shield and
 * hull of its target, what it leaves behind, and splash. Source: combat.md section 6, step H5.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { SPLASH_LOOKED_AT_MAX, SPLASH_TARGETS_MAX } from '../../core/limits.ts'
import { Boarding } from '../boarding/state.ts'
import { Ship } from '../ship/state.ts'
import {
  armorAgainst,
  bypassPct,
  EM_TICKS,
  hullDamage,
  reduced,
  STANCE_PCT,
  share,
  shieldPct as shieldPctOf,
  spill,
} from './damage-kernels.ts'
import {
  ATTACK_FLAGS,
  Attack,
  Battle,
  COMBAT_SPECIALS,
  DAMAGE_TYPES,
  FATES,
  PARTICIPANT_KINDS,
  Participant,
  SIDES_WIDTH,
  Turn,
} from './state.ts'

/** Position of combat.fire in the current battle. */
export interface Entries {
  /** By AT. */
  readonly state: Int32Array
  /** Damage dealt by the current ship: to others, to players. */
  readonly dealt: Float64Array
}

/** Indices into `state`: next row of Attack, entries left for splashes, the battle. */
export const AT = { next: 0, splashLeft: 1, battle: 2 } as const

/** Allocates memory outside V8's heap, so that it never moves, even for few bytes. */
export const scratch = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

export const createEntries = (): Entries => ({
  state: new Int32Array(scratch(4 * 3)),
  dealt: new Float64Array(scratch(8 * 2)),
})

// V8 reads an import through a cell and checks it each time; it folds constants of the module.
const stage = share
const reduce = reduced
const bypass = bypassPct
const toShield = shieldPctOf
const spillOf = spill
const armorLeft = armorAgainst
const toHull = hullDamage
const EM_FOR = EM_TICKS
const STANCE = STANCE_PCT
const TYPES = DAMAGE_TYPES.length
const { next: NEXT, splashLeft: SPLASH_LEFT, battle: BATTLE } = AT
const { hit: HIT, splash: SPLASH, kill: KILL, shielded: SHIELDED, mixed: MIXED } = ATTACK_FLAGS

const PLAYER = PARTICIPANT_KINDS.indexOf('player')
const EM = DAMAGE_TYPES.indexOf('em')
const EMERGENCY_WARP = FATES.indexOf('emergency_warp')
const WARP_STABILIZER = 1 << COMBAT_SPECIALS.indexOf('emergency_warp_stabilizer')

/**
 * Takes the points of an entry off shield and hull of a target; returns their sum. The attacker
 * whose hit ends a ship is its killer, unless a device warps the ship out of the battle: its hull
 * then counts as gone until the end of the exchange. Source: combat.md sections 6, 8.
 */
export type Wound = (entry: number, row: number, shieldPoints: number, hullPoints: number) => number

/** Makes the function that applies the points of an entry to a target. */
export function makeWound(columns: KernelColumns): Wound {
  const { ship, kind, fate, killer, specials } = columns.of(Participant)
  const { shieldHit: shieldLost, hullHit: hullLost } = columns.of(Participant)
  const { duelShield, duelHull } = columns.of(Turn)
  const { hull, shield } = columns.of(Ship)
  const { locked } = columns.of(Boarding)
  const { attacker, flags, shieldHit, hullHit } = columns.of(Attack)

  function end(entry: number, row: number): void {
    if ((specials[row] & WARP_STABILIZER) !== 0 && locked[row] === 0) {
      fate[row] = EMERGENCY_WARP
      return
    }
    killer[row] = attacker[entry]
    flags[entry] |= KILL
  }

  return (entry, row, shieldPoints, hullPoints) => {
    const hullRow = ship[row]
    shieldHit[entry] = shieldPoints
    hullHit[entry] = hullPoints
    shield[hullRow] -= shieldPoints
    shieldLost[row] += shieldPoints
    if (kind[row] === PLAYER && kind[attacker[entry]] === PLAYER) {
      duelShield[row] += shieldPoints
      duelHull[row] += hullPoints
    }
    if (hullPoints !== 0) {
      hullLost[row] += hullPoints
      hull[hullRow] -= hullPoints
      if (hull[hullRow] === 0) end(entry, row)
    }
    return shieldPoints + hullPoints
  }
}

/**
 * Stage 13: shares damage between shield and hull of a ship that still exists; returns its loss.
 */
type Split = (entry: number, row: number, type: number, damage: number) => number

function makeSplit(columns: KernelColumns, wound: Wound): Split {
  const { ship, meltPct } = columns.of(Participant)
  const { hull, shield, armor } = columns.of(Ship)
  const { flags, shieldBypassPct, armorBypassPct, shieldPct, hullPct } = columns.of(Attack)
  const { shieldHit, hullHit, armor: armorMet } = columns.of(Attack)

  return (entry, row, type, damage) => {
    const hullRow = ship[row]
    const points = hull[hullRow]
    if (damage === 0 || points === 0) {
      shieldHit[entry] = 0
      hullHit[entry] = 0
      armorMet[entry] = 0
      return 0
    }
    const isMixed = (flags[entry] & MIXED) !== 0
    const shielded = shield[hullRow]
    const passing = bypass(type, isMixed ? shieldBypassPct[entry] : 0) | 0
    const around = passing === 0 ? 0 : stage(damage, passing) | 0
    const pct = toShield(type, isMixed ? shieldPct[entry] : 0) | 0
    const met = pct === 100 ? (damage - around) | 0 : stage(damage - around, pct) | 0
    const pierced = isMixed ? armorBypassPct[entry] : 0
    const plate = armorLeft(armor[hullRow], type, meltPct[row], pierced) | 0
    armorMet[entry] = plate
    const through = (around + spillOf(shielded, met, pct)) | 0
    const loss = toHull(through, plate, isMixed ? hullPct[entry] : 0) | 0
    return wound(entry, row, Math.min(shielded, met), Math.min(points, loss))
  }
}

/** Makes stages 8 to 12, which reduce an entry to what reaches shield or hull. */
function makeResist(columns: KernelColumns) {
  const { ship, stance, defensePct, shieldSkillPct, resistPct, flatPct } = columns.of(Participant)
  const { shield } = columns.of(Ship)
  const { preHit, flags, final } = columns.of(Attack)

  return (entry: number, target: number, type: number): number => {
    const isShielded = shield[ship[target]] > 0
    if (isShielded) flags[entry] |= SHIELDED
    const points = reduce(
      preHit[entry],
      STANCE[stance[target]],
      defensePct[target],
      isShielded ? shieldSkillPct[target] : 0,
      resistPct[target * TYPES + type],
      flatPct[target],
    )
    final[entry] = points
    return points
  }
}

/** Makes the function that records an entry's lasting effects, in force from the next tick on. */
function makeAftermath(columns: KernelColumns) {
  const { emTicks, meltPct, meltTicks, burnDamage, burnTicks, burnBy } = columns.of(Turn)
  const { attacker, final, burnPct, burnTicks: newBurnTicks, disruptTicks } = columns.of(Attack)
  const { meltPct: newMeltPct, meltTicks: newMeltTicks } = columns.of(Attack)

  return (entry: number, row: number): void => {
    emTicks[row] = Math.max(emTicks[row], disruptTicks[entry])
    if (newMeltTicks[entry] !== 0 && newMeltPct[entry] >= meltPct[row]) {
      meltPct[row] = newMeltPct[entry]
      meltTicks[row] = Math.max(meltTicks[row], newMeltTicks[entry])
    }
    const burn = stage(final[entry], burnPct[entry])
    if (burn === 0 || newBurnTicks[entry] === 0 || burn <= burnDamage[row]) return
    burnDamage[row] = burn
    burnTicks[row] = newBurnTicks[entry]
    burnBy[row] = attacker[entry]
  }
}

/**
 * Makes the function that splashes a volley onto other enemies in the ring of its target: only
 * shield, hull and armour reduce it, and it splashes no further. ours: onto those after the target
 * in the order of the battle, at most SPLASH_TARGETS_MAX. Source: combat.md section 6.
 */
function makeSplash(columns: KernelColumns, { state, dealt }: Entries, split: Split) {
  const { first, hostile } = columns.of(Battle)
  const { kind, side, ring, next, stance: stanceNow } = columns.of(Participant)
  const { attacker, target, type, flags, fired, hits } = columns.of(Attack)
  const { raw, againstPct, preHit, stance, final } = columns.of(Attack)

  function hit(volley: number, row: number, damage: number): void {
    const entry = state[NEXT]++
    attacker[entry] = attacker[volley]
    target[entry] = row
    type[entry] = type[volley]
    flags[entry] = HIT | SPLASH
    fired[entry] = fired[volley]
    hits[entry] = hits[volley]
    raw[entry] = damage
    againstPct[entry] = 0
    preHit[entry] = damage
    stance[entry] = stanceNow[row]
    final[entry] = damage
    dealt[kind[row] === PLAYER ? 1 : 0] += split(entry, row, type[volley], damage)
  }

  return (entry: number, damage: number): void => {
    if (damage === 0) return
    const center = target[entry]
    const enemies = hostile[state[BATTLE] * SIDES_WIDTH + side[attacker[entry]]]
    let left = SPLASH_TARGETS_MAX
    let row = center
    for (let looked = 0; looked < SPLASH_LOOKED_AT_MAX && left > 0; looked++) {
      row = next[row] === 0 ? first[state[BATTLE]] : next[row]
      if (row === center || state[SPLASH_LEFT] === 0) return
      if (ring[row] !== ring[center] || ((enemies >>> (side[row] - 1)) & 1) === 0) continue
      hit(entry, row, damage)
      state[SPLASH_LEFT]--
      left--
    }
  }
}

/** Stages 8 to 13 of a hit, and what follows from it; returns what its target lost. */
type Strike = (entry: number, target: number) => number

/**
 * Makes the steps of a strike, and each of them only once: V8 treats what a closure captures as
 * constant only while the closure is created once.
 */
export function makeStrike(columns: KernelColumns, entries: Entries, wound: Wound): Strike {
  const { flags, type: typeOf, splashPct } = columns.of(Attack)
  const { emTicks } = columns.of(Turn)
  const resist = makeResist(columns)
  const split = makeSplit(columns, wound)
  const leave = makeAftermath(columns)
  const splash = makeSplash(columns, entries, split)

  return (entry, target) => {
    const type = typeOf[entry]
    const points = resist(entry, target, type) | 0
    const total = split(entry, target, type, points) | 0
    if (type === EM) emTicks[target] = Math.max(emTicks[target], EM_FOR)
    if ((flags[entry] & MIXED) === 0) return total
    leave(entry, target)
    if (splashPct[entry] !== 0) splash(entry, stage(points, splashPct[entry]))
    return total
  }
}
