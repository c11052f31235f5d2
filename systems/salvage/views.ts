/**
 * Wire forms of wrecks and containers, as everybody at their place sees them. Containers name
 * nobody. Source: contract, EnrichedWreck.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
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
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { containerId } from '../cargo/adrift-rules.ts'
import { JettisonContainer } from '../cargo/columns.ts'
import { renderStacks, stackSchema } from '../cargo/views.ts'
import { knownAs } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { moduleId, moduleTypeOf } from '../ship/rules.ts'
import { Location, Poi } from '../travel/columns.ts'
import { poiId, systemId } from '../travel/rules.ts'
import { Wreck } from './columns.ts'
import { wreckId, wreckModules, wreckTypeOf } from './wrecks.ts'

/** A module nobody has fitted. Source: contract, LootedModule. */
export const moduleSchema = named('LootedModule', {
  ...strings('id', 'name', 'type', 'type_id'),
  ...numbers('wear'),
})

export const wreckSchema = named('Wreck', {
  ...strings('id', 'type', 'system_id', 'poi_id', 'created_at', 'expires_at'),
  ...strings('ship_class', 'victim_id', 'victim_name'),
  ...ints('expire_tick', 'salvage_value'),
  ...opt(strings('ship_name', 'killer_id', 'killer_name')),
  ...opt(strings('insurance_policy_id', 'towed_by_player_id')),
  cargo: list(stackSchema),
  modules: list(moduleSchema),
})

/** Source: contract, GetWrecksResponse; `total` and `action` are ours. */
export const wrecksSchema = obj({
  ...strings('action'),
  ...ints('count', 'total'),
  wrecks: list(wreckSchema),
})

/** Source: contract, LootWreckCommandResponse: of one item or module, or of all there is. */
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

export const renderModule = (view: WorldView, module: Row) => {
  const { name, type, type_id } = moduleTypeOf(view, module)
  return { id: moduleId(view, module), name, type, type_id, wear: 0 }
}

/** Texts that are left out where they are empty. */
function texts(view: WorldView, row: Row) {
  const { name, killerId, killerName, policyId } = view.read(Wreck)
  const said = {
    ship_name: name[row],
    killer_id: killerId[row],
    killer_name: killerName[row],
    insurance_policy_id: policyId[row],
  }
  const found = Object.entries(said).map(([key, id]) => [key, view.texts.get(id)] as const)
  return Object.fromEntries(found.filter(([, text]) => text !== ''))
}

/** When something is gone, if ticks keep their length; nothing to say of what stays. */
const expiry = (view: WorldView, tick: number) => ({
  expire_tick: tick,
  expires_at: tick === 0 ? '' : isoTime(view.wallMs + (tick - view.tick) * view.tickMs),
})

function whereabouts(view: WorldView, poi: Eid, system: Eid) {
  return { poi_id: poi === 0 ? '' : poiId(view, poi), system_id: systemId(view, system) }
}

export function renderWreck(view: WorldView, row: Row) {
  const columns = view.read(Wreck)
  const tug = columns.tug[row]
  const at = view.read(Location)
  const poi = tug === 0 ? columns.poi[row] : at.poi[tug]
  const system = tug === 0 ? view.read(Poi).system[poi] : at.system[tug]
  const type = wreckTypeOf(view, row)
  return {
    id: wreckId(view, row),
    type,
    ...whereabouts(view, poi, system),
    created_at: isoTime(columns.createdMs[row]),
    ...expiry(view, columns.expireTick[row]),
    ship_class: type === 'ship' ? SHIP_CLASSES[columns.class[row]].id : '',
    victim_id: view.texts.get(columns.victimId[row]),
    victim_name: view.texts.get(columns.victimName[row]),
    ...texts(view, row),
    salvage_value: columns.value[row],
    cargo: renderStacks(view, columns.cargo[row]),
    modules: wreckModules(view, row).map((module) => renderModule(view, module)),
    ...(tug === 0 ? {} : { towed_by_player_id: knownAs(view, 0, view.read(Ship).owner[tug]).id }),
  }
}

/** A container adrift, in the form of a wreck. */
export function renderAdrift(view: WorldView, row: Row) {
  const { poi, createdMs, expireTick, container } = view.read(JettisonContainer)
  return {
    id: containerId(view, row),
    type: 'container',
    ...whereabouts(view, poi[row], view.read(Poi).system[poi[row]]),
    created_at: isoTime(createdMs[row]),
    ...expiry(view, expireTick[row]),
    ship_class: '',
    victim_id: '',
    victim_name: '',
    salvage_value: 0,
    cargo: renderStacks(view, container[row]),
    modules: [],
  }
}
