/**
 * Shipyards: hulls being built to order, hulls for sale, and orders for hulls. Their credits are
 * held in one account per base (Yard.escrow), the goods of a commission in containers of its own.
 */
import { defineComponent, defineEntity, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS, ROWS_MIN } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'
import { Ship } from '../ship/state.ts'

/** Open commissions of one player, and of one yard. */
export const COMMISSIONS_PER_PLAYER_MAX = 10
export const COMMISSIONS_PER_YARD_MAX = 200
/** Trades in which a yard buys materials for one commission in a cycle. */
export const SOURCING_FILLS_MAX = 50
/** Open buy orders for ships: of one player, and at one base. */
export const SHIP_ORDERS_PER_PLAYER_MAX = 50
export const SHIP_ORDERS_PER_BASE_MAX = 200
/** Hulls of its own that a station wants to show. */
export const SHOWROOM_HULLS_MAX = 20
/** Hulls of its own that a station has for sale or builds; withdrawn orders leave some behind. */
export const OWN_HULLS_MAX = 40
/** Showroom sales that a yard remembers, for its prices. */
export const SALES_COUNTED_MAX = 10
/** Ticks after which a commission that still lacks materials ends. */
export const SOURCING_TICKS_MAX = 2_880
/** Rows of each list of browse_ships. */
export const SHIPS_LISTED_MAX = 200

/** Status of a commission, as stored (append only). Source: ships.md section 7. */
export const COMMISSION_STATUS = ['sourcing', 'pending', 'building'] as const
export type CommissionStatus = (typeof COMMISSION_STATUS)[number]

/** Who brings the materials, as stored (append only). Source: ships.md section 7, modes. */
export const COMMISSION_MODES = [
  'credits',
  'provide_materials',
  'source_missing_materials',
  'fund_from_faction',
] as const
export type CommissionMode = (typeof COMMISSION_MODES)[number]

/** Where materials of a commission came from, as its containers are stored (append only). */
export const MATERIAL_SOURCES = ['provided', 'bought', 'donated'] as const
export type MaterialSource = (typeof MATERIAL_SOURCES)[number]

export const Commission = defineEntity('commission', ROWS.commissions, {
  player: ref('player', 'who gets the hull; 0: the yard builds it for itself'),
  base: ref('base', 'the yard'),
  funder: ref('faction', 'faction whose yard, treasury and materials are used; 0: the player pays'),
  order: ref('ship_order', 'buy order the yard builds it for; 0 none'),
  class: u16('index into SHIP_CLASSES', { catalog: 'shipClasses' }),
  status: u8('index into COMMISSION_STATUS'),
  mode: u8('index into COMMISSION_MODES'),
  bare: u8('1: without the default modules'),
  goods: ref('container', 'materials by MATERIAL_SOURCES; 0: none yet', {
    width: MATERIAL_SOURCES.length,
  }),
  paid: f64('credits paid when it was ordered, tax and royalty included'),
  estimate: f64('credits of it that were for materials'),
  earmark: f64('credits left for materials'),
  spent: f64('credits spent on materials'),
  labor: f64('credits for labour, paid at delivery'),
  margin: f64('credits for the yard, paid at delivery'),
  tax: f64('credits held for sales tax; 0 once it is paid'),
  taxBps: u16('sales tax frozen when it was ordered'),
  createdMs: f64('wall time of the order, ms since 1970'),
  openedTick: u32('tick of the order; 0 in worlds that did not keep it'),
  startTick: u32('tick in which building began; 0 before'),
  doneTick: u32('tick in which it is done; 0 before it is begun'),
})

export const ShipListing = defineEntity(
  'ship_listing',
  ROWS.shipListings,
  {
    ship: ref('ship', 'what is for sale'),
    base: ref('base', 'where it is'),
    player: ref('player', 'who sells; 0: the station'),
    price: f64('credits, without tax'),
    createdMs: f64('wall time of listing, ms since 1970'),
  },
  { rowsMin: ROWS_MIN.shipListings },
)

export const ShipOrder = defineEntity('ship_order', ROWS.shipOrders, {
  player: ref('player', 'who buys'),
  base: ref('base', 'where'),
  class: u16('index into SHIP_CLASSES', { catalog: 'shipClasses' }),
  price: f64('credits, held in escrow'),
  tax: f64('sales tax, held in escrow, credits'),
  commission: ref('commission', 'what the yard builds for it; 0 nothing'),
  createdMs: f64('wall time of placement, ms since 1970'),
})

export const ForSale = defineComponent(Ship, 'for_sale', {
  listing: ref('ship_listing', 'its listing; 0 none'),
})

export const Yard = defineComponent(Base, 'yard', {
  escrow: ref('account', 'credits of commissions and buy orders here; 0 before the first'),
  soldTicks: u32('ticks of the last sales out of the showroom, the newest first; 0 none', {
    width: SALES_COUNTED_MAX,
  }),
})

/** Ids of the classes of empires that a faction may build, by number of the faction. */
export const LICENSES = defineRecords<readonly string[]>('ship_licenses', ROWS.players)

/**
 * Commissions by the tick they are done in. Entries of cancelled or postponed commissions stay, and
 * are skipped when their tick comes.
 */
export const DUE = defineIndex('shipyard.due', () => new Map<number, Row[]>())

/** Lists of rows, the oldest first, by the row of a base (`AT`) or of a player (`OF`). */
const rowLists = () => new Map<Eid, Row[]>()
export const COMMISSIONS_AT = defineIndex('shipyard.commissions_at', rowLists)
export const COMMISSIONS_OF = defineIndex('shipyard.commissions_of', rowLists)
export const LISTINGS_AT = defineIndex('shipyard.listings_at', rowLists)
export const ORDERS_AT = defineIndex('shipyard.orders_at', rowLists)
export const ORDERS_OF = defineIndex('shipyard.orders_of', rowLists)
