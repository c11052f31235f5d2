/** Wire shapes of mining. Source: contract, MiningYieldPayload, MineFilteredResponse. */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  choice,
  ints,
  list,
  mapOf,
  numbers,
  obj,
  opt,
  strings,
  Type,
} from '../../core/params.ts'

const yieldFields = {
  ...strings('resource_id', 'remaining_display'),
  ...ints('quantity', 'remaining'),
  ...opt(strings('resource_name', 'drone_id')),
  ...opt(ints('max_remaining')),
  ...opt(numbers('depletion_percent')),
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt({ xp_gained: mapOf(Type.Integer()) }),
}

/** Sent to a player who has extracted something. Source: spec, Events; mining.md section 8. */
export const miningYield = defineEvent({
  type: 'mining_yield',
  summary: 'You have extracted something into your hold.',
  fields: obj({ ...yieldFields, ...opt(strings('kind')) }),
  queue: 'system',
  channel: () => 'activity',
})

export const mineResult = Type.Union([
  obj({ kind: choice('Something was extracted.', ['yield']), ...yieldFields }),
  obj({
    kind: choice('The extraction filter rejected everything.', ['filtered']),
    ...bools('filtered'),
    ...strings('message'),
  }),
])

/** A deposit at the place of the ship. */
export const depositSchema = obj({
  ...strings('resource_id', 'name', 'remaining_display'),
  ...ints('richness', 'remaining'),
  ...opt(ints('max_remaining', 'supported_power', 'lock_minimum_stock')),
  ...opt(numbers('depletion_percent')),
  ...opt(bools('too_sparse')),
})

/** A deposit in the wire form of a place, with richness as text. Source: contract, Poi. */
export const poiResourceSchema = obj({
  ...opt(strings('resource_id', 'name', 'richness', 'remaining_display')),
  ...opt(ints('remaining')),
})

/** A deposit in the v2 section `location`. */
export const locationResourceSchema = obj({
  ...opt(strings('item_id', 'item_name')),
  ...opt(ints('richness', 'remaining', 'supported_power')),
})

export const depositsSchema = list(depositSchema)
