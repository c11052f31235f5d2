/** Wire shapes of prizes for their claimants; how many people are aboard is shown to them alone. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, opt, strings } from '../../core/params.ts'

/** Fields of prize_update. Source: spec, Events. */
const prizeUpdateFields = {
  ...strings('prize_id', 'ship_id', 'ship_class', 'status', 'message'),
  ...opt(strings('ship_name', 'wait_reason', 'destination_base_id', 'system_id', 'poi_id')),
  ...opt(strings('wreck_id')),
}

/**
 * Sent to the claimant only, and only once while a prize waits for the same reason at the same
 * place. Source: spec.
 */
export const prizeUpdate = defineEvent({
  type: 'prize_update',
  summary: 'A prize of yours has departed, is waiting, has arrived or is lost.',
  fields: obj(prizeUpdateFields),
  queue: 'combat',
})

/** A prize on its way home, as its claimant's state lists it. Source: newer.md section 5. */
export const recoverySchema = obj({
  ...strings('prize_id', 'actor_id', 'ship_id', 'ship_class', 'ship_name', 'status'),
  ...strings('destination_base_id', 'crew_disposition'),
  ...opt(strings('wait_reason', 'system_id', 'poi_id')),
  ...ints('fuel', 'max_fuel', 'hull', 'max_hull', 'prize_crew_fit'),
})

/** A prize as its claimant sees it. */
export const claimedPrizeSchema = obj({
  ...strings('action', 'prize_id', 'ship_id', 'ship_class', 'ship_name', 'status', 'message'),
  ...strings('destination_base_id'),
  ...opt(strings('wait_reason', 'service_action', 'system_id', 'poi_id')),
  ...ints('fuel', 'max_fuel', 'hull', 'max_hull'),
  ...opt(ints('crew_moved', 'fuel_moved', 'kits_used', 'repaired')),
})
