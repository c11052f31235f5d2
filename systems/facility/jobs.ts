/** The queue of a facility, as its command orders, lists, sorts and empties it. crafting.md 7. */
import { badFields, fail, type Outcome, ok } from '../../core/errors.ts'
import { JOBS_LISTED_MAX } from '../../core/limits-jobs.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Job } from '../craft/columns.ts'
import {
  accessTo,
  cancelJobs,
  isAt,
  isInternal,
  moveAmong,
  orderOne,
  refusesRow,
  renderQueue,
} from '../craft/job-rules.ts'
import { queueOf } from '../craft/queue-rules.ts'
import { jobById, liveJobsOf } from '../craft/rules.ts'
import type { Asked } from './action.ts'
import { mayManage } from './owners.ts'
import { facilityById, facilityId, facilityName } from './rules.ts'

type Done = Outcome<object>

export function addJob(world: World, player: Eid, asked: Asked): Done {
  const { direction = 'forward', facility_id, deliver_to, source, quantity } = asked
  const { items, label, package_id, target } = asked
  if (direction !== 'forward' && direction !== 'reverse') {
    return badFields({ field: 'direction', expected: 'forward or reverse' })
  }
  const given = { facility_id, deliver_to, source, quantity, items, label, package_id, target }
  const row = { recipe_id: asked.recipe_id ?? '', ...given }
  const refused = refusesRow(row as Parameters<typeof refusesRow>[0])
  if (refused) return refused
  const verb = direction === 'forward' ? 'craft' : 'recycle'
  const done = orderOne(world, { player, verb }, row as Parameters<typeof orderOne>[2])
  if (!done.ok) return done
  const said = done.result as { readonly kind: string }
  return ok(said.kind === 'job' ? { ...said, action: 'job_add' } : said)
}

export function callOff(world: World, player: Eid, { job_id, job_ids }: Asked): Done {
  if ((job_id === undefined) === (job_ids === undefined)) {
    const fields = [{ field: 'job_id', expected: 'given, or job_ids instead' }]
    return badFields(...fields)
  }
  return cancelJobs(world, player, job_ids ?? [job_id ?? ''], job_ids !== undefined)
}

/**
 * Moves a job among those that the player may move: the owner all that come before others, who
 * orders his own. The places of other jobs stay as they are.
 */
export function reorder(world: World, player: Eid, asked: Asked): Done {
  const { facility_id = '', job_id = '', position = 1 } = asked
  const row = facilityById(world, facility_id)
  if (row === 0) return fail('facility_not_found', { facility_id })
  const job = jobById(world, job_id)
  if (!isAt(world, job, row)) return fail('job_not_found', { job_id })
  const { player: orderer } = world.read(Job)
  const isManager = isInternal(world, job) && mayManage(world, player, row)
  if (!isManager && orderer[job] !== player) return fail('not_your_job', { job_id })
  const place = moveAmong(world, job, position, (other) => isManager || orderer[other] === player)
  return ok({
    action: 'job_reorder',
    facility_id,
    job_id,
    position: place,
    message: 'A run that has begun is finished first.',
  })
}

/** Refusals: facility_not_found, facility_private. */
export function listJobs(view: WorldView, player: Eid, { facility_id = '' }: Asked): Done {
  const row = facilityById(view, facility_id)
  if (row === 0) return fail('facility_not_found', { facility_id })
  if (accessTo(view, player, row) === undefined) return fail('facility_private', { facility_id })
  const queue = queueOf(view, row, 0, 0)
  const total = liveJobsOf(view, row)
  return ok({
    action: 'job_list',
    facility_id: facilityId(view, row),
    venue: facilityName(view, row),
    total_jobs: total,
    jobs: queue === undefined ? [] : renderQueue(view, queue).slice(0, JOBS_LISTED_MAX),
    ...(total === 0 ? { message: 'Nothing is queued.' } : {}),
  })
}
