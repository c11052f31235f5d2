/** Skills: levels, what is locked, and the one way to gain experience, with its caps. */
import { assert } from '../../core/assert.ts'
import {
  EMPIRES,
  skillIndex as indexInCatalog,
  SKILLS,
  type SkillRow,
  XP_PER_LEVEL,
} from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { divFloor } from '../../core/math.ts'
import { raise } from '../../core/occurrence.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { noteLevel } from '../achievement/counter-rules.ts'
import { type CappedSource, levelled, PlayerSkills, SKILLS_WIDTH } from './columns.ts'
import { skillLevelUp } from './events.ts'

/** Most XP of one award, and of a source on one day. Source: missions.md section 5, caps. */
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

/** Index into SKILLS and into the columns; the id must be one of the catalogue. */
export function skillIndex(id: string): number {
  const index = indexInCatalog(id)
  assert(index >= 0 && index < SKILLS_WIDTH, `there is no skill ${id}`)
  return index
}

/** Level 0-100 of a player; 0 for nobody (player 0). */
export const levelOf = (view: WorldView, player: Eid, skillId: string): number =>
  view.read(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex(skillId)]

/** Experience inside the level. */
export const xpOf = (view: WorldView, player: Eid, skillId: string): number =>
  view.read(PlayerSkills).xp[player * SKILLS_WIDTH + skillIndex(skillId)]

/** True if the player's origin may train the skill at all. */
export function suitsOrigin(view: WorldView, player: Eid, skill: SkillRow): boolean {
  const origin = EMPIRES[view.read(Player).empire[player]].id
  return skill.empire_restriction === undefined || skill.empire_restriction === origin
}

/** True until every prerequisite is met: the skill gains nothing. */
export function isLocked(view: WorldView, player: Eid, skill: SkillRow): boolean {
  return Object.entries(skill.prerequisites).some(
    ([id, level]) => levelOf(view, player, id) < level,
  )
}

/**
 * XP the source may still give in the skill today. A skill has one counter, whichever of its
 * sources it is: what an arena gave counts towards what duels may. Source: missions.md section 11.
 */
function leftToday(world: World, player: Eid, index: number, source: CappedSource): number {
  const skills = world.write(PlayerSkills)
  const day = divFloor(world.tick, DAY_TICKS) * DAY_TICKS
  if (skills.dayStartTick[player] !== day) {
    skills.dayStartTick[player] = day
    skills.cappedXp.fill(0, player * SKILLS_WIDTH, (player + 1) * SKILLS_WIDTH)
    skills.dutyXp[player] = 0
  }
  const used = skills.cappedXp[player * SKILLS_WIDTH + index]
  if (source !== 'duty') return Math.max(0, DAY_XP_MAX[source] - used)
  const duty = DAY_XP_MAX.duty - skills.dutyXp[player]
  return Math.max(0, Math.min(duty, DAY_XP_MAX.leadership - used))
}

/** Counts what a capped source has given. */
function countCapped(world: World, player: Eid, at: number, gained: number, isDuty: boolean): void {
  const skills = world.write(PlayerSkills)
  skills.cappedXp[at] += gained
  if (isDuty) skills.dutyXp[player] += gained
}

/**
 * Adds XP and raises the level as often as it suffices; returns what was taken (the rest is past
 * level 100).
 */
function gain(world: World, player: Eid, at: number, xp: number): number {
  const skills = world.write(PlayerSkills)
  let level = skills.level[at]
  let pool = skills.xp[at] + xp
  while (level < XP_PER_LEVEL.length && pool >= XP_PER_LEVEL[level]) {
    pool -= XP_PER_LEVEL[level]
    level++
  }
  const dropped = level === XP_PER_LEVEL.length ? pool : 0
  skills.level[at] = level
  skills.xp[at] = pool - dropped
  assert(player > 0 && level <= XP_PER_LEVEL.length, 'a level passes its maximum')
  return xp - dropped
}

/**
 * Gives a player experience in a skill and tells of a new level. Returns the XP really gained: 0 if
 * the skill is locked, of another origin, at its top, or the day's cap of its source is reached.
 * Amounts are floored, 50,000 at most. Source: missions.md section 5.
 */
export function awardXp(
  world: World,
  player: Eid,
  skillId: string,
  amount: number,
  source?: CappedSource,
): number {
  assert(world.read(Player).alive[player] === 1, 'experience for nobody')
  const index = skillIndex(skillId)
  const skill = SKILLS[index]
  const wanted = Math.min(Math.floor(amount), AWARD_XP_MAX)
  if (wanted <= 0 || !suitsOrigin(world, player, skill) || isLocked(world, player, skill)) return 0
  const capped = source ?? SOURCE_OF_SKILL[skillId]
  const allowed = capped ? Math.min(wanted, leftToday(world, player, index, capped)) : wanted
  const at = player * SKILLS_WIDTH + index
  const before = world.read(PlayerSkills).level[at]
  if (allowed === 0 || before === XP_PER_LEVEL.length) return 0
  const gained = gain(world, player, at, allowed)
  if (capped) countCapped(world, player, at, gained, capped === 'duty')
  const after = world.read(PlayerSkills).level[at]
  if (after === before) return gained
  noteLevel(world, player, index, { before, after })
  const payload = { skill_id: skillId, new_level: after, xp_gained: gained }
  emit(world, skillLevelUp, payload, toPlayer(player))
  raise(world, levelled, { player, skill: skillId, before, after })
  return gained
}
