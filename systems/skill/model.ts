/** Lookups of skills. */
import { assert } from '../../core/assert.ts'
import {
  EMPIRES,
  type EmpireId,
  skillIndex as indexInCatalog,
  SKILLS,
  type SkillRow,
} from '../../core/catalog/index.ts'
import { zeroesOf } from '../../core/copier.ts'
import { CREDITS_PER_DAY_MAX } from '../../core/limits.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from './state.ts'

assert(SKILLS.length <= SKILLS_WIDTH, 'the columns of skills are too narrow')

/** Returns the index into the columns for a skill of a player. */
export const slotOf = (player: Eid, index: number): number => player * SKILLS_WIDTH + index

/** Returns the index into SKILLS of an id, which must be one of the catalogue. */
export function skillIndex(id: string): number {
  const index = indexInCatalog(id)
  assert(index >= 0 && index < SKILLS_WIDTH, `there is no skill ${id}`)
  return index
}

/** Returns a level, 0-100; 0 for player 0, who is nobody. */
export const levelOf = (view: WorldView, player: Eid, skillId: string): number =>
  view.read(PlayerSkills).level[slotOf(player, skillIndex(skillId))]

/** Returns the most credits that missions may pay a player in a day; bounties may pay as much. */
export function creditsPerDayMax(view: WorldView, player: Eid): number {
  const level = levelOf(view, player, 'piloting')
  return CREDITS_PER_DAY_MAX.find(({ piloting }) => level >= piloting)?.credits ?? 0
}

/** Returns the experience gained since the current level was reached. */
export const xpOf = (view: WorldView, player: Eid, skillId: string): number =>
  view.read(PlayerSkills).xp[slotOf(player, skillIndex(skillId))]

/** Returns whether players of an empire may train the skill at all. */
export const suitsEmpire = (skill: SkillRow, empire: EmpireId): boolean =>
  skill.empire_restriction === undefined || skill.empire_restriction === empire

/** Returns whether the player's origin may train the skill at all. */
export const suitsOrigin = (view: WorldView, player: Eid, skill: SkillRow): boolean =>
  suitsEmpire(skill, EMPIRES[view.read(Player).empire[player]].id)

/** The levels of other skills that a skill needs. */
const PREREQUISITES: ReadonlyMap<SkillRow, readonly { index: number; level: number }[]> = new Map(
  SKILLS.map((skill) => [
    skill,
    Object.entries(skill.prerequisites).map(([id, level]) => ({ index: skillIndex(id), level })),
  ]),
)

/** Returns whether a prerequisite is missing: the skill gains nothing. */
export function isLocked(view: WorldView, player: Eid, skill: SkillRow): boolean {
  const levels = view.read(PlayerSkills).level
  const needed = PREREQUISITES.get(skill)
  assert(needed, `${skill.id} is no skill of the catalogue`)
  return needed.some(({ index, level }) => levels[slotOf(player, index)] < level)
}

/** The skills that an origin may train, by empire, and how they look to the untrained. */
const SKILLS_OF = EMPIRES.map((empire) => {
  const ids = SKILLS.filter((skill) => suitsEmpire(skill, empire.id)).map(({ id }) => id)
  return { skills: ids.map((id) => ({ id, index: skillIndex(id) })), untrained: zeroesOf(ids) }
})

function byId(view: WorldView, player: Eid, column: 'level' | 'xp'): Record<string, number> {
  const values = view.read(PlayerSkills)[column]
  const first = slotOf(player, 0)
  const { skills, untrained } = SKILLS_OF[view.read(Player).empire[player]]
  const trained: Record<string, number> = untrained()
  for (const { id, index } of skills) {
    const value = values[first + index]
    if (value !== 0) trained[id] = value
  }
  return trained
}

/** Returns levels by skill id. */
export const skillLevels = (view: WorldView, player: Eid) => byId(view, player, 'level')

/** Returns the experience gained since the current level was reached, by skill id. */
export const skillExperience = (view: WorldView, player: Eid) => byId(view, player, 'xp')
