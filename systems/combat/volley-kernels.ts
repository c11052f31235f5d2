/**
 * Step of combat.fire: the weapons of one ship against its target, stages 1 to 7, summed up in an
 * entry for each damage type. All is read as it was before the first hit of the tick. Source:
 * combat.md sections 4, 6, 7, step H4.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { hashLast } from '../../core/rng.ts'
import { Module, Ship } from '../ship/state.ts'
import {
  baseChance,
  criticalDamage,
  critRoll,
  damageByEffort,
  effortPermyriad,
  hitChance,
  hitRoll,
  POINTS_MAX,
  share,
  typedDamage,
  WHOLE_EFFORT,
} from './damage-kernels.ts'
import {
  Ammo,
  ATTACK_FLAGS,
  Attack,
  DAMAGE_TYPES,
  GUNS_MAX,
  LARGE_SCALE_MIN,
  PARTICIPANT_KINDS,
  Participant,
  SMALL_SCALE_MAX,
  STANCES,
  Turn,
} from './state.ts'
import { AT, type Entries, scratch } from './strike-kernels.ts'

// V8 reads an import through a cell and checks it each time; it folds constants of the module.
const NEXT = AT.next
const GUNS = GUNS_MAX
const MAX_POINTS = POINTS_MAX
const WHOLE = WHOLE_EFFORT
const draw = hashLast
const stage = share
const typed = typedDamage
const critical = criticalDamage
const hitOf = hitRoll
const critOf = critRoll
const spend = damageByEffort
const effortOf = effortPermyriad
const chanceOf = hitChance
const baseOf = baseChance

/** A type is carried from weapon to weapon, with the flag `mixed` in a bit above it. */
const TYPE_MASK = 0x3f
/** Weapons that fired are bits; those that hit are the same bits, shifted by this. */
const GUN_BITS = 16
const ENERGY = DAMAGE_TYPES.indexOf('energy')
const EVADE = STANCES.indexOf('evade')
const { hit: HIT, disrupted: DISRUPTED, mixed: MIXED } = ATTACK_FLAGS

/** Makes the function that cools down the weapons of a ship that does not fire in this tick. */
export function makeCooling(columns: KernelColumns): (row: number) => void {
  const { guns, gunsSlow, gunCooldown } = columns.of(Participant)
  return (row) => {
    if (gunsSlow[row] === 0) return
    for (let slot = row * GUNS; slot < row * GUNS + guns[row]; slot++) {
      if (gunCooldown[slot] !== 0) gunCooldown[slot]--
    }
  }
}

/** Makes the function that takes a round from a magazine; returns its ammunition, or -1: empty. */
function makeLoad(columns: KernelColumns) {
  const { gunModule } = columns.of(Participant)
  const { ammo, ammoType } = columns.of(Module)
  return (slot: number): number => {
    const module = gunModule[slot]
    const left = ammo[module]
    if (left === 0) return -1
    ammo[module] = left - 1
    return ammoType[module]
  }
}

/** Makes the function that computes stages 1 to 4 of a weapon that hit. */
function makeShot(columns: KernelColumns) {
  const { gunDamage, gunType } = columns.of(Participant)
  const { damagePct } = columns.of(Ammo)

  return (slot: number, load: number, effort: number, isCritical: boolean): number => {
    let damage = typed(gunDamage[slot], gunType[slot])
    if (load !== 0) damage = stage(damage, 100 + damagePct[load])
    if (effort !== WHOLE) damage = spend(damage, effort)
    return isCritical ? critical(damage) : damage
  }
}

