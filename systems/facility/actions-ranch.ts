/** Actions of `facility` for ranches. Source: crafting.md section 7. */
import type { FacilityAction } from './action.ts'
import { ranchStatus, setCull } from './ranch.ts'
import { ranchSetCullSchema } from './schemas-done.ts'
import { ranchStatusSchema } from './schemas-read.ts'

export const RANCHING: readonly FacilityAction[] = [
  {
    name: 'ranch_status',
    kind: 'query',
    summary: 'The herd of a ranch: heads, feed, growth and what a cull gives.',
    optional: ['facility_id'],
    needs: [],
    errors: ['facility_not_found', 'not_a_ranch', 'not_owner'],
    result: ranchStatusSchema,
    run: ranchStatus,
  },
  {
    name: 'ranch_set_cull',
    kind: 'mutation',
    summary: 'Heads above which a ranch slaughters, each cycle; 0 stops it.',
    required: ['cull_target'],
    optional: ['facility_id'],
    needs: [],
    errors: ['facility_not_found', 'not_a_ranch', 'not_owner', 'no_permission', 'not_in_faction'],
    result: ranchSetCullSchema,
    run: setCull,
  },
]
