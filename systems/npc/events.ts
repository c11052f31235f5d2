/** What players are told of NPCs. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, obj, opt, type Static, strings } from '../../core/params.ts'

/** Where the wreck is, as far as the killer knows the place, and what it holds. */
const wreckFields = obj(
  opt({
    ...strings('wreck_id', 'wreck_poi_id', 'wreck_poi_name'),
    ...strings('wreck_system_id', 'wreck_system_name'),
    ...bools('wreck_has_cargo', 'wreck_has_modules'),
  }),
)
export type WreckNews = Static<typeof wreckFields>

/** Source: spec; combat.md section 16. */
export const pirateDestroyed = defineEvent({
  type: 'pirate_destroyed',
  summary: 'You have destroyed a pirate.',
  fields: obj({
    ...strings('pirate_id', 'pirate_name', 'pirate_role'),
    ...bools('is_boss'),
    ...ints('credits_earned', 'combat_xp'),
    ...wreckFields.properties,
  }),
  queue: 'combat',
  channel: () => 'battle_events',
})
