/**
 * The stages of an entry of Attack, recomputed for the battle log with the functions of the
 * kernels. Valid only in the tick of the fight. Source: combat.md section 6.
 */
import { assert } from '../../core/assert.ts'
import { hashLast, hashNext, hashPrefix } from '../../core/rng.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Module, Ship } from '../ship/state.ts'
import {
  baseChance,
  bypassPct,
  criticalDamage,
  critRoll,
  damageByEffort,
  effortPermyriad,
  hitChance,
  hitRoll,
  ROLL,
  STANCE_PCT,
  share,
  shieldPct,
  spill,
  TYPE_PCT,
  typedDamage,
} from './damage-kernels.ts'
import {
  Ammo,
  ATTACK_FLAGS,
  Attack,
  DAMAGE_TYPES,
  GUNS_MAX,
  Participant,
  STANCES,
  Turn,
} from './state.ts'

const EVADE = STANCES.indexOf('evade')
const ENERGY = DAMAGE_TYPES.indexOf('energy')

export type Shot = ReturnType<typeof shotOf>
export type Stages = ReturnType<typeof stagesOf>
export type SplitStage = ReturnType<typeof splitOf>

/** Returns the chance of a volley by distance, speeds and the target's evasion, per mille. */
function baseOf(view: WorldView, entry: Row, distance: number): number {
  const { attacker, target, stance } = view.read(Attack)
  const { effectiveSpeed } = view.read(Participant)
  const lead = effectiveSpeed[attacker[entry]] - effectiveSpeed[target[entry]]
  return baseChance(distance, lead, stance[entry] === EVADE)
}

/** Returns the weapons that fired in a volley. */
function shotsOf(view: WorldView, entry: Row, base: number): Shot[] {
  const { attacker, fired } = view.read(Attack)
  const { seq } = view.read(Participant)
  const row = attacker[entry]
  const seed = hashNext(hashPrefix(view.seed, view.tick, ROLL), seq[row])
  const shots: Shot[] = []
  for (let gun = 0; gun < GUNS_MAX; gun++) {
    if (((fired[entry] >>> gun) & 1) === 1) {
      shots.push(shotOf(view, entry, { gun, base, drawn: hashLast(seed, gun) }))
    }
  }
  return shots
}

/** Computes stages 1 to 4 of one weapon of a volley. Chances and rolls are per mille. */
function shotOf(
  view: WorldView,
  entry: Row,
  { gun, base, drawn }: { gun: number; base: number; drawn: number },
) {
  const part = view.read(Participant)
  const ammo = view.read(Ammo)
  const { attacker, target, flags } = view.read(Attack)
  const row = attacker[entry]
  const slot = row * GUNS_MAX + gun
  const load = part.gunMagazine[slot] === 0 ? 0 : view.read(Module).ammoType[part.gunModule[slot]]
  const accuracy = part.accuracyPct[row] + part.gunAccuracyPct[slot] + ammo.hitPct[load]
  const chance = hitChance(base, accuracy, part.tacticsPct[row], part.tacticsPct[target[entry]])
  const type = part.gunType[slot]
  const ammoPct = 100 + ammo.damagePct[load]
  const isDisrupted = (flags[entry] & ATTACK_FLAGS.disrupted) !== 0
  const crewPct = view.read(Turn).crewPct[row]
  const typed = typedDamage(part.gunDamage[slot], type)
  const loaded = load === 0 ? typed : share(typed, ammoPct)
  const afterDisruption = damageByEffort(loaded, effortPermyriad(isDisrupted, crewPct))
  const isCritical = critRoll(drawn) < part.critPermille[row]
  return {
    gun,
    /** Row of Ammo; 0 for none. */
    load,
    chance,
    roll: hitRoll(drawn),
    isHit: hitRoll(drawn) < chance,
    critRoll: critRoll(drawn),
    isCritical,
    base: part.gunDamage[slot],
    typePct: TYPE_PCT[type],
    /** After stages 1 and 2. */
    typed,
    loaded,
    crewPct,
    ammoPct,
    afterDisruption,
    /** After stage 4. */
    damage: isCritical ? criticalDamage(afterDisruption) : afterDisruption,
  }
}

