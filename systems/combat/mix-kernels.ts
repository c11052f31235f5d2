/**
 * What weapons and ammunition add to an entry beyond damage. The sheet knows one ammunition an
 * entry; ours: where several hit, percentages are their mean by damage, spans and melt the most of
 * them. Source: combat.md section 6.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { Boarding, Link } from '../boarding/state.ts'
import { Ship } from '../ship/state.ts'
import { CLOAK_AGAIN_TICKS, CLOAK_HULL_PCT } from './damage-kernels.ts'
import type { Muster } from './maneuver-kernels.ts'
import {
  Ammo,
  Attack,
  COMBAT_SPECIALS,
  FATES,
  GUNS_MAX,
  LARGE_SCALE_MIN,
  PARTICIPANT_KINDS,
  Participant,
  RING_OUTER,
  ShipCombat,
  SMALL_SCALE_MAX,
  STANCES,
  Turn,
} from './state.ts'
import { scratch } from './strike-kernels.ts'

/*
 * Steps of combat.mend: own repair, shields, flight, and what becomes of each ship. Repair of
 * others is in kernels.ts. Source: combat.md sections 8 and 9, steps H8 and H9.
 */

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
  const { cloakReadyTick } = columns.of(ShipCombat)

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

const GUNS = GUNS_MAX
const DRONE = PARTICIPANT_KINDS.indexOf('drone')

/** The weapons of the ship at hand that hit: what each was loaded with, and its damage. */
export interface Shots {
  readonly load: Uint16Array
  readonly damage: Int32Array
}

export const createShots = (): Shots => ({
  load: new Uint16Array(scratch(2 * GUNS)),
  damage: new Int32Array(scratch(4 * GUNS)),
})

/** A figure of a weapon (index into the gun columns) and what it was loaded with. */
type Figure = (at: number, load: number) => number

/** What the ammunition adds against a target, %. */
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

/** Writes the mix of an entry with hits to it; `againstPct` included. */
export function makeMix(columns: KernelColumns, shots: Shots): (entry: number) => void {
  const { gunShieldBypassPct, gunArmorBypassPct } = columns.of(Participant)
  const ammo = columns.of(Ammo)
  const { attacker, target, hits, ...attack } = columns.of(Attack)
  const against = makeAgainst(columns)
  const mean = makeMean(columns, shots)
  const { shieldPct, hullPct, splashPct, burnPct } = ammo
  const { burnTicks, meltPct, meltTicks, disruptTicks } = ammo
  const shieldBypass: Figure = (at, load) => gunShieldBypassPct[at] + ammo.shieldBypassPct[load]
  const armorBypass: Figure = (at, load) => gunArmorBypassPct[at] + ammo.armorBypassPct[load]

  /** All that hit are alike. */
  function one(entry: number, at: number, load: number): void {
    attack.shieldBypassPct[entry] = shieldBypass(at, load)
    attack.armorBypassPct[entry] = armorBypass(at, load)
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

  function several(entry: number): void {
    attack.shieldBypassPct[entry] = mean.of(entry, shieldBypass)
    attack.armorBypassPct[entry] = mean.of(entry, armorBypass)
    attack.shieldPct[entry] = mean.of(entry, (_at, load) => shieldPct[load])
    attack.hullPct[entry] = mean.of(entry, (_at, load) => hullPct[load])
    attack.splashPct[entry] = mean.of(entry, (_at, load) => splashPct[load])
    attack.burnPct[entry] = mean.of(entry, (_at, load) => burnPct[load])
    attack.burnTicks[entry] = mean.most(entry, (_at, load) => burnTicks[load])
    attack.meltPct[entry] = mean.most(entry, (_at, load) => meltPct[load])
    attack.meltTicks[entry] = mean.most(entry, (_at, load) => meltTicks[load])
    attack.disruptTicks[entry] = mean.most(entry, (_at, load) => disruptTicks[load])
    attack.againstPct[entry] = mean.of(entry, (_at, load) => against(target[entry], load))
  }

  return (entry) => {
    const gun = 31 - Math.clz32(hits[entry])
    const at = attacker[entry] * GUNS + gun
    if (mean.areAlike(entry, shieldBypass, armorBypass)) one(entry, at, shots.load[gun])
    else several(entry)
  }
}

/** Figures over the weapons of an entry that hit. */
function makeMean(columns: KernelColumns, { load, damage }: Shots) {
  const { attacker, hits } = columns.of(Attack)
  return {
    of(entry: number, figure: Figure): number {
      let sum = 0
      let weight = 0
      for (let bits = hits[entry], gun = 0; bits !== 0; bits >>= 1, gun++) {
        if ((bits & 1) === 0) continue
        sum += damage[gun] * figure(attacker[entry] * GUNS + gun, load[gun])
        weight += damage[gun]
      }
      return weight === 0 ? 0 : Math.trunc(sum / weight)
    },
    most(entry: number, figure: Figure): number {
      let most = 0
      for (let bits = hits[entry], gun = 0; bits !== 0; bits >>= 1, gun++) {
        if ((bits & 1) === 1) most = Math.max(most, figure(gun, load[gun]))
      }
      return most
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
