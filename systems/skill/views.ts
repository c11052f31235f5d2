/** What players see of skills. */
import { SKILL_LEVEL_MAX, XP_PER_LEVEL } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { isLocked, levelOf, skillsOf, xpOf } from './model.ts'
import type { skillProgressSchema } from './schemas.ts'

type SkillProgress = Static<typeof skillProgressSchema>

/**
 * By skill id. `locked` is there, and the level 0, while prerequisites are missing. Source:
 * missions.md section 5.
 */
export function renderSkills(view: WorldView, player: Eid): Record<string, SkillProgress> {
  const shown: Record<string, SkillProgress> = {}
  for (const skill of skillsOf(view, player)) {
    const level = levelOf(view, player, skill.id)
    shown[skill.id] = {
      name: skill.name,
      category: skill.category,
      level,
      max_level: SKILL_LEVEL_MAX,
      xp: xpOf(view, player, skill.id),
      next_level_xp: XP_PER_LEVEL[level] ?? 0,
      ...(isLocked(view, player, skill) ? { locked: true } : {}),
    }
  }
  return shown
}