/** Returns what the attacker adds in stages 6 and 7, %. */
function forceOf(view: WorldView, entry: Row): { skillPct: number; offensePct: number } {
  const part = view.read(Participant)
  const { attacker, type, againstPct } = view.read(Attack)
  const row = attacker[entry]
  const isWounded = view.read(Turn).hullBefore[row] < view.read(Ship).hullMax[part.ship[row]]
  const skillPct =
    part.weaponSkillPct[row] +
    (type[entry] === ENERGY ? part.energyPct[row] : 0) +
    (isWounded ? part.woundedPct[row] : 0)
  return { skillPct, offensePct: part.offensePct[row] + againstPct[entry] }
}

/** Computes stage 13 of an entry that hit, or of a splash. */
export function splitOf(view: WorldView, entry: Row) {
  const attack = view.read(Attack)
  const type = attack.type[entry]
  const isMixed = (attack.flags[entry] & ATTACK_FLAGS.mixed) !== 0
  // The columns of effects hold values of this entry only if it is mixed.
  const effect = (column: Readonly<ArrayLike<number>>): number => (isMixed ? column[entry] : 0)
  const final = attack.final[entry]
  const passing = bypassPct(type, effect(attack.shieldBypassPct))
  const around = share(final, passing)
  const toShield = shieldPct(type, effect(attack.shieldPct))
  const met = share(final - around, toShield)
  return {
    bypassPct: passing,
    /** Points that bypass the shield. */
    around,
    shieldPct: toShield,
    /** The rest, with its effect on a shield. */
    met,
    // Points that reach the armour. A shield took less than it met only if it broke.
    through: around + spill(attack.shieldHit[entry], met, toShield),
    armor: attack.armor[entry],
    armorBypassPct: effect(attack.armorBypassPct),
    hullPct: 100 + effect(attack.hullPct),
  }
}

/** Computes the stages of a volley; not for splashes and burns. */
export function stagesOf(view: WorldView, entry: Row) {
  const attack = view.read(Attack)
  const part = view.read(Participant)
  const row = attack.attacker[entry]
  const target = attack.target[entry]
  const flags = attack.flags[entry]
  assert(
    (flags & (ATTACK_FLAGS.splash | ATTACK_FLAGS.burn)) === 0,
    'splashes and burns have no stages',
  )
  const distance = part.ring[row] + part.ring[target]
  const base = baseOf(view, entry, distance)
  const { skillPct, offensePct } = forceOf(view, entry)
  return {
    shots: shotsOf(view, entry, base),
    distance,
    baseChance: base,
    raw: attack.raw[entry],
    skillPct,
    afterSkill: share(attack.raw[entry], 100 + skillPct),
    offensePct,
    /** Part of offensePct: what the ammunition adds against this target. */
    againstPct: attack.againstPct[entry],
    capitalPct: part.capitalPct[row],
    preHit: attack.preHit[entry],
    ...reductionsOf(view, entry, target),
    final: attack.final[entry],
    split: splitOf(view, entry),
  }
}

/** Computes stages 8 to 12. */
function reductionsOf(view: WorldView, entry: Row, target: Row) {
  const attack = view.read(Attack)
  const part = view.read(Participant)
  const stancePct = STANCE_PCT[attack.stance[entry]]
  const defensePct = part.defensePct[target]
  const isShielded = (attack.flags[entry] & ATTACK_FLAGS.shielded) !== 0
  const shieldResistPct = isShielded ? part.shieldSkillPct[target] : 0
  const typeResistPct = part.resistPct[target * DAMAGE_TYPES.length + attack.type[entry]]
  const afterStance = share(attack.preHit[entry], stancePct)
  const afterDefense = share(afterStance, 100 - defensePct)
  const afterShieldResist = share(afterDefense, 100 - shieldResistPct)
  return {
    stancePct,
    afterStance,
    defensePct,
    afterDefense,
    shieldResistPct,
    afterShieldResist,
    typeResistPct,
    afterTypeResist: share(afterShieldResist, 100 - typeResistPct),
    flatPct: part.flatPct[target],
  }
}
