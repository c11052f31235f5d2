/** Wire forms of facilities: the list of a base, the lists of an owner, their rent. */
import { type FacilityRow, RECIPES } from '../../core/catalog/index.ts'
import { FACILITIES_LISTED_MAX } from '../../core/limits.ts'
import { CYCLE_TICKS, DAY_TICKS, HOUR_TICKS } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { backlogOf, ticksOfRun } from '../craft/model.ts'
import { systemOfBase } from '../siege/model.ts'
import { systemId } from '../travel/model.ts'
import { onlyRecipeOf, renderQuantities } from './catalogue-model.ts'
import {
  airDraw,
  airSupply,
  batteryMax,
  efficiencyPermille,
  facilitiesAt,
  facilityId,
  facilityTypeAt,
  graceCycles,
  ownerOf,
  powerDraw,
  powerSupply,
  rentAt,
  shownType,
} from './model.ts'
import { ownerIdOf } from './rules.ts'
import {
  DAMAGED,
  FACILITY_STATUSES,
  Facility,
  FacilityListing,
  Grid,
  OF_FACTION,
  OF_PLAYER,
  OF_STATION,
  ONLINE,
  PUBLIC,
  REPAIRING,
  UNDER_CONSTRUCTION,
} from './state.ts'
import { takesJobs } from './types-model.ts'

const MILLI = 1000

/** Renders the name that the owner gave, if any. */
function customName(view: WorldView, row: Row): { custom_name?: string } {
  const name = view.texts.get(view.read(Facility).name[row])
  return name === '' ? {} : { custom_name: name }
}

/** Renders whether and until when a facility is out of order. */
function renderState(view: WorldView, row: Row) {
  const { status, dueTick, base } = view.read(Facility)
  return {
    ...(status[row] === UNDER_CONSTRUCTION ? { under_construction: true } : {}),
    ...(status[row] === DAMAGED || status[row] === REPAIRING ? { damaged: true } : {}),
    ...(status[row] === REPAIRING ? { repair_complete_tick: dueTick[row] } : {}),
    ...(efficiencyPermille(view, base[row]) < MILLI ? { power_throttled: true } : {}),
  }
}

/** Renders a run of a facility that has only one recipe. */
function renderRun(view: WorldView, row: Row) {
  const recipe = onlyRecipeOf(facilityTypeAt(view, row))
  if (recipe === undefined) return {}
  const ticks = ticksOfRun(view, row, RECIPES.indexOf(recipe))
  const units = recipe.outputs[0]?.quantity ?? 0
  return {
    recipe: recipe.id,
    output_per_run: units,
    ticks_per_run: ticks,
    items_per_hour: ticks === 0 ? 0 : Math.trunc((units * HOUR_TICKS) / ticks),
  }
}

/** Renders queue, access and price of a facility that takes jobs. */
function renderProduction(view: WorldView, row: Row) {
  const type = facilityTypeAt(view, row)
  if (!takesJobs(type)) return {}
  const { access, priceMilli } = view.read(Facility)
  const price = priceMilli[row] / MILLI
  const production = {
    ...backlogOf(view, row),
    ...renderRun(view, row),
    public: access[row] === PUBLIC,
    ...(type.logistics ? { output_price_per_operation: price } : { output_price_per_unit: price }),
  }
  return { production, ...(type.is_recycler ? { is_recycler: true } : {}) }
}

const renderServices = (type: FacilityRow) => ({
  ...(type.service === undefined ? {} : { service: type.service }),
  ...(type.faction_service_type === undefined
    ? {}
    : { faction_service: type.faction_service_type }),
  ...(type.personal_service_type === undefined
    ? {}
    : { personal_service: type.personal_service_type }),
  ...(type.capacity === undefined ? {} : { capacity: type.capacity }),
  ...(type.dining_points === undefined ? {} : { dining_points: type.dining_points }),
  ...(type.leisure_points === undefined ? {} : { leisure_points: type.leisure_points }),
  ...(type.maintenance_inputs.length === 0
    ? {}
    : { maintenance_per_cycle: renderQuantities(type.maintenance_inputs) }),
})

/** Renders a facility in the list of a base; rent is shown to its owner alone. */
function renderEntry(view: WorldView, row: Row, isOwn: boolean) {
  const type = isOwn ? facilityTypeAt(view, row) : shownType(view, row, 0)
  const { description, missed } = view.read(Facility)
  const owner = ownerOf(view, row)
  const id = ownerIdOf(view, owner)
  return {
    facility_id: facilityId(view, row),
    type: type.id,
    name: type.name,
    category: type.category,
    level: type.level,
    description: view.texts.get(description[row]) || type.description,
    ...customName(view, row),
    ...(owner.kind === OF_PLAYER ? { owner_id: id } : {}),
    ...(owner.kind === OF_FACTION ? { faction_id: id } : {}),
    ...renderServices(type),
    ...renderProduction(view, row),
    ...renderState(view, row),
    ...(isOwn ? { rent_per_cycle: rentAt(view, row), missed_rent_cycles: missed[row] } : {}),
  }
}

