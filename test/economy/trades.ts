/**
 * What pays a newcomer more than the start belt: goods made in the public workshop out of what the
 * station sells or the belt gives, and goods carried from one station to another. Every figure is
 * one whole round with the purse and the ship of the first day.
 */
import { goodOf, RECIPES, type RecipeRow, recipeMilliTicks } from '../../core/catalog/index.ts'
import { haul, jumpsFrom, mineBelt, miningIncome, type Newcomer } from './newcomer.ts'
import { buy, type Deal, type Shop, sell } from './shop.ts'

interface Trade {
  readonly kind: 'craft' | 'dig and craft' | 'route'
  readonly id: string
  readonly text: string
  readonly profit: number
  readonly ticks: number
  /** Credits per tick. */
  readonly rate: number
}

/** Speed of the workshop for a player without the skill, thousandths. */
const WORKSHOP_SPEED = 1_000
/** Ticks to place a job, and to carry the hold into storage. */
const ORDER_TICKS = 1
const STORE_TICKS = 1
const JUMPS_MAX = 3
/** Credits per unit of fuel, estimated high. */
const FUEL_PRICE = 3
/** Numbers of runs that are tried: each is this many times the one before, up to the bound. */
const RUNS_STEP = 1.3
const RUNS_MAX = 1_024

const OPEN = RECIPES.filter(
  (row) => !row.hidden && !row.facility_only && !row.fuel_output && row.outputs.length === 1,
)

const trade = (kind: Trade['kind'], id: string, text: string, profit: number, ticks: number) => ({
  kind,
  id,
  text,
  profit,
  ticks,
  rate: profit / ticks,
})

const workshopTicks = (recipe: RecipeRow, runs: number): number =>
  Math.ceil((recipeMilliTicks(recipe) * runs) / WORKSHOP_SPEED)

/** Returns the sum of deals; undefined if one fails. */
function totalOf(deals: readonly (Deal | undefined)[]): Deal | undefined {
  let [credits, ticks] = [0, 0]
  for (const deal of deals) {
    if (!deal) return undefined
    credits += deal.credits
    ticks += deal.ticks
  }
  return { credits, ticks }
}

/** Returns the best trade over growing numbers of runs. */
function best(make: (runs: number) => Trade | undefined): Trade | undefined {
  let found: Trade | undefined
  for (let runs = 1; runs <= RUNS_MAX; runs = Math.ceil(runs * RUNS_STEP)) {
    const next = make(runs)
    if (!next) break
    if (!found || next.rate > found.rate) found = next
  }
  return found
}

const bill = (recipe: RecipeRow) =>
  recipe.inputs.map((part) => goodOf(part.item_id).name).join(', ')

/** Buys the inputs at the home station, makes, and sells there. */
function craftsOf({ shop, credits }: Newcomer): Trade[] {
  return OPEN.flatMap((recipe) => {
    const [out] = recipe.outputs
    const found = best((runs) => {
      const paid = totalOf(recipe.inputs.map((row) => buy(shop, row.item_id, row.quantity * runs)))
      if (!paid || paid.credits > credits) return undefined
      const sold = sell(shop, out!.item_id, out!.quantity * runs)
      if (!sold) return undefined
      const ticks = paid.ticks + ORDER_TICKS + workshopTicks(recipe, runs) + sold.ticks
      const text = `${recipe.name} x${runs} at ${shop.base.name}, from bought ${bill(recipe)}`
      return trade('craft', `craft ${recipe.id}`, text, sold.credits - paid.credits, ticks)
    })
    return found ? [found] : []
  })
}

/** Digs a hold full, buys the missing inputs, makes the product, and sells it and the rest. */
function dugCraftsOf(pilot: Newcomer): Trade[] {
  const { shop, credits } = pilot
  const load = mineBelt(pilot)
  return OPEN.filter((recipe) => recipe.inputs.some((row) => load.units.has(row.item_id))).flatMap(
    (recipe) => {
      const found = best((runs) => {
        const missing = recipe.inputs.filter((row) => !load.units.has(row.item_id))
        const left = new Map(load.units)
        for (const { item_id, quantity } of recipe.inputs) {
          if (left.has(item_id)) left.set(item_id, left.get(item_id)! - quantity * runs)
        }
        if ([...left.values()].some((units) => units < 0)) return undefined
        const paid = totalOf(missing.map((row) => buy(shop, row.item_id, row.quantity * runs)))
        const rest = [...left].filter(([, units]) => units > 0)
        const [out] = recipe.outputs
        const sold = totalOf([
          sell(shop, out!.item_id, out!.quantity * runs),
          ...rest.map(([item, units]) => sell(shop, item, units)),
        ])
        if (!paid || !sold || paid.credits > credits) return undefined
        const work = ORDER_TICKS + workshopTicks(recipe, runs)
        const ticks = load.ticks + STORE_TICKS + paid.ticks + work + sold.ticks
        const text = `dig the start belt, ${recipe.name} x${runs}, sell all at ${shop.base.name}`
        return trade('dig and craft', `dig ${recipe.id}`, text, sold.credits - paid.credits, ticks)
      })
      return found ? [found] : []
    },
  )
}

/** Buys at home, carries the goods to another station, sells them, and flies home empty. */
function routesOf(pilot: Newcomer): Trade[] {
  const { shop, shops, credits, hold } = pilot
  const jumps = jumpsFrom(pilot.plan, pilot.home)
  const isNear = ({ system }: Shop) => (jumps.get(system) ?? JUMPS_MAX + 1) <= JUMPS_MAX
  const near = shops.filter((to) => to !== shop && isNear(to))
  return near.flatMap((to: Shop) => {
    const there = haul(pilot, to, jumps.get(to.system)!)
    const back = haul(pilot, { ...shop }, jumps.get(to.system)!)
    return [...shop.stock.keys()].flatMap((item) => {
      const found = best((units) => {
        if (units * goodOf(item).size > hold) return undefined
        const paid = buy(shop, item, units)
        const sold = sell(to, item, units)
        if (!paid || !sold || paid.credits > credits) return undefined
        const fuel = (there.fuel + back.fuel) * FUEL_PRICE
        const ticks = paid.ticks + there.ticks + sold.ticks + back.ticks
        const name = goodOf(item).name
        const text = `carry ${units} ${name} from ${shop.base.name} to ${to.base.name}`
        const id = `carry ${item} to ${to.base.id}`
        return trade('route', id, text, sold.credits - paid.credits - fuel, ticks)
      })
      return found ? [found] : []
    })
  })
}

interface Findings {
  readonly mining: { readonly credits: number; readonly ticks: number; readonly rate: number }
  /** Trades that pay more than the belt, the best first. */
  readonly trades: readonly Trade[]
  /** Every route that gains, the best load first. */
  readonly routes: readonly Trade[]
}

export function findTrades(pilot: Newcomer): Findings {
  const income = miningIncome(pilot)
  const rate = income.credits / income.ticks
  const routes = routesOf(pilot)
  const trades = [...craftsOf(pilot), ...dugCraftsOf(pilot), ...routes]
    .filter((row) => row.rate > rate)
    .sort((a, b) => b.rate - a.rate || (a.id < b.id ? -1 : 1))
  const gainful = routes.filter(({ profit }) => profit > 0).sort((a, b) => b.profit - a.profit)
  return { mining: { ...income, rate }, trades, routes: gainful }
}
