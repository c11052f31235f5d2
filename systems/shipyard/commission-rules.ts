/**
 * The life of a commission: opened, supplied, begun when a bay is free, delivered or cancelled;
 * paid by a player, a faction at its own yard, or the yard itself. Source: ships.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type Held, moveItems, sumHeld } from '../../core/goods.ts'
import { removeFromList } from '../../core/groups.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { baseName, baseTreasury, empireTreasury, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { openCitizenPool } from '../facility/rules.ts'
import { factionOf, recordFactionLog, treasuryOf } from '../faction/model.ts'
import {
  closeEmptyStore,
  openStore as openFactionStore,
  type StorePlace,
  storeContainer,
} from '../faction/store-model.ts'
import { logAction } from '../log/rules.ts'
import { shipId, shipName } from '../ship/model.ts'
import { createShip } from '../ship/rules.ts'
import { ownerOfBase } from '../station/model.ts'
import { recordCorporateExpense } from '../tax/rules.ts'
import { baseValueOf, fittedOf, materialsOf, missingOf } from './materials-model.ts'
import {
  closeStores,
  leaveMaterials,
  openStore,
  returnMaterials,
  takeMaterials,
  useMaterials,
} from './materials-rules.ts'
import {
  buildTicks,
  type Charge,
  type CommissionRequest,
  commissionId,
  commissionsAt,
  type HullRequest,
  levelOfYard,
  royaltyOf,
  statusOf,
} from './model.ts'
import {
  dockNewShip,
  indexCommission,
  openEscrow,
  payStation,
  payTax,
  refund,
  scheduleDelivery,
} from './rules.ts'
import {
  COMMISSION_MODES,
  COMMISSION_STATUS,
  COMMISSIONS_AT,
  COMMISSIONS_OF,
  Commission,
  type CommissionStatus,
  DUE,
  ShipOrder,
} from './state.ts'

function setStatus(world: World, row: Row, status: CommissionStatus): void {
  world.write(Commission).status[row] = COMMISSION_STATUS.indexOf(status)
}

/* Opening */

/**
 * Opens a commission whose charge is paid. `paid` is what left the account: more than the charge
 * where a royalty was due as well.
 */
export function openCommission(
  world: World,
  request: CommissionRequest,
  charge: Charge,
  paid = charge.total,
): Row {
  const row = world.take(Commission)
  const columns = world.write(Commission)
  columns.player[row] = request.player
  columns.base[row] = request.base
  columns.class[row] = request.shipClass
  columns.bare[row] = request.bare ? 1 : 0
  columns.mode[row] = COMMISSION_MODES.indexOf(request.mode)
  columns.paid[row] = paid
  columns.estimate[row] = charge.material
  columns.earmark[row] = charge.material
  columns.labor[row] = charge.labor
  columns.margin[row] = charge.margin
  columns.tax[row] = charge.tax
  columns.taxBps[row] = charge.taxBps
  columns.createdMs[row] = world.wallMs
  columns.openedTick[row] = world.tick
  indexCommission(world, row)
  if (request.mode === 'fund_from_faction') {
    columns.funder[row] = ownerOfBase(world, request.base)
    takeFunderMaterials(world, row, charge.brings)
  } else if (request.player !== 0) {
    takeMaterials(world, row, charge.brings, { player: request.player, source: 'provided' })
  }
  advance(world, row)
  return row
}

/*
 * Commissions of a faction at its own yard: materials out of its store, labour and royalty out of
 * its treasury. Source: ships.md section 7, fund_from_faction; crafting.md section 8, licences.
 */

/** Pays for a hull out of the treasury; returns the credits, royalty included. */
export function payFunded(world: World, request: HullRequest, charge: Charge): number {
  const { player, base, shipClass, bare } = request
  const faction = factionOf(world, player)
  const treasury = treasuryOf(world, faction)
  const { empire, credits } = royaltyOf(shipClass, bare)
  post(world, treasury, openEscrow(world, base), charge.total)
  if (empire >= 0) post(world, treasury, empireTreasury(world, empire), credits)
  const paid = charge.total + credits
  recordCorporateExpense(world, faction, base, paid)
  const summary = `Commissioned ${SHIP_CLASSES[shipClass].name} for ${counted(paid, 'credit')}.`
  const data = { ship_class: SHIP_CLASSES[shipClass].id, credits: paid, royalty: credits }
  recordFactionLog(world, faction, player, { verb: 'ship_commission', summary, data })
  return paid
}

