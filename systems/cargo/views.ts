/** Wire forms of goods: what a hold, a locker or a container lists. */
import { GOODS } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { bools, ints, list, numbers, obj, opt, strings } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { footprintOf, packageId, packageName, packagesIn } from '../package/rules.ts'
import { Ship } from '../ship/columns.ts'

/** A stack as v1 names it. Source: contract, CargoItem. */
export const stackSchema = obj({
  ...strings('item_id'),
  ...ints('quantity'),
  ...opt({ ...strings('name'), ...ints('size') }),
})

export interface StackView {
  item_id: string
  name: string
  quantity: number
  size: number
}

/**
 * Stacks of a container in the order of the catalogue, then packages, the oldest first; `size` is
 * the space of one unit. What is in a package is not told.
 */
export function renderStacks(view: WorldView, container: Row): StackView[] {
  if (container === 0) return []
  const stacks = contentsOf(view, container).map(({ item, units }) => ({
    item_id: GOODS[item].id,
    name: GOODS[item].name,
    quantity: units,
    size: GOODS[item].size,
  }))
  const packages = packagesIn(view, container).map((pkg) => ({
    item_id: packageId(view, pkg),
    name: packageName(view, pkg),
    quantity: 1,
    size: footprintOf(view, pkg),
  }))
  return [...stacks, ...packages]
}

const carriedSchema = obj({
  ...strings('class_id', 'class_name', 'name', 'ship_id'),
  ...ints('scale', 'slots_used'),
})

/** Answer of get_cargo on v1. Source: contract, GetCargoResponse. */
export const cargoSchema = obj({
  ...ints('available', 'capacity', 'used'),
  cargo: list(stackSchema),
  ...opt({ ...ints('bay_capacity', 'bay_used'), carried_ships: list(carriedSchema) }),
})

export function renderHold(view: WorldView, ship: Eid) {
  const { cargoCap, cargoUsed, hold } = view.read(Ship)
  return {
    available: Math.max(0, cargoCap[ship] - cargoUsed[ship]),
    capacity: cargoCap[ship],
    used: cargoUsed[ship],
    cargo: renderStacks(view, hold[ship]),
  }
}

/** Section `cargo` of the v2 state. */
export const cargoSection = list(
  obj({ ...strings('item_id', 'item_name'), ...numbers('quantity', 'size') }),
)

/** The hold of the ship flown, as the v2 section lists it. */
export function renderCargo(view: WorldView, player: Eid) {
  const ship = view.read(Player).ship[player]
  if (ship === 0) return []
  return renderStacks(view, view.read(Ship).hold[ship]).map(
    ({ item_id, name, quantity, size }) => ({
      item_id,
      item_name: name,
      quantity,
      size,
    }),
  )
}

const flags = opt(bools('auto_docked', 'auto_undocked'))

const rowFields = {
  ...strings('item_id'),
  ...ints('quantity'),
  ...bools('success'),
  ...opt(strings('error', 'message')),
}

/**
 * Answers of storage moves: one row's, or the list of several. Fields beside `action` depend on the
 * move.
 * Source: contract, DepositItems- and WithdrawItemsCommandResponse.
 */
const moveFields = {
  ...strings('action'),
  ...flags,
  ...opt(strings('item_id', 'message', 'source', 'target', 'destination')),
  ...opt(strings('bucket', 'bucket_id', 'dest_bucket', 'dest_bucket_id')),
  ...opt(ints('quantity', 'cargo_space', 'storage_remaining', 'source_remaining', 'dest_total')),
  ...opt(ints('amount', 'dest_credits', 'source_credits', 'faction_credits', 'player_credits')),
  ...opt(ints('requested', 'succeeded', 'failed')),
  ...opt({ results: list(obj({ ...rowFields, ...opt({ result: obj({}) }) })) }),
}

export const depositSchema = obj({
  ...moveFields,
  ...opt(ints('cargo_remaining', 'storage_total', 'capacity', 'used', 'credits_sent')),
  ...opt(ints('wallet_remaining', 'items_sent')),
  ...opt(ints('fuel', 'fuel_capacity', 'ship_fuel', 'storage_fuel')),
  ...opt(strings('base_id', 'base_name', 'hint', 'ship_id', 'ship_name', 'recipient')),
  ...opt(strings('class_id', 'class_name', 'faction_id', 'faction_name')),
  ...opt(strings('empire_id', 'empire_name', 'fleet_id', 'fleet_name', 'hull_designator')),
  ...opt(strings('npc_id', 'petition_id', 'petition_notice')),
})

export const withdrawSchema = obj({
  ...moveFields,
  ...opt({ ...ints('cargo_total'), ...strings('ship_id') }),
})

export const jettisonSchema = obj({
  ...strings('action', 'message'),
  ...flags,
  ...opt(strings('container_id', 'item_id', 'item_name')),
  ...opt(ints('quantity', 'requested', 'succeeded', 'failed')),
  ...opt({ results: list(obj({ ...rowFields, ...opt(strings('item_name')) })) }),
})

const giftSchema = obj({
  ...strings('sender', 'sender_id', 'timestamp'),
  ...opt({ ...strings('message'), ...ints('credits') }),
  ...opt({
    items: list(obj({ ...strings('item_id', 'name'), ...ints('quantity') })),
    ships: list(
      obj({ ...strings('class_id', 'class_name', 'ship_id'), ...opt(strings('custom_name')) }),
    ),
  }),
})

const storageFields = {
  ...strings('action', 'base_id', 'hint'),
  items: list(stackSchema),
  ships: list(
    obj({
      ...strings('class_id', 'ship_id'),
      ...ints('cargo_used', 'modules'),
      ...opt(strings('class_name', 'custom_name')),
    }),
  ),
  ...opt({
    gifts: list(giftSchema),
    messages: list(obj(strings('body', 'from', 'timestamp'))),
  }),
}

/** Answer of view_storage. Source: contract, ViewStorageResponse. */
export const storageSchema = obj(storageFields)

/** The same on v2, where a faction's store is looked at by the same address. */
export const anyStorageSchema = obj({
  ...storageFields,
  ...opt({
    ...strings('faction_id', 'faction_name', 'faction_tag'),
    ...ints('credits', 'faction_fuel_capacity', 'faction_fuel_reserve'),
    buckets: list(
      obj({
        ...strings('id', 'name'),
        ...ints('cap_per_item', 'package_cap'),
        items: list(stackSchema),
      }),
    ),
    recent_activity: list(
      obj({
        ...strings('action', 'player', 'timestamp'),
        ...opt({ ...ints('credits', 'quantity'), ...strings('item') }),
      }),
    ),
  }),
})
