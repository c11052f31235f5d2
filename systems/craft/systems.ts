/**
 * What jobs do in a tick: facilities in the order of their numbers, then the workshops of docked
 * players, then what is told. Source: crafting.md section 11.
 */
import { Container, Stack } from '../../core/goods.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { hasService } from '../base/rules.ts'
import { Facility } from '../facility/columns.ts'
import { isRunning } from '../facility/rules.ts'
import { Location } from '../travel/columns.ts'
import { Job } from './columns.ts'
import { facilityQueues, type Queue, workshopQueues } from './queue-rules.ts'
import { tellReports } from './report.ts'
import { facilityGain, workshopGain } from './venue-rules.ts'
import { mayComplete, workQueue } from './work.ts'

/**
 * Works on queues one after the other as long as outputs can be put somewhere. Only runs that end
 * take rows, so the room is looked at again after those alone.
 */
function workAll(
  world: World,
  queues: readonly Queue[],
  gainAt: (queue: Queue) => (job: Row) => number,
): void {
  let hasRoom = mayComplete(world)
  for (const queue of queues) {
    if (!hasRoom) return
    if (workQueue(world, queue, gainAt(queue)) > 0) hasRoom = mayComplete(world)
  }
}

function workFacilities(world: World): void {
  // a queue that runs empty leaves the list
  const running = facilityQueues(world).filter(({ facility }) => isRunning(world, facility))
  workAll(world, running, ({ facility }) => {
    const gain = facilityGain(world, facility)
    return () => gain
  })
}

/** Workshops whose players are at them: of all there are, few where most players are away. */
function attended(world: World): Queue[] {
  const { ship } = world.read(Player)
  const { base: docked } = world.read(Location)
  const found: Queue[] = []
  for (const queue of workshopQueues(world)) {
    if (docked[ship[queue.player]] === queue.base) found.push(queue)
  }
  return found.filter(({ base }) => hasService(world, base, 'crafting'))
}

function workWorkshops(world: World): void {
  const { recipe } = world.read(Job)
  workAll(
    world,
    attended(world),
    ({ player }) =>
      (job) =>
        workshopGain(world, player, recipe[job]),
  )
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
