/** Wire shapes of skills. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, mapOf, named, obj, opt, strings, Type } from '../../core/params.ts'

/** Sent once per award that raises the level, with the final level. Source: missions.md 5. */
export const skillLevelUp = defineEvent({
  type: 'skill_level_up',
  summary: 'A skill of yours has reached a new level.',
  fields: obj({ ...strings('skill_id'), ...ints('new_level'), ...opt(ints('xp_gained')) }),
  queue: 'system',
  channel: () => 'progression',
})

export const skillProgressSchema = named('SkillProgress', {
  ...strings('name', 'category'),
  ...ints('level', 'max_level', 'xp', 'next_level_xp'),
  ...opt({ ...bools('locked'), requires: mapOf(Type.Integer()), trained_by: Type.String() }),
})

/** v2 section `skills`. */
export const skillsSection = mapOf(skillProgressSchema)