/** Makes the function that writes an entry: stages 5 to 7, and what its weapons add to damage. */
function makeEntry(columns: KernelColumns, { state }: Entries, shots: Shots) {
  const { ship, weaponSkillPct, woundedPct, energyPct, offensePct } = columns.of(Participant)
  const { capitalPct, armorBypassPct, emTicks, stance } = columns.of(Participant)
  const { hullBefore } = columns.of(Turn)
  const { hullMax } = columns.of(Ship)
  const { attacker, target, type, flags, fired, hits, raw } = columns.of(Attack)
  const { againstPct, preHit, armorBypassPct: bypassed, stance: stanceThen } = columns.of(Attack)
  const { final, shieldHit, hullHit } = columns.of(Attack)
  const mix = makeMix(columns, shots)

  /** Adds the armour that the pilot bypasses with any weapon. */
  function pierce(entry: number, row: number): void {
    if ((flags[entry] & MIXED) === 0) mix(entry)
    flags[entry] |= MIXED
    bypassed[entry] += armorBypassPct[row]
  }

  /** Empties the stages of a volley that missed. */
  function miss(entry: number): void {
    raw[entry] = 0
    preHit[entry] = 0
    final[entry] = 0
    shieldHit[entry] = 0
    hullHit[entry] = 0
  }

  return (row: number, aim: number, flaggedType: number, points: number, guns: number): void => {
    const entry = state[NEXT]++
    const hitting = guns >>> GUN_BITS
    attacker[entry] = row
    target[entry] = aim
    type[entry] = flaggedType & TYPE_MASK
    fired[entry] = guns
    hits[entry] = hitting
    stanceThen[entry] = stance[aim]
    againstPct[entry] = 0
    const disrupted = emTicks[row] === 0 ? 0 : DISRUPTED
    if (hitting === 0) {
      flags[entry] = disrupted
      miss(entry)
      return
    }
    flags[entry] = HIT | (flaggedType & MIXED) | disrupted
    raw[entry] = Math.min(MAX_POINTS, points)
    if ((flaggedType & MIXED) !== 0) mix(entry)
    if (armorBypassPct[row] !== 0) pierce(entry, row)
    let skill = weaponSkillPct[row]
    if (energyPct[row] !== 0 && type[entry] === ENERGY) skill += energyPct[row]
    if (woundedPct[row] !== 0 && hullBefore[row] < hullMax[ship[row]]) skill += woundedPct[row]
    const offense = 100 + offensePct[row] + capitalPct[row] + againstPct[entry]
    preHit[entry] = stage(stage(raw[entry], 100 + skill), offense)
  }
}

/**
 * Fires every weapon that can. Weapons of one type are grouped. The two rolls of a weapon are
 * the lower and the upper digits of one number.
 */
type Fire = (row: number, target: number, seed: number) => void

/** Makes the check whether a weapon may fire in this tick; one that may not cools down. */
function makeIsReady(columns: KernelColumns) {
  const { gunCooldown, gunReach } = columns.of(Participant)
  return (slot: number, isSlow: boolean, rings: number): boolean => {
    if (!isSlow) return gunReach[slot] >= rings
    if (gunCooldown[slot] === 0) return gunReach[slot] >= rings
    gunCooldown[slot]--
    return false
  }
}

