/**
 * Every stage of an entry of Attack, worked out again with the functions that the kernels used:
 * for the battle log. Holds in the tick in which it was fought. Source: combat.md section 6.
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
  typedDamage,
} from './damage-kernels.ts'
import { typePct } from './destruction-model.ts'
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
  /** Row of Ammo: 0 for none. */
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
  /** What the ammunition makes of it, %. */
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
  /** Of it `againstPct`: what the ammunition adds against this target. */
  readonly offensePct: number
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

/** Stage 13: how what is left is shared between shield and hull. */
export interface SplitStage {
  readonly bypassPct: number
  /** Passes the shield by. */
  readonly around: number
  /** What damage does to a shield, %. */
  readonly shieldPct: number
  /** The rest, as the shield feels it. */
  readonly met: number
  /** What reaches the armour. */
  readonly through: number
  readonly armor: number
  readonly armorBypassPct: number
  /** What damage does to a hull, %. */
  readonly hullPct: number
}

/** Of a volley, per mille: by distance, speeds and the target's evasion. */
function baseOf(view: WorldView, entry: Row, distance: number): number {
  const { attacker, target, stance } = view.read(Attack)
  const { effectiveSpeed } = view.read(Participant)
  const lead = effectiveSpeed[attacker[entry]] - effectiveSpeed[target[entry]]
  return baseChance(distance, lead, stance[entry] === EVADE)
}

/** The weapons of a volley, by bits. */
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
  const at = row * GUNS_MAX + gun
  const load = part.gunMagazine[at] === 0 ? 0 : view.read(Module).ammoType[part.gunModule[at]]
  const accuracy = part.accuracyPct[row] + part.gunAccuracyPct[at] + ammo.hitPct[load]
  const chance = hitChance(base, accuracy, part.tacticsPct[row], part.tacticsPct[target[entry]])
  const type = part.gunType[at]
  const ammoPct = 100 + ammo.damagePct[load]
  const isDisrupted = (flags[entry] & ATTACK_FLAGS.disrupted) !== 0
  const crewPct = view.read(Turn).crewPct[row]
  const typed = typedDamage(part.gunDamage[at], type)
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
    base: part.gunDamage[at],
    typePct: typePct(type),
    typed,
    loaded,
    crewPct,
    ammoPct,
    afterDisruption,
    damage: isCritical ? criticalDamage(afterDisruption) : afterDisruption,
  }
}

/** Stages 6 and 7: what the attacker makes of its weapons, %. */
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

/** Stage 13 of an entry that hit, a splash included. */
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
    // what a shield took is less than what it met only where it broke
    through: around + spill(attack.shieldHit[entry], met, toShield),
    armor: attack.armor[entry],
    armorBypassPct: own(attack.armorBypassPct),
    hullPct: 100 + own(attack.hullPct),
  }
}

/** A volley, stage by stage; neither a splash nor a burn. */
export function stagesOf(view: WorldView, entry: Row): Stages {
  const attack = view.read(Attack)
  const part = view.read(Participant)
  const [row, target] = [attack.attacker[entry], attack.target[entry]]
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
