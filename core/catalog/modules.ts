/**
 * The module table: industry, weapons, defence, ship systems, boarding, plating, then the higher
 * grades, in the order that columns rely on; append at the end only.
 */
import { deepFreeze } from './freeze.ts'
import { BOARDING_MODULES } from './modules-boarding.ts'
import { ADAPTIVE_MODULES, DEFENSE_MODULES } from './modules-defense.ts'
import { GUARD_MODULES } from './modules-guard.ts'
import { HEAVY_MODULES } from './modules-heavy.ts'
import { INDUSTRY_MODULES } from './modules-industry.ts'
import { SHIP_MODULES } from './modules-ship.ts'
import { WEAPON_MODULES } from './modules-weapons.ts'
import { WORKS_MODULES } from './modules-works.ts'
import type { ModuleRow } from './types.ts'

export const MODULES: readonly ModuleRow[] = deepFreeze([
  ...INDUSTRY_MODULES,
  ...WEAPON_MODULES,
  ...DEFENSE_MODULES,
  ...SHIP_MODULES,
  ...BOARDING_MODULES,
  ...ADAPTIVE_MODULES,
  ...HEAVY_MODULES,
  ...GUARD_MODULES,
  ...WORKS_MODULES,
])

/** Returns the beam precision × 1000, default 1000. Source: mining.md section 2. */
export function precisionMilli(row: ModuleRow): number {
  return Math.round((row.precision_factor ?? 1) * 1000)
}
