/**
 * Wire forms of wrecks and containers, as every player at their place sees them, and the answers of
 * the commands. Source: contract, EnrichedWreck.
 */
import {
  bools,
  ints,
  list,
  mapOf,
  named,
  numbers,
  obj,
  opt,
  optional,
  strings,
  Type,
} from '../../core/params.ts'
import { stackSchema } from '../cargo/schemas.ts'

/** A module that is not fitted. Source: contract, LootedModule. */
const moduleSchema = named('LootedModule', {
  ...strings('id', 'name', 'type', 'type_id'),
  ...numbers('wear'),
})

const wreckSchema = named('Wreck', {
  ...strings('id', 'type', 'system_id', 'poi_id', 'created_at', 'expires_at'),
  ...strings('ship_class', 'victim_id', 'victim_name'),
  ...ints('expire_tick', 'salvage_value'),
  ...opt(strings('ship_name', 'killer_id', 'killer_name')),
  ...opt(strings('insurance_policy_id', 'towed_by_player_id')),
  cargo: list(stackSchema),
  modules: list(moduleSchema),
})

/** A derelict that a yard reports. */
const reportedSchema = obj({
  ...strings('id', 'ship_class', 'system_id', 'poi_id'),
  ...ints('jumps', 'salvage_value', 'cargo_count'),
  ...bools('towable'),
})

/** Source: contract, GetWrecksResponse; `total`, `action` and `reported` are ours. */
export const wrecksSchema = obj({
  ...strings('action'),
  ...ints('count', 'total'),
  wrecks: list(wreckSchema),
  reported: optional(list(reportedSchema)),
})

/** Source: contract, LootWreckCommandResponse, for one item or module, or for everything. */
export const lootSchema = obj({
  ...strings('action'),
  ...bools('wreck_empty'),
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt(strings('item_id', 'module_id', 'module_type_id', 'message')),
  ...opt(ints('quantity')),
  ...opt(numbers('wear')),
  looted: optional(list(obj({ ...strings('item_id'), ...ints('quantity') }))),
  looted_modules: optional(list(moduleSchema)),
  skipped: optional(
    list(
      obj({
        ...strings('id', 'name', 'reason', 'type', 'type_id'),
        ...numbers('wear'),
        ...opt(ints('quantity')),
      }),
    ),
  ),
  xp_gained: optional(mapOf(Type.Integer())),
})

/** Source: contract, TowWreckResponse. */
export const towSchema = obj({
  ...strings('action', 'message', 'wreck_id'),
  ...bools('insured'),
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt(ints('cargo_count', 'module_count', 'salvage_value')),
  ...opt(strings('ship_class', 'speed_penalty')),
})

/** Source: contract, ReleaseTowResponse. */
export const releaseSchema = obj(strings('action', 'message', 'wreck_id'))

/** Source: contract, SellWreckResponse; `modules_stored` is of a later release. */
export const sellSchema = obj({
  ...strings('action', 'message', 'wreck_id'),
  ...ints('new_balance', 'total_payout'),
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt(ints('cargo_value', 'salvage_value', 'modules_stored')),
  ...opt(strings('ship_class')),
})

/** Source: contract, ScrapWreckResponse. */
export const scrapSchema = obj({
  ...strings('action', 'message', 'wreck_id'),
  materials: list(obj({ ...strings('item', 'name'), ...ints('quantity') })),
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt(strings('ship_class', 'stored_at')),
  ...opt(ints('total_value')),
  xp_gained: optional(mapOf(Type.Integer())),
})
