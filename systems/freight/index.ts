/** Freight: contracts of players and factions to carry packages from base to base. */
import type { DomainDef } from '../../core/registry.ts'
import { rebuildContracts } from './beacons-rules.ts'
import { shippingCommands } from './commands.ts'
import { shipments } from './model.ts'
import { shipmentOverdue, shipmentUpdate } from './schemas.ts'
import { CLAIMS, DEBTS, PROFILES, RATES, Shipment, TRACKS } from './state.ts'
import {
  carriersMayDock,
  followPackage,
  freightHolds,
  inheritFreight,
  losePackage,
  settleFreight,
} from './systems.ts'

export const freightDomain: DomainDef = {
  name: 'freight',
  references: [shipments],
  tables: [Shipment],
  records: [PROFILES, DEBTS, CLAIMS, TRACKS, RATES],
  commands: shippingCommands,
  events: [shipmentUpdate, shipmentOverdue],
  systems: [settleFreight],
  checks: [freightHolds],
  observers: [followPackage, losePackage, inheritFreight],
  grants: [carriersMayDock],
  rebuild: rebuildContracts,
}
