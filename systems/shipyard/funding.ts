/**
 * Hulls that a faction has built at its own yard: materials out of its store, labor and royalty out
 * of its treasury. Source: ships.md section 7, fund_from_faction; crafting.md 8, licences.
 */
import { EMPIRES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type Held, moveItems, unitsIn } from '../../core/goods.ts'
import { post } from '../../core/ledger.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { empireTreasury } from '../base/rules.ts'
import { openCitizenPool } from '../facility/rules.ts'
import { factionOf, noteFactionLog, treasuryOf } from '../faction/rules.ts'
import {
  closeEmptyStore,
  openStore as openFactionStore,
  type StorePlace,
  storeContainer,
} from '../faction/store-rules.ts'
import { noteCorporateExpense } from '../tax/rules.ts'
import { baseValueOf, billOf, laborCost } from './bill.ts'
import { Commission } from './columns.ts'
import { openEscrow } from './escrow.ts'
import { ROYALTY_PCT } from './license-commands.ts'
import { materialsOf, openStore } from './materials.ts'
import type { Charge, Wanted } from './quote.ts'

/** What a store of a faction has of a bill. */
export function heldInStore(view: WorldView, place: StorePlace, bill: readonly Held[]): Held[] {
  const goods = storeContainer(view, place)
  if (goods === 0) return []
  return bill.map(({ item, units }) => ({
    item,
    units: Math.min(units, unitsIn(view, goods, item)),
  }))
}

/** What a hull owes to the empire whose licence it is built under; empire -1 for open designs. */
export function royaltyOf(shipClass: number, bare: boolean): { empire: number; credits: number } {
  const empire = EMPIRES.findIndex(({ id }) => id === SHIP_CLASSES[shipClass].faction)
  if (empire < 0) return { empire, credits: 0 }
  const value = baseValueOf(billOf(shipClass, bare))
  return { empire, credits: mulDivFloor(value, ROYALTY_PCT, 100) }
}

/** What the treasury puts aside: labor. Its own yard asks nothing for itself, and no tax is due. */
export function fundedCharge(shipClass: number, bare: boolean): Charge {
  const labor = laborCost(shipClass)
  const brings = billOf(shipClass, bare)
  return { material: 0, labor, margin: 0, tax: 0, taxBps: 0, total: labor, brings }
}

/** Pays for a hull out of the treasury; returns the credits, royalty included. */
export function payFunded(world: World, wanted: Wanted, charge: Charge): number {
  const { player, base, shipClass, bare } = wanted
  const faction = factionOf(world, player)
  const treasury = treasuryOf(world, faction)
  const { empire, credits } = royaltyOf(shipClass, bare)
  post(world, treasury, openEscrow(world, base), charge.total)
  if (empire >= 0) post(world, treasury, empireTreasury(world, empire), credits)
  const paid = charge.total + credits
  noteCorporateExpense(world, faction, base, paid)
  const summary = `Commissioned ${SHIP_CLASSES[shipClass].name} for ${counted(paid, 'credit')}.`
  const data = { ship_class: SHIP_CLASSES[shipClass].id, credits: paid, royalty: credits }
  noteFactionLog(world, faction, player, { verb: 'ship_commission', summary, data })
  return paid
}

const storeOf = (view: WorldView, row: Row): StorePlace => {
  const { funder, base } = view.read(Commission)
  return { faction: funder[row], base: base[row], bucket: 0 }
}

/** Takes the materials of a commission out of the store of who funds it. */
export function takeFromStore(world: World, row: Row, goods: readonly Held[]): void {
  const place = storeOf(world, row)
  const from = storeContainer(world, place)
  const to = openStore(world, row, 'provided')
  for (const { item, units } of goods) moveItems(world, from, to, item, units)
  closeEmptyStore(world, place)
}

/** Pays those who worked at a funded hull: they are citizens of the station. */
export function payWages(world: World, base: Eid, credits: number): void {
  post(world, openEscrow(world, base), openCitizenPool(world, base), credits)
}

/** Calls a funded hull off: half the labor and all materials go back where they came from. */
export function cancelFunded(world: World, row: Row): { refund: number; returned: Held[] } {
  const { base, labor, funder } = world.read(Commission)
  const refund = divFloor(labor[row], 2)
  post(world, openEscrow(world, base[row]), treasuryOf(world, funder[row]), refund)
  payWages(world, base[row], labor[row] - refund)
  const returned = materialsOf(world, row, 'provided')
  const from = openStore(world, row, 'provided')
  const to = openFactionStore(world, storeOf(world, row))
  for (const { item, units } of returned) moveItems(world, from, to, item, units)
  closeEmptyStore(world, storeOf(world, row))
  return { refund, returned }
}
