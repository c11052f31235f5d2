/**
 * What follows from a facility type alone: its kind, its chain of tiers, what it costs to keep.
 * Source: crafting.md section 6.
 */
import { FACILITIES, type FacilityRow, type MaterialRow } from '../../core/catalog/index.ts'
import { divCeil } from '../../core/math.ts'

/** Credits a point of power, or a fifth of a point of air, a cycle. Source: crafting.md 6, rent. */
const RENT_RATE = 2
const AIR_WEIGHT = 5
/** Of what building takes, a repair takes so much, %. */
const REPAIR_PCT = 30

/** Rent of a type a cycle, credits. */
export const rentOf = ({ power_draw, life_support_draw }: FacilityRow): number =>
  (power_draw + AIR_WEIGHT * life_support_draw) * RENT_RATE

/** Takes jobs: makes, recycles or packs something. */
export const takesJobs = (type: FacilityRow): boolean =>
  Boolean(type.recipe_categories || type.recipe_ids || type.is_recycler || type.logistics)

export const isQuarters = (type: FacilityRow): boolean => type.personal_service_type === 'quarters'
export const isStorage = (type: FacilityRow): boolean =>
  type.faction_service_type === 'faction_storage'
export const isRanch = (type: FacilityRow): boolean => type.ranch === true

/** The type built on top of one, by index into FACILITIES; -1 for the last of its chain. */
const NEXT: readonly number[] = FACILITIES.map(({ id }) =>
  FACILITIES.findIndex(({ upgrades_from }) => upgrades_from === id),
)
export const nextType = (type: number): number => NEXT[type]

const BELOW: readonly number[] = FACILITIES.map(({ upgrades_from }) =>
  upgrades_from === undefined ? -1 : FACILITIES.findIndex(({ id }) => id === upgrades_from),
)

/** The types of a chain up to this one, tier 1 first. */
export function chainTo(type: number): number[] {
  const chain: number[] = []
  for (let at = type; at >= 0 && chain.length < FACILITIES.length; at = BELOW[at]) chain.unshift(at)
  return chain
}

/** Tier 1 of the chain a type belongs to: what counts as the same kind of facility. */
export const rootOf = (type: number): number => chainTo(type)[0]

/** Materials of all tiers up to this one, each item once. */
export function chainMaterials(type: number): MaterialRow[] {
  const sums = new Map<string, number>()
  for (const tier of chainTo(type)) {
    for (const { item_id, quantity } of FACILITIES[tier].build_materials) {
      sums.set(item_id, (sums.get(item_id) ?? 0) + quantity)
    }
  }
  return [...sums].map(([item_id, quantity]) => ({ item_id, quantity }))
}

/** Ticks that building all tiers up to this one takes. */
export const chainTicks = (type: number): number =>
  chainTo(type).reduce((sum, tier) => sum + FACILITIES[tier].build_time, 0)

/** What a repair takes. */
export const repairMaterials = ({ build_materials }: FacilityRow): MaterialRow[] =>
  build_materials.map(({ item_id, quantity }) => ({
    item_id,
    quantity: divCeil(quantity * REPAIR_PCT, 100),
  }))

export const repairTicks = ({ build_time }: FacilityRow): number =>
  Math.max(1, divCeil(build_time * REPAIR_PCT, 100))

/** What a station stands on and serves with: its owner builds it, and nobody else. */
export const isStationWork = ({ category }: FacilityRow): boolean =>
  category === 'infrastructure' || category === 'service'

/** Who may build a type at a station of an empire, a crew or nobody. */
export type Builder = 'player' | 'faction' | 'personal'

/**
 * True if a builder may have the type at a base that is not a faction's. Services and
 * infrastructure belong to the station there. Source: crafting.md sections 6, 7.
 */
export function mayBuild(type: FacilityRow, builder: Builder): boolean {
  const { category, station_or_faction_only } = type
  if (isStationWork(type)) return false
  if (builder === 'personal') return category === 'personal'
  if (builder === 'faction') return category === 'faction' || category === 'production'
  return (category === 'production' || category === 'sales') && station_or_faction_only !== true
}

/**
 * Level of corporation_management that building a tier takes. ours: rooms of tier 1 for oneself
 * take none, for without a facility nobody gains the skill.
 */
export const skillNeeded = ({ category, level }: FacilityRow): number =>
  category === 'personal' && level === 1 ? 0 : level

/** Service of the base without which a type has no use there; empty for none. */
export function serviceNeeded({ category }: FacilityRow): 'crafting' | 'market' | '' {
  if (category === 'production') return 'crafting'
  return category === 'sales' ? 'market' : ''
}
