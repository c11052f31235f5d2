/**
 * The order of systems, and the proof that it is sound: by phase, then by registration. Within a
 * phase a system that writes a table others read or write must come in registration order, which it
 * does; what is checked here is that declarations are honest and that split systems of one phase do
 * not share what they write.
 */
import { assert } from './assert.ts'
import type { Registry } from './registry.ts'
import { PHASES, type Phase, type SystemDef } from './system.ts'

export type Schedule = ReadonlyMap<Phase, readonly SystemDef[]>

/** Phases in which core itself works: no system may stand there. */
const CORE_PHASES: readonly Phase[] = ['admit', 'check', 'publish']

export function createSchedule(registry: Registry): Schedule {
  const schedule = new Map<Phase, SystemDef[]>(PHASES.map((phase) => [phase, []]))
  const names = new Set<string>()
  const tables = new Set(registry.tables.map((table) => table.name))
  for (const system of registry.systems) {
    assert(!names.has(system.name), `system ${system.name} is registered twice`)
    names.add(system.name)
    assert(!CORE_PHASES.includes(system.phase), `${system.name}: phase ${system.phase} is core's`)
    assert(system.run || system.split, `${system.name} does nothing`)
    for (const table of [...system.reads, ...system.writes]) {
      assert(
        tables.has(table.name) || CORE_TABLES.has(table.name),
        `${system.name}: ${table.name}?`,
      )
    }
    schedule.get(system.phase)?.push(system)
  }
  for (const systems of schedule.values()) checkClashes(systems.filter((system) => system.split))
  return schedule
}

const CORE_TABLES = new Set(['account', 'container', 'stack'])

function checkClashes(split: readonly SystemDef[]): void {
  const writers = new Map<string, string>()
  for (const system of split) {
    for (const table of system.writes) {
      const other = writers.get(table.name)
      assert(!other, `${system.name} and ${other} both write ${table.name} in one phase`)
      writers.set(table.name, system.name)
    }
  }
}
