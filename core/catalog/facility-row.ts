/**
 * Builders of the facility tables: a chain is one kind of facility in its tiers, each built on top
 * of the one before. Costs follow the tier unless given.
 */
import { assert } from '../assert.ts'
import type { FacilityRow } from './industry-types.ts'
import { materialsOf } from './materials.ts'
import type { MaterialRow } from './types.ts'

/** Factor of the cost from tier to tier. Source: crafting.md section 6. */
const COST_TIMES = 3
const BUILD_CREDITS_A_TICK = 2_500
const BUILD_TICKS_MIN = 30
const BUILD_TICKS_MAX = 8_640

export type TierLine = readonly [id: string, name: string, description: string]

type Own = 'id' | 'name' | 'description' | 'level' | 'build_cost' | 'build_materials' | 'build_time'

/** The fields that all tiers share, and `perTier` for those that differ. */
export interface ChainOptions extends Partial<Omit<FacilityRow, Own | 'upgrades_from'>> {
  category: FacilityRow['category']
  /** Credits by tier, or of tier 1 only: each further tier costs three times as much. */
  cost: number | readonly number[]
  /** Materials of tier 1; each further tier takes twice as much, and parts of its own. */
  materials: string
  /** Fields by tier, if they differ. */
  perTier?: readonly Partial<FacilityRow>[]
}

/** Parts that a tier takes besides the multiplied materials of tier 1. Source: ours. */
const TIER_PARTS: readonly string[] = [
  '',
  '10 machine_parts',
  '20 machine_parts 6 titanium_ingot',
  '40 machine_parts 20 titanium_ingot 4 superconductor',
  '80 machine_parts 40 titanium_ingot 10 superconductor',
]

const buildTime = (cost: number): number =>
  Math.min(BUILD_TICKS_MAX, Math.max(BUILD_TICKS_MIN, Math.ceil(cost / BUILD_CREDITS_A_TICK)))

function costOf(cost: number | readonly number[], tier: number): number {
  if (typeof cost === 'number') return cost * COST_TIMES ** (tier - 1)
  const given = cost[tier - 1]
  assert(given !== undefined, `catalog: no cost of tier ${tier}`)
  return given
}

function billOf(materials: string, tier: number): MaterialRow[] {
  const rows = materialsOf(materials).map(({ item_id, quantity }) => ({
    item_id,
    quantity: quantity * 2 ** (tier - 1),
  }))
  for (const part of materialsOf(TIER_PARTS[tier - 1]!)) {
    const same = rows.find((row) => row.item_id === part.item_id)
    if (same) same.quantity += part.quantity
    else rows.push(part)
  }
  return rows
}

/** Returns the types of one kind, tier 1 first. */
export function chain(
  { cost, materials, perTier = [], ...same }: ChainOptions,
  lines: readonly TierLine[],
): FacilityRow[] {
  return lines.map(([id, name, description], index) => {
    const tier = index + 1
    const build_cost = costOf(cost, tier)
    return {
      id,
      name,
      description,
      level: tier,
      build_cost,
      build_materials: billOf(materials, tier),
      build_time: buildTime(build_cost),
      labor_cost: 0,
      power_draw: 0,
      power_supply: 0,
      battery_capacity: 0,
      life_support_draw: 0,
      life_support_supply: 0,
      maintenance_inputs: [],
      ...same,
      ...perTier[index],
      ...(index === 0 ? {} : { upgrades_from: lines[index - 1]![0] }),
    }
  })
}

/** Gives one field by tier, from a list of its values. */
export const byTier = <K extends keyof FacilityRow>(
  field: K,
  values: readonly FacilityRow[K][],
): Partial<FacilityRow>[] => values.map((value) => ({ [field]: value }) as Partial<FacilityRow>)

/** Joins several fields given by tier into one list. */
export function tiers(...lists: readonly (readonly Partial<FacilityRow>[])[]) {
  const length = Math.max(...lists.map((list) => list.length))
  return Array.from(
    { length },
    (_, index): Partial<FacilityRow> => Object.assign({}, ...lists.map((list) => list[index])),
  )
}
