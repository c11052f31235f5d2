/**
 * The life of a commission: opened, supplied, begun when a bay is free, delivered, cancelled.
 * Source: ships.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import type { Held } from '../../core/goods.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, baseTreasury, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { logAction } from '../log/rules.ts'
import { shipId, shipName } from '../ship/model.ts'
import { createShip } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { ownerOfBase } from '../station/model.ts'
import { dockShip } from '../travel/rules.ts'
import { materialsOf, missingOf } from './materials-model.ts'
import {
  closeStores,
  leaveMaterials,
  returnMaterials,
  takeMaterials,
  useMaterials,
} from './materials-rules.ts'
import {
  baseValueOf,
  buildTicks,
  type Charge,
  commissionId,
  commissionsAt,
  fittedOf,
  levelOfYard,
  shipOrderId,
  statusOf,
  type Wanted,
} from './model.ts'
import {
  cancelFunded,
  enterCommission,
  enterOrder,
  giveBack,
  openEscrow,
  payStation,
  payTax,
  payWages,
  removeCommission,
  removeOrder,
  scheduleDelivery,
  takeFromStore,
} from './rules.ts'
import { shipCommissionComplete } from './schemas.ts'
import {
  COMMISSION_MODES,
  COMMISSION_STATUS,
  Commission,
  type CommissionMode,
  type CommissionStatus,
  ShipOrder,
} from './state.ts'

function setStatus(world: World, row: Row, status: CommissionStatus): void {
  world.write(Commission).status[row] = COMMISSION_STATUS.indexOf(status)
}

/* Opening */

/**
 * A commission whose charge is paid; of a yard for itself where there is no player. `paid` tells
 * what left the account where a royalty was due beside the charge.
 */
export function openCommission(
  world: World,
  wanted: Wanted,
  mode: CommissionMode,
  charge: Charge,
  paid = charge.total,
): Row {
  const row = world.take(Commission)
  const columns = world.write(Commission)
  columns.player[row] = wanted.player
  columns.base[row] = wanted.base
  columns.class[row] = wanted.shipClass
  columns.bare[row] = wanted.bare ? 1 : 0
  columns.mode[row] = COMMISSION_MODES.indexOf(mode)
  columns.paid[row] = paid
  columns.estimate[row] = charge.material
  columns.earmark[row] = charge.material
  columns.labor[row] = charge.labor
  columns.margin[row] = charge.margin
  columns.tax[row] = charge.tax
  columns.taxBps[row] = charge.taxBps
  columns.createdMs[row] = world.wallMs
  enterCommission(world, row)
  if (mode === 'fund_from_faction') {
    columns.funder[row] = ownerOfBase(world, wanted.base)
    takeFromStore(world, row, charge.brings)
  } else if (wanted.player !== 0) {
    takeMaterials(world, row, charge.brings, { player: wanted.player, source: 'provided' })
  }
  advance(world, row)
  return row
}

/* Credits */

/** Gives credits of the escrow back to who paid them in. */
function refund(world: World, row: Row, credits: number, said: string): void {
  const { player, base } = world.read(Commission)
  const to = { player: player[row], base: base[row] }
  giveBack(world, to, credits, said, { commission_id: commissionId(world, row) })
}

/** Sales tax on what has been charged in the end, credits. */
function taxDue(view: WorldView, row: Row, charged: number): number {
  const { taxBps, tax } = view.read(Commission)
  return Math.min(tax[row], mulDivFloor(charged, taxBps[row], 10_000))
}

/** All materials are there: the tax is paid, what was not needed for them goes back. */
function settleMaterials(world: World, row: Row): void {
  const columns = world.write(Commission)
  const { spent, labor, margin } = columns
  const due = taxDue(world, row, spent[row] + labor[row] + margin[row])
  const back = columns.earmark[row] + columns.tax[row] - due
  payTax(world, columns.base[row], due)
  columns.earmark[row] = 0
  columns.tax[row] = 0
  refund(world, row, back, 'The yard needed less for materials than was set aside.')
}

/* Advancing */

/** Lets a commission that has all its materials queue for a bay. */
export function advance(world: World, row: Row): void {
  if (statusOf(world, row) !== 'sourcing' || missingOf(world, row).length > 0) return
  settleMaterials(world, row)
  setStatus(world, row, 'pending')
  fillBays(world, world.read(Commission).base[row])
}

