/** Bases: stations, their services, fuel. */
import type { DomainDef } from '../../core/registry.ts'
import { getBase, refuel } from './commands.ts'
import { refueledBy } from './schemas.ts'
import { Base } from './state.ts'
import { basesAreSound, foundBases, refill } from './systems.ts'

export const baseDomain: DomainDef = {
  name: 'base',
  tables: [Base],
  commands: [refuel, getBase],
  events: [refueledBy],
  systems: [refill],
  checks: [basesAreSound],
  genesis: foundBases,
}
