/** Answers of fitting and hangar commands. */
import { bools, ints, list, numbers, obj, opt, optional, strings, Type } from '../../core/params.ts'

const docking = opt(bools('auto_docked', 'auto_undocked'))

export const installSchema = obj({
  ...strings('module_id', 'message'),
  ...ints('cpu_used', 'power_used'),
  ...opt(ints('current_ammo', 'magazine_size')),
  ...opt(strings('loaded_ammo')),
  ...docking,
})

export const uninstallSchema = obj({
  ...strings('module_id', 'instance_id', 'message'),
  ...ints('cpu_used', 'power_used'),
  ...bools('damaged'),
  ...opt(bools('destroyed')),
  ...opt(ints('uninstall_count')),
  ...opt(numbers('wear')),
  ...opt(strings('wear_status')),
  ...docking,
})

export const repairModuleSchema = obj({
  ...strings('module_id', 'message', 'wear_status'),
  ...numbers('repair_amount', 'wear_after', 'wear_before'),
  xp_gained: Type.Record(Type.String(), Type.Integer()),
  ...docking,
})

export const refitSchema = obj({
  ...strings('ship_id', 'class_id', 'message'),
  ...ints('cargo_returned', 'default_modules', 'modules_returned'),
  ...docking,
})

const storedGoods = list(obj({ ...strings('item_id', 'name'), ...ints('quantity') }))

export const switchSchema = obj({
  ...strings('active_ship_id', 'active_ship_class', 'stored_ship_id', 'stored_ship_class'),
  ...strings('message'),
  ...opt(strings('cargo_note')),
  ...opt(bools('claimed_from_faction_garage')),
  cargo_to_storage: optional(storedGoods),
  ...docking,
})

export const nameSchema = obj({
  ...strings('ship_id', 'message'),
  ...opt(strings('ship_name')),
})

export const scrapSchema = obj({
  ...strings('scrapped_ship_id', 'scrapped_class', 'message'),
  ...opt(strings('cargo_note', 'modules_note')),
  cargo_to_storage: optional(storedGoods),
  modules_to_storage: optional(list(obj(strings('module_type', 'name')))),
})

const garaged = obj({
  ...strings('ship_id', 'class_id', 'depositor_id'),
  ...ints('deposited_tick'),
  ...opt(strings('class_name', 'custom_name', 'depositor_name')),
})

const ownedShip = obj({
  ...strings('ship_id', 'class_id'),
  ...bools('is_active'),
  ...opt(strings('class_name', 'custom_name', 'hull', 'fuel', 'location', 'location_base_id')),
  ...opt(strings('listing_id', 'listing_base_id')),
  ...opt(ints('cargo_used', 'modules', 'listing_price')),
})

export const listShipsSchema = obj({
  ...ints('count'),
  ships: list(ownedShip),
  ...opt(strings('active_ship_id', 'active_ship_class')),
  ...opt(ints('faction_garage_capacity', 'faction_garage_used')),
  faction_garage: optional(list(garaged)),
})

export const factionGaragesSchema = obj({
  ...ints('station_count', 'total_ships'),
  stations: list(
    obj({
      ...strings('base_id'),
      ...ints('capacity', 'used'),
      ...opt(strings('base_name', 'system_name')),
      ships: list(garaged),
    }),
  ),
})
