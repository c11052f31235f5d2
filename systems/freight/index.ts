/** Freight: packages that players and factions have carried from base to base. */
import type { DomainDef } from '../../core/registry.ts'
import { freightHolds } from './checks.ts'
import { CLAIMS, DEBTS, PROFILES, RATES, Shipment, TRACKS } from './columns.ts'
import { shippingCommands } from './commands.ts'
import { shipmentOverdue, shipmentUpdate } from './events.ts'
import { carriersMayDock, followPackage, handFreight, losePackage } from './observers.ts'
import { shipments } from './references.ts'
import { rebuildContracts } from './store.ts'
import { settleFreight } from './systems.ts'

export const freightDomain: DomainDef = {
  name: 'freight',
  references: [shipments],
  tables: [Shipment],
  records: [PROFILES, DEBTS, CLAIMS, TRACKS, RATES],
  commands: shippingCommands,
  events: [shipmentUpdate, shipmentOverdue],
  systems: [settleFreight],
  checks: [freightHolds],
  observers: [followPackage, losePackage, handFreight],
  grants: [carriersMayDock],
  rebuild: rebuildContracts,
}
