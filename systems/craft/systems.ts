/**
 * What jobs do in a tick: facilities in the order of their numbers, then the workshops of docked
 * players, then what is told. Source: crafting.md section 11.
 */
import { Container, Stack } from '../../core/goods.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/world.ts'
import { hasService } from '../base/rules.ts'
import { Facility } from '../facility/columns.ts'
import { isRunning } from '../facility/rules.ts'
import { dockedBase } from '../travel/rules.ts'
import { Job } from './columns.ts'
import { facilityQueues, workshopQueues } from './queue-rules.ts'
import { tellReports } from './report.ts'
import { facilityGain, workshopGain } from './venue-rules.ts'
import { mayComplete, workQueue } from './work.ts'

function workFacilities(world: World): void {
  // a queue that runs empty leaves the list
  for (const queue of [...facilityQueues(world)]) {
    if (!isRunning(world, queue.facility)) continue
    if (!mayComplete(world)) return
    const gain = facilityGain(world, queue.facility)
    workQueue(world, queue, () => gain)
  }
}

function workWorkshops(world: World): void {
  const { recipe } = world.read(Job)
  for (const queue of [...workshopQueues(world)]) {
    const { player, base } = queue
    if (dockedBase(world, player) !== base || !hasService(world, base, 'crafting')) continue
    if (!mayComplete(world)) return
    workQueue(world, queue, (job: Row) => workshopGain(world, player, recipe[job]))
  }
}

export const work: SystemDef = {
  name: 'craft.work',
  phase: 'produce',
  reads: [Container, Stack],
  writes: [Job, Facility],
  run(world) {
    workFacilities(world)
    workWorkshops(world)
    tellReports(world)
  },
}
