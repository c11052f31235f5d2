/**
 * Wire shapes of what mining answers. Source: contract, MiningYieldPayload, MineFilteredResponse.
 */
import { bools, choice, ints, mapOf, numbers, obj, opt, strings, Type } from '../../core/params.ts'

export const yieldFields = {
  ...strings('resource_id', 'remaining_display'),
  ...ints('quantity', 'remaining'),
  ...opt(strings('resource_name', 'drone_id')),
  ...opt(ints('max_remaining')),
  ...opt(numbers('depletion_percent')),
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt({ xp_gained: mapOf(Type.Integer()) }),
}

export const mineResult = Type.Union([
  obj({ kind: choice('Something was extracted.', ['yield']), ...yieldFields }),
  obj({
    kind: choice('The extraction filter held everything back.', ['filtered']),
    ...bools('filtered'),
    ...strings('message'),
  }),
])
