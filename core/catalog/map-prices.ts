/**
 * What goods are worth at each station, in percent of their base value: the further away their
 * materials are mined, the more. Fixed when a world is made; trade does not change it. Source:
 * balance.md section 5.
 */
import { EMPIRE_IDS } from './empires.ts'
import { MAKINGS } from './essentials.ts'
import { goodOf, isModule } from './goods.ts'
import { jumpsFrom, type Layout } from './map-layout.ts'
import { SIGNATURES } from './regions.ts'
import type { SystemPlan } from './types.ts'

/**
 * Percent that each jump to the nearest deposit adds, and each jump to the border of the only
 * empire that has it. ours: balance.md section 5 has 10 for the second, with which loads of tiers
 * 2 to 4 earned half as much again as its section 2 allows.
 */
const PCT_PER_JUMP = 6
const SIGNATURE_PCT_PER_JUMP = 5
const JUMPS_MAX = 10

const OWNERS: ReadonlyMap<string, number> = new Map(
  SIGNATURES.map(({ item, empire }) => [item, EMPIRE_IDS.indexOf(empire)]),
)

/** Percent of its base value that a good is worth in a system. */
type PriceField = (item: string, system: number) => number

/** Returns the price field of a galaxy whose deposits have been planned. */
export function priceField(layout: Layout, systems: readonly SystemPlan[]): PriceField {
  const deposits = new Map<string, number[]>()
  for (const [system, { pois }] of systems.entries()) {
    for (const { item } of pois.flatMap((poi) => poi.deposits)) {
      deposits.set(item, [...(deposits.get(item) ?? []), system])
    }
  }
  const jumps = new Map<string, number[]>()
  for (const [item, places] of deposits) {
    const empire = OWNERS.get(item)
    const starts =
      empire === undefined
        ? places
        : layout.owner.flatMap((owner, system) => (owner === empire ? [system] : []))
    jumps.set(item, jumpsFrom(layout.lanes, starts))
  }
  const known = new Map<string, number[]>()

  const dugPct = (item: string, system: number): number => {
    const away = Math.min(JUMPS_MAX, jumps.get(item)?.[system] ?? 0)
    return 100 + away * (OWNERS.has(item) ? SIGNATURE_PCT_PER_JUMP : PCT_PER_JUMP)
  }
  /** Returns the price of a crafted good in percent: the mean of its inputs, weighted by value. */
  const madePct = (item: string, system: number): number => {
    let [worth, sum] = [0, 0]
    for (const { item_id, quantity } of MAKINGS.get(item)?.recipe.inputs ?? []) {
      const value = goodOf(item_id).base_value * quantity
      worth += value
      sum += value * pctOf(item_id, system)
    }
    return worth === 0 ? 100 : Math.trunc(sum / worth)
  }
  const pctOf = (item: string, system: number): number => {
    let places = known.get(item)
    if (places === undefined) {
      places = []
      known.set(item, places)
    }
    const found = places[system]
    if (found !== undefined) return found
    const row = goodOf(item)
    const isDug = !isModule(row) && row.extracted_by !== undefined
    const pct = isDug ? dugPct(item, system) : madePct(item, system)
    places[system] = pct
    return pct
  }
  return pctOf
}
