/**
 * The order of systems: by phase, then by registration, except for those that name a system to run
 * `after`. Systems run one after the other, split ones too (with a barrier between them), so two
 * may write the same table. Also checks the declarations of systems.
 */
import { assert } from './assert.ts'
import type { Registry } from './registry.ts'
import { PHASES, type Phase, type SystemDef } from './system.ts'

export type Schedule = ReadonlyMap<Phase, readonly SystemDef[]>

/** Phases in which core itself works: no system may run there. */
const CORE_PHASES: readonly Phase[] = ['admit', 'check', 'publish']

/** Returns the systems of each phase in order; asserts that their declarations are consistent. */
export function createSchedule(registry: Registry): Schedule {
  const schedule = new Map<Phase, SystemDef[]>(PHASES.map((phase) => [phase, []]))
  const names = new Set<string>()
  const tables = new Set(registry.tables.map((table) => table.name))
  for (const system of registry.systems) {
    assert(!names.has(system.name), `system ${system.name} is registered twice`)
    names.add(system.name)
    assert(!CORE_PHASES.includes(system.phase), `${system.name}: phase ${system.phase} is core's`)
    assert(system.run || system.split, `${system.name} does nothing`)
    for (const table of [...system.writes, ...(system.split?.writes ?? [])]) {
      assert(
        tables.has(table.name) || CORE_TABLES.has(table.name),
        `${system.name} writes the unknown table ${table.name}`,
      )
    }
    insert(schedule.get(system.phase) ?? [], system)
  }
  return schedule
}

/**
 * Inserts a system right after the one it names; of two that name the same one, the one registered
 * later runs first.
 */
function insert(order: SystemDef[], system: SystemDef): void {
  if (system.after === undefined) {
    order.push(system)
    return
  }
  const index = order.findIndex(({ name }) => name === system.after)
  assert(index >= 0, `${system.name}: ${system.after} is not registered before it in its phase`)
  order.splice(index + 1, 0, system)
}

const CORE_TABLES = new Set(['account', 'container', 'stack'])
