/**
 * The command `facility`: v1 has one command with an action, v2 an address for each action. Both
 * are made from one table of actions, each of its own kind. Source: crafting.md section 7.
 */
import { actionCommands } from '../../core/action-table.ts'
import { fail, invalidFields, ok } from '../../core/errors.ts'
import { Type, words } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { isInternal, isQueuedAt, jobById, rowRefusal } from '../craft/model.ts'
import { cancelJobs, placeOrder } from '../craft/orders-rules.ts'
import { moveAmong } from '../craft/queue-rules.ts'
import { renderQueue } from '../craft/rules.ts'
import {
  bulkCancelSchema,
  craftJobSchema,
  jobCancelSchema,
  packageJobSchema,
} from '../craft/schemas.ts'
import { JOBS_LISTED_MAX, Job } from '../craft/state.ts'
import { accessTo, liveJobsOf, queueOf } from '../craft/venue-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { listTypes } from './catalogue-model.ts'
import {
  type FacilityAction,
  type FacilityRequest,
  facilityAction,
  facilityById,
  facilityId,
  facilityName,
} from './model.ts'
import { OWNER_ACTIONS } from './owner-commands.ts'
import {
  browse,
  listAll,
  listFactionFacilities,
  listFactionOwned,
  listOwned,
  listUpgrades,
} from './queries.ts'
import { ranchStatus, setCull } from './ranch-rules.ts'
import {
  browseForSaleSchema,
  factionListSchema,
  factionOwnedSchema,
  jobListSchema,
  listSchema,
  ownedSchema,
  personalVisitSchema,
  ranchStatusSchema,
  typeDetailSchema,
  typeDiscoverySchema,
  typeListSchema,
  upgradesSchema,
} from './result-schemas.ts'
import { mayManage } from './rules.ts'
import { FACILITY_PARAMS, jobReorderSchema, ranchSetCullSchema } from './schemas.ts'
import { visitQuarters } from './settings-commands.ts'

/* Actions of `facility` on the queue of a facility. Source: crafting.md section 7. */

/** Codes with which ordering a job can be refused, the same as for `craft`. */
const ORDER_ERRORS = [
  ...words('facility_not_found facility_private facility_offline invalid_payload'),
  'too_long',
  'service_restricted',
  'storage_full',
  'no_crafting_service',
  'recipe_facility_only',
  ...words('unknown_recipe no_venue no_recycler not_recyclable'),
  ...words('no_storage_service missing_materials no_credits faction_no_credits'),
  ...words('not_in_faction no_permission no_faction_storage bucket_not_found'),
  ...words('job_limit_reached limit_reached amount_too_large'),
  ...words('no_logistics not_found package_nested output_too_large quest_item'),
  ...words('no_cargo_container package_storage_full unknown_item'),
  ...words('no_cargo_space hazard_not_supported package_mismatch'),
] as const

