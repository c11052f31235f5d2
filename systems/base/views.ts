/**
 * Wire forms of bases: the record, its condition, what fuel costs. Source: contract, BaseInfo;
 * travel.md section 9.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { divFloor } from '../../core/math.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { factionIdOf } from '../faction/model.ts'
import {
  accessOf,
  FEE_BPS_DEFAULT,
  isOutpost,
  ownerOfBase,
  REPAIR_CREDITS,
  stationFeeBps,
} from '../station/model.ts'
import { GATED_SERVICES, Station } from '../station/state.ts'
import { poiId } from '../travel/model.ts'
import { bandPrice, baseId, baseName, empireOfBase, hasService, offeredServices } from './model.ts'
import type { baseSchema, conditionSchema, fuelSchema } from './schemas.ts'
import { BASE_KINDS, Base } from './state.ts'

/** Returns the fuel tax at a base, credits a unit. */
export function fuelTaxPerUnit(view: WorldView, base: Eid): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? 0 : EMPIRES[empire].policy.fuel_tax_per_unit
}

/** Renders the price of fuel here; nothing where none is sold. */
export function renderFuel(view: WorldView, base: Eid): Static<typeof fuelSchema> {
  if (!hasService(view, base, 'refuel')) return {}
  const price = bandPrice(view, base)
  const tax = fuelTaxPerUnit(view, base)
  return { fuel_price: price, fuel_price_all_in: price + tax, fuel_tax_per_unit: tax }
}

const isOpenBase = (view: WorldView, base: Eid): boolean =>
  ownerOfBase(view, base) === 0
    ? view.read(Base).pirateRepRequired[base] === 0
    : view.read(Station).open[base] === 1

/** Renders the owner of a station and the terms on which it serves; prices as announced. */
function renderTerms(view: WorldView, base: Eid): Partial<Static<typeof baseSchema>> {
  const faction = ownerOfBase(view, base)
  if (faction === 0) return {}
  const { fuelNext, repairNext, outsidersBuild } = view.read(Station)
  const id = factionIdOf(view, faction)
  const owner = { faction_id: id, owner_id: id }
  if (isOutpost(view, base)) return owner
  const prices = {
    ...(hasService(view, base, 'refuel') && fuelNext[base] !== 0
      ? { refuel_price_each: fuelNext[base] }
      : {}),
    ...(hasService(view, base, 'repair')
      ? { repair_price_per_hull: repairNext[base] || REPAIR_CREDITS }
      : {}),
  }
  return {
    ...owner,
    market_fee_bps: stationFeeBps(view, base, { player: 0, faction: 0 }) ?? FEE_BPS_DEFAULT,
    ...prices,
    allow_outsider_facilities: outsidersBuild[base] === 1,
    service_access: Object.fromEntries(
      GATED_SERVICES.map((service) => [service, accessOf(view, base, service)]),
    ),
  }
}

export function renderBase(view: WorldView, base: Eid): Static<typeof baseSchema> {
  const row = view.read(Base)
  const empire = empireOfBase(view, base)
  return {
    id: baseId(view, base),
    name: baseName(view, base),
    description: view.texts.get(row.description[base]),
    poi_id: poiId(view, row.poi[base]),
    type: BASE_KINDS[row.kind[base]],
    public_access: isOpenBase(view, base),
    fuel: row.fuel[base],
    max_fuel: row.fuelMax[base],
    hull: row.hull[base],
    max_hull: row.hullMax[base],
    shield: row.shield[base],
    max_shield: row.shieldMax[base],
    armor: row.armor[base],
    weapon_dps: row.weaponDamage[base],
    weapon_reach: row.weaponReach[base],
    wrecked: isWrecked(view, base),
    ...(empire < 0 ? {} : { empire: EMPIRES[empire].id }),
    ...(row.pirateRepRequired[base] > 0
      ? { pirate_rep_required: row.pirateRepRequired[base] }
      : {}),
    ...(hasService(view, base, 'refuel') ? { refuel_price_each: bandPrice(view, base) } : {}),
    ...(hasService(view, base, 'repair')
      ? {
          repair_price_per_hull:
            empire < 0 ? REPAIR_CREDITS : EMPIRES[empire].policy.repair_cost_per_hull,
        }
      : {}),
    ...renderTerms(view, base),
  }
}

const isWrecked = (view: WorldView, base: Eid): boolean => view.read(Base).hull[base] === 0

const CONDITIONS = [
  { from: 90, condition: 'thriving', text: 'Everything the station offers is at hand.' },
  { from: 60, condition: 'operational', text: 'The station works, with gaps in its services.' },
  { from: 30, condition: 'struggling', text: 'Much of what the station offers is out of order.' },
  { from: 0, condition: 'critical', text: 'Hardly anything works on this station.' },
] as const

/**
 * Renders the condition of a station: the share of its services that can serve now. A wrecked one
 * serves nothing, an empty tank refuels nobody. ours: the sheets name the conditions, but not how
 * they are measured.
 */
export function renderCondition(view: WorldView, base: Eid): Static<typeof conditionSchema> {
  const services = offeredServices(view, base)
  const fuel = view.read(Base).fuel[base]
  const isDry = services.includes('refuel') && fuel === 0
  const serving = services.filter((service) => service !== 'refuel' || !isDry)
  const satisfied = isWrecked(view, base) ? 0 : serving.length
  const total = services.length
  const pct = total === 0 ? (isWrecked(view, base) ? 0 : 100) : divFloor(satisfied * 100, total)
  const found = CONDITIONS.find((entry) => pct >= entry.from) ?? CONDITIONS[CONDITIONS.length - 1]
  const { condition } = found
  const text = isDry && condition === 'thriving' ? 'Everything but fuel is at hand.' : found.text
  return {
    condition,
    condition_text: isDry ? `${text} The fuel tank is empty.` : text,
    satisfaction_pct: pct,
    satisfied_count: satisfied,
    total_service_infra: total,
  }
}
