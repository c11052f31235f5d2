/**
 * How the owner sees a ship and its modules: v1 records, v2 sections. Nothing here is for other
 * viewers, and of places only where the ship is docked.
 */
import { GOODS, type ModuleRow, type ShipClassRow, wireEntry } from '../../core/catalog/index.ts'
import {
  anyObject,
  bools,
  ints,
  list,
  mapOf,
  named,
  numbers,
  obj,
  opt,
  optional,
  type Static,
  strings,
  Type,
} from '../../core/params.ts'
import { timeField } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { renderStacks } from '../cargo/views.ts'
import { Garaged } from '../fitting/columns.ts'
import { renderBerths } from '../passenger/views.ts'
import { Location } from '../travel/columns.ts'
import { renderAfflictions } from './afflictions.ts'
import { Module, Ship } from './columns.ts'
import {
  activeShip,
  moduleId,
  modulesOf,
  moduleTypeOf,
  shipClassOf,
  shipId,
  shipName,
} from './rules.ts'

/* Schemas */

const material = obj({ ...strings('item_id'), ...ints('quantity') })

/** A hull class of the catalogue. */
export const shipClassSchema = named('ShipClass', {
  ...strings('id', 'name', 'class'),
  ...opt(strings('category', 'description', 'lore', 'faction', 'special', 'based_on')),
  ...opt(strings('prestige_lock', 'required_achievement', 'required_faction_achievement')),
  ...opt(ints('tier', 'scale', 'base_hull', 'base_armor', 'base_shield', 'base_shield_recharge')),
  ...opt(ints('base_speed', 'base_fuel', 'cargo_capacity', 'cpu_capacity', 'power_capacity')),
  ...opt(ints('weapon_slots', 'defense_slots', 'utility_slots', 'default_loadout_version')),
  ...opt(ints('piloting_required', 'required_reputation', 'shipyard_tier', 'build_time')),
  ...opt(ints('tow_speed_bonus', 'crew_capacity', 'minimum_crew', 'marine_capacity')),
  ...opt(ints('latch_resistance', 'boarding_defense_bonus_pct')),
  ...opt(strings('capture_policy')),
  ...opt(bools('starter_ship', 'hidden', 'legacy', 'required_faction_leader')),
  default_modules: optional(list(Type.String())),
  flavor_tags: optional(list(Type.String())),
  passive_recipes: optional(list(Type.String())),
  build_materials: optional(list(material)),
  required_items: optional(list(material)),
  inherent_capabilities: optional(
    list(obj({ ...strings('type'), ...ints('value'), ...opt(strings('flag')) })),
  ),
})

/** A fitted module, v1. */
export const moduleSchema = named('FittedModule', {
  ...strings('id', 'type_id', 'name', 'type', 'slot', 'wear_status'),
  ...ints('size', 'cpu_usage', 'power_usage'),
  ...numbers('wear'),
  ...opt(strings('special', 'damage_type', 'ammo_type', 'loaded_ammo_id', 'loaded_ammo_name')),
  ...opt(ints('current_ammo', 'magazine_size', 'mining_power', 'damage', 'reach', 'cooldown')),
  ...opt(ints('accuracy_bonus', 'tracking_bonus', 'armor_bonus', 'armor_repair_rate')),
  ...opt(ints('hull_bonus', 'hull_penalty', 'damage_reduction', 'shield_bonus')),
  ...opt(ints('shield_recharge_bonus', 'speed_bonus', 'speed_penalty', 'fuel_efficiency')),
  ...opt(ints('max_fuel_bonus', 'tow_speed_penalty', 'cargo_bonus', 'cpu_bonus', 'power_bonus')),
  ...opt(ints('drone_capacity', 'drone_bandwidth', 'scanner_power', 'survey_power')),
  ...opt(ints('cloak_strength', 'signature_bonus', 'salvage_bonus')),
  ...opt(numbers('shield_bypass_bonus', 'armor_bypass_bonus', 'precision_factor')),
  resistance_bonus: optional(mapOf(Type.Integer())),
})

const count = obj(ints('total', 'free'))
const berthsSchema = named('Berths', { economy: count, business: count, first: count })

/** What later domains put on a ship: battle effects, buffs, garages. Absent while there is none. */
const afflictions = {
  ...opt(numbers('armor_melt_pct', 'damage_penalty', 'speed_penalty')),
  ...opt(ints('armor_melt_ticks_remaining', 'burn_damage_per_tick', 'burn_ticks_remaining')),
  ...opt(ints('disruption_ticks_remaining')),
  ...opt(strings('burn_source_id')),
  active_buffs: optional(
    list(
      obj({
        ...strings('item_id', 'stat'),
        ...ints('amount', 'expires_at'),
        ...opt(ints('ticks_left')),
      }),
    ),
  ),
}

