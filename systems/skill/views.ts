/**
 * How a player sees the own skills: the v2 section, the answer of get_skills, and the maps of the
 * v1 player.
 */
import { SKILL_LEVEL_MAX, SKILLS, type SkillRow, XP_PER_LEVEL } from '../../core/catalog/index.ts'
import { bools, ints, mapOf, named, opt, type Static, strings } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { isLocked, levelOf, suitsOrigin, xpOf } from './rules.ts'

export const skillProgressSchema = named('SkillProgress', {
  ...strings('name', 'category'),
  ...ints('level', 'max_level', 'xp', 'next_level_xp'),
  ...opt(bools('locked')),
})
type SkillProgress = Static<typeof skillProgressSchema>

/** v2 section `skills`. */
export const skillsSection = mapOf(skillProgressSchema)

/** Every skill the player's origin may train, trained or not. */
function skillsOf(view: WorldView, player: Eid): readonly SkillRow[] {
  return SKILLS.filter((skill) => suitsOrigin(view, player, skill))
}

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

function byId(view: WorldView, player: Eid, read: typeof levelOf): Record<string, number> {
  return Object.fromEntries(
    skillsOf(view, player).map((skill) => [skill.id, read(view, player, skill.id)]),
  )
}

/** Levels by skill id. */
export const skillLevels = (view: WorldView, player: Eid) => byId(view, player, levelOf)

/** Experience inside the level, by skill id. */
export const skillExperience = (view: WorldView, player: Eid) => byId(view, player, xpOf)
