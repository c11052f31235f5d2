/** Wire shapes of missions. Source: contract; missions.md section 5, events. */
import { defineEvent } from '../../core/event.ts'
import {
  bools,
  ints,
  list,
  mapOf,
  numbers,
  obj,
  opt,
  optional,
  strings,
  Type,
} from '../../core/params.ts'

export const missionUpdate = defineEvent({
  type: 'mission_update',
  summary: 'An objective of one of your missions has progressed.',
  fields: obj({ ...strings('mission_id', 'objective'), ...ints('current', 'required') }),
  queue: 'system',
  channel: () => 'activity',
})

const names = () => list(Type.String())
const units = () => mapOf(Type.Integer())

/** Whether the ship was docked or undocked automatically before the command ran. */
const docking = bools('auto_docked', 'auto_undocked')
const giver = obj(strings('name', 'title'))
const dialog = obj(opt(strings('offer', 'accept', 'decline', 'complete')))
const rewards = obj({
  ...ints('credits'),
  ...opt({ ...ints('pirate_rep', 'reputation'), items: units(), skill_xp: units() }),
})
const community = opt({
  ...bools('community'),
  ...numbers('community_percent'),
  community_progress: mapOf(Type.String()),
})

const objective = obj({
  ...strings('type', 'description'),
  ...opt({
    ...strings('item_id', 'system_id', 'system_name', 'target_base_id', 'target_base_name'),
    ...ints('quantity', 'jumps'),
    sources: names(),
    eligible_players: names(),
    participants: names(),
  }),
})

const progress = obj({
  ...strings('type', 'description'),
  ...ints('current', 'required'),
  ...bools('completed'),
  ...opt({
    ...strings('item_id', 'item_name', 'system_id', 'system_name'),
    ...strings('target_base', 'target_base_name'),
    ...ints('in_cargo', 'in_storage'),
    sources: names(),
    eligible_players: names(),
    participants: names(),
  }),
})

const issuer = opt(
  strings('issuing_base', 'issuing_base_id', 'issuing_system_id', 'issuing_system_name'),
)

const offer = obj({
  ...strings('mission_id', 'title', 'type', 'description'),
  ...ints('difficulty', 'expires_in_ticks'),
  rewards,
  ...opt({
    ...strings('template_id', 'chain_next', 'faction_id', 'faction_name'),
    ...bools('repeatable'),
    dialog,
    giver,
    objectives: list(objective),
    provided_items: units(),
    required_modules: names(),
    warnings: names(),
  }),
  ...community,
  ...issuer,
})

const active = obj({
  ...strings('mission_id', 'title', 'type', 'description', 'accepted_at', 'issuing_base'),
  ...ints('difficulty', 'expires_in_ticks', 'percent_complete'),
  rewards,
  ...opt({
    ...strings('template_id', 'issuing_base_id', 'issuing_system_id', 'issuing_system_name'),
    ...strings('chain_next'),
    ...bools('repeatable'),
    dialog,
    giver,
    objectives: list(progress),
  }),
  ...community,
})

export const boardSchema = obj({ ...strings('base_id', 'base_name'), missions: list(offer) })

export const missionsSection = obj({ active: list(active), ...ints('max_missions') })

export const activeSchema = obj({
  missions: list(active),
  ...ints('max_missions', 'total_count'),
})

export const acceptedSchema = obj({
  ...strings('mission_id', 'title', 'type', 'expires_at', 'message'),
  ...opt({
    ...strings('template_id'),
    ...ints('replacement_cost'),
    ...docking,
    objectives: names(),
  }),
})

export const declinedSchema = obj({
  ...strings('template_id', 'title', 'message'),
  giver: optional(giver),
  ...opt(docking),
})

export const completedSchema = obj({
  ...strings('mission_id', 'title', 'message'),
  ...ints('credits_earned'),
  ...opt({
    ...strings('chain_next', 'hint'),
    ...docking,
    ...numbers('community_percent'),
    ...ints('community_share_credits', 'haste_bonus'),
    items_received: units(),
    reputation_changes: units(),
    ...ints('credits_promised', 'credits_shortfall'),
    skill_xp_gained: units(),
    community_contributed: units(),
    community_progress: mapOf(Type.String()),
  }),
})

export const abandonedSchema = obj(strings('mission_id', 'title', 'message'))

const summary = {
  ...strings('template_id', 'title', 'type', 'completion_time'),
  ...ints('difficulty'),
  giver: optional(giver),
}

export const doneSchema = obj({ missions: list(obj(summary)), ...ints('total_count') })

export const completionSchema = obj({
  ...summary,
  ...strings('description'),
  rewards,
  ...opt({ ...strings('chain_next'), ...bools('repeatable'), dialog, objectives: list(objective) }),
})
