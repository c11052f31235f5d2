/** What a commission would cost a player now. Writes nothing. Source: ships.md section 7. */
import { GOODS, SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { mulDivFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { hasService } from '../base/rules.ts'
import { sellable } from '../market/purse-rules.ts'
import { salesTaxBps } from '../market/rules.ts'
import { billOf, buildTicks, laborCost, marginOf, materialCost } from './bill.ts'
import { type Blocker, blockersOf } from './blockers.ts'
import type { CommissionMode } from './columns.ts'

/** Whom a quote is for, and what of. */
export interface Wanted {
  readonly player: Eid
  readonly base: Eid
  readonly shipClass: number
  readonly bare: boolean
}

/** Credits of one way to pay. */
export interface Charge {
  readonly material: number
  readonly labor: number
  readonly margin: number
  readonly tax: number
  readonly taxBps: number
  readonly total: number
  /** What the player brings. */
  readonly brings: readonly Held[]
}

/** What of the bill a player has here, aboard and in storage. */
export const heldOf = (view: WorldView, { player, base }: Wanted, bill: readonly Held[]): Held[] =>
  bill
    .map(({ item, units }) => ({
      item,
      units: Math.min(units, sellable(view, player, base, item)),
    }))
    .filter(({ units }) => units > 0)

/** What a bill lacks beside what is there. */
export function lessThan(bill: readonly Held[], there: readonly Held[]): Held[] {
  const units = new Map(there.map((held) => [held.item, held.units]))
  return bill
    .map((want) => ({ item: want.item, units: want.units - (units.get(want.item) ?? 0) }))
    .filter((want) => want.units > 0)
}

/** The same for the details of a refusal. */
export function missingOf(bill: readonly Held[], there: readonly Held[]) {
  const needed = new Map(bill.map(({ item, units }) => [item, units]))
  return lessThan(bill, there).map(({ item, units }) => {
    const need = needed.get(item) ?? units
    return { item_id: GOODS[item].id, item_name: GOODS[item].name, need, have: need - units }
  })
}

/**
 * What a mode charges: materials that are to be bought, labour, the yard's part of both, and sales
 * tax unless the player brings everything.
 */
export function chargeOf(view: WorldView, wanted: Wanted, mode: CommissionMode): Charge {
  const { player, base, shipClass, bare } = wanted
  const bill = billOf(shipClass, bare)
  const brings = mode === 'credits' ? [] : heldOf(view, wanted, bill)
  const buys = mode === 'provide_materials' ? [] : lessThan(bill, brings)
  const material = materialCost(view, base, buys)
  const labor = laborCost(shipClass)
  const margin = marginOf(material, labor)
  const taxBps = mode === 'provide_materials' ? 0 : salesTaxBps(view, player, base)
  const tax = mulDivFloor(material + labor + margin, taxBps, 10_000)
  return { material, labor, margin, tax, taxBps, total: material + labor + margin + tax, brings }
}

export interface Quote {
  readonly blockers: readonly Blocker[]
  /** By the mode that buys: all of it, or what the player lacks. */
  readonly buying: Charge
  readonly providing: Charge
  readonly hasMaterials: boolean
  readonly canBuy: boolean
  readonly canProvide: boolean
  /** The yard has an exchange to buy at. */
  readonly buys: boolean
  readonly ticks: number
  readonly tierHere: number
  readonly tierRequired: number
  readonly credits: number
}

/** A quote; `sourcing`: the player brings what he has, the yard buys the rest. */
export function quoteOf(view: WorldView, wanted: Wanted, sourcing: boolean): Quote {
  const { player, base, shipClass, bare } = wanted
  const buying = chargeOf(view, wanted, sourcing ? 'source_missing_materials' : 'credits')
  const providing = chargeOf(view, wanted, 'provide_materials')
  const credits = balanceOf(view, walletOf(view, player))
  const hasMaterials = lessThan(billOf(shipClass, bare), providing.brings).length === 0
  const buys = hasService(view, base, 'market')
  const canBuy = buys && credits >= buying.total
  const canProvide = hasMaterials && credits >= providing.total
  const blockers = [...blockersOf(view, player, base, shipClass)]
  if (!hasMaterials && !canBuy) blockers.push('materials')
  const least = hasMaterials ? Math.min(providing.total, buying.total) : buying.total
  if (credits < least) blockers.push('credits')
  return {
    ...{ blockers, buying, providing, hasMaterials, canBuy, canProvide, buys, credits },
    ticks: buildTicks(view, base, shipClass),
    tierHere: view.read(Base).shipyardTier[base],
    tierRequired: SHIP_CLASSES[shipClass].shipyard_tier,
  }
}