function funderStore(view: WorldView, row: Row): StorePlace {
  const { funder, base } = view.read(Commission)
  return { faction: funder[row], base: base[row], bucket: 0 }
}

/** Takes the materials of a commission out of the store of its funder. */
function takeFunderMaterials(world: World, row: Row, goods: readonly Held[]): void {
  const place = funderStore(world, row)
  const from = storeContainer(world, place)
  const to = openStore(world, row, 'provided')
  for (const { item, units } of goods) moveItems(world, from, to, item, units)
  closeEmptyStore(world, place)
}

/** Pays the citizens for the labour on a hull ordered by a faction or by the station itself. */
const payWages = (world: World, base: Eid, credits: number): void =>
  post(world, openEscrow(world, base), openCitizenPool(world, base), credits)

/* Credits */

/** Refunds credits of a commission to its payer. */
function refundPayer(world: World, row: Row, credits: number, summary: string): void {
  const { player, base } = world.read(Commission)
  const payer = { player: player[row], base: base[row] }
  refund(world, payer, credits, summary, { commission_id: commissionId(world, row) })
}

/** Returns the sales tax on the final charge, credits. */
function taxDue(view: WorldView, row: Row, charged: number): number {
  const { taxBps, tax } = view.read(Commission)
  return Math.min(tax[row], mulDivFloor(charged, taxBps[row], 10_000))
}

/** Pays the tax once all materials are there, and refunds what was set aside but not spent. */
function settleMaterials(world: World, row: Row): void {
  const columns = world.write(Commission)
  const { spent, labor, margin } = columns
  const due = taxDue(world, row, spent[row] + labor[row] + margin[row])
  const back = columns.earmark[row] + columns.tax[row] - due
  payTax(world, columns.base[row], due)
  columns.earmark[row] = 0
  columns.tax[row] = 0
  refundPayer(world, row, back, 'The yard needed less for materials than was set aside.')
}

/* Advancing */

/** Queues a commission that has all its materials for a bay. */
export function advance(world: World, row: Row): void {
  if (statusOf(world, row) !== 'sourcing' || missingOf(world, row).length > 0) return
  settleMaterials(world, row)
  setStatus(world, row, 'pending')
  fillBays(world, world.read(Commission).base[row])
}

/** Starts the oldest pending commissions while bays are free: a yard has one for each level. */
export function fillBays(world: World, base: Eid): void {
  if (!hasService(world, base, 'shipyard')) return
  const rows = commissionsAt(world, base)
  const pending = rows.filter((row) => statusOf(world, row) === 'pending')
  const busy = rows.filter((row) => statusOf(world, row) === 'building').length
  const free = Math.max(0, levelOfYard(world, base) - busy)
  for (const row of pending.slice(0, free)) {
    const columns = world.write(Commission)
    setStatus(world, row, 'building')
    columns.startTick[row] = world.tick
    columns.doneTick[row] = world.tick + buildTicks(world, base, columns.class[row])
    scheduleDelivery(world, row)
  }
}

/* Delivering */

/** Removes a commission that holds neither credits nor goods any more. */
function closeCommission(world: World, row: Row): void {
  const { base, player, order } = world.read(Commission)
  const yard = base[row]
  if (order[row] !== 0) world.write(ShipOrder).commission[order[row]] = 0
  closeStores(world, row)
  removeFromList(world.index(COMMISSIONS_AT), yard, row)
  removeFromList(world.index(COMMISSIONS_OF), player[row], row)
  world.release(Commission, row)
  fillBays(world, yard)
}

/**
 * Returns the commissions that are done in this tick, the oldest first, and removes them from the
 * schedule.
 */
export function takeDue(world: World): Row[] {
  const due = world.index(DUE)
  const rows = due.get(world.tick)
  if (!rows) return []
  due.delete(world.tick)
  const { alive, doneTick, seq } = world.read(Commission)
  const done = [...new Set(rows)].filter((row) => alive[row] === 1 && doneTick[row] === world.tick)
  return done.sort((a, b) => seq[a] - seq[b])
}

