/** What players see of skills. */
import {
  EMPIRES,
  SKILL_LEVEL_MAX,
  SKILLS,
  type SkillRow,
  XP_PER_LEVEL,
} from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { shareTexts } from '../../core/wire/packed.ts'
import { Player } from '../account/state.ts'
import { skillIndex, slotOf, suitsEmpire } from './model.ts'
import type { skillProgressSchema } from './schemas.ts'
import { PlayerSkills } from './state.ts'

type SkillProgress = Static<typeof skillProgressSchema>

const progressOf = (skill: SkillRow, isLocked: boolean, level: number, xp: number) => ({
  name: skill.name,
  category: skill.category,
  level,
  max_level: SKILL_LEVEL_MAX,
  xp,
  next_level_xp: XP_PER_LEVEL[level] ?? 0,
  ...(isLocked ? { locked: true, requires: { ...skill.prerequisites } } : {}),
})

/** What rendering a skill takes, looked up once. */
interface Shown {
  readonly skill: SkillRow
  readonly index: number
  readonly prerequisites: readonly { readonly index: number; readonly level: number }[]
  /** How it looks to all who have not trained it. */
  readonly untrained: { readonly open: SkillProgress; readonly locked: SkillProgress }
}

const showSkill = (skill: SkillRow): Shown => ({
  skill,
  index: skillIndex(skill.id),
  prerequisites: Object.entries(skill.prerequisites).map(([id, level]) => ({
    index: skillIndex(id),
    level,
  })),
  untrained: {
    open: shareTexts(progressOf(skill, false, 0, 0)),
    locked: shareTexts(progressOf(skill, true, 0, 0)),
  },
})

const ALL = SKILLS.map((skill) => showSkill(skill))
/** Of each empire, in the order of EMPIRES. */
const SHOWN = EMPIRES.map(({ id }) => ALL.filter(({ skill }) => suitsEmpire(skill, id)))

/**
 * Renders skills by id; while prerequisites are missing `locked` is set, with the levels of others
 * that unlock the skill. Source: missions.md 5.
 */
export function renderSkills(view: WorldView, player: Eid): Record<string, SkillProgress> {
  const { level: levels, xp: xps } = view.read(PlayerSkills)
  const first = slotOf(player, 0)
  const skills: Record<string, SkillProgress> = {}
  for (const { skill, index, prerequisites, untrained } of SHOWN[
    view.read(Player).empire[player]
  ]) {
    const isLocked = prerequisites.some((needed) => levels[first + needed.index] < needed.level)
    const level = levels[first + index]
    const xp = xps[first + index]
    const isTrained = level > 0 || xp > 0
    const same = isLocked ? untrained.locked : untrained.open
    skills[skill.id] = isTrained ? progressOf(skill, isLocked, level, xp) : same
  }
  return skills
}
