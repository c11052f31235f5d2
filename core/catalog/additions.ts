/**
 * Features of releases later than the one whose interface this server implements, as `get_version`
 * and the documentation list them. A row names where the addition is, which a test checks. Source:
 * newer.md sections 1 to 8.
 */
import { deepFreeze } from './freeze.ts'

interface AdditionRow {
  /** Release that brought it. */
  readonly release: string
  readonly what: string
  /** Name of the command, internal query or event that has it. */
  readonly of: string
  /** Its parameters or fields that were added; none: all of it was added. */
  readonly names: readonly string[]
}

const row = (release: string, of: string, names: string, what: string): AdditionRow => ({
  release,
  what,
  of,
  names: names === '' ? [] : names.split(' '),
})

/** By release, oldest first. */
export const ADDITIONS: readonly AdditionRow[] = deepFreeze([
  row('0.564.0', 'pay_bounty', '', '`pay_bounty` clears what an empire has put on you.'),
  row(
    '0.572.0',
    'faction_personnel',
    '',
    '`faction_personnel` keeps crews of a faction in reserve at its stores.',
  ),
  row(
    '0.572.0',
    'get_ship',
    'effective_crew_capacity crew_efficiency operational_speed incapacitated personnel_recovery_tick',
    'Your ship says how it is manned: `crew_efficiency`, `incapacitated`, `personnel_recovery_tick`.',
  ),
  row(
    '0.573.0',
    'get_status',
    'prize_recoveries',
    'The state lists prizes on their way: `prize_recoveries`.',
  ),
  row(
    '0.599.0',
    'send_gift',
    'recipient',
    '`send_gift` takes `station:<id>` as its recipient: goods for a station.',
  ),
  row(
    '0.600.0',
    'catalog',
    'hand_craftable produced_by_facility_ids',
    'Recipes say where they can be made: `hand_craftable`, `produced_by_facility_ids`.',
  ),
  row(
    '0.600.0',
    'internal:catalog',
    'mining',
    '`/api/catalog.json` has the constants of mining as its member `mining`.',
  ),
  row('0.601.1', 'get_system_agents', 'docked', '`get_system_agents` says who is `docked`.'),
  row('0.601.3', 'craft', 'preset', '`craft` with the preset `fast` looks for the soonest finish.'),
  row(
    '0.603.0',
    'service_prize',
    'prize_id quantity',
    'Faction members refuel and repair a prize where their faction runs a Prize Recovery Yard.',
  ),
  row(
    '0.603.1',
    'treat_personnel',
    'provider reserve target',
    '`treat_personnel` reaches other pilots and the reserve of a faction.',
  ),
  row(
    '0.604.1',
    'get_active_missions',
    'in_cargo in_storage',
    'Objectives count what is at hand: `in_cargo`, `in_storage`.',
  ),
  row(
    '0.605.0',
    'get_tax_estimate',
    'latest_statement outstanding_bounties inactivity_exempt payment_guidance',
    '`get_tax_estimate` has the `latest_statement`, `outstanding_bounties` and how to pay.',
  ),
  row(
    '0.605.1',
    'get_action_log',
    'event_type',
    'The action log has `faction.refuel`: what members and allies took from a bunker.',
  ),
  row(
    '0.605.2',
    'get_base',
    'repairs next_blocked buy_order_available',
    '`get_base` lists `repairs` of the station, and whether what they lack is bought there now.',
  ),
  row('0.605.4', 'citizenship', 'renounced', 'The last citizenship can be renounced.'),
  row(
    '0.606.2',
    'facility',
    'faction_rent total_rent_per_cycle',
    '`facility` with `faction_owned` sums up the rent as `faction_rent`.',
  ),
  row(
    '0.608.0',
    'distress_signal',
    'mission_id responders_reached expires_seconds',
    'A distress call is one rescue mission: the first who accepts its `mission_id` has it.',
  ),
  row(
    '0.608.0',
    'chat_message',
    'distress_type mission_id',
    'Calls on the channel `emergency` carry `distress_type` and `mission_id`.',
  ),
  row('0.609.0', 'reload', 'weapons results summary', '`reload` takes a list of `weapons`.'),
  row('0.609.2', 'service_prize', 'item_id', '`service_prize` repairs with the item named.'),
  row(
    '0.609.4',
    'get_battle_status',
    'latch_status',
    '`get_battle_status` says what latching on waits for: `latch_status`.',
  ),
  row('0.612.4', 'dock', 'gifts ships', 'Docking lists gifts that wait there, ships among them.'),
  row('0.613.0', 'market_update', 'category', 'Items of `market_update` carry their `category`.'),
])
