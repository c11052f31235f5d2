/**
 * Every stage of an entry of Attack, worked out again with the functions that the kernels used: for
 * the battle log. Holds in the tick in which it was fought. Source: combat.md section 6.
 */
import { assert } from '../../core/assert.ts'
import { hashLast, hashNext, hashPrefix } from '../../core/rng.ts'
import type { Row, WorldView } from '../../core/world.ts'
import { Module, Ship } from '../ship/columns.ts'
import {
  Ammo,
  ATTACK_FLAGS,
  Attack,
  DAMAGE_TYPES,
  GUNS_MAX,
  Participant,
  STANCES,
  Turn,
} from './columns.ts'
import {
  baseChance,
  criticalDamage,
  critRoll,
  damageByEffort,
  effortPermyriad,
  hitChance,
  hitRoll,
  ROLL,
  STANCE_PCT,
  share,
  typedDamage,
  typePct,
} from './damage.ts'

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
  readonly raw: number
  readonly skillPct: number
  readonly offensePct: number
  readonly capitalPct: number
  readonly preHit: number
  readonly stancePct: number
  readonly afterStance: number
  readonly defensePct: number
  readonly afterDefense: number
  readonly shieldResistPct: number
  readonly typeResistPct: number
  readonly flatPct: number
  readonly final: number
}

/** The weapons of a volley, by bits. */
function shotsOf(view: WorldView, entry: Row, distance: number): Shot[] {
  const { attacker, target, fired, stance } = view.read(Attack)
  const { seq, effectiveSpeed } = view.read(Participant)
  const [row, aim] = [attacker[entry], target[entry]]
  const lead = effectiveSpeed[row] - effectiveSpeed[aim]
  const base = baseChance(distance, lead, stance[entry] === EVADE)
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
  const effort = effortPermyriad(isDisrupted, view.read(Turn).crewPct[row])
  const typed = typedDamage(part.gunDamage[at], type)
  const afterDisruption = damageByEffort(load === 0 ? typed : share(typed, ammoPct), effort)
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

/** A volley, stage by stage; neither a splash nor a burn. */
export function stagesOf(view: WorldView, entry: Row): Stages {
  const attack = view.read(Attack)
  const part = view.read(Participant)
  const [row, target] = [attack.attacker[entry], attack.target[entry]]
  const flags = attack.flags[entry]
  assert((flags & (ATTACK_FLAGS.splash | ATTACK_FLAGS.burn)) === 0, 'no volley')
  const distance = part.ring[row] + part.ring[target]
  const isShielded = (flags & ATTACK_FLAGS.shielded) !== 0
  const stancePct = STANCE_PCT[attack.stance[entry]]
  const afterStance = share(attack.preHit[entry], stancePct)
  return {
    shots: shotsOf(view, entry, distance),
    distance,
    raw: attack.raw[entry],
    ...forceOf(view, entry),
    capitalPct: part.capitalPct[row],
    preHit: attack.preHit[entry],
    stancePct,
    afterStance,
    defensePct: part.defensePct[target],
    afterDefense: share(afterStance, 100 - part.defensePct[target]),
    shieldResistPct: isShielded ? part.shieldSkillPct[target] : 0,
    typeResistPct: part.resistPct[target * DAMAGE_TYPES.length + attack.type[entry]],
    flatPct: part.flatPct[target],
    final: attack.final[entry],
  }
}
