/** Freight: packages that players and factions have carried from base to base. */
import type { DomainDef } from '../../core/registry.ts'
import type { World } from '../../core/world.ts'
import { onDisband } from '../faction/rules.ts'
import { watchPackages } from '../package/watch-rules.ts'
import { addAdmission } from '../station/access-rules.ts'
import { beaconWatch } from './beacons.ts'
import { freightHolds } from './checks.ts'
import { CLAIMS, DEBTS, PROFILES, RATES, Shipment, TRACKS } from './columns.ts'
import { shippingCommands } from './commands.ts'
import { leaveFreight } from './disband.ts'
import { shipmentOverdue, shipmentUpdate } from './events.ts'
import { shipments } from './references.ts'
import { hasContractAt } from './rules.ts'
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
  rebuild(world: World) {
    rebuildContracts(world)
    watchPackages(world, beaconWatch)
    addAdmission(world, hasContractAt)
    onDisband(world, { run: leaveFreight })
  },
}
