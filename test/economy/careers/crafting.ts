/** Crafters: they stay at home, and make on bench and line what gains most per tick. */
import { FACILITIES, goodOf, RECIPES, type RecipeRow } from '../../../core/catalog/index.ts'
import {
  act,
  type Deed,
  dockAt,
  type Pilot,
  type Policy,
  type Price,
  readMarket,
  status,
  storedOf,
  wait,
} from './pilot.ts'

/** Ticks of one job. */
const JOB_TICKS = 90
/** What may go into one job, percent of the purse. */
const STAKE_PCT = 45
/** What buying costs of the ask, and selling brings of the bid, with tax and price moves. */
const COST_PCT = 103
const WORTH_PCT = 97
const LOOK_TICKS = 2
/** Jobs that wait or run at a line, so that it never idles, and at the bench. */
const LINE_JOBS = 2
const BENCH_JOBS = 1
/** Labour of a line: percent of the value a run adds, or all but these credits per bench tick. */
const LABOUR_PCT = 60
const NET_A_TICK = 1_600 / 360

/** Speed of a line by its level from 1, in times that of a bench. Source: crafting.md. */
const SPEEDS = [1, 3, 9, 27]
/** Goods are sold at this percent of their value or more. */
const FAIR_PCT = 70

interface Line {
  readonly facility_id: string
  readonly categories: readonly string[]
  readonly speed: number
  readonly labour: number
}

interface Plan {
  readonly recipe: RecipeRow
  readonly runs: number
  readonly rate: number
}

const isOpen = (row: RecipeRow): boolean => !row.hidden && row.package_operation === undefined

const worthOf = (rows: readonly { item_id: string; quantity: number }[]): number =>
  rows.reduce((sum, row) => sum + goodOf(row.item_id).base_value * row.quantity, 0)

/**
 * Returns the labour cost of a run on a line, as its owner sees it. Source: balance.md section 4.
 */
function labourOf({ inputs, outputs, crafting_time }: RecipeRow, { labour }: Line): number {
  const added = worthOf(outputs) - worthOf(inputs)
  return Math.max(labour, (added * LABOUR_PCT) / 100, added - crafting_time * NET_A_TICK)
}

/** Returns the best job for a line, or for the bench without one, at these prices. */
function planFor(
  prices: ReadonlyMap<string, Price>,
  credits: number,
  venue: Line | undefined,
): Plan | undefined {
  const speed = venue?.speed ?? 1
  const recipes = RECIPES.filter(
    (row) =>
      isOpen(row) && (venue ? venue.categories.includes(row.category) : row.facility_only !== true),
  )
  const plans = recipes.flatMap((recipe): Plan[] => {
    const [out] = recipe.outputs
    const goal = prices.get(out.item_id)
    if (!goal || goal.bidUnits === 0) return []
    let cost = venue ? labourOf(recipe, venue) : 0
    // Only the best level of each book counts: it refills before the next job.
    let runsMax = Math.floor(goal.bids[0].quantity / out.quantity)
    for (const { item_id, quantity } of recipe.inputs) {
      const price = prices.get(item_id)
      if (!price || price.askUnits === 0) return []
      cost += (price.ask * quantity * COST_PCT) / 100
      runsMax = Math.min(runsMax, Math.floor(price.asks[0].quantity / quantity))
    }
    const ticks = recipe.crafting_time / speed
    const affordable = Math.floor((credits * STAKE_PCT) / 100 / Math.max(1, cost))
    const runs = Math.min(runsMax, affordable, Math.max(1, Math.floor(JOB_TICKS / ticks)))
    const gain = (goal.bid * out.quantity * WORTH_PCT) / 100 - cost
    // Buying and selling takes a tick for each good.
    const rate = (gain * runs) / (ticks * runs + recipe.inputs.length + 2)
    return runs >= 1 && gain > 0 ? [{ recipe, runs, rate }] : []
  })
  return plans.sort((a, b) => b.rate - a.rate || (a.recipe.id < b.recipe.id ? -1 : 1))[0]
}

/** Buys what a plan lacks and orders it. */
function* order(me: Pilot, { recipe, runs }: Plan, line: Line | undefined): Deed {
  for (const { item_id, quantity } of recipe.inputs) {
    const held = storedOf(me).find((row) => row.item_id === item_id)?.quantity ?? 0
    const short = quantity * runs - held
    if (short > 0) yield* act(me, 'buy', { item_id, quantity: short, deliver_to: 'storage' })
  }
  const held = new Map(storedOf(me).map((row) => [row.item_id, row.quantity]))
  const able = Math.min(
    runs,
    ...recipe.inputs.map((row) => Math.floor((held.get(row.item_id) ?? 0) / row.quantity)),
  )
  if (able < 1) return
  const venue = line ? { facility_id: line.facility_id } : { preset: 'workshop' }
  const quantity = able * recipe.outputs[0].quantity
  yield* act(me, 'craft', { recipe_id: recipe.id, quantity, ...venue })
}

/** Sells stored goods that bring a fair price. */
function* sellStored(me: Pilot, prices: ReadonlyMap<string, Price>): Deed {
  for (const { item_id, quantity } of storedOf(me)) {
    const price = prices.get(item_id)
    const isFair = price && price.bid * 100 >= goodOf(item_id).base_value * FAIR_PCT
    if (!isFair || price.bidUnits === 0) continue
    yield* act(me, 'sell', { item_id, quantity: Math.min(quantity, price.bidUnits) })
  }
}

/** Returns the pilot's own lines, and undefined for the bench. */
function venuesOf(me: Pilot): (Line | undefined)[] {
  const owned = me.ask<{ facilities: { facility_id: string; type: string }[] }>('facility', {
    action: 'owned',
  })
  const lines = (owned?.facilities ?? []).flatMap(({ facility_id, type }): Line[] => {
    const row = FACILITIES.find(({ id }) => id === type)
    const categories = row?.recipe_categories
    const speed = SPEEDS[(row?.level ?? 1) - 1]
    return row && categories ? [{ facility_id, categories, speed, labour: row.labor_cost }] : []
  })
  return [undefined, ...lines]
}

export const craft: Policy = function* (me) {
  yield* dockAt(me, me.home)
  const venues = venuesOf(me)
  const ids = new Set(venues.map((line) => line?.facility_id))
  for (;;) {
    const jobs =
      me.ask<{ jobs: { facility_id: string }[] }>('craft', { action: 'queue' })?.jobs ?? []
    const prices = readMarket(me)
    for (const line of venues) {
      const queued = jobs.filter(({ facility_id }) =>
        line ? facility_id === line.facility_id : !ids.has(facility_id),
      )
      const isBusy = queued.length >= (line ? LINE_JOBS : BENCH_JOBS)
      const plan = isBusy ? undefined : planFor(prices, status(me).player.credits, line)
      if (plan) yield* order(me, plan, line)
    }
    yield* sellStored(me, readMarket(me))
    yield* wait(LOOK_TICKS)
  }
}