/** Makes the function that fires the weapons of a ship. */
export function makeGuns(columns: KernelColumns, entries: Entries): Fire {
  const { stance, ring, effectiveSpeed, emTicks, guns } = columns.of(Participant)
  const { accuracyPct, tacticsPct, critPermille, gunsSlow, gunsFed } = columns.of(Participant)
  const { gunsPiercing, gunType, gunPeriod, gunCooldown, gunAccuracyPct } = columns.of(Participant)
  const { crewPct } = columns.of(Turn)
  const { hitPct, special } = columns.of(Ammo)
  const shots = createShots()
  const shoot = makeShot(columns)
  const load = makeLoad(columns)
  const isReady = makeIsReady(columns)
  const write = makeEntry(columns, entries, shots)
  const { load: loads, damage: damages } = shots

  return (row, target, seed) => {
    const rings = (ring[row] + ring[target]) | 0
    const lead = (effectiveSpeed[row] - effectiveSpeed[target]) | 0
    const base = baseOf(rings, lead, stance[target] === EVADE) | 0
    const accuracy = accuracyPct[row]
    const effort = effortOf(emTicks[row] !== 0, crewPct[row]) | 0
    const slow = gunsSlow[row]
    const fed = gunsFed[row]
    const count = guns[row]
    let ownAccuracy = 0
    let chance = chanceOf(base, accuracy, tacticsPct[row], tacticsPct[target]) | 0
    let type = -1
    let raw = 0
    let used = 0
    for (let gun = 0, slot = row * GUNS; gun < count; slot++, gun++) {
      const bit = 1 << gun
      if (!isReady(slot, (slow & bit) !== 0, rings)) continue
      const rounds = (fed & bit) === 0 ? 0 : load(slot) | 0
      if (rounds < 0) continue
      if ((slow & bit) !== 0) gunCooldown[slot] = gunPeriod[slot] - 1
      if (gunType[slot] !== (type & TYPE_MASK)) {
        if (used !== 0) write(row, target, type, raw, used)
        type = gunType[slot]
        raw = 0
        used = 0
      }
      used |= bit
      if (ownAccuracy !== gunAccuracyPct[slot] + hitPct[rounds]) {
        ownAccuracy = (gunAccuracyPct[slot] + hitPct[rounds]) | 0
        chance = chanceOf(base, accuracy + ownAccuracy, tacticsPct[row], tacticsPct[target]) | 0
      }
      const drawn = draw(seed, gun)
      if (hitOf(drawn) >= chance) continue
      used |= bit << GUN_BITS
      const damage = shoot(slot, rounds, effort, critOf(drawn) < critPermille[row]) | 0
      raw += damage
      loads[gun] = rounds
      damages[gun] = damage
      if (special[rounds] !== 0 || (gunsPiercing[row] & bit) !== 0) type |= MIXED
    }
    if (used !== 0) write(row, target, type, raw, used)
  }
}

const DRONE = PARTICIPANT_KINDS.indexOf('drone')

/*
 * What weapons and ammunition add to an entry beyond damage. The sheet knows only one kind of
 * ammunition per entry; ours: where several kinds hit, percentages are their mean weighted by
 * damage, durations and melting their maximum.
 */

/** By weapon of the current ship that hit: what it was loaded with, and its damage. */
interface Shots {
  readonly load: Uint16Array
  readonly damage: Int32Array
}

const createShots = (): Shots => ({
  load: new Uint16Array(scratch(2 * GUNS)),
  damage: new Int32Array(scratch(4 * GUNS)),
})

/** Returns a figure of a weapon, by its index in the gun columns and the row of its ammunition. */
type Figure = (slot: number, load: number) => number

/** Makes the function that returns what ammunition adds against a target, %. */
function makeAgainst(columns: KernelColumns) {
  const { kind, ship } = columns.of(Participant)
  const { scale } = columns.of(Ship)
  const { antiLargePct, antiSmallPct, antiDronePct } = columns.of(Ammo)
  return (row: number, load: number): number => {
    const size = scale[ship[row]]
    const drone = kind[row] === DRONE ? antiDronePct[load] : 0
    if (size >= LARGE_SCALE_MIN) return drone + antiLargePct[load]
    return size <= SMALL_SCALE_MAX ? drone + antiSmallPct[load] : drone
  }
}