/** Renders the rent of these facilities, all of one owner. */
export function renderRent(view: WorldView, rows: readonly Row[]) {
  const { arrears, base } = view.read(Facility)
  const total = rows.reduce((sum, row) => sum + rentAt(view, row), 0)
  const owed = rows.reduce((sum, row) => sum + arrears[row], 0)
  return {
    facilities: rows.length,
    total_rent_per_cycle: total,
    est_rent_per_day: Math.trunc((total * DAY_TICKS) / CYCLE_TICKS),
    arrears_owed: owed,
    grace_cycles:
      rows.length === 0 ? 0 : Math.min(...rows.map((row) => graceCycles(view, base[row]))),
    ...(owed > 0 ? { note: 'Rent is taken as soon as the account holds what is owed.' } : {}),
  }
}

/** Renders the power grid of a base. */
export function renderPower(view: WorldView, base: Row) {
  const { battery } = view.read(Grid)
  const efficiency = efficiencyPermille(view, base)
  return {
    supply: powerSupply(view, base),
    current_draw: powerDraw(view, base),
    battery_stored: battery[base],
    battery_capacity: batteryMax(view, base),
    efficiency: efficiency / MILLI,
    ...(efficiency < MILLI ? { remediation: 'Less power is made than drawn: work is slow.' } : {}),
  }
}

/** Renders the life support of a base. */
export function renderAir(view: WorldView, base: Row) {
  const plants = facilitiesAt(view, base).filter(
    (row) => facilityTypeAt(view, row).life_support_supply > 0,
  )
  const [supply, demand] = [airSupply(view, base), airDraw(view, base)]
  return {
    supply,
    demand,
    plants: plants.length,
    maintenance_cycle_ticks: CYCLE_TICKS,
    ...(demand >= supply ? { remediation: 'There is no air left for anything new.' } : {}),
  }
}

function renderConstruction(view: WorldView, base: Row, faction: Row) {
  const { status, dueTick } = view.read(Facility)
  const under_construction = facilitiesAt(view, base)
    .filter((row) => status[row] === UNDER_CONSTRUCTION)
    .slice(0, FACILITIES_LISTED_MAX)
    .map((row) => {
      const { category, id, name, build_cost } = shownType(view, row, faction)
      const ticks_until_complete = dueTick[row] - view.tick
      const status = 'under_construction'
      return { category, definition_id: id, name, status, build_cost, ticks_until_complete }
    })
  return { under_construction }
}

/**
 * Renders the facilities at a base: the station's, the player's, their faction's, and what others
 * show.
 */
export function renderList(view: WorldView, base: Row, player: Eid, faction: Row) {
  const { ownerKind, player: owners, faction: factions, access } = view.read(Facility)
  const rows = facilitiesAt(view, base)
  const station = rows.filter((row) => ownerKind[row] === OF_STATION)
  const own = rows.filter((row) => ownerKind[row] === OF_PLAYER && owners[row] === player)
  const shared = rows.filter(
    (row) => faction !== 0 && ownerKind[row] === OF_FACTION && factions[row] === faction,
  )
  const listed = new Set([...station, ...own, ...shared])
  // Facilities of others: those of factions under their cover, and those players have opened.
  const open = rows.filter(
    (row) => !listed.has(row) && (ownerKind[row] === OF_FACTION || access[row] === PUBLIC),
  )
  const show = (type: readonly Row[], isOwn: boolean) =>
    type.slice(0, FACILITIES_LISTED_MAX).map((row) => renderEntry(view, row, isOwn))
  return {
    action: 'list' as const,
    base_id: baseId(view, base),
    station_facilities: show(station, false),
    player_facilities: show(own, true),
    faction_facilities: show(shared, true),
    public_facilities: show(open, false),
    power: renderPower(view, base),
    life_support: renderAir(view, base),
    construction: renderConstruction(view, base, faction),
    player_rent: renderRent(view, own),
    ...(faction === 0 ? {} : { faction_rent: renderRent(view, shared) }),
  }
}

/** Renders a facility in the list of all that an owner has. */
export function renderOwned(view: WorldView, row: Row) {
  const type = facilityTypeAt(view, row)
  const { base, arrears, missed } = view.read(Facility)
  return {
    facility_id: facilityId(view, row),
    type: type.id,
    name: type.name,
    base_id: baseId(view, base[row]),
    base_name: baseName(view, base[row]),
    system_id: systemId(view, systemOfBase(view, base[row])),
    rent_per_cycle: rentAt(view, row),
    labor_per_run: type.labor_cost,
    arrears_owed: arrears[row],
    missed_rent_cycles: missed[row],
    ...customName(view, row),
    ...renderState(view, row),
  }
}

/** Renders a facility in the list of a faction at one base. */
export function renderFactionFacility(view: WorldView, row: Row) {
  const type = facilityTypeAt(view, row)
  const { missed, dueTick, status } = view.read(Facility)
  const due = dueTick[row]
  return {
    facility_id: facilityId(view, row),
    type: type.id,
    name: type.name,
    level: type.level,
    faction_service: type.faction_service_type ?? '',
    status: statusName(status[row], due !== 0),
    rent_per_cycle: rentAt(view, row),
    missed_rent_cycles: missed[row],
    ...(type.capacity === undefined ? {} : { capacity: type.capacity }),
    ...(due === 0 ? {} : { ticks_until_complete: due - view.tick }),
    ...customName(view, row),
  }
}

const statusName = (status: number, isDue: boolean): string =>
  status === ONLINE && isDue ? 'upgrading' : FACILITY_STATUSES[status]

/** Returns when an offer was made, ms since 1970: the wall time less the ticks since. */
export const listedMs = (view: WorldView, offer: Row): number =>
  view.wallMs - (view.tick - view.read(FacilityListing).listedTick[offer]) * view.tickMs
