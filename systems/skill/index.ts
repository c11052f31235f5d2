/** Skills of players: levels, experience, what is told of them. */
import { assert } from '../../core/assert.ts'
import { SKILLS } from '../../core/catalog/index.ts'
import type { DomainDef } from '../../core/registry.ts'
import { skillRanges } from './checks.ts'
import { PlayerSkills, SKILLS_WIDTH } from './columns.ts'
import { skillLevelUp } from './events.ts'
import { getSkills, getSkillsV2 } from './queries.ts'
import { renderSkills, skillsSection } from './views.ts'

assert(SKILLS.length <= SKILLS_WIDTH, 'the columns of skills are too narrow')

export const skillDomain: DomainDef = {
  name: 'skill',
  tables: [PlayerSkills],
  commands: [getSkills, getSkillsV2],
  events: [skillLevelUp],
  checks: [skillRanges],
  sections: { skills: renderSkills },
  sectionSchemas: { skills: skillsSection },
}