/** Makes the function that writes to an entry with hits what its weapons add. */
function makeMix(columns: KernelColumns, shots: Shots): (entry: number) => void {
  const { gunShieldBypassPct, gunArmorBypassPct } = columns.of(Participant)
  const ammo = columns.of(Ammo)
  const { attacker, target, hits, ...attack } = columns.of(Attack)
  const against = makeAgainst(columns)
  const figures = makeFigures(columns, shots)
  const { shieldPct, hullPct, splashPct, burnPct } = ammo
  const { burnTicks, meltPct, meltTicks, disruptTicks } = ammo
  const shieldBypass: Figure = (slot, load) => gunShieldBypassPct[slot] + ammo.shieldBypassPct[load]
  const armorBypass: Figure = (slot, load) => gunArmorBypassPct[slot] + ammo.armorBypassPct[load]

  /** Mixes one volley, all of whose weapons that hit are alike. */
  function mixOne(entry: number, slot: number, load: number): void {
    attack.shieldBypassPct[entry] = shieldBypass(slot, load)
    attack.armorBypassPct[entry] = armorBypass(slot, load)
    attack.shieldPct[entry] = shieldPct[load]
    attack.hullPct[entry] = hullPct[load]
    attack.splashPct[entry] = splashPct[load]
    attack.burnPct[entry] = burnPct[load]
    attack.burnTicks[entry] = burnTicks[load]
    attack.meltPct[entry] = meltPct[load]
    attack.meltTicks[entry] = meltTicks[load]
    attack.disruptTicks[entry] = disruptTicks[load]
    attack.againstPct[entry] = against(target[entry], load)
  }

  function mixSeveral(entry: number): void {
    attack.shieldBypassPct[entry] = figures.mean(entry, shieldBypass)
    attack.armorBypassPct[entry] = figures.mean(entry, armorBypass)
    attack.shieldPct[entry] = figures.mean(entry, (_slot, load) => shieldPct[load])
    attack.hullPct[entry] = figures.mean(entry, (_slot, load) => hullPct[load])
    attack.splashPct[entry] = figures.mean(entry, (_slot, load) => splashPct[load])
    attack.burnPct[entry] = figures.mean(entry, (_slot, load) => burnPct[load])
    attack.burnTicks[entry] = figures.max(entry, (_slot, load) => burnTicks[load])
    attack.meltPct[entry] = figures.max(entry, (_slot, load) => meltPct[load])
    attack.meltTicks[entry] = figures.max(entry, (_slot, load) => meltTicks[load])
    attack.disruptTicks[entry] = figures.max(entry, (_slot, load) => disruptTicks[load])
    attack.againstPct[entry] = figures.mean(entry, (_slot, load) => against(target[entry], load))
  }

  return (entry) => {
    const gun = 31 - Math.clz32(hits[entry])
    const slot = attacker[entry] * GUNS + gun
    if (figures.areAlike(entry, shieldBypass, armorBypass)) mixOne(entry, slot, shots.load[gun])
    else mixSeveral(entry)
  }
}

/** Makes the functions that combine a figure of the weapons of an entry that hit. */
function makeFigures(columns: KernelColumns, { load, damage }: Shots) {
  const { attacker, hits } = columns.of(Attack)
  return {
    mean(entry: number, figure: Figure): number {
      let sum = 0
      let weight = 0
      for (let bits = hits[entry], gun = 0; bits !== 0; bits >>= 1, gun++) {
        if ((bits & 1) === 0) continue
        sum += damage[gun] * figure(attacker[entry] * GUNS + gun, load[gun])
        weight += damage[gun]
      }
      return weight === 0 ? 0 : Math.trunc(sum / weight)
    },
    max(entry: number, figure: Figure): number {
      let max = 0
      for (let bits = hits[entry], gun = 0; bits !== 0; bits >>= 1, gun++) {
        if ((bits & 1) === 1) max = Math.max(max, figure(gun, load[gun]))
      }
      return max
    },
    areAlike(entry: number, a: Figure, b: Figure): boolean {
      const last = 31 - Math.clz32(hits[entry])
      const from = attacker[entry] * GUNS
      for (let bits = hits[entry], gun = 0; gun < last; bits >>= 1, gun++) {
        if ((bits & 1) === 0) continue
        if (load[gun] !== load[last]) return false
        if (a(from + gun, load[gun]) !== a(from + last, load[last])) return false
        if (b(from + gun, load[gun]) !== b(from + last, load[last])) return false
      }
      return true
    },
  }
}
