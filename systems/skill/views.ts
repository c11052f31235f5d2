/** What players see of skills. */
import { SKILL_LEVEL_MAX, XP_PER_LEVEL } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { isLocked, levelOf, skillsOf, xpOf } from './model.ts'
import type { skillProgressSchema } from './schemas.ts'

type SkillProgress = Static<typeof skillProgressSchema>

/**
 * Renders skills by id; while prerequisites are missing `locked` is set, with the levels of others
 * that unlock the skill. Source: missions.md 5.
 */
export function renderSkills(view: WorldView, player: Eid): Record<string, SkillProgress> {
  const skills: Record<string, SkillProgress> = {}
  for (const skill of skillsOf(view, player)) {
    const level = levelOf(view, player, skill.id)
    skills[skill.id] = {
      name: skill.name,
      category: skill.category,
      level,
      max_level: SKILL_LEVEL_MAX,
      xp: xpOf(view, player, skill.id),
      next_level_xp: XP_PER_LEVEL[level] ?? 0,
      ...(isLocked(view, player, skill)
        ? { locked: true, requires: { ...skill.prerequisites } }
        : {}),
    }
  }
  return skills
}
