/**
 * A catalogue row as clients may see it: the fields that are ours alone are left out, so are empty
 * optional ones.
 */
import type { GoodRow, ShipClassRow, SkillRow } from './types.ts'

/** Known to the rules, absent from the published schemas. */
const INTERNAL: readonly string[] = [
  'mining_family',
  'crew_capacity_bonus',
  'marine_capacity_bonus',
  'marine_combat_bonus',
  'crew_combat_bonus',
  'latch_strength',
  'adaptive_resistance',
  'latch_resistance_bonus',
  'boarding_defense_bonus',
  'fleet_triage_pct',
  'prerequisites',
]

/** Arrays are shared with the frozen row; the object is new. */
export function wireEntry(row: GoodRow | ShipClassRow | SkillRow): Record<string, unknown> {
  const entry: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (INTERNAL.includes(name) || value === undefined) continue
    if (name === 'faction' && value === '') continue
    entry[name] = value
  }
  return entry
}
