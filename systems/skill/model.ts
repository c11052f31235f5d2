/** Lookups of skills; writes only to its own columns. */
import { assert } from '../../core/assert.ts'
import {
  EMPIRES,
  skillIndex as indexInCatalog,
  SKILLS,
  type SkillRow,
} from '../../core/catalog/index.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from './state.ts'

assert(SKILLS.length <= SKILLS_WIDTH, 'the columns of skills are too narrow')

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

/** Every skill the player's origin may train, trained or not. */
export function skillsOf(view: WorldView, player: Eid): readonly SkillRow[] {
  return SKILLS.filter((skill) => suitsOrigin(view, player, skill))
}

function byId(view: WorldView, player: Eid, read: typeof levelOf): Record<string, number> {
  return Object.fromEntries(
    skillsOf(view, player).map((skill) => [skill.id, read(view, player, skill.id)]),
  )
}

/** Levels by skill id. */
export const skillLevels = (view: WorldView, player: Eid) => byId(view, player, levelOf)

/** Experience inside the level, by skill id. */
export const skillExperience = (view: WorldView, player: Eid) => byId(view, player, xpOf)
