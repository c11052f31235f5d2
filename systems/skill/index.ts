/** Skills of players: levels, experience, what is told of them. */
import type { DomainDef } from '../../core/registry.ts'
import { skillRanges } from './checks.ts'
import { getSkills, getSkillsV2 } from './queries.ts'
import { skillLevelUp, skillsSection } from './schemas.ts'
import { PlayerSkills } from './state.ts'
import { renderSkills } from './views.ts'

export const skillDomain: DomainDef = {
  name: 'skill',
  tables: [PlayerSkills],
  commands: [getSkills, getSkillsV2],
  events: [skillLevelUp],
  checks: [skillRanges],
  sections: { skills: renderSkills },
  sectionSchemas: { skills: skillsSection },
}