const figures = {
  ...strings('id', 'class_id', 'name'),
  ...ints('hull', 'max_hull', 'fuel', 'max_fuel', 'cargo_used', 'cargo_capacity'),
  ...opt(ints('shield', 'max_shield', 'shield_recharge', 'armor', 'speed')),
  ...opt(ints('cpu_used', 'cpu_capacity', 'power_used', 'power_capacity')),
  ...opt(ints('weapon_slots', 'defense_slots', 'utility_slots')),
  ...opt(ints('ore_cargo_efficiency', 'ice_cargo_efficiency', 'gas_cargo_efficiency')),
  ...opt(strings('custom_name', 'class_name')),
  ...afflictions,
}

export const personnelSchema = named('Personnel', {
  ...ints('fit_crew', 'fit_marines', 'injured_crew', 'injured_marines', 'version'),
  ...opt(ints('crew_capacity', 'minimum_crew', 'marine_capacity')),
})

/** v1 Ship. */
export const shipSchema = named('Ship', {
  ...figures,
  ...opt(strings('owner_id', 'created_at', 'docked_at_base', 'in_faction_garage')),
  ...opt(strings('loaded_on_carrier_id')),
  ...opt(ints('loadout_version', 'last_process_tick')),
  modules: optional(list(Type.String())),
  cargo: optional(
    list(
      obj({
        ...strings('item_id'),
        ...ints('quantity'),
        ...opt(strings('name')),
        ...opt(ints('size')),
      }),
    ),
  ),
  personnel: optional(personnelSchema),
})

/** v2 section `ship`. */
export const shipSection = named('ShipSection', {
  ...figures,
  berths: optional(berthsSchema),
  personnel: optional(personnelSchema),
})

/** v2 section `modules`. */
export const modulesSection = list(
  named('ModuleSection', {
    ...strings('module_id', 'type_id', 'name', 'type', 'slot', 'wear_status'),
    ...ints('size', 'cpu_usage', 'power_usage'),
    ...numbers('wear'),
    stats: anyObject(),
    ...opt(strings('ammo_type', 'loaded_ammo_id', 'loaded_ammo_name')),
    ...opt(ints('current_ammo', 'magazine_size')),
  }),
)

/** Answer of get_ship, v1. */
export const getShipSchema = obj({
  ship: shipSchema,
  class: optional(shipClassSchema),
  modules: list(moduleSchema),
  ...ints('cargo_used', 'cargo_max'),
  berths: optional(berthsSchema),
})

/* Ships */

const EFFICIENCIES = [
  'ore_cargo_efficiency',
  'ice_cargo_efficiency',
  'gas_cargo_efficiency',
] as const

/** Efficiencies of the hull's compression, where it has one. */
function efficiencies(view: WorldView, ship: Eid): Record<string, number> {
  const pct = view.read(Ship).compressionPct
  return Object.fromEntries(
    EFFICIENCIES.map(
      (name, family) => [name, pct[ship * EFFICIENCIES.length + family]] as const,
    ).filter(([, value]) => value !== 100),
  )
}

function renderFigures(view: WorldView, ship: Eid) {
  const columns = view.read(Ship)
  const row = shipClassOf(view, ship)
  const given = view.texts.get(columns.name[ship])
  return {
    id: shipId(view, ship),
    class_id: row.id,
    class_name: row.name,
    name: shipName(view, ship),
    ...(given === '' ? {} : { custom_name: given }),
    hull: columns.hull[ship],
    max_hull: columns.hullMax[ship],
    shield: columns.shield[ship],
    max_shield: columns.shieldMax[ship],
    shield_recharge: columns.shieldRegen[ship],
    armor: columns.armor[ship],
    speed: columns.speed[ship],
    fuel: columns.fuel[ship],
    max_fuel: columns.fuelMax[ship],
    cargo_used: columns.cargoUsed[ship],
    cargo_capacity: columns.cargoCap[ship],
    cpu_used: columns.cpuUsed[ship],
    cpu_capacity: columns.cpuCap[ship],
    power_used: columns.powerUsed[ship],
    power_capacity: columns.powerCap[ship],
    weapon_slots: columns.slotsCap[ship * 3],
    defense_slots: columns.slotsCap[ship * 3 + 1],
    utility_slots: columns.slotsCap[ship * 3 + 2],
    ...efficiencies(view, ship),
    ...renderAfflictions(view, ship),
  }
}

/** People aboard, for the owner alone. */
export function renderPersonnel(view: WorldView, ship: Eid) {
  const columns = view.read(Ship)
  return {
    fit_crew: columns.crewFit[ship],
    fit_marines: columns.marinesFit[ship],
    injured_crew: columns.crewInjured[ship],
    injured_marines: columns.marinesInjured[ship],
    version: columns.personnelVersion[ship],
    crew_capacity: columns.crewCap[ship],
    minimum_crew: columns.crewMin[ship],
    marine_capacity: columns.marineCap[ship],
  }
}

