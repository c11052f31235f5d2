/** The event of a capture. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, opt, strings } from '../../core/params.ts'

const captureFields = {
  ...strings('battle_id'),
  ...ints('tick'),
  ...strings('boarding_operation_id', 'captor_id', 'captor_username'),
  ...opt(strings('captor_kind')),
  ...strings('former_owner_id', 'former_owner_username', 'ship_id', 'ship_class'),
  ...opt(
    strings('prize_id', 'prize_poi_id', 'prize_poi_name', 'prize_system_id', 'prize_system_name'),
  ),
}

/** Reports a capture, without numbers of people. Source: spec, Events; combat.md section 16. */
export const shipCaptured = defineEvent({
  type: 'ship_captured',
  summary: 'A ship in your battle was captured by boarding.',
  fields: obj(captureFields),
  queue: 'combat',
})
