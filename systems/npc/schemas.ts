/** Events of NPCs that players receive. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, obj, opt, type Static, strings } from '../../core/params.ts'

/** Where the wreck is, if the killer knows the place, and what it holds. */
const wreckFields = obj(
  opt({
    ...strings('wreck_id', 'wreck_poi_id', 'wreck_poi_name'),
    ...strings('wreck_system_id', 'wreck_system_name'),
    ...bools('wreck_has_cargo', 'wreck_has_modules'),
  }),
)
export type WreckInfo = Static<typeof wreckFields>

/**
 * Sent to the killer; for a boss also to everybody in its system, without the place of the wreck.
 * Source: spec; combat.md section 16.
 */
export const pirateDestroyed = defineEvent({
  type: 'pirate_destroyed',
  summary: 'You have destroyed a pirate, or the boss of a stronghold was destroyed in your system.',
  fields: obj({
    ...strings('pirate_id', 'pirate_name', 'pirate_role'),
    ...bools('is_boss'),
    ...opt(ints('credits_earned', 'combat_xp')),
    ...opt(strings('operator_id', 'killer', 'system_id', 'system_name', 'message')),
    ...wreckFields.properties,
  }),
  queue: 'combat',
  channel: () => 'battle_events',
})

const convoyRoute = strings(
  ...['convoy_id', 'from_base_id', 'from_base', 'to_base_id', 'to_base', 'item_id', 'item_name'],
)

/** A convoy as it is announced. */
export const convoySchema = obj({
  ...convoyRoute,
  ...strings('status'),
  ...ints('quantity', 'jumps', 'lawless_systems', 'guards'),
  ...opt(ints('leaves_in_ticks')),
})

/** Sent to everybody in the system; for a loss also to the convoy's escorts. Source: ours. */
export const convoyUpdate = defineEvent({
  type: 'convoy_update',
  summary: 'A convoy is being loaded, has left, has arrived or was lost in your system.',
  fields: obj({
    ...strings('event'),
    ...convoyRoute,
    ...ints('quantity'),
    ...strings('system_id', 'system_name', 'message'),
  }),
  queue: 'market',
  channel: () => 'activity',
})

/** What crews say to each other, for players with a receiver nearby. Source: spec; combat.md 13. */
export const pirateRadio = defineEvent({
  type: 'pirate_radio',
  summary: 'Your receiver has picked up a message from a pirate crew.',
  fields: obj({
    ...strings('speaker', 'pirate_name', 'source', 'source_system', 'faction_key'),
    ...strings('faction_name', 'primary_color', 'secondary_color', 'event', 'event_key'),
    ...strings('message', 'provenance', 'category', 'editorial_class'),
    ...opt(strings('source_poi', 'actor', 'operation', 'battle', 'reason')),
  }),
  queue: 'combat',
  channel: () => 'pirate_radio',
})
