/** Builders that expand the compact lines of the module tables into full rows. */
import type { ModuleRow, Slot } from './types.ts'

type ModuleLine = readonly [
  id: string,
  name: string,
  price: number,
  cpu: number,
  power: number,
  stats: ModuleStats,
  description: string,
]

export type ModuleStats = Omit<
  Partial<ModuleRow>,
  'id' | 'type_id' | 'name' | 'description' | 'type' | 'slot' | 'base_value' | 'cpu_usage'
>

/** Cargo space of every module. Source: ships.md section 3. */
const MODULE_SIZE = 10

/** Expands lines of one type into module rows. */
export function modules(type: string, slot: Slot, lines: readonly ModuleLine[]): ModuleRow[] {
  return lines.map(([id, name, price, cpu, power, stats, description]) => ({
    id,
    type_id: id,
    name,
    description,
    type,
    slot,
    size: MODULE_SIZE,
    base_value: price,
    cpu_usage: cpu,
    power_usage: power,
    ...stats,
  }))
}
