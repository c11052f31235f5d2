/** Crafters stay at home, buy what a recipe needs, run it in the workshop and sell the output. */
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
  /** When the job began; 0 while its inputs are still being bought. */
  startedTick: number
}

const RUNS_MAX = 20
/** How many of the best recipes a bot chooses from, so that not all bots make the same. */
const CANDIDATES = 8
/** The chance that a bot instead chooses from all profitable recipes. */
const ANY_RECIPE_PCT = 50
const REST_TICKS = 15
/** A bot gives up on a job that takes longer than this. */
const PATIENCE_TICKS = 400
/** A job is planned to take at most this long. */
const JOB_TICKS = PATIENCE_TICKS / 4
/** What an input that the bot already has costs it, as a share of its base value. */
const OWN_STOCK_SHARE = 0.5
/** What an output is worth for which there is no bid at home, as a share of its base value. */
const NO_BID_SHARE = 0.6
/** The chance that a bot sells something before it plans a job. */
const SALE_PCT = 70
/** Percentage of its credits that a bot puts into one job. */
const STAKE_PCT = 50

const WORKSHOP_RECIPES = RECIPES.filter(
  (row) => !row.hidden && !row.facility_only && row.package_operation === undefined,
)

/**
 * Returns the credits that one run costs at the asking prices at home; undefined if an input is not
 * for sale.
 */
function costOf(world: World, bot: Bot, recipe: RecipeRow): number | undefined {
  const tax = 1 + salesTaxBps(world, bot.player, bot.home) / 10_000
  let cost = 0
  for (const { item_id, quantity } of recipe.inputs) {
    const item = itemIndex(item_id)
    const held = storedUnits(world, bot.player, bot.home, item)
    const ask = bestOffer(world, bot.home, item, ASK)
    if (held >= quantity) cost += quantity * GOODS[item].base_value * OWN_STOCK_SHARE
    else if (ask && ask.units >= quantity) cost += quantity * ask.price * tax
    else return undefined
  }
  return cost
}

function worthOf(world: World, bot: Bot, recipe: RecipeRow): number {
  return recipe.outputs.reduce((sum, { item_id, quantity }) => {
    const item = itemIndex(item_id)
    const bid = isWare(world, bot.home, item) ? bestOffer(world, bot.home, item, BID) : undefined
    return sum + quantity * (bid?.price ?? GOODS[item].base_value * NO_BID_SHARE)
  }, 0)
}

/** Chooses among the recipes that earn most per tick. */
function choose(world: World, bot: Bot): Work | undefined {
  const budget = (creditsOf(world, bot) * STAKE_PCT) / 100
  const profitable = WORKSHOP_RECIPES.flatMap((recipe) => {
    const cost = costOf(world, bot, recipe)
    if (cost === undefined || cost > budget) return []
    const gain = (worthOf(world, bot, recipe) - cost) / Math.max(1, recipe.crafting_time)
    return gain > 0 ? [{ recipe, cost, gain }] : []
  })
  if (profitable.length === 0) return undefined
  profitable.sort((a, b) => b.gain - a.gain || (a.recipe.id < b.recipe.id ? -1 : 1))
  const { recipe, cost } = bot.dice.pick(
    bot.dice.chance(ANY_RECIPE_PCT) ? profitable : profitable.slice(0, CANDIDATES),
  )
  const affordable = Math.floor(budget / Math.max(1, cost))
  const inTime = Math.floor(JOB_TICKS / recipe.crafting_time)
  return { recipe, runs: Math.max(1, Math.min(RUNS_MAX, affordable, inTime)), startedTick: 0 }
}

/** Buys the first missing input; the job is off when that input is no longer for sale. */
function supply(world: World, bot: Bot, { recipe, runs }: Work): Wish | 'ready' | 'off' {
  for (const { item_id, quantity } of recipe.inputs) {
    const item = itemIndex(item_id)
    const missing = quantity * runs - storedUnits(world, bot.player, bot.home, item)
    if (missing <= 0) continue
    const ask = bestOffer(world, bot.home, item, ASK)
    if (!ask || ask.price > creditsOf(world, bot)) return 'off'
    return wish(bot, 'buy', {
      item_id,
      quantity: Math.min(missing, ask.units),
      deliver_to: 'storage',
    })
  }
  return 'ready'
}

/** Returns the next command of a crafter; undefined to rest this tick. */
export function craft(world: World, bot: Bot): Wish | undefined {
  const next = dockAt(world, bot, bot.home) ?? refuel(world, bot)
  if (next) return next
  const work = bot.plan as Work | undefined
  if (!work) {
    const stock = [...storedAt(world, bot, bot.home), ...holdOf(world, bot)]
    const sold = bot.dice.chance(SALE_PCT) ? sellSome(world, bot, stock) : undefined
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
