/**
 * Wire shapes of the answers of a base: the briefing at docking, the base in full, refuelling. The
 * fields of higher domains (facilities, missions, passengers) are declared here, and answers lack
 * them where those add none. Source: contract, DockResponse, GetBaseResponse, RefuelResponse.
 */
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
import { poolsSchema } from '../personnel/schemas.ts'

/* Events about fuel. */

/** Tells a pilot that another player gave them fuel. Source: spec, Events; travel.md section 9. */
export const refueledBy = defineEvent({
  type: 'refueled_by',
  summary: 'Another player pumped fuel into your tank.',
  fields: obj({
    ...strings('source_player_id', 'source_username'),
    ...ints('fuel', 'fuel_now', 'fuel_max'),
  }),
  queue: 'system',
  channel: () => 'support',
})

export const baseSchema = obj({
  ...strings('id', 'name', 'description', 'poi_id'),
  ...bools('public_access'),
  ...ints('fuel', 'max_fuel', 'hull', 'max_hull', 'shield', 'max_shield', 'armor'),
  ...ints('weapon_dps', 'weapon_reach'),
  ...opt(strings('empire', 'faction_id', 'owner_id', 'type')),
  ...opt(ints('market_fee_bps', 'pirate_rep_required')),
  ...opt(ints('refuel_price_each', 'repair_price_per_hull')),
  ...opt(bools('allow_outsider_facilities', 'wrecked')),
  ...opt({ facilities: list(Type.String()), service_access: mapOf(Type.String()) }),
})

export const conditionSchema = obj({
  ...strings('condition', 'condition_text'),
  ...ints('satisfaction_pct', 'satisfied_count', 'total_service_infra'),
})

/** Price and tax of a unit of fuel; absent where none is sold. */
export const fuelFields = opt(ints('fuel_price', 'fuel_price_all_in', 'fuel_tax_per_unit'))
export const fuelSchema = obj(fuelFields)

const storedShip = obj({ ...strings('ship_id', 'class_id'), ...opt(strings('class_name')) })

const passenger = obj({
  ...strings('citizen_id', 'name', 'bio', 'class', 'destination', 'destination_name'),
  ...ints('base_fare', 'ticks_remaining'),
  ...opt(strings('berth_class', 'destination_system')),
  ...opt(ints('speed_bonus')),
  ...opt(bools('connecting')),
})

const gift = obj({
  ...strings('sender', 'sender_id', 'timestamp'),
  ...opt(strings('message')),
  ...opt(ints('credits')),
  ...opt({
    items: list(obj({ ...strings('item_id', 'name'), ...ints('quantity') })),
    ships: list(
      obj({ ...strings('ship_id', 'class_id', 'class_name'), ...opt(strings('custom_name')) }),
    ),
  }),
})

const commission = obj({
  ...strings('commission_id', 'class_id', 'ship_class', 'status'),
  ...opt(ints('eta_seconds', 'ticks_remaining')),
})

const ownFacility = obj({
  ...strings('facility_id', 'name', 'type', 'status'),
  ...ints('rent_per_cycle'),
  ...bools('maintenance_satisfied'),
  ...opt(strings('recipe_id')),
  ...opt(ints('missed_rent_cycles', 'ticks_until_complete')),
})

export const openOrderSchema = obj({
  ...strings('order_id', 'item_id', 'item_name', 'type'),
  ...ints('price_each', 'quantity', 'remaining'),
})

const tradeFill = obj({
  ...strings('item_id', 'item_name', 'timestamp', 'type'),
  ...ints('price_each', 'quantity', 'total'),
})

