/** Renders skills for players, as rows and in packed form. */
import { assert } from '../../core/assert.ts'
import {
  EMPIRES,
  SKILL_LEVEL_MAX,
  SKILLS,
  type SkillRow,
  XP_PER_LEVEL,
} from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { PartlyShared, shareTexts } from '../../core/wire/packed.ts'
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

/** What is needed to render a skill, looked up once. */
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
/** The skills shown to players of each empire, in the order of EMPIRES. */
const SHOWN = EMPIRES.map(({ id }) => ALL.filter(({ skill }) => suitsEmpire(skill, id)))
const SKILLS_MAX = 31
assert(
  SHOWN.every(({ length }) => length <= SKILLS_MAX),
  'an empire has more skills than a mask has bits',
)

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
    const shared = isLocked ? untrained.locked : untrained.open
    skills[skill.id] = isTrained ? progressOf(skill, isLocked, level, xp) : shared
  }
  return skills
}

/** Sets of untrained skills whose JSON is kept; most players share a few. */
const SETS_KEPT_MAX = 1_000

/** By empire: the JSON pairs of untrained skills, by a key of which skills those are. */
const UNTRAINED = EMPIRES.map(() => new Map<string, string>())

/** Returns the JSON pairs of untrained skills; `trained`, `locked`: bits by place in SHOWN. */
function untrainedText(empire: number, trained: number, locked: number): string {
  const sets = UNTRAINED[empire]
  const key = `${trained}/${locked}`
  const known = sets.get(key)
  if (known !== undefined) return known
  const pairs = SHOWN[empire].flatMap(({ skill, untrained }, place) => {
    if (trained & (1 << place)) return []
    const shared = locked & (1 << place) ? untrained.locked : untrained.open
    return `${JSON.stringify(skill.id)}:${JSON.stringify(shared)}`
  })
  const text = pairs.join()
  if (sets.size >= SETS_KEPT_MAX) sets.clear()
  sets.set(key, text)
  return text
}

/** Renders skills in packed form: first those a player has trained, then those they have not. */
export function packSkills(view: WorldView, player: Eid): PartlyShared | object {
  const { level: levels, xp: xps } = view.read(PlayerSkills)
  const empire = view.read(Player).empire[player]
  const first = slotOf(player, 0)
  const shown = SHOWN[empire]
  const own: Record<string, SkillProgress> = {}
  let trained = 0
  let locked = 0
  for (let place = 0; place < shown.length; place++) {
    const { skill, index, prerequisites } = shown[place]
    const isLocked = prerequisites.some((needed) => levels[first + needed.index] < needed.level)
    if (isLocked) locked |= 1 << place
    const level = levels[first + index]
    const xp = xps[first + index]
    if (level === 0 && xp === 0) continue
    trained |= 1 << place
    own[skill.id] = progressOf(skill, isLocked, level, xp)
  }
  const others = untrainedText(empire, trained, locked)
  return others === '' ? own : new PartlyShared(own, others)
}