/** Begins what is next in the queue while bays are free: as many as the level of the yard. */
export function fillBays(world: World, base: Eid): void {
  if (!hasService(world, base, 'shipyard')) return
  const rows = commissionsAt(world, base)
  const pending = rows.filter((row) => statusOf(world, row) === 'pending')
  const busy = rows.filter((row) => statusOf(world, row) === 'building').length
  for (const row of pending.slice(0, Math.max(0, levelOfYard(world, base) - busy))) {
    const columns = world.write(Commission)
    setStatus(world, row, 'building')
    columns.startTick[row] = world.tick
    columns.doneTick[row] = world.tick + buildTicks(world, base, columns.class[row])
    scheduleDelivery(world, row)
  }
}

/* Ending */

/** Takes a commission out of the books; its credits and goods are elsewhere by now. */
function close(world: World, row: Row): void {
  const { base, order } = world.read(Commission)
  const yard = base[row]
  if (order[row] !== 0) world.write(ShipOrder).commission[order[row]] = 0
  closeStores(world, row)
  removeCommission(world, row)
  world.release(Commission, row)
  fillBays(world, yard)
}

/** Tries again after a cycle; the bay stays taken. */
export function holdUp(world: World, row: Row): void {
  world.write(Commission).doneTick[row] = world.tick + CYCLE_TICKS
  scheduleDelivery(world, row)
}

/** Makes the hull of a commission and closes it. Whom it goes to is the caller's: 0 nobody yet. */
export function launch(world: World, row: Row, owner: Eid): Eid {
  assert(statusOf(world, row) === 'building', `commission ${row} is not being built`)
  const columns = world.read(Commission)
  const base = columns.base[row]
  const bare = columns.bare[row] === 1
  const modules = fittedOf(columns.class[row], bare)
  useMaterials(world, row)
  if (columns.funder[row] !== 0) payWages(world, base, columns.labor[row])
  else payStation(world, base, columns.labor[row] + columns.margin[row])
  const ship = createShip(world, { owner, shipClass: columns.class[row], modules })
  close(world, row)
  return ship
}

/** Tells a player of a hull that has come to be theirs; it is docked here from now on. */
function handHull(world: World, ship: Eid, to: { player: Eid; base: Eid; id: string }) {
  const { player, base, id } = to
  dockShip(world, ship, base)
  const payload = {
    tick: world.tick,
    commission_id: id,
    ship_id: shipId(world, ship),
    ship_class: SHIP_CLASSES[world.read(Ship).class[ship]].id,
    ship_name: shipName(world, ship),
    base_id: baseId(world, base),
    base_name: baseName(world, base),
  }
  emit(world, shipCommissionComplete, payload, toPlayer(player))
}

/** Delivers a player's commission. */
export function deliver(world: World, row: Row): void {
  const { player, base } = world.read(Commission)
  const [owner, yard, id] = [player[row], base[row], commissionId(world, row)]
  const ship = launch(world, row, owner)
  handHull(world, ship, { player: owner, base: yard, id })
  addStat(world, owner, 'ships_commissioned', 1)
  const said = `${shipName(world, ship)} is built and docked at ${baseName(world, yard)}.`
  const data = { commission_id: id, ship_id: shipId(world, ship) }
  logAction(world, owner, 'ship', 'commission_complete', said, data)
}

interface Cancelled {
  readonly refund: number
  readonly returned: readonly Held[]
}

/** Sourcing: unspent credits and all materials but donations come back. */
function cancelSourcing(world: World, row: Row): Cancelled {
  const columns = world.write(Commission)
  const { base, earmark, labor, margin, tax, spent } = columns
  const due = taxDue(world, row, spent[row])
  payTax(world, base[row], due)
  const back = earmark[row] + labor[row] + margin[row] + tax[row] - due
  refund(world, row, back, 'The commission was cancelled before the yard began.')
  const returned = [
    ...returnMaterials(world, row, 'provided'),
    ...returnMaterials(world, row, 'bought'),
  ]
  return { refund: back, returned: merge(returned) }
}

