/** Wire shapes of shipyards and of the ship exchange. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, list, mapOf, named, obj, opt, strings, Type } from '../../core/params.ts'

/** Sent to the owner of a hull that is built, or bought by their order. Source: ships.md 10. */
export const shipCommissionComplete = defineEvent({
  type: 'ship_commission_complete',
  summary: 'A ship that you commissioned, or wanted to buy, is docked and yours.',
  fields: obj({
    ...ints('tick'),
    ...strings('commission_id', 'ship_id', 'ship_class', 'ship_name', 'base_id', 'base_name'),
  }),
  queue: 'system',
})

const flags = opt(bools('auto_docked', 'auto_undocked'))

const material = obj({
  ...strings('item_id'),
  ...ints('quantity'),
  ...opt({ ...strings('name'), ...ints('size') }),
})

/* Commissions */

/** What a commission lacks, and where it is sold. */
const shortages = {
  missing: list(
    obj({
      ...strings('item_id'),
      ...ints('need', 'on_sale_here'),
      ...opt({ ...strings('nearest_seller'), ...ints('jumps') }),
    }),
  ),
  ...ints('eta_ticks'),
  ...strings('warning'),
}

export const quoteSchema = obj({
  ...strings('message', 'ship_class'),
  ...bools('can_afford_credits_only', 'can_afford_provide_materials', 'can_commission'),
  ...bools('credits_only_available'),
  ...ints('credits_only_total', 'provide_materials_total'),
  ...opt({
    ...strings('ship_name'),
    ...ints('build_time', 'labor_cost', 'material_cost', 'yard_margin', 'sales_tax'),
    ...ints('player_credits', 'shipyard_tier_here', 'shipyard_tier_required'),
    blockers: list(Type.String()),
    build_materials: list(material),
    ...shortages,
  }),
  ...flags,
})

export const commissionedSchema = obj({
  ...strings('commission_id', 'ship_class', 'status', 'message'),
  ...ints('credits_left', 'credits_paid'),
  ...opt({
    ...strings('ship_name'),
    ...ints('build_time', 'labor_cost', 'material_cost', 'yard_margin', 'sales_tax'),
  }),
  ...flags,
})

const units = mapOf(Type.Integer())

export const statusSchema = obj({
  ...ints('count'),
  commissions: list(
    obj({
      ...strings('commission_id', 'ship_class_id', 'status'),
      ...bools('materials_provided'),
      ...opt({
        ...strings('base_id', 'base_name', 'built_ship_id', 'created_at', 'ship_name'),
        ...ints('build_complete_tick', 'build_start_tick', 'ticks_remaining'),
        ...ints('credits_paid', 'earmarked_credits', 'material_cost_estimate'),
        materials_gathered: units,
        required_materials: units,
        ...shortages,
      }),
    }),
  ),
})

export const suppliedSchema = obj({
  ...strings('commission_id', 'commission_status', 'item_id', 'item_name', 'message'),
  ...bools('all_sourced'),
  ...ints('supplied'),
  ...opt(ints('credits')),
  materials: list(
    obj({ ...strings('item_id', 'name'), ...ints('gathered', 'needed'), ...bools('complete') }),
  ),
  ...flags,
})

export const cancelledSchema = obj({
  ...strings('message'),
  ...ints('credits_total', 'refund'),
  ...opt({ ...strings('materials_note'), materials_returned: list(material) }),
})

/* The ship exchange */

const orderSchema = named('ShipBuyOrder', {
  ...strings('class_id', 'order_id'),
  ...ints('price'),
  ...opt({
    ...strings('base_id', 'base_name', 'buyer', 'class_name', 'created_at'),
    ...bools('being_built'),
    ...ints('tax_escrow'),
  }),
})

export const browseSchema = obj({
  ...strings('base_id', 'base_name'),
  ...ints('count'),
  listings: list(
    obj({
      ...strings('class_id', 'listing_id', 'ship_id'),
      ...ints('price'),
      ...opt({
        ...strings('base_id', 'base_name', 'category', 'custom_name'),
        ...strings('listed_at', 'seller', 'ship_name'),
        ...ints('hull', 'max_hull', 'modules_count', 'scale', 'shield', 'tier'),
        ...ints('cargo_capacity', 'speed'),
      }),
    }),
  ),
  ...opt({ buy_orders: list(orderSchema) }),
})

export const listedSchema = obj({
  ...strings('listing_id', 'ship_id', 'message'),
  ...ints('credits_left', 'fee', 'price'),
  ...flags,
})

export const delistedSchema = obj(strings('class_id', 'message', 'ship_id'))

export const boughtSchema = obj({
  ...strings('class_id', 'ship_id', 'message'),
  ...ints('credits_left', 'price'),
  ...opt({ ...strings('old_ship_id'), ...ints('sales_tax') }),
  ...flags,
})

export const ordersSchema = obj({ ...ints('count'), orders: list(orderSchema) })

export const orderedSchema = obj({
  ...strings('class_id', 'order_id', 'message'),
  ...ints('credits_left', 'price'),
  ...opt(ints('tax_escrow')),
  ...flags,
})

export const orderCancelledSchema = obj({
  ...strings('order_id', 'message'),
  ...ints('credits_left', 'refund'),
})

export const soldSchema = obj({
  ...strings('class_id', 'ship_id', 'message'),
  ...ints('credits_left', 'price'),
  ...flags,
})

export const licenseSchema = obj({
  ...strings('empire', 'hint', 'ship_class', 'ship_name'),
  ...ints('cost_paid', 'faction_credits_left', 'royalty_percent'),
})
