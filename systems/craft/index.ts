/** Crafting and recycling: jobs of workshops and facilities. */
import type { DomainDef } from '../../core/registry.ts'
import { jobsHoldCredits, jobsHoldInputs } from './checks.ts'
import { Bench, Job } from './columns.ts'
import { craft, recycle } from './commands.ts'
import { craftingUpdate } from './events.ts'
import { endFactionJobs, refundsFit } from './observers.ts'
import { rebuildQueues } from './queue-rules.ts'
import { jobs } from './references.ts'
import { settleRent } from './rent.ts'
import { work } from './systems.ts'

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
