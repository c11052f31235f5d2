/** The domain of missions: so far the section of the v2 state that lists them. */
import type { DomainDef } from '../../core/registry.ts'
import { missionsSection, renderMissions } from './views.ts'

export const missionDomain: DomainDef = {
  name: 'mission',
  sections: { missions: renderMissions },
  sectionSchemas: { missions: missionsSection },
}
