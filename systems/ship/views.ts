/**
 * Renders a ship and its modules for its owner: v1 records, v2 sections. Nothing here is for other
 * viewers; the only place shown is the base where the ship is docked.
 */
import { GOODS, type ModuleRow, type ShipClassRow, wireEntry } from '../../core/catalog/index.ts'
import type { Static } from '../../core/params.ts'
import { timeField } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { playerId } from '../account/model.ts'
import { Base } from '../base/state.ts'
import { renderStacks } from '../cargo/views.ts'
import { combatantId } from '../combat/model.ts'
import { Participant, ShipCombat } from '../combat/state.ts'
import { renderBuffs } from '../consumable/model.ts'
import { Garaged } from '../fitting/state.ts'
import { renderBerths } from '../passenger/model.ts'
import { Survivors } from '../personnel/state.ts'
import { Location } from '../travel/state.ts'
import {
  activeShip,
  moduleId,
  modulesOf,
  moduleTypeOf,
  shipClassOf,
  shipId,
  shipName,
} from './model.ts'
import type {
  getShipSchema,
  moduleSchema,
  modulesSection,
  shipClassSchema,
  shipSchema,
  shipSection,
} from './schemas.ts'
import { Module, Ship } from './state.ts'

/* Temporary effects on a ship, of battles and of buffs. Only its owner sees them. */

/** What EM disruption takes off damage, %. Source: combat.md section 6. */
const DISRUPTION_PCT = 20

function renderBurn(view: WorldView, row: Eid) {
  const { burnTicks, burnDamage, burnBy } = view.read(Participant)
  if (burnTicks[row] === 0) return {}
  return {
    burn_damage_per_tick: burnDamage[row],
    burn_ticks_remaining: burnTicks[row],
    ...(burnBy[row] === 0 ? {} : { burn_source_id: combatantId(view, burnBy[row]) }),
  }
}

function renderEffects(view: WorldView, ship: Eid) {
  const row = view.read(ShipCombat).participant[ship]
  if (row === 0) return {}
  const { emTicks, meltPct, meltTicks, speed, effectiveSpeed } = view.read(Participant)
  const slowed = speed[row] - effectiveSpeed[row]
  return {
    ...renderBurn(view, row),
    ...(meltTicks[row] === 0
      ? {}
      : { armor_melt_pct: meltPct[row], armor_melt_ticks_remaining: meltTicks[row] }),
    ...(emTicks[row] === 0
      ? {}
      : {
          disruption_ticks_remaining: emTicks[row],
          damage_penalty: DISRUPTION_PCT,
          ...(slowed > 0 ? { speed_penalty: Math.trunc((100 * slowed) / speed[row]) } : {}),
        }),
  }
}

function renderAfflictions(view: WorldView, ship: Eid) {
  const effects = renderEffects(view, ship)
  const buffs = renderBuffs(view, ship)
  return buffs.length === 0 ? effects : { ...effects, active_buffs: buffs }
}

/* Ships */

const EFFICIENCIES = [
  'ore_cargo_efficiency',
  'ice_cargo_efficiency',
  'gas_cargo_efficiency',
] as const

/** Renders the compression of cargo by family, where the hull has one. */
function renderEfficiencies(view: WorldView, ship: Eid): Record<string, number> {
  const pct = view.read(Ship).compressionPct
  const shown: Record<string, number> = {}
  for (let family = 0; family < EFFICIENCIES.length; family++) {
    const value = pct[ship * EFFICIENCIES.length + family]
    if (value !== 100) shown[EFFICIENCIES[family]] = value
  }
  return shown
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
    ...renderEfficiencies(view, ship),
    ...renderAfflictions(view, ship),
  }
}

/** Renders the people aboard, for the owner alone. */
function renderPersonnel(view: WorldView, ship: Eid) {
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

/**
 * Renders the crew of a ship: capacities of the bare hull and with its modules, and what the crew
 * achieves. Source: newer.md section 5.
 */
function renderManning(view: WorldView, ship: Eid) {
  const columns = view.read(Ship)
  const { crew_capacity, marine_capacity } = shipClassOf(view, ship)
  const recovery = view.read(Survivors).rallyTick[ship]
  return {
    crew_capacity,
    marine_capacity,
    effective_crew_capacity: columns.crewCap[ship],
    effective_marine_capacity: columns.marineCap[ship],
    minimum_crew: columns.crewMin[ship],
    crew_efficiency: columns.crewEffPct[ship] / 100,
    operational_speed: columns.speed[ship],
    incapacitated: columns.crewFit[ship] === 0,
    ...(recovery === 0
      ? {}
      : {
          personnel_recovery_tick: recovery,
          personnel_recovery_ticks_remaining: Math.max(0, recovery - view.tick),
        }),
  }
}

/** Renders the v1 record of a ship, with its cargo and the ids of its modules. */
export function renderShip(view: WorldView, ship: Eid): Static<typeof shipSchema> {
  const columns = view.read(Ship)
  const docked = view.read(Location).base[ship]
  const owner = columns.owner[ship]
  return Object.assign(renderFigures(view, ship), {
    loadout_version: columns.loadoutVersion[ship],
    ...(owner === 0 ? {} : { owner_id: playerId(view, owner) }),
    ...timeField('created_at', columns.createdMs[ship]),
    ...(docked === 0 ? {} : { docked_at_base: view.texts.get(view.read(Base).id[docked]) }),
    ...(view.read(Garaged).faction[ship] === 0
      ? {}
      : { in_faction_garage: view.texts.get(view.read(Base).id[docked]) }),
    modules: modulesOf(view, ship).map((row) => moduleId(view, row)),
    cargo: renderStacks(view, columns.hold[ship]),
    personnel: renderPersonnel(view, ship),
    ...renderManning(view, ship),
  })
}

/** Renders the v2 section `ship`; absent for a player who flies none. */
export function renderShipSection(
  view: WorldView,
  player: Eid,
): Static<typeof shipSection> | undefined {
  const ship = activeShip(view, player)
  if (ship === 0) return undefined
  const berths = renderBerths(view, ship)
  return Object.assign(renderFigures(view, ship), {
    personnel: renderPersonnel(view, ship),
    ...renderManning(view, ship),
    ...(berths ? { berths } : {}),
  })
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

const STATS = new Map<ModuleRow, Readonly<Record<string, unknown>>>()

/** Returns the stats of a module's type, by their wire names. */
function statsOf(row: ModuleRow): Readonly<Record<string, unknown>> {
  const known = STATS.get(row)
  if (known) return known
  const stats = Object.fromEntries(
    Object.entries(wireEntry(row)).filter(([name]) => !IDENTITY.has(name)),
  )
  STATS.set(row, stats)
  return stats
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

/** Renders the v1 record of a fitted module: identity and stats on one level. */
function renderModule(view: WorldView, module: Row): Static<typeof moduleSchema> {
  const row = moduleTypeOf(view, module)
  const id = { id: moduleId(view, module) }
  return Object.assign(id, renderHead(row), statsOf(row), loadedAmmo(view, module))
}

/** Renders the v1 records of the modules of a ship, in order of fitting. */
export function renderModules(view: WorldView, ship: Eid): Static<typeof moduleSchema>[] {
  return modulesOf(view, ship).map((row) => renderModule(view, row))
}

/** Renders the v2 section `modules`; empty for a player who flies no ship. */
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

/** Renders the answer of get_ship about one ship of the player. */
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

/** Renders a hull class as it is in the catalogue. */
const renderShipClass = (row: ShipClassRow) => wireEntry(row) as Static<typeof shipClassSchema>
