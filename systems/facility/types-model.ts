/**
 * Properties of a facility type: its kind, its chain of tiers, what it costs to keep. Source:
 * crafting.md section 6.
 */
import { assert } from '../../core/assert.ts'
import {
  CREATURES,
  FACILITIES,
  type FacilityRow,
  itemIndex,
  type MaterialRow,
} from '../../core/catalog/index.ts'
import { type Failure, invalidFields } from '../../core/errors.ts'
import { divCeil, divFloor, mulDivFloor } from '../../core/math.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Facility } from './state.ts'

/*
 * Ranches: tame herds of grazers. A herd is fed from its owner's store and grows while it is fed;
 * animals above the cull target are slaughtered, a limited number per cycle, and the products go
 * into the same store. The sheet leaves all figures open. ours: products are worth more than the
 * feed only while the herd is kept near its capacity.
 */

/** Animals per birth in a cycle, while the herd is fully fed. */
const HEADS_PER_BIRTH = 20
/** A herd never starves below a pair, so that it can always recover. */
export const HERD_MIN = 2
/** Feed below which the herd shrinks, thousandths of what it needs. */
const STARVING_PERMILLE = 500
/** Feed of a fully fed herd, thousandths of what it needs. */
export const FULLY_FED = 1000
/** Divisor of the capacity that gives the maximum slaughtered in a cycle. */
const CULL_DIVISOR = 20
/** Material from which a herd is bred: as many animals as building the tier takes. */
const EMBRYOS = 'livestock_embryos'
const HIDE = 'raw_hide'

/** Species that can be kept, as indices into CREATURES. */
const TAMEABLE: readonly number[] = [...CREATURES.keys()].filter(
  (kind) => CREATURES[kind].role === 'grazer',
)

/**
 * Returns the species of a new herd as index into CREATURES plus 1, by default the first that fits;
 * 0 for a type without a herd. Refusal: invalid_payload if the type is no ranch, or the species is
 * no grazer or above the tier.
 */
export function speciesFor(
  type: FacilityRow,
  id: string | undefined,
): number | Failure<'invalid_payload'> {
  if (!isRanch(type)) {
    const field = { field: 'species', expected: 'nothing: only ranches keep a herd' }
    return id === undefined ? 0 : invalidFields(field)
  }
  const fits = TAMEABLE.filter((kind) => CREATURES[kind].tier <= type.level)
  const kind = id === undefined ? fits[0] : fits.find((other) => CREATURES[other].id === id)
  if (kind !== undefined) return kind + 1
  const expected = `a grazer of tier ${type.level} or below`
  return invalidFields({ field: 'species', expected })
}

/** Returns how many animals building a type brings. */
export const headsBred = ({ build_materials }: FacilityRow): number =>
  build_materials.find(({ item_id }) => item_id === EMBRYOS)?.quantity ?? 0

/** Returns the maximum number of animals slaughtered in a cycle. */
export const maxCull = ({ capacity = 0 }: FacilityRow): number =>
  Math.max(1, divFloor(capacity, CULL_DIVISOR))

/** Returns the units of a feed that this many animals eat in a cycle. */
export const feedUnits = (quantity: number, heads: number, { capacity = 1 }: FacilityRow): number =>
  divCeil(quantity * heads, capacity)

/** Returns the yield of a slaughtered animal, units by item: its hide and its main product. */
export function yieldOf(species: number): ReadonlyMap<number, number> {
  const product = CREATURES[species - 1].drops[1]?.items[0] ?? HIDE
  const units = new Map([[itemIndex(HIDE), 1]])
  units.set(itemIndex(product), (units.get(itemIndex(product)) ?? 0) + 1)
  return units
}

/** Returns the births in a cycle, or losses below 0, at `fed` thousandths of the feed needed. */
export function growthOf(herd: number, fed: number, { capacity = 0 }: FacilityRow): number {
  if (herd === 0) return 0
  if (fed < STARVING_PERMILLE) {
    const lost = Math.min(herd - HERD_MIN, divCeil(herd, HEADS_PER_BIRTH))
    return lost > 0 ? -lost : 0
  }
  const births = mulDivFloor(herd, fed, HEADS_PER_BIRTH * FULLY_FED)
  const born = fed === FULLY_FED ? Math.max(1, births) : births
  return Math.max(0, Math.min(capacity - herd, born))
}

/** A feed of a herd: units needed in a cycle, and units in store. */
export interface Feed {
  readonly item: number
  readonly need: number
  readonly stocked: number
}

/** Returns the thousandths of a cycle's feed in store; the scarcest of several feeds decides. */
export const fedPermille = (feeds: readonly Feed[]): number =>
  feeds.reduce(
    (scarcest, { need, stocked }) =>
      need === 0 ? scarcest : Math.min(scarcest, mulDivFloor(FULLY_FED, stocked, need)),
    FULLY_FED,
  )

