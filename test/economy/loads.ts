/**
 * The best loads of a trader: what a hold full of goods gains from one station to another at the
 * prices of the current order books. Every figure is one way, after taxes and fuel.
 */
import { EMPIRE_IDS, type EmpireId, goodOf, itemIndex } from '../../core/catalog/index.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { World } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { baseById } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { bookOf } from '../../systems/market/book-model.ts'
import { Book, Managed } from '../../systems/market/state.ts'
import { activeShip } from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import type { DrivenWorld } from '../driven-world.ts'
import { MEDIANS } from './careers/bands.ts'
import { equip } from './careers/rigs.ts'
import { haul, jumpsFrom, type Newcomer, shopsOf } from './newcomer.ts'
import { buy, type Shop, sell } from './shop.ts'

/** What a load may gain, by tier. Source: balance.md section 2. */
export const LOAD_BANDS: readonly (readonly [number, number])[] = [
  [150, 600],
  [600, 2_000],
  [1_500, 5_000],
  [3_000, 10_000],
  [6_000, 20_000],
]
export const JUMPS_MAX = 6
/** Credits per unit of fuel, estimated high. */
const FUEL_PRICE = 3
/** Each lot size tried is this many times the one before. */
const SIZE_STEP = 1.3

/** A trader of a tier and empire. */
export interface Trader extends Newcomer {
  readonly tier: number
}

/** Adds one trader of each tier in each empire, with the hull and the credits of the tier. */
export const joinTraders = (driven: DrivenWorld): Trader[] =>
  EMPIRE_IDS.flatMap((empire, index) =>
    MEDIANS.map((_, tier): Trader => {
      const { world } = driven
      const player = driven.join(`Trader ${index} ${tier}`, empire)
      equip(world, player, dockedBase(world, player), { career: 'trade', tier }, empire)
      const ship = activeShip(world, player)
      return {
        ...shopsOf(world, player, empire as EmpireId),
        world,
        empire,
        ship,
        tier,
        credits: balanceOf(world, walletOf(world, player)),
        hold: world.read(Ship).cargoCap[ship],
      }
    }),
  )

/** Returns a shop with its current order books. */
function stocked(world: World, shop: Shop): Shop {
  const { stock, valuePct } = world.read(Managed)
  const { managed } = world.read(Book)
  const base = baseById(world, shop.base.id)
  const rows = [...shop.stock].map(([item, plan]) => {
    const row = managed[bookOf(world, base, itemIndex(item))]
    return [item, { ...plan, stock: stock[row], value_pct: valuePct[row] || 100 }] as const
  })
  const funds = balanceOf(world, world.read(Base).manager[base])
  return { ...shop, funds, stock: new Map(rows) }
}

interface Lot {
  readonly item: string
  readonly units: number
  readonly cost: number
  readonly gain: number
}

interface Load {
  readonly from: string
  readonly to: string
  readonly jumps: number
  readonly profit: number
  readonly lots: readonly Lot[]
}

/** Returns the units of a good that gain the most; undefined if none gain. */
function bestLot(from: Shop, to: Shop, item: string, unitsMax: number): Lot | undefined {
  let found: Lot | undefined
  for (let units = 1; units <= unitsMax; units = Math.ceil(units * SIZE_STEP)) {
    const [paid, sold] = [buy(from, item, units), sell(to, item, units)]
    if (!paid || !sold) break
    const gain = sold.credits - paid.credits
    if (gain <= (found?.gain ?? 0)) break
    found = { item, units, cost: paid.credits, gain }
  }
  return found
}

/** Returns the goods that fill hold and purse, those that gain the most a unit of space first. */
function loadFor({ hold, credits }: Trader, from: Shop, to: Shop): Lot[] {
  const lots = [...from.stock.keys()]
    .filter((item) => to.stock.has(item))
    .flatMap((item) => bestLot(from, to, item, Math.floor(hold / goodOf(item).size)) ?? [])
  const density = ({ item, units, gain }: Lot): number => gain / (units * goodOf(item).size)
  lots.sort((a, b) => density(b) - density(a) || (a.item < b.item ? -1 : 1))
  let [space, purse] = [hold, credits]
  return lots.flatMap((lot) => {
    const { size } = goodOf(lot.item)
    const units = Math.min(lot.units, Math.floor(space / size))
    const fit = units === lot.units ? lot : bestLot(from, to, lot.item, units)
    if (!fit || fit.cost > purse) return []
    space -= fit.units * size
    purse -= fit.cost
    return [fit]
  })
}

/** Returns a trader's best load from or to the capital for each number of jumps. */
export function bestLoads(trader: Trader): Load[] {
  const jumpsTo = jumpsFrom(trader.plan, trader.home)
  const { shops, world } = trader
  const stockedShops = new Map(shops.map((shop) => [shop, stocked(world, shop)] as const))
  const home = stockedShops.get(trader.shop) as Shop
  const best = new Map<number, Load>()
  for (const shop of stockedShops.values()) {
    const jumps = jumpsTo.get(shop.system) ?? JUMPS_MAX + 1
    if (jumps < 1 || jumps > JUMPS_MAX) continue
    for (const [from, to] of [
      [home, shop],
      [shop, home],
    ]) {
      const lots = loadFor(trader, from, to)
      const fuel = haul(trader, to, jumps).fuel * FUEL_PRICE
      const profit = lots.reduce((sum, { gain }) => sum + gain, -fuel)
      if (profit <= (best.get(jumps)?.profit ?? 0)) continue
      best.set(jumps, { from: from.base.name, to: to.base.name, jumps, profit, lots })
    }
  }
  return [...best.values()].sort((a, b) => a.jumps - b.jumps)
}

/** Lists goods that yield a profit when bought and sold again at the same exchange. */
export function idleRounds({ world, shops }: Trader): string[] {
  return shops.flatMap((shop) => {
    const now = stocked(world, shop)
    return [...now.stock].flatMap(([item, { stock }]) => {
      for (let units = 1; units <= stock; units = Math.ceil(units * SIZE_STEP)) {
        const paid = buy(now, item, units)
        if (!paid) break
        const sold = sell(now, item, units, units)
        if (sold && sold.credits > paid.credits) {
          return [`${units} ${item} at ${shop.base.id} gain ${sold.credits - paid.credits}`]
        }
      }
      return []
    })
  })
}