/** v1 Ship, with its cargo and the ids of its modules. */
export function renderShip(view: WorldView, ship: Eid): Static<typeof shipSchema> {
  const columns = view.read(Ship)
  const docked = view.read(Location).base[ship]
  const owner = columns.owner[ship]
  return {
    ...renderFigures(view, ship),
    ...(owner === 0 ? {} : { owner_id: playerId(view, owner) }),
    ...timeField('created_at', columns.createdMs[ship]),
    loadout_version: columns.loadoutVersion[ship],
    ...(docked === 0 ? {} : { docked_at_base: view.texts.get(view.read(Base).id[docked]) }),
    ...(view.read(Garaged).faction[ship] === 0
      ? {}
      : { in_faction_garage: view.texts.get(view.read(Base).id[docked]) }),
    modules: modulesOf(view, ship).map((row) => moduleId(view, row)),
    cargo: renderStacks(view, columns.hold[ship]),
    personnel: renderPersonnel(view, ship),
  }
}

/** v2 section `ship`; absent for a passenger. */
export function renderShipSection(
  view: WorldView,
  player: Eid,
): Static<typeof shipSection> | undefined {
  const ship = activeShip(view, player)
  if (ship === 0) return undefined
  const berths = renderBerths(view, ship)
  return {
    ...renderFigures(view, ship),
    ...(berths ? { berths } : {}),
    personnel: renderPersonnel(view, ship),
  }
}

/* Modules */

/** Fields of a module that say what it is; the others are its stats. */
const IDENTITY = new Set([
  'id',
  'type_id',
  'name',
  'description',
  'type',
  'slot',
  'size',
  'base_value',
  'cpu_usage',
  'power_usage',
  'rarity',
  'required_skills',
  'hidden',
  'quest_item',
])

/** Stats a module's type gives it, by their wire names. */
function statsOf(row: ModuleRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(wireEntry(row)).filter(([name]) => !IDENTITY.has(name)))
}

function loadedAmmo(view: WorldView, module: Row) {
  const { ammo, ammoType } = view.read(Module)
  const magazine = moduleTypeOf(view, module).magazine_size
  if (magazine === undefined) return {}
  const loaded = ammoType[module] === 0 ? undefined : GOODS[ammoType[module] - 1]
  return {
    current_ammo: ammo[module],
    ...(loaded ? { loaded_ammo_id: loaded.id, loaded_ammo_name: loaded.name } : {}),
  }
}

/** Modules do not wear at this release (ships.md 3); clients read the two fields. */
const WEAR = { wear: 0, wear_status: 'none' } as const

function renderHead(row: ModuleRow) {
  const { type_id, name, type, slot, size, cpu_usage, power_usage } = row
  return { type_id, name, type, slot, size, cpu_usage, power_usage, ...WEAR }
}

/** A fitted module, v1: identity and stats on one level. */
export function renderModule(view: WorldView, module: Row): Static<typeof moduleSchema> {
  const row = moduleTypeOf(view, module)
  return {
    id: moduleId(view, module),
    ...renderHead(row),
    ...statsOf(row),
    ...loadedAmmo(view, module),
  }
}

export function renderModules(view: WorldView, ship: Eid): Static<typeof moduleSchema>[] {
  return modulesOf(view, ship).map((row) => renderModule(view, row))
}

/** v2 section `modules`. */
export function renderModulesSection(view: WorldView, player: Eid): Static<typeof modulesSection> {
  const ship = activeShip(view, player)
  if (ship === 0) return []
  return modulesOf(view, ship).map((module) => {
    const row = moduleTypeOf(view, module)
    const { ammo_type, magazine_size } = row
    return {
      module_id: moduleId(view, module),
      ...renderHead(row),
      stats: statsOf(row),
      ...(ammo_type === undefined ? {} : { ammo_type }),
      ...(magazine_size === undefined ? {} : { magazine_size }),
      ...loadedAmmo(view, module),
    }
  })
}

/** Answer of get_ship for one ship of the player. */
export function renderGetShip(view: WorldView, ship: Eid): Static<typeof getShipSchema> {
  const columns = view.read(Ship)
  const berths = renderBerths(view, ship)
  return {
    ship: renderShip(view, ship),
    class: renderShipClass(shipClassOf(view, ship)),
    modules: renderModules(view, ship),
    cargo_used: columns.cargoUsed[ship],
    cargo_max: columns.cargoCap[ship],
    ...(berths ? { berths } : {}),
  }
}

/** A hull class as the catalogue shows it. */
export const renderShipClass = (row: ShipClassRow) =>
  wireEntry(row) as Static<typeof shipClassSchema>