function merge(goods: readonly Held[]): Held[] {
  const units = new Map<number, number>()
  for (const held of goods) units.set(held.item, (units.get(held.item) ?? 0) + held.units)
  return [...units].map(([item, n]) => ({ item, units: n })).sort((a, b) => a.item - b.item)
}

/**
 * Begun: half of materials and labour, and the whole part of the yard. What the escrow does not
 * hold of it the station pays, for it keeps the materials; ours: it values them at base value at
 * most, and pays no more than it has, or a partner's overpriced goods would empty its purse.
 */
function cancelBegun(world: World, row: Row): Cancelled {
  const columns = world.read(Commission)
  const { base, labor, margin } = columns
  const yard = base[row]
  const value = baseValueOf(materialsOf(world, row, 'bought'))
  const material = Math.min(columns.spent[row], value)
  const due = divFloor(material + labor[row], 2) + margin[row]
  const held = labor[row] + margin[row]
  const escrow = openEscrow(world, yard)
  const manager = world.read(Base).manager[yard]
  let lacking = Math.max(0, due - held)
  for (const account of [baseTreasury(world, yard), manager]) {
    const part = Math.min(lacking, balanceOf(world, account))
    post(world, account, escrow, part)
    lacking -= part
  }
  const back = due - lacking
  payStation(world, yard, Math.max(0, held - due))
  refund(world, row, back, 'The commission was cancelled after the yard had begun.')
  return { refund: back, returned: returnMaterials(world, row, 'provided') }
}

/** Cancels a player's commission. Source: ships.md section 7, cancel. */
export function cancel(world: World, row: Row): Cancelled {
  assert(world.read(Commission).player[row] !== 0, 'a yard cancels its own commission')
  const isSourcing = statusOf(world, row) === 'sourcing'
  const isFunded = world.read(Commission).funder[row] !== 0
  const unfunded = isSourcing ? cancelSourcing : cancelBegun
  const cancelled = (isFunded ? cancelFunded : unfunded)(world, row)
  for (const source of ['bought', 'donated'] as const) leaveMaterials(world, row, source)
  close(world, row)
  return cancelled
}

/* Buy orders for ships: escrow, filling, withdrawing. Source: ships.md section 8. */

export interface NewOrder {
  readonly player: Eid
  readonly base: Eid
  readonly shipClass: number
  readonly price: number
  readonly tax: number
}

/** An order whose price and tax lie in the escrow by now. */
export function openOrder(world: World, wanted: NewOrder): Row {
  const row = world.take(ShipOrder)
  const columns = world.write(ShipOrder)
  columns.player[row] = wanted.player
  columns.base[row] = wanted.base
  columns.class[row] = wanted.shipClass
  columns.price[row] = wanted.price
  columns.tax[row] = wanted.tax
  columns.createdMs[row] = world.wallMs
  enterOrder(world, row)
  return row
}

/** Ends an order; what the yard builds for it is the yard's own from now on. */
export function closeOrder(world: World, row: Row): void {
  const { commission } = world.read(ShipOrder)
  if (commission[row] !== 0) world.write(Commission).order[commission[row]] = 0
  removeOrder(world, row)
  world.release(ShipOrder, row)
}

/**
 * Hands a hull that is the buyer's by now over to them. `price` credits have left the escrow for
 * it: tax on them goes to the empire, what the order held beyond comes back.
 */
export function fillOrder(world: World, row: Row, ship: Eid, price: number): void {
  const columns = world.read(ShipOrder)
  const to = { player: columns.player[row], base: columns.base[row] }
  const id = shipOrderId(world, row)
  const name = shipName(world, ship)
  const tax = mulDivFloor(columns.tax[row], price, columns.price[row])
  const back = columns.price[row] - price + columns.tax[row] - tax
  payTax(world, to.base, tax)
  giveBack(world, to, back, `${name} cost less than your order held.`, { order_id: id })
  closeOrder(world, row)
  handHull(world, ship, { ...to, id })
  addStat(world, to.player, 'ships_purchased', 1)
  addStat(world, to.player, 'credits_spent', price + tax)
  const where = baseName(world, to.base)
  const said = `Your order bought ${name} for ${counted(price, 'credit')}; it is docked at ${where}.`
  const data = { order_id: id, ship_id: shipId(world, ship), price, tax }
  logAction(world, to.player, 'ship', 'ship.buy_order_filled', said, data)
}
