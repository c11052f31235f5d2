/**
 * The stages of an entry of Attack, worked out again for the battle log with the functions of the
 * kernels. Valid in the tick in which it was fought. Source: combat.md section 6.
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

/** One weapon of a volley: stages 1 to 4. Chances and rolls per mille. */
export interface Shot {
  readonly gun: number
  /** Row of Ammo; 0 for none. */
  readonly load: number
  readonly chance: number
  readonly roll: number
  readonly isHit: boolean
  readonly critRoll: number
  readonly isCritical: boolean
  readonly base: number
  readonly typePct: number
  /** After stages 1 and 2. */
  readonly typed: number
  readonly loaded: number
  readonly crewPct: number
  /** What the ammunition leaves or makes of the damage, %. */
  readonly ammoPct: number
  /** After stage 3. */
  readonly afterDisruption: number
  /** After stage 4. */
  readonly damage: number
}

/** Stages 5 to 12 of an entry. */
export interface Stages {
  readonly shots: readonly Shot[]
  readonly distance: number
  /** Before accuracy and skill, per mille. */
  readonly baseChance: number
  readonly raw: number
  readonly skillPct: number
  readonly afterSkill: number
  readonly offensePct: number
  /** Part of it: what the ammunition adds against this target. */
  readonly againstPct: number
  readonly capitalPct: number
  readonly preHit: number
  readonly stancePct: number
  readonly afterStance: number
  readonly defensePct: number
  readonly afterDefense: number
  readonly shieldResistPct: number
  readonly afterShieldResist: number
  readonly typeResistPct: number
  readonly afterTypeResist: number
  readonly flatPct: number
  readonly final: number
  readonly split: SplitStage
}

/** Stage 13: how the final damage is shared between shield and hull. */
export interface SplitStage {
  readonly bypassPct: number
  /** Points that pass the shield by. */
  readonly around: number
  /** Effect of damage on a shield, %. */
  readonly shieldPct: number
  /** The rest with that effect. */
  readonly met: number
  /** Points that reach the armour. */
  readonly through: number
  readonly armor: number
  readonly armorBypassPct: number
  /** Effect of damage on a hull, %. */
  readonly hullPct: number
}

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

function shotOf(
  view: WorldView,
  entry: Row,
  { gun, base, drawn }: { gun: number; base: number; drawn: number },
): Shot {
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
    load,
    chance,
    roll: hitRoll(drawn),
    isHit: hitRoll(drawn) < chance,
    critRoll: critRoll(drawn),
    isCritical,
    base: part.gunDamage[slot],
    typePct: TYPE_PCT[type],
    typed,
    loaded,
    crewPct,
    ammoPct,
    afterDisruption,
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

/** Works out stage 13 of an entry that hit, or of a splash. */
export function splitOf(view: WorldView, entry: Row): SplitStage {
  const attack = view.read(Attack)
  const type = attack.type[entry]
  const isMixed = (attack.flags[entry] & ATTACK_FLAGS.mixed) !== 0
  const own = (column: Readonly<ArrayLike<number>>): number => (isMixed ? column[entry] : 0)
  const final = attack.final[entry]
  const passing = bypassPct(type, own(attack.shieldBypassPct))
  const around = share(final, passing)
  const toShield = shieldPct(type, own(attack.shieldPct))
  const met = share(final - around, toShield)
  return {
    bypassPct: passing,
    around,
    shieldPct: toShield,
    met,
    // a shield took less than it met only if it broke
    through: around + spill(attack.shieldHit[entry], met, toShield),
    armor: attack.armor[entry],
    armorBypassPct: own(attack.armorBypassPct),
    hullPct: 100 + own(attack.hullPct),
  }
}

/** Works out the stages of a volley; not for splashes and burns. */
export function stagesOf(view: WorldView, entry: Row): Stages {
  const attack = view.read(Attack)
  const part = view.read(Participant)
  const row = attack.attacker[entry]
  const target = attack.target[entry]
  const flags = attack.flags[entry]
  assert((flags & (ATTACK_FLAGS.splash | ATTACK_FLAGS.burn)) === 0, 'no volley')
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
    againstPct: attack.againstPct[entry],
    capitalPct: part.capitalPct[row],
    preHit: attack.preHit[entry],
    ...reductionsOf(view, entry, target),
    final: attack.final[entry],
    split: splitOf(view, entry),
  }
}

/** Stages 8 to 12. */
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
