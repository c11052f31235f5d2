/** Wire shapes and events of holds and storage. Source: trade-storage.md section 3. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, list, numbers, obj, opt, optional, strings } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid } from '../../core/types.ts'

export const giftReceived = defineEvent({
  type: 'gift_received',
  summary: say`Somebody gave you something; {view_storage} at that base lists it. Once a tick at most.`,
  fields: obj({
    ...strings('sender', 'sender_id', 'base_id', 'timestamp'),
    ...opt({
      items: list(obj({ ...strings('item_id', 'name'), ...ints('quantity') })),
      ...ints('credits'),
      ships: list(
        obj({ ...strings('ship_id', 'class_id', 'class_name'), ...opt(strings('custom_name')) }),
      ),
      ...strings('message'),
    }),
  }),
  queue: 'trade',
})

/** A gift of a player who is docked at the base; ships are given from anywhere. */
export interface Gift {
  readonly player: Eid
  readonly base: Eid
  readonly message?: string
}

export type StorageVerb = 'deposit' | 'withdraw'

/** What all requests to move something into or out of storage have in common. */
export interface StorageRequest {
  readonly verb: StorageVerb
  readonly player: Eid
  readonly base: Eid
  readonly source?: string
  readonly target?: string
  readonly message?: string
  /** Buckets of a faction's store that goods come from and go to. */
  readonly bucket?: string
  readonly dest_bucket?: string
}

/** A request to move goods, a package or a ship. */
export interface StorageMove extends StorageRequest {
  /** Id of the good, the package or the ship. */
  readonly item_id: string
  readonly quantity: number
}

/** The result of a storage move. */
export interface Moved {
  readonly action: string
  readonly [field: string]: unknown
}

/* Wire forms of goods: what a hold, a locker or a container lists. */

/** A stack as v1 names it. Source: contract, CargoItem. */
export const stackSchema = obj({
  ...strings('item_id'),
  ...ints('quantity'),
  ...opt({ ...strings('name'), ...ints('size') }),
})

const carriedSchema = obj({
  ...strings('class_id', 'class_name', 'name', 'ship_id'),
  ...ints('scale', 'slots_used'),
})

/** Result of get_cargo on v1. Source: contract, GetCargoResponse. */
export const cargoSchema = obj({
  ...ints('available', 'capacity', 'used'),
  cargo: list(stackSchema),
  ...opt({ ...ints('bay_capacity', 'bay_used'), carried_ships: list(carriedSchema) }),
})

/** Section `cargo` of the v2 state. */
export const cargoSection = list(
  obj({ ...strings('item_id', 'item_name'), ...numbers('quantity', 'size') }),
)

const flags = opt(bools('auto_docked', 'auto_undocked'))

const rowFields = {
  ...strings('item_id'),
  ...ints('quantity'),
  ...bools('success'),
  ...opt(strings('error', 'message')),
}

/**
 * Result of storage moves: of one row, or a list of several. All fields but `action` depend on the
 * move. Source: contract, DepositItems- and WithdrawItemsCommandResponse.
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

/** Result of view_storage. Source: contract, ViewStorageResponse. */
export const storageSchema = obj(storageFields)

/** Result of view_storage on v2, where the same address also shows a faction's store. */
export const anyStorageSchema = obj({
  ...storageFields,
  ships: optional(storageFields.ships),
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
