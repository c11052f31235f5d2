/** Shipyards: ships built to order, ships for sale, orders for ships, licences of factions. */
import type { DomainDef } from '../../core/registry.ts'
import {
  cancelCommission,
  commissionQuote,
  commissionShip,
  commissionStatus,
  supplyCommission,
} from './commission-commands.ts'
import { buyShipLicense } from './license-commands.ts'
import {
  browseShips,
  buyListedShip,
  cancelShipListing,
  listShipForSale,
} from './listing-commands.ts'
import { yardReferences } from './model.ts'
import {
  cancelShipBuyOrder,
  placeShipBuyOrder,
  sellShipToOrder,
  viewShipBuyOrders,
} from './order-commands.ts'
import { rebuildShipyards } from './rules.ts'
import { shipCommissionComplete } from './schemas.ts'
import { fillShowrooms } from './showroom-rules.ts'
import { Commission, ForSale, LICENSES, ShipListing, ShipOrder, Yard } from './state.ts'
import { endLicenses, shipyardsHold } from './systems.ts'
import { workYards } from './yard-systems.ts'

export const shipyardDomain: DomainDef = {
  name: 'shipyard',
  references: yardReferences,
  tables: [Commission, ShipListing, ShipOrder, ForSale, Yard],
  records: [LICENSES],
  commands: [
    commissionQuote,
    commissionShip,
    commissionStatus,
    supplyCommission,
    cancelCommission,
    browseShips,
    listShipForSale,
    cancelShipListing,
    buyListedShip,
    viewShipBuyOrders,
    placeShipBuyOrder,
    cancelShipBuyOrder,
    sellShipToOrder,
    buyShipLicense,
  ],
  events: [shipCommissionComplete],
  systems: [workYards],
  checks: [shipyardsHold],
  genesis: fillShowrooms,
  observers: [endLicenses],
  rebuild: rebuildShipyards,
}
