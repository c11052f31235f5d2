/**
 * What weapons and ammunition add to an entry beyond damage. The sheet knows one ammunition an
 * entry; ours: where several hit, percentages are their mean by damage, spans and melt the most of
 * them. Source: combat.md section 6.
 */
import type { KernelColumns } from '../../core/columns.ts'
import { Ship } from '../ship/columns.ts'
import {
  Ammo,
  Attack,
  GUNS_MAX,
  LARGE_SCALE_MIN,
  PARTICIPANT_KINDS,
  Participant,
  SMALL_SCALE_MAX,
} from './columns.ts'
import { scratch } from './entries.ts'

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
