/**
 * The briefing on docking: the station, and what the pilot has there. Source: travel.md section 6,
 * contract, DockResponse.
 */
import { FACILITIES, GOODS, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { Container } from '../../core/goods.ts'
import { BRIEFING_ROWS_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Static } from '../../core/params.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseName, hasService, regionOf } from '../base/model.ts'
import type { dockResultSchema, openOrderSchema } from '../base/schemas.ts'
import { Base } from '../base/state.ts'
import { renderCondition } from '../base/views.ts'
import { giftsAt } from '../cargo/gift-model.ts'
import { renderGift } from '../cargo/gift-views.ts'
import { lockerOf } from '../cargo/model.ts'
import { facilitiesOf, facilityId, facilityName, rentAt } from '../facility/model.ts'
import { FACILITY_STATUSES, Facility, OFFLINE } from '../facility/state.ts'
import { orderId } from '../market/model.ts'
import { ASK, Book, Order, PlayerOrders } from '../market/state.ts'
import { renderArrivals } from '../passenger/model.ts'
import { renderNews } from '../season/views.ts'
import { shipClassOf, shipId, shipsOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { commissionId, commissionsOf, statusOf } from '../shipyard/model.ts'
import { Commission } from '../shipyard/state.ts'
import { flightOf, fuelPerJump } from '../travel/flight-model.ts'
import { Location } from '../travel/state.ts'

type Briefing = Static<typeof dockResultSchema>

/** Renders the briefing that a pilot gets on docking. */
export function renderBriefing(view: WorldView, player: Eid, base: Eid): Briefing {
  const locker = lockerOf(view, player, base)
  const orders = openOrdersAt(view, player, base)
  const shown = orders.slice(0, BRIEFING_ROWS_MAX)
  return {
    action: 'dock',
    base: baseName(view, base),
    story: view.texts.get(view.read(Base).story[base]),
    station_condition: renderCondition(view, base),
    news: renderNews(view, regionOf(view, base)),
    storage_items: locker === 0 ? 0 : view.read(Container).kinds[locker],
    open_orders: shown.map((order) => renderOpenOrder(view, order)),
    open_orders_count: orders.length,
    open_orders_truncated: orders.length > shown.length,
    ...renderGifts(view, player, base),
    ...renderParked(view, player, base),
    ...renderBuilding(view, player, base),
    ...renderWorks(view, player, base),
    ...fuelWarning(view, player, base),
    ...renderArrivals(view, player),
  }
}

function fuelWarning(view: WorldView, player: Eid, base: Eid): { fuel_warning?: string } {
  const ship = view.read(Player).ship[player]
  const fuel = view.read(Ship).fuel[ship]
  const jump = fuelPerJump(flightOf(view, ship))
  if (fuel >= jump) return {}
  const advice = hasService(view, base, 'refuel')
    ? 'Refuel before you leave.'
    : 'No fuel is sold here.'
  return {
    fuel_warning: `The tank is down to ${counted(fuel, 'unit')}; a jump takes ${jump}. ${advice}`,
  }
}

/** Returns the open orders of a player at a base, newest first. */
function openOrdersAt(view: WorldView, player: Eid, base: Eid): Row[] {
  const { book, nextOfOwner } = view.read(Order)
  const bases = view.read(Book).base
  const found: Row[] = []
  const first = view.read(PlayerOrders).first[player]
  for (let order = first; order !== 0; order = nextOfOwner[order]) {
    if (bases[book[order]] === base) found.push(order)
  }
  return found
}

function renderOpenOrder(view: WorldView, order: Row): Static<typeof openOrderSchema> {
  const row = view.read(Order)
  const good = GOODS[view.read(Book).item[row.book[order]]]
  return {
    order_id: orderId(view, order),
    item_id: good.id,
    item_name: good.name,
    type: row.side[order] === ASK ? 'sell' : 'buy',
    price_each: row.price[order],
    quantity: row.listed[order],
    remaining: row.remaining[order],
  }
}

/**
 * Renders the gifts that arrived since the player last viewed their storage. Source: newer.md 7.
 */
function renderGifts(view: WorldView, player: Eid, base: Eid): Partial<Briefing> {
  const gifts = giftsAt(view, player, base)
  if (gifts.length === 0) return {}
  // If not all fit, the newest matter more than the oldest.
  return {
    gifts: gifts.slice(-BRIEFING_ROWS_MAX).map((gift) => renderGift(view, gift)),
    gifts_count: gifts.length,
    gifts_truncated: gifts.length > BRIEFING_ROWS_MAX,
    gifts_note: say`${counted(gifts.length, 'gift')} arrived for you here; {view_storage} lists them and marks them as seen.`,
  }
}

/** Renders the ships that the pilot has parked here. */
function renderParked(view: WorldView, player: Eid, base: Eid): Partial<Briefing> {
  const docked = view.read(Location).base
  const active = view.read(Player).ship[player]
  const ships = shipsOf(view, player).filter((ship) => docked[ship] === base && ship !== active)
  if (ships.length === 0) return {}
  return {
    stored_ships: ships.slice(0, BRIEFING_ROWS_MAX).map((ship) => {
      const { id, name } = shipClassOf(view, ship)
      return { ship_id: shipId(view, ship), class_id: id, class_name: name }
    }),
    stored_ships_count: ships.length,
  }
}

/** Renders the hulls that are being built for the pilot here. */
function renderBuilding(view: WorldView, player: Eid, base: Eid): Partial<Briefing> {
  const columns = view.read(Commission)
  const rows = commissionsOf(view, player).filter((row) => columns.base[row] === base)
  if (rows.length === 0) return {}
  return {
    commissions_active: rows.slice(0, BRIEFING_ROWS_MAX).map((row) => {
      const { id, name } = SHIP_CLASSES[columns.class[row]]
      const head = {
        commission_id: commissionId(view, row),
        class_id: id,
        ship_class: name,
        status: statusOf(view, row),
      }
      if (columns.doneTick[row] === 0) return head
      const ticks_remaining = Math.max(0, columns.doneTick[row] - view.tick)
      const eta_seconds = divFloor(ticks_remaining * view.tickMs, 1_000)
      return { ...head, ticks_remaining, eta_seconds }
    }),
  }
}

/** Renders the facilities that the pilot has here. */
function renderWorks(view: WorldView, player: Eid, base: Eid): Partial<Briefing> {
  const columns = view.read(Facility)
  const rows = facilitiesOf(view, player).filter((row) => columns.base[row] === base)
  if (rows.length === 0) return {}
  return {
    your_facilities: rows.slice(0, BRIEFING_ROWS_MAX).map((row) => {
      const due = columns.dueTick[row]
      const missed = columns.missed[row]
      return {
        facility_id: facilityId(view, row),
        name: facilityName(view, row),
        type: FACILITIES[columns.type[row]].id,
        status: FACILITY_STATUSES[columns.status[row]],
        rent_per_cycle: rentAt(view, row),
        maintenance_satisfied: columns.status[row] !== OFFLINE,
        ...(missed === 0 ? {} : { missed_rent_cycles: missed }),
        ...(due === 0 ? {} : { ticks_until_complete: Math.max(0, due - view.tick) }),
      }
    }),
  }
}