/** Postpones the delivery by a cycle; the bay stays taken. */
export function postponeDelivery(world: World, row: Row): void {
  world.write(Commission).doneTick[row] = world.tick + CYCLE_TICKS
  scheduleDelivery(world, row)
}

/** Makes the hull of a commission for an owner (0: none yet), and closes the commission. */
export function launch(world: World, row: Row, owner: Eid): Eid {
  assert(statusOf(world, row) === 'building', `commission ${row} is not being built`)
  const columns = world.read(Commission)
  const base = columns.base[row]
  const bare = columns.bare[row] === 1
  const modules = fittedOf(columns.class[row], bare)
  useMaterials(world, row)
  if (columns.funder[row] !== 0 || columns.player[row] === 0)
    payWages(world, base, columns.labor[row])
  else payStation(world, base, columns.labor[row] + columns.margin[row])
  const ship = createShip(world, { owner, shipClass: columns.class[row], modules })
  closeCommission(world, row)
  return ship
}

/** Delivers a player's commission. */
export function deliver(world: World, row: Row): void {
  const { player, base } = world.read(Commission)
  const customer = { player: player[row], base: base[row] }
  const id = commissionId(world, row)
  const ship = launch(world, row, customer.player)
  dockNewShip(world, ship, customer, id)
  addStat(world, customer.player, 'ships_commissioned', 1)
  const place = baseName(world, customer.base)
  const summary = `${shipName(world, ship)} is built and docked at ${place}.`
  const data = { commission_id: id, ship_id: shipId(world, ship) }
  logAction(world, customer.player, 'ship', 'commission_complete', summary, data)
}

/* Cancelling */

interface Cancellation {
  readonly refund: number
  readonly returned: readonly Held[]
}

/**
 * Cancels a commission that still lacks materials: unspent credits and all materials except
 * donations come back.
 */
function cancelSourcing(world: World, row: Row): Cancellation {
  const columns = world.write(Commission)
  const { base, earmark, labor, margin, tax, spent } = columns
  const due = taxDue(world, row, spent[row])
  payTax(world, base[row], due)
  const back = earmark[row] + labor[row] + margin[row] + tax[row] - due
  refundPayer(world, row, back, 'The commission was cancelled before the yard began.')
  const returned = [
    ...returnMaterials(world, row, 'provided'),
    ...returnMaterials(world, row, 'bought'),
  ]
  return { refund: back, returned: sumHeld(returned) }
}

/**
 * Cancels a commission that has begun: half of materials and labour and the whole margin come back.
 * The station keeps the materials, so it pays what the escrow lacks for that. ours: it counts the
 * materials at their base value at most, and pays no more than it has. Otherwise a player could
 * empty its treasury by having a partner sell it overpriced goods.
 */
function cancelBegun(world: World, row: Row): Cancellation {
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
  refundPayer(world, row, back, 'The commission was cancelled after the yard had begun.')
  return { refund: back, returned: returnMaterials(world, row, 'provided') }
}

/**
 * Cancels a commission that a faction funds: half the labour goes back to its treasury, and all
 * materials to its store.
 */
function cancelFunded(world: World, row: Row): Cancellation {
  const { base, labor, funder } = world.read(Commission)
  const back = divFloor(labor[row], 2)
  post(world, openEscrow(world, base[row]), treasuryOf(world, funder[row]), back)
  payWages(world, base[row], labor[row] - back)
  const returned = materialsOf(world, row, 'provided')
  const from = openStore(world, row, 'provided')
  const place = funderStore(world, row)
  const to = openFactionStore(world, place)
  for (const { item, units } of returned) moveItems(world, from, to, item, units)
  closeEmptyStore(world, place)
  return { refund: back, returned }
}

/** Cancels a player's commission. Source: ships.md section 7, cancel. */
export function cancel(world: World, row: Row): Cancellation {
  assert(world.read(Commission).player[row] !== 0, 'a yard cancels its own commission')
  const isSourcing = statusOf(world, row) === 'sourcing'
  const isFunded = world.read(Commission).funder[row] !== 0
  const settle = isFunded ? cancelFunded : isSourcing ? cancelSourcing : cancelBegun
  const cancellation = settle(world, row)
  for (const source of ['bought', 'donated'] as const) leaveMaterials(world, row, source)
  closeCommission(world, row)
  return cancellation
}
