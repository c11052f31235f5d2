/** Awards of experience, with their caps; there is no other way to gain it. */
import { assert } from '../../core/assert.ts'
import { SHIP_CLASSES, SKILLS, XP_PER_LEVEL } from '../../core/catalog/index.ts'
import type { TableDef } from '../../core/columns.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { divFloor } from '../../core/math.ts'
import { raise } from '../../core/occurrence.ts'
import { dayStartOf, HOUR_TICKS } from '../../core/time.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { recordLevel } from '../achievement/rules.ts'
import { FactionFeats, PlayerFeats } from '../achievement/state.ts'
import { Ship } from '../ship/state.ts'
import { isLocked, skillIndex, slotOf, suitsOrigin } from './model.ts'
import { skillLevelUp } from './schemas.ts'
import { type CappedSource, levelled, PlayerSkills } from './state.ts'

/** Tables that an award writes: a level may change ships and count for achievements. */
export const XP_WRITES: readonly TableDef[] = [FactionFeats, PlayerFeats, PlayerSkills, Ship]

/** Limits of one award, and of a source on one day. Source: missions.md section 5, caps. */
export const AWARD_XP_MAX = 50_000
const DAY_XP_MAX: Readonly<Record<CappedSource, number>> = {
  pvp: 2_000,
  arena: 500,
  trade: 5_000,
  drone: 2_000,
  leadership: 1_000,
  duty: 50,
}

/** Skills whose XP is capped wherever it comes from. */
const SOURCE_OF_SKILL: Readonly<Record<string, CappedSource>> = {
  drone_control: 'drone',
  leadership: 'leadership',
}

/**
 * Returns the XP that a source may still give in a skill today. Each skill has one counter for all
 * its sources: XP from arenas counts towards the cap of duels. Source: missions.md section 11.
 */
function xpLeftToday(world: World, player: Eid, index: number, source: CappedSource): number {
  const skills = world.write(PlayerSkills)
  const day = dayStartOf(world.tick)
  if (skills.dayStartTick[player] !== day) {
    skills.dayStartTick[player] = day
    skills.cappedXp.fill(0, slotOf(player, 0), slotOf(player + 1, 0))
    skills.dutyXp[player] = 0
  }
  const used = skills.cappedXp[slotOf(player, index)]
  if (source !== 'duty') return Math.max(0, DAY_XP_MAX[source] - used)
  const duty = DAY_XP_MAX.duty - skills.dutyXp[player]
  return Math.max(0, Math.min(duty, DAY_XP_MAX.leadership - used))
}

/** Adds XP, and levels as they are reached; returns the XP that counted: none past level 100. */
function addXp(world: World, slot: number, xp: number): number {
  const skills = world.write(PlayerSkills)
  let level = skills.level[slot]
  let pool = skills.xp[slot] + xp
  while (level < XP_PER_LEVEL.length && pool >= XP_PER_LEVEL[level]) {
    pool -= XP_PER_LEVEL[level]
    level++
  }
  const dropped = level === XP_PER_LEVEL.length ? pool : 0
  skills.level[slot] = level
  skills.xp[slot] = pool - dropped
  assert(level <= XP_PER_LEVEL.length, 'a level passes its maximum')
  return xp - dropped
}

/**
 * Gives a player experience in a skill. Returns the XP really gained: 0 if the skill is locked,
 * closed to their origin or at its maximum, or if the day's cap of its source is reached. Amounts
 * are rounded down, and 50,000 at most. Source: missions.md section 5.
 */
export function awardXp(
  world: World,
  player: Eid,
  skillId: string,
  amount: number,
  source?: CappedSource,
): number {
  assert(world.read(Player).alive[player] === 1, 'experience for a player who does not exist')
  const index = skillIndex(skillId)
  const skill = SKILLS[index]
  const award = Math.min(Math.floor(amount), AWARD_XP_MAX)
  if (award <= 0 || !suitsOrigin(world, player, skill) || isLocked(world, player, skill)) return 0
  const capped = source ?? SOURCE_OF_SKILL[skillId]
  const allowed = capped ? Math.min(award, xpLeftToday(world, player, index, capped)) : award
  const slot = slotOf(player, index)
  const { level } = world.read(PlayerSkills)
  const before = level[slot]
  if (allowed === 0 || before === XP_PER_LEVEL.length) return 0
  const gained = addXp(world, slot, allowed)
  const { cappedXp, dutyXp } = world.write(PlayerSkills)
  if (capped) cappedXp[slot] += gained
  if (capped === 'duty') dutyXp[player] += gained
  const after = level[slot]
  if (after === before) return gained
  recordLevel(world, player, index, { before, after })
  const payload = { skill_id: skillId, new_level: after, xp_gained: gained }
  emit(world, skillLevelUp, payload, toPlayer(player))
  raise(world, levelled, { player, skill: skillId, before, after })
  return gained
}

/* Training through other activities. Source: missions.md section 5. */

/**
 * Piloting XP of a tick of flying, mining or fighting, times the tier of the hull plus one. ours:
 * with the sheet's 4, level 10 took 9.5 hours, and the sheet wants the second tier within 8.
 */
const PILOTING_XP = 5

/**
 * Trains piloting for ticks in which a hull was flown. Idle ticks (adrift, in an arena, or against
 * fleetmates) give one point, as before the others were raised: they cost nothing. Source:
 * balance.md section 3.
 */
export function awardPilotingXp(
  world: World,
  player: Eid,
  flight: { readonly ship: Eid; readonly ticks: number; readonly isIdle?: boolean },
  source?: CappedSource,
): number {
  const { tier } = SHIP_CLASSES[world.read(Ship).class[flight.ship]]
  const rate = flight.isIdle ? 1 : PILOTING_XP
  return awardXp(world, player, 'piloting', rate * (tier + 1) * flight.ticks, source)
}

/** Share of the power that counts as near full, percent, and the XP it gives in an hour. */
const FULL_POWER_PCT = 90
const FULL_POWER_XP_PER_HOUR_MAX = 60
const DUTY_XP = 5

/**
 * Trains engineering for ticks in which the ship flown worked at 90 % of its power or more. ours:
 * as for piloting, only ticks count in which it flies, mines or fights, so that idling teaches
 * nothing.
 */
export function awardFullPowerXp(world: World, player: Eid, ticks: number): void {
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

/** Trains leadership for a mutation on behalf of the faction, which took the player's slot. */
export const awardDutyXp = (world: World, player: Eid): number =>
  awardXp(world, player, 'leadership', DUTY_XP, 'duty')
