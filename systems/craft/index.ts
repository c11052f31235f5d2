/** Crafting, recycling and packing: jobs of workshops and facilities. */
import type { DomainDef } from '../../core/registry.ts'
import { craft, recycle } from './commands.ts'
import { jobs } from './model.ts'
import { rebuildQueues } from './queue-rules.ts'
import { craftingUpdate } from './schemas.ts'
import { Bench, Job } from './state.ts'
import { endFactionJobs, jobsHoldCredits, jobsHoldInputs, refundsFit, work } from './systems.ts'
import { settleRent } from './work-systems.ts'

export const craftDomain: DomainDef = {
  name: 'craft',
  references: [jobs],
  tables: [Job, Bench],
  commands: [craft, recycle],
  events: [craftingUpdate],
  systems: [work, settleRent],
  checks: [jobsHoldInputs, jobsHoldCredits],
  observers: [endFactionJobs],
  guards: [refundsFit],
  rebuild: rebuildQueues,
}
