/**
 * The commands `craft` and `recycle`. Quotes and the queue are answered at once; ordering docks the
 * ship first if needed, cancelling works from anywhere. Source: crafting.md section 5.
 */
import { answerAs, type MutationDef, mutation } from '../../core/command.ts'
import { words } from '../../core/params.ts'
import { type CraftParams, onlyReads, type RecycleParams, requestOf } from './model.ts'
import { DOCKED_TO_ORDER } from './needs.ts'
import { perform } from './orders-rules.ts'
import { craftParams, craftSchema, recycleParams, recycleSchema } from './schemas.ts'

const ERRORS = words(
  'invalid_payload too_long dry_run_bulk unknown_recipe job_limit_reached storage_full no_recycler',
  'not_recyclable no_venue no_crafting_service recipe_facility_only amount_too_large limit_reached',
  'facility_not_found facility_private facility_offline no_storage_service not_in_faction',
  'service_restricted no_permission no_faction_storage bucket_not_found faction_no_credits',
  'missing_materials no_credits job_not_found not_your_job',
)

const PACKAGING = words(
  'no_logistics not_found package_mismatch package_nested output_too_large no_cargo_container',
  'package_storage_full quest_item unknown_item no_cargo_space hazard_not_supported',
)

const shared = { category: 'crafting', order: 'plain', needs: [DOCKED_TO_ORDER] } as const

export const craft: MutationDef = mutation({
  ...shared,
  name: 'craft',
  v2: { tool: 'game', action: 'craft', rename: { recipe_id: 'id' }, omit: ['action'] },
  summary: 'Order, quote, list, redirect or cancel jobs that make things by recipes.',
  params: craftParams,
  result: craftSchema,
  changes: ['player', 'ship', 'cargo'],
  errors: [...ERRORS, ...PACKAGING],
  readsOnly: (params) => onlyReads(requestOf(params, true)),
  run(world, player, params: CraftParams) {
    const request = requestOf(params, true)
    if ('code' in request) return request
    return answerAs(craftSchema, perform(world, { player, verb: 'craft' }, request))
  },
})

export const recycle: MutationDef = mutation({
  ...shared,
  name: 'recycle',
  v2: { tool: 'game', action: 'recycle', rename: { recipe_id: 'id' }, omit: ['action'] },
  summary: 'Order, quote, redirect or cancel jobs that take things apart for half their inputs.',
  params: recycleParams,
  result: recycleSchema,
  changes: ['player'],
  errors: [...ERRORS, ...PACKAGING],
  readsOnly: (params) => onlyReads(requestOf(params, false)),
  run(world, player, params: RecycleParams) {
    const request = requestOf(params, false)
    if ('code' in request) return request
    // perform answers some forms that only craft has; the schema of recycle leaves them out
    return answerAs(recycleSchema, perform(world, { player, verb: 'recycle' }, request))
  },
})