export const dockResultSchema = obj({
  ...strings('action', 'base', 'story'),
  station_condition: conditionSchema,
  ...opt(bools('auto_docked', 'auto_undocked')),
  ...opt(strings('fuel_warning', 'facility_note', 'claimed_note', 'gifts_note')),
  ...opt(strings('unread_chat_note')),
  ...opt(ints('storage_items', 'open_orders_count', 'trade_fills_count', 'gifts_count')),
  ...opt(ints('stored_ships_count', 'messages_count')),
  ...opt(bools('open_orders_truncated', 'trade_fills_truncated', 'gifts_truncated')),
  ...opt({
    news: list(Type.String()),
    open_orders: list(openOrderSchema),
    trade_fills: list(tradeFill),
    gifts: list(gift),
    stored_ships: list(storedShip),
    claimed_ships: list(storedShip),
    commissions_active: list(commission),
    messages: list(obj(strings('body', 'from', 'timestamp'))),
    your_facilities: list(ownFacility),
    unread_chat: obj(ints('faction', 'local', 'private', 'system')),
    passenger_arrivals: obj(
      opt({
        delivered: list(passenger),
        stranded: list(passenger),
        fare_collected: Type.Integer(),
        reputation_changes: mapOf(Type.Integer()),
      }),
    ),
  }),
})

const input = obj({
  ...strings('item_id'),
  ...ints('quantity_per_cycle'),
  ...opt(strings('name')),
})

const building = obj({
  ...strings('category', 'definition_id', 'name', 'status'),
  ...opt(strings('reason')),
  ...opt(ints('build_cost', 'ticks_until_complete')),
  ...opt({
    materials: list(
      obj({
        ...strings('item_id'),
        ...ints('quantity_in_storage', 'quantity_required'),
        ...opt(ints('quantity_missing')),
        ...opt(strings('name')),
      }),
    ),
  }),
})

const repairMaterial = obj({
  ...strings('item_id', 'name'),
  ...ints('quantity_required', 'quantity_in_storage', 'quantity_missing'),
  // True while the exchange here has a buy order for it, however small.
  ...bools('buy_order_available'),
})

/** A facility that is out of order. */
export const repairEntrySchema = obj({
  ...strings('instance_id', 'definition_id', 'name', 'category', 'status'),
  ...opt({ ...ints('ticks_until_complete'), materials: list(repairMaterial) }),
})

/** What needs repair at a station. Source: newer.md section 7. */
export const repairsSchema = obj({
  ...bools('wrecked'),
  ...ints('hull_current', 'hull_required', 'hull_missing'),
  ...ints('damaged_count', 'repairing_count', 'waiting_count'),
  facilities: list(repairEntrySchema),
  materials: list(repairMaterial),
  ...opt({ next_blocked: repairEntrySchema, ...strings('remediation') }),
})

export const getBaseSchema = obj({
  base: baseSchema,
  personnel: optional(poolsSchema),
  condition: conditionSchema,
  services: list(Type.String()),
  ...fuelFields,
  ...opt(ints('faction_fuel_capacity', 'faction_fuel_reserve')),
  ...opt({
    construction: obj(opt({ pending: list(building), under_construction: list(building) })),
    life_support: obj({
      ...ints('demand', 'supply', 'plants', 'maintenance_cycle_ticks'),
      ...opt(strings('remediation')),
      ...opt({ maintenance: list(input), starved: list(input) }),
    }),
    power: obj({
      ...ints('battery_capacity', 'battery_stored', 'current_draw', 'supply'),
      ...numbers('efficiency'),
      ...opt(strings('remediation')),
      ...opt({ fuel_inputs: list(input) }),
    }),
    repairs: repairsSchema,
  }),
})

const member = obj({
  ...strings('player_id', 'username', 'ship_id', 'ship_class'),
  ...ints('fuel', 'max_fuel', 'fuel_pct', 'fuel_per_jump'),
  ...bools('is_you', 'is_leader'),
})

export const refuelSchema = obj({
  ...strings('action', 'source'),
  ...ints('fuel'),
  ...opt(ints('fuel_now', 'fuel_max', 'cost', 'market_cost', 'tax_amount', 'cells_used')),
  ...opt(strings('item_id', 'item_name', 'message')),
  ...opt(strings('target_player_id', 'target_player_name')),
  ...opt(ints('target_fuel_now', 'target_fuel_max')),
  ...opt(strings('ally_faction_id', 'ally_faction_tag', 'fleet_id')),
  ...opt(ints('ally_fuel', 'faction_fuel', 'rescue_reward')),
  ...opt(bools('has_pump', 'rescue_completed', 'auto_docked')),
  ...opt({ members: list(member) }),
})
