/**
 * What trains by the way: a ship that works near full power, and acts for a faction. Source:
 * missions.md section 5.
 */
import { divFloor } from '../../core/math.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Ship } from '../ship/columns.ts'
import { PlayerSkills } from './columns.ts'
import { awardXp } from './rules.ts'

/** Share of the power that counts as near full, percent, and the XP of an hour it gives. */
const FULL_POWER_PCT = 90
const FULL_POWER_XP_PER_HOUR_MAX = 60
const DUTY_XP = 5

/**
 * Trains engineering for ticks in which the ship flown worked at 90 % of its power or more. ours:
 * ticks count in which it flies, mines or fights, as for piloting, so that nobody learns asleep.
 */
export function trainAtPower(world: World, player: Eid, ticks: number): void {
  const ship = world.read(Player).ship[player]
  const { powerUsed, powerCap } = world.read(Ship)
  if (powerCap[ship] === 0 || powerUsed[ship] * 100 < powerCap[ship] * FULL_POWER_PCT) return
  const skills = world.write(PlayerSkills)
  const hour = divFloor(world.tick, HOUR_TICKS) * HOUR_TICKS
  if (skills.hourStartTick[player] !== hour) {
    skills.hourStartTick[player] = hour
    skills.fullPowerXp[player] = 0
  }
  const xp = Math.min(ticks, FULL_POWER_XP_PER_HOUR_MAX - skills.fullPowerXp[player])
  if (xp > 0) skills.fullPowerXp[player] += awardXp(world, player, 'engineering', xp)
}

/** Trains leadership for an act for the faction that took a slot of the tick. */
export const trainByDuty = (world: World, player: Eid): number =>
  awardXp(world, player, 'leadership', DUTY_XP, 'duty')
