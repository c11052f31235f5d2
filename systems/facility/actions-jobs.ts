/** Actions of `facility` for the queue of one of them. Source: crafting.md section 7. */
import type { ErrorCode } from '../../core/errors.ts'
import { Type } from '../../core/params.ts'
import {
  bulkCancelSchema,
  craftJobSchema,
  jobCancelSchema,
  packageJobSchema,
} from '../craft/schemas.ts'
import { DOCKED } from '../travel/rules.ts'
import type { FacilityAction } from './action.ts'
import { addJob, callOff, listJobs, reorder } from './jobs.ts'
import { jobReorderSchema } from './schemas-done.ts'
import { jobListSchema } from './schemas-read.ts'

/** As of `craft`. */
const ORDERING: readonly ErrorCode[] = [
  ...(['facility_not_found', 'facility_private', 'facility_offline', 'invalid_payload'] as const),
  'too_long',
  ...(['unknown_recipe', 'no_venue', 'no_recycler', 'not_recyclable'] as const),
  ...(['no_storage_service', 'missing_materials', 'no_credits', 'faction_no_credits'] as const),
  ...(['not_in_faction', 'no_permission', 'no_faction_storage', 'bucket_not_found'] as const),
  ...(['job_limit_reached', 'limit_reached', 'amount_too_large'] as const),
  ...(['no_logistics', 'not_found', 'package_nested', 'output_too_large', 'quest_item'] as const),
  ...(['no_cargo_container', 'package_storage_full', 'unknown_item'] as const),
  ...(['no_cargo_space', 'hazard_not_supported', 'package_mismatch'] as const),
]

export const QUEUEING: readonly FacilityAction[] = [
  {
    name: 'job_list',
    kind: 'query',
    summary: 'What stands in the queue of a facility, in its order.',
    required: ['facility_id'],
    needs: [],
    errors: ['facility_not_found', 'facility_private'],
    result: jobListSchema,
    run: listJobs,
  },
  {
    name: 'job_add',
    kind: 'mutation',
    summary: 'Order a job in a facility here; direction reverse takes apart.',
    required: ['facility_id', 'recipe_id'],
    optional: [
      ...(['deliver_to', 'direction', 'items', 'label'] as const),
      ...(['package_id', 'quantity', 'source', 'target'] as const),
    ],
    needs: [DOCKED],
    errors: ORDERING,
    result: Type.Union([craftJobSchema, packageJobSchema]),
    run: addJob,
  },
  {
    name: 'job_cancel',
    kind: 'mutation',
    summary: 'Call jobs of yours off; what their open runs held comes back.',
    optional: ['job_id', 'job_ids'],
    needs: [],
    errors: ['job_not_found', 'not_your_job', 'invalid_payload'],
    result: Type.Union([jobCancelSchema, bulkCancelSchema]),
    run: callOff,
  },
  {
    name: 'job_reorder',
    kind: 'mutation',
    summary: 'Move a job among your own; as owner, among all that come before others.',
    required: ['facility_id', 'job_id'],
    optional: ['position'],
    needs: [],
    errors: ['facility_not_found', 'job_not_found', 'not_your_job'],
    result: jobReorderSchema,
    run: reorder,
  },
]
