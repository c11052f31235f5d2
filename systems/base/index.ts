/** Bases: stations, their services, fuel. */
import type { DomainDef } from '../../core/registry.ts'
import { basesAreSound } from './checks.ts'
import { Base } from './columns.ts'
import { refuel } from './commands.ts'
import { refueledBy } from './events.ts'
import { foundBases } from './genesis.ts'
import { getBase, publicStations } from './queries.ts'
import { refill } from './systems.ts'

export const baseDomain: DomainDef = {
  name: 'base',
  tables: [Base],
  commands: [refuel, getBase, publicStations],
  events: [refueledBy],
  systems: [refill],
  checks: [basesAreSound],
  genesis: foundBases,
}