/** Returns true while the herd columns of a facility fit its type; used by the check. */
export const ranchHolds = (view: WorldView, row: Row): boolean => {
  const { type, herd, species, fed } = view.read(Facility)
  const facilityType = FACILITIES[type[row]]
  if (!isRanch(facilityType)) return herd[row] === 0 && species[row] === 0
  return (
    herd[row] <= (facilityType.capacity ?? 0) &&
    fed[row] <= FULLY_FED &&
    species[row] <= CREATURES.length
  )
}

/** Credits a point of power, or a fifth of a point of air, a cycle. Source: crafting.md 6, rent. */
const RENT_RATE = 2
const AIR_WEIGHT = 5
/** Share of a facility's materials and building time that a repair takes, %. */
const REPAIR_PCT = 30

/** Returns the rent of a type a cycle, credits. */
export const rentOf = ({ power_draw, life_support_draw }: FacilityRow): number =>
  (power_draw + AIR_WEIGHT * life_support_draw) * RENT_RATE

/**
 * Returns true for a type that makes, recycles or packs goods; it draws power only during a job.
 */
export const takesJobs = (type: FacilityRow): boolean =>
  Boolean(type.recipe_categories || type.recipe_ids || type.is_recycler || type.logistics)

export const isQuarters = (type: FacilityRow): boolean => type.personal_service_type === 'quarters'
export const isStorage = (type: FacilityRow): boolean =>
  type.faction_service_type === 'faction_storage'
export const isRanch = (type: FacilityRow): boolean => type.ranch === true

/** The type that each type upgrades to, by index into FACILITIES; -1 for the last of its chain. */
const NEXT_TIER: readonly number[] = FACILITIES.map(({ id }) =>
  FACILITIES.findIndex(({ upgrades_from }) => upgrades_from === id),
)
/** Returns the type that a type upgrades to; -1 for the last of its chain. */
export const nextType = (type: number): number => NEXT_TIER[type]

const PREVIOUS_TIER: readonly number[] = FACILITIES.map(({ upgrades_from }) =>
  upgrades_from === undefined ? -1 : FACILITIES.findIndex(({ id }) => id === upgrades_from),
)

/** Returns the types of a chain up to this one, tier 1 first. */
function chainTo(type: number): number[] {
  const chain: number[] = []
  for (let tier = type; tier >= 0; tier = PREVIOUS_TIER[tier]) {
    assert(chain.length < FACILITIES.length, `facility type ${type} upgrades from itself`)
    chain.unshift(tier)
  }
  return chain
}

/** Returns tier 1 of a type's chain; types with the same root are one kind of facility. */
export const rootOf = (type: number): number => chainTo(type)[0]

/** Returns the materials of all tiers up to this one, each item once. */
export function chainMaterials(type: number): MaterialRow[] {
  const sums = new Map<string, number>()
  for (const tier of chainTo(type)) {
    for (const { item_id, quantity } of FACILITIES[tier].build_materials) {
      sums.set(item_id, (sums.get(item_id) ?? 0) + quantity)
    }
  }
  return [...sums].map(([item_id, quantity]) => ({ item_id, quantity }))
}

/** Returns the ticks that building all tiers up to this one takes. */
export const chainTicks = (type: number): number =>
  chainTo(type).reduce((sum, tier) => sum + FACILITIES[tier].build_time, 0)

/** Returns the materials that a repair takes. */
export const repairMaterials = ({ build_materials }: FacilityRow): MaterialRow[] =>
  build_materials.map(({ item_id, quantity }) => ({
    item_id,
    quantity: divCeil(quantity * REPAIR_PCT, 100),
  }))

/** Returns the ticks that a repair takes. */
export const repairTicks = ({ build_time }: FacilityRow): number =>
  Math.max(1, divCeil(build_time * REPAIR_PCT, 100))

/** Returns true for infrastructure and services of a station, which only its owner builds. */
export const isStationFacility = ({ category }: FacilityRow): boolean =>
  category === 'infrastructure' || category === 'service'

/** For whom something is built: a player's business, their faction, or a player's quarters. */
export type Builder = 'player' | 'faction' | 'personal'

/**
 * Returns true if a builder may have the type at a base that is not their faction's. Services and
 * infrastructure belong to the station there. Source: crafting.md sections 6, 7.
 */
export function mayBuild(type: FacilityRow, builder: Builder): boolean {
  const { category, station_or_faction_only } = type
  if (isStationFacility(type)) return false
  if (builder === 'personal') return category === 'personal'
  if (builder === 'faction') return category === 'faction' || category === 'production'
  return (category === 'production' || category === 'sales') && station_or_faction_only !== true
}

/**
 * Returns the level of corporation_management that building a type takes. ours: personal rooms of
 * tier 1 and the shelf of a faction take none, since only facilities give XP in the skill.
 */
export const skillNeeded = ({ category, level, is_shelf }: FacilityRow): number =>
  is_shelf || (category === 'personal' && level === 1) ? 0 : level

/** Returns the service that a base must have for the type to be built there; empty for none. */
export function serviceNeeded({ category }: FacilityRow): 'crafting' | 'market' | '' {
  if (category === 'production') return 'crafting'
  return category === 'sales' ? 'market' : ''
}
