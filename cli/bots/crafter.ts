/** Crafters: stay at home, buy what a recipe needs, run it in the workshop, sell what comes out. */
import { GOODS, itemIndex, RECIPES, type RecipeRow } from '../../core/catalog/index.ts'
import type { World } from '../../core/types.ts'
import { storedUnits } from '../../systems/cargo/model.ts'
import { salesTaxBps } from '../../systems/market/model.ts'
import { ASK, BID } from '../../systems/market/state.ts'
import {
  type Bot,
  bestOffer,
  creditsOf,
  dockAt,
  holdOf,
  isWare,
  refuel,
  sellSome,
  storedAt,
  type Wish,
  wish,
} from './moves.ts'

interface Work {
  readonly recipe: RecipeRow
  readonly runs: number
  /** When the job began; 0 while goods are still bought. */
  startedTick: number
}

const RUNS_MAX = 20
const CHOICE = 8
/** Not everybody runs after the best: as often, any recipe that pays will do. */
const OWN_WAY_PCT = 50
const REST_TICKS = 15
/** A job that takes longer than this is left to itself. */
const PATIENCE_TICKS = 400
/** Percent of the purse that goes into one job. */
const STAKE_PCT = 50

const BENCH = RECIPES.filter(
  (row) => !row.hidden && !row.facility_only && row.package_operation === undefined,
)

/**
 * Returns the credits a run costs at what is asked here; undefined where an input is not to be had.
 */
function costOf(world: World, bot: Bot, recipe: RecipeRow): number | undefined {
  const tax = 1 + salesTaxBps(world, bot.player, bot.home) / 10_000
  let cost = 0
  for (const { item_id, quantity } of recipe.inputs) {
    const item = itemIndex(item_id)
    const held = storedUnits(world, bot.player, bot.home, item)
    const ask = bestOffer(world, bot.home, item, ASK)
    if (held >= quantity) cost += (quantity * GOODS[item].base_value) / 2
    else if (ask && ask.units >= quantity) cost += quantity * ask.price * tax
    else return undefined
  }
  return cost
}

function worthOf(world: World, bot: Bot, recipe: RecipeRow): number {
  return recipe.outputs.reduce((sum, { item_id, quantity }) => {
    const item = itemIndex(item_id)
    const bid = isWare(world, bot.home, item) ? bestOffer(world, bot.home, item, BID) : undefined
    return sum + quantity * (bid?.price ?? GOODS[item].base_value * 0.6)
  }, 0)
}

/** Returns one of the recipes that pay best by the tick. */
function choose(world: World, bot: Bot): Work | undefined {
  const purse = (creditsOf(world, bot) * STAKE_PCT) / 100
  const paying = BENCH.flatMap((recipe) => {
    const cost = costOf(world, bot, recipe)
    if (cost === undefined || cost > purse) return []
    const gain = (worthOf(world, bot, recipe) - cost) / Math.max(1, recipe.crafting_time)
    return gain > 0 ? [{ recipe, cost, gain }] : []
  })
  if (paying.length === 0) return undefined
  paying.sort((a, b) => b.gain - a.gain || (a.recipe.id < b.recipe.id ? -1 : 1))
  const { recipe, cost } = bot.dice.pick(
    bot.dice.chance(OWN_WAY_PCT) ? paying : paying.slice(0, CHOICE),
  )
  const most = Math.floor(purse / Math.max(1, cost))
  const time = Math.floor(PATIENCE_TICKS / 4 / recipe.crafting_time)
  return { recipe, runs: Math.max(1, Math.min(RUNS_MAX, most, time)), startedTick: 0 }
}

/** Buys the first input that is short; the job is off when it is no longer to be had. */
function supply(world: World, bot: Bot, { recipe, runs }: Work): Wish | 'ready' | 'off' {
  for (const { item_id, quantity } of recipe.inputs) {
    const item = itemIndex(item_id)
    const short = quantity * runs - storedUnits(world, bot.player, bot.home, item)
    if (short <= 0) continue
    const ask = bestOffer(world, bot.home, item, ASK)
    if (!ask || ask.price > creditsOf(world, bot)) return 'off'
    return wish(bot, 'buy', {
      item_id,
      quantity: Math.min(short, ask.units),
      deliver_to: 'storage',
    })
  }
  return 'ready'
}

export function craft(world: World, bot: Bot): Wish | undefined {
  const next = dockAt(world, bot, bot.home) ?? refuel(world, bot)
  if (next) return next
  const work = bot.plan as Work | undefined
  if (!work) {
    const stock = [...storedAt(world, bot, bot.home), ...holdOf(world, bot)]
    const sold = bot.dice.chance(70) ? sellSome(world, bot, stock) : undefined
    if (sold) return sold
    bot.plan = choose(world, bot)
    if (!bot.plan) bot.restTick = world.tick + REST_TICKS + bot.dice.below(REST_TICKS)
    return undefined
  }
  if (work.startedTick > 0) {
    const [output] = work.recipe.outputs
    const made = storedUnits(world, bot.player, bot.home, itemIndex(output.item_id))
    const isDone = made >= output.quantity * work.runs
    if (isDone || world.tick > work.startedTick + PATIENCE_TICKS) bot.plan = undefined
    else bot.restTick = world.tick + 2
    return undefined
  }
  const supplied = supply(world, bot, work)
  if (supplied === 'off') {
    bot.plan = undefined
    return undefined
  }
  if (supplied !== 'ready') return supplied
  work.startedTick = world.tick
  const quantity = work.runs * work.recipe.outputs[0].quantity
  return wish(bot, 'craft', { recipe_id: work.recipe.id, quantity, preset: 'workshop' })
}