/** Lists the jobs queued in a facility. Refusals: facility_not_found, facility_private. */
function listJobs(view: WorldView, player: Eid, { facility_id = '' }: FacilityRequest) {
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

function addJob(world: World, player: Eid, request: FacilityRequest) {
  const { direction = 'forward', facility_id, deliver_to, source, quantity } = request
  const { items, label, package_id, target } = request
  if (direction !== 'forward' && direction !== 'reverse') {
    return invalidFields({ field: 'direction', expected: 'forward or reverse' })
  }
  const given = { facility_id, deliver_to, source, quantity, items, label, package_id, target }
  const row = { recipe_id: request.recipe_id ?? '', ...given }
  const refused = rowRefusal(row as Parameters<typeof rowRefusal>[0])
  if (refused) return refused
  const verb = direction === 'forward' ? 'craft' : 'recycle'
  const done = placeOrder(world, { player, verb }, row as Parameters<typeof placeOrder>[2])
  if (!done.ok) return done
  const result = done.result
  return ok(result.kind === 'job' ? { ...result, action: 'job_add' } : result)
}

function cancelOwnJobs(world: World, player: Eid, { job_id, job_ids }: FacilityRequest) {
  if ((job_id === undefined) === (job_ids === undefined)) {
    const fields = [{ field: 'job_id', expected: 'given, or job_ids instead' }]
    return invalidFields(...fields)
  }
  return cancelJobs(world, player, job_ids ?? [job_id ?? ''], job_ids !== undefined)
}

/**
 * Moves a job among those that the player may move: all internal ones for a manager, their own for
 * anybody else. Other jobs keep their places.
 */
function reorderJob(world: World, player: Eid, request: FacilityRequest) {
  const { facility_id = '', job_id = '', position = 1 } = request
  const row = facilityById(world, facility_id)
  if (row === 0) return fail('facility_not_found', { facility_id })
  const job = jobById(world, job_id)
  if (!isQueuedAt(world, job, row)) return fail('job_not_found', { job_id })
  const { player: orderer } = world.read(Job)
  const isManager = isInternal(world, job) && mayManage(world, player, row)
  if (!isManager && orderer[job] !== player) return fail('not_your_job', { job_id })
  const newPosition = moveAmong(
    world,
    job,
    position,
    (other) => isManager || orderer[other] === player,
  )
  return ok({
    action: 'job_reorder',
    facility_id,
    job_id,
    position: newPosition,
    message: 'A run that has begun is finished first.',
  })
}

const JOB_ACTIONS: readonly FacilityAction[] = [
  facilityAction({
    name: 'job_list',
    kind: 'query',
    summary: 'List the queue of a facility.',
    required: ['facility_id'],
    needs: [],
    errors: ['facility_not_found', 'facility_private'],
    result: jobListSchema,
    run: listJobs,
  }),
  facilityAction({
    name: 'job_add',
    kind: 'mutation',
    summary: 'Order a job here; direction reverse takes goods apart.',
    required: ['facility_id', 'recipe_id'],
    optional: words('deliver_to direction items label package_id quantity source target'),
    needs: [DOCKED],
    errors: ORDER_ERRORS,
    result: Type.Union([craftJobSchema, packageJobSchema]),
    run: addJob,
  }),
  facilityAction({
    name: 'job_cancel',
    kind: 'mutation',
    summary: 'Cancel jobs of yours; what their unfinished runs held comes back.',
    optional: ['job_id', 'job_ids'],
    needs: [],
    errors: ['job_not_found', 'not_your_job', 'invalid_payload'],
    result: Type.Union([jobCancelSchema, bulkCancelSchema]),
    run: cancelOwnJobs,
  }),
  facilityAction({
    name: 'job_reorder',
    kind: 'mutation',
    summary: 'Move a job among your own; as its manager, among all internal ones.',
    required: ['facility_id', 'job_id'],
    optional: ['position'],
    needs: [],
    errors: ['facility_not_found', 'job_not_found', 'not_your_job'],
    result: jobReorderSchema,
    run: reorderJob,
  }),
]

/* Actions that only read. Source: crafting.md section 7. */

const QUERY_ACTIONS: readonly FacilityAction[] = [
  facilityAction({
    name: 'types',
    kind: 'query',
    summary: 'Show what can be built: categories, a page of types, or one type in full.',
    optional: ['category', 'name', 'level', 'page', 'per_page', 'facility_type'],
    needs: [],
    errors: ['unknown_facility_type'],
    result: Type.Union([typeDiscoverySchema, typeListSchema, typeDetailSchema]),
    run: (_view, _player, request) => listTypes(request),
  }),
  facilityAction({
    name: 'list',
    kind: 'query',
    summary: 'List all facilities here, with power, air and your rent.',
    needs: [DOCKED],
    errors: [],
    result: listSchema,
    run: listAll,
  }),
  facilityAction({
    name: 'owned',
    kind: 'query',
    summary: 'List your facilities at all bases, and what they cost you.',
    needs: [],
    errors: [],
    result: ownedSchema,
    run: listOwned,
  }),
  facilityAction({
    name: 'faction_owned',
    kind: 'query',
    summary: 'List the facilities of your faction at all bases, and what they cost it.',
    needs: [],
    errors: ['not_in_faction'],
    result: factionOwnedSchema,
    run: listFactionOwned,
  }),
  facilityAction({
    name: 'faction_list',
    kind: 'query',
    summary: 'List the facilities of your faction at this base.',
    needs: [DOCKED],
    errors: ['not_in_faction'],
    result: factionListSchema,
    run: listFactionFacilities,
  }),
  facilityAction({
    name: 'upgrades',
    kind: 'query',
    summary: 'Show what your facilities here can become, and the costs.',
    needs: [DOCKED],
    errors: [],
    result: upgradesSchema,
    run: listUpgrades,
  }),
  facilityAction({
    name: 'browse_for_sale',
    kind: 'query',
    summary: 'List the facilities for sale at this base, the cheapest first.',
    optional: ['facility_type', 'max_price'],
    needs: [DOCKED],
    errors: [],
    result: browseForSaleSchema,
    run: browse,
  }),
  facilityAction({
    name: 'personal_visit',
    kind: 'query',
    summary: 'Look at your quarters here, or at those of a player who lets you in.',
    optional: ['username'],
    needs: [DOCKED],
    errors: ['not_found', 'access_denied'],
    result: personalVisitSchema,
    run: visitQuarters,
  }),
]

/* Actions of `facility` for ranches. Source: crafting.md section 7. */

const RANCH_ACTIONS: readonly FacilityAction[] = [
  facilityAction({
    name: 'ranch_status',
    kind: 'query',
    summary: 'Show the herd of a ranch: size, feed, growth and cull yield.',
    optional: ['facility_id'],
    needs: [],
    errors: ['facility_not_found', 'not_a_ranch', 'not_owner'],
    result: ranchStatusSchema,
    run: ranchStatus,
  }),
  facilityAction({
    name: 'ranch_set_cull',
    kind: 'mutation',
    summary: 'Set the animals above which a ranch slaughters each cycle; 0 stops it.',
    required: ['cull_target'],
    optional: ['facility_id'],
    needs: [],
    errors: ['facility_not_found', 'not_a_ranch', 'not_owner', 'no_permission', 'not_in_faction'],
    result: ranchSetCullSchema,
    run: setCull,
  }),
]

/** Lists all actions of `facility`. */
export const FACILITY_ACTIONS: readonly FacilityAction[] = [
  ...QUERY_ACTIONS,
  ...OWNER_ACTIONS,
  ...JOB_ACTIONS,
  ...RANCH_ACTIONS,
]

export const facilityCommands = actionCommands<FacilityRequest>({
  name: 'facility',
  tool: 'game_facility',
  category: 'facility',
  summary: 'Facilities at bases: build, upgrade, run, furnish, rent out and sell them.',
  params: FACILITY_PARAMS,
  rows: FACILITY_ACTIONS,
  changes: ['player', 'cargo', 'skills'],
  help: {
    description: 'Builds, runs, upgrades and sells facilities at bases.',
    notes: [
      'Personal rooms need quarters first; facilities of a faction need a lockbox first.',
      'Credits and materials are taken when building begins; the work ends some ticks later.',
      'Rent is due every 100 ticks. Arrears add up, and in the end the station takes the facility.',
      'Dismantling gives all materials back, in packages of 100; each takes a cargo container.',
    ],
  },
})
