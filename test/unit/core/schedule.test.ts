/** The order of systems within a phase. */
import { describe, expect, test } from 'vitest'
import { defineEntity, u8 } from '../../../core/columns.ts'
import { createRegistry, type DomainDef } from '../../../core/registry.ts'
import { createSchedule } from '../../../core/schedule.ts'
import type { SystemDef } from '../../../core/system.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const system = (name: string, after?: string): SystemDef => ({
  name,
  phase: 'fight',
  writes: [],
  run: () => {},
  ...(after === undefined ? {} : { after }),
})

const orderOf = (...systems: SystemDef[]): string[] => {
  const domain: DomainDef = { name: 'test', systems }
  const others = DOMAINS.map((found) => ({ ...found, systems: [] }))
  const schedule = createSchedule(createRegistry([...others, domain]))
  return (schedule.get('fight') ?? []).map(({ name }) => name)
}

describe('the order of systems within a phase', () => {
  test('is that of registration', () => {
    expect(orderOf(system('a.one'), system('b.two'))).toEqual(['a.one', 'b.two'])
  })

  test('puts a system right behind the one it names', () => {
    expect(orderOf(system('a.one'), system('a.two'), system('b.mid', 'a.one'))).toEqual([
      'a.one',
      'b.mid',
      'a.two',
    ])
  })

  test('refuses a system that declares an unknown table, split or not', () => {
    const unknown = defineEntity('nowhere', 1, { value: u8('nothing') })
    const split = { writes: [unknown] } as unknown as SystemDef['split']
    expect(() => orderOf({ ...system('a.one'), writes: [unknown] })).toThrow('unknown table')
    expect(() => orderOf({ ...system('a.one'), split })).toThrow('unknown table')
  })

  test('refuses a system that must follow one that is not registered before it', () => {
    expect(() => orderOf(system('b.mid', 'a.one'), system('a.one'))).toThrow('not registered')
  })
})
