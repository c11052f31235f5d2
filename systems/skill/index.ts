/** Skills of players: levels and experience. */
import type { DomainDef } from '../../core/registry.ts'
import { getSkills, getSkillsV2 } from './commands.ts'
import { skillLevelUp, skillsSection } from './schemas.ts'
import { PlayerSkills } from './state.ts'
import { skillRanges } from './systems.ts'
import { packSkills, renderSkills } from './views.ts'

export const skillDomain: DomainDef = {
  name: 'skill',
  tables: [PlayerSkills],
  commands: [getSkills, getSkillsV2],
  events: [skillLevelUp],
  checks: [skillRanges],
  sections: { skills: renderSkills },
  packedSections: { skills: packSkills },
  sectionSchemas: { skills: skillsSection },
}
