/**
 * Plans of jobs: what one takes, where it runs, whether it can be paid. A quote and an order share
 * this code. Source: crafting.md sections 2, 5.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { type Details, type Failure, fail, failAs, ok } from '../../core/errors.ts'
import { Container, type Held, Stack } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { counted, listed, say } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { FactionStore } from '../faction/state.ts'
import { activeShip, cargoUnits } from '../ship/model.ts'
import {
  countUnits,
  givenBy,
  makesFuel,
  recipeRow,
  recipesNamed,
  runsFor,
  takenBy,
} from './recipe-model.ts'
import {
  BENCH_TICKS_MAX,
  EXTERNAL,
  JOB_RUNS_MAX,
  JOB_UNITS_MAX,
  JOBS_PER_FACILITY_MAX,
  JOBS_PER_FOREIGN_FACILITY_MAX,
  JOBS_PER_PLAYER_MAX,
  Job,
  LINE_TICKS_MAX,
  RECYCLE,
} from './state.ts'
import {
  creditsOf,
  fuelRefusal,
  namedStore,
  type Place,
  type Store,
  unitsHeld,
} from './store-model.ts'
import {
  chooseVenue,
  jobsAt,
  jobsOf,
  type Preset,
  type Venue,
  workLeft,
  workOfRun,
} from './venue-model.ts'

/** The parameters of `craft` and `recycle` for a job by a recipe. */
interface RecipeOrder {
  readonly recipe_id: string
  readonly quantity?: number
  readonly facility_id?: string
  readonly preset?: Preset
  readonly deliver_to?: string
  readonly source?: string
}

/** The plan of a job: what it takes and gives, where it runs, who pays. */
export interface Plan {
  readonly player: Eid
  readonly base: Row
  readonly recipe: number
  readonly mode: number
  readonly quantity: number
  readonly runs: number
  readonly venue: Venue
  readonly source: Store
  readonly target: Store
  readonly takes: readonly Held[]
  readonly gives: readonly Held[]
}

/** Returns the labour cost of a plan, credits. */
export const laborOf = ({ venue, runs }: Plan): number => venue.laborEach * runs
/** Returns labour and rent of a plan, credits. */
export const creditsTotal = (plan: Plan): number => laborOf(plan) + plan.venue.fee

/** Returns the goods of which there are too few, for the details of a refusal. */
export const missingDetails = (goods: readonly Held[], unitsOf: (item: number) => number) =>
  goods.flatMap(({ item, units }): Details[] => {
    const have = unitsOf(item)
    const { id, name } = GOODS[item]
    return have < units ? [{ item_id: id, item_name: name, need: units, have }] : []
  })

/** Refuses a plan whose source lacks inputs: missing_materials. */
export function materialsRefusal(
  view: WorldView,
  plan: Plan,
): Failure<'missing_materials'> | undefined {
  const unitsOf = (item: number) => unitsHeld(view, plan, plan.source, item)
  const missing = missingDetails(plan.takes, unitsOf)
  if (missing.length === 0) return undefined
  if (plan.source.faction !== 0) {
    return failAs('missing_materials', { missing }, 'missing_faction_materials')
  }
  const refusal = fail('missing_materials', { missing })
  const aboard = aboardOf(view, plan, unitsOf)
  if (aboard.length === 0) return refusal
  const message = say`${refusal.message} In the hold are ${listed(aboard)}: {deposit_items} first.`
  return { ...refusal, message }
}

/** Lists what the hold has of the goods that storage lacks: jobs take nothing from a hold. */
function aboardOf(view: WorldView, plan: Plan, unitsOf: (item: number) => number): string[] {
  const ship = activeShip(view, plan.player)
  return plan.takes.flatMap(({ item, units }) => {
    const aboard = unitsOf(item) < units ? cargoUnits(view, ship, item) : 0
    return aboard === 0 ? [] : [`${aboard} ${GOODS[item].name} (${GOODS[item].id})`]
  })
}

/** Refuses a plan whose source cannot pay for it: no_credits, faction_no_credits. */
export function creditsRefusal(
  view: WorldView,
  plan: Plan,
): Failure<'faction_no_credits' | 'no_credits'> | undefined {
  const need = creditsTotal(plan)
  const have = balanceOf(view, creditsOf(view, plan.player, plan.source))
  if (have >= need) return undefined
  return fail(plan.source.faction === 0 ? 'no_credits' : 'faction_no_credits', { need, have })
}

/** Returns the work of a player's own jobs in the queue that a plan joins. */
function ownWork(view: WorldView, { player, base, venue }: Plan): number {
  const { facility, base: baseOf } = view.read(Job)
  return jobsOf(view, player)
    .filter((job) => facility[job] === venue.facility)
    .filter((job) => venue.facility !== 0 || baseOf[job] === base)
    .reduce((sum, job) => sum + workLeft(view, job), 0)
}

/**
 * Refuses more work than one player may have ahead of them at a workshop or a facility; the first
 * run always fits. Refusal: job_limit_reached.
 */
export function backlogRefusal(
  view: WorldView,
  plan: Plan,
): Failure<'job_limit_reached'> | undefined {
  const { venue, runs } = plan
  const ticks = venue.facility === 0 ? BENCH_TICKS_MAX : LINE_TICKS_MAX
  const ahead = ownWork(view, plan)
  const each = Math.max(1, workOfRun(plan, venue.facility))
  const room = divFloor(ticks * venue.gain - ahead, each)
  const fits = Math.max(ahead === 0 ? 1 : 0, room)
  if (runs <= fits) return undefined
  const message =
    `Your jobs here may hold ${counted(ticks, 'tick')} of work: ` +
    `${fits === 0 ? 'no further run fits' : `at most ${counted(fits, 'run')} of this fit`} now; ` +
    'order fewer, or more when some are done.'
  return fail('job_limit_reached', { most: fits, of: 'runs', ticks }, message)
}

const QUEUE = say`{craft} with action queue lists your jobs; wait, or cancel one.`

/** Refuses one job too many: job_limit_reached, limit_reached. */
export function jobRefusal(
  view: WorldView,
  plan: Plan,
): Failure<'job_limit_reached' | 'limit_reached'> | undefined {
  const { player, venue } = plan
  const { facility, lane } = venue
  const own = jobsOf(view, player)
  if (own.length >= JOBS_PER_PLAYER_MAX) {
    const message = `You have ${JOBS_PER_PLAYER_MAX} jobs, as many as you may. ${QUEUE}`
    return fail('job_limit_reached', { most: JOBS_PER_PLAYER_MAX, of: 'player' }, message)
  }
  if (facility !== 0 && jobsAt(view, facility).length >= JOBS_PER_FACILITY_MAX) {
    const message = `This facility has ${JOBS_PER_FACILITY_MAX} jobs, its limit; use another.`
    return fail('job_limit_reached', { most: JOBS_PER_FACILITY_MAX, of: 'facility' }, message)
  }
  const { facility: facilityOf } = view.read(Job)
  const here = lane === EXTERNAL ? own.filter((job) => facilityOf[job] === facility).length : 0
  if (here >= JOBS_PER_FOREIGN_FACILITY_MAX) {
    const most = JOBS_PER_FOREIGN_FACILITY_MAX
    const message = `You have ${most} jobs at this facility, as many as a guest may. ${QUEUE}`
    return fail('job_limit_reached', { most, of: 'player_here' }, message)
  }
  const isFull = [Job, Container, Stack, FactionStore].some((table) => isNearlyFull(view, table))
  return isFull ? fail('limit_reached', { full: 'jobs' }) : undefined
}

/**
 * Returns the recipe with an id; ours: or the only one that makes the item with that id, since a
 * player recycles by what they hold. Refusals: unknown_recipe, not_recyclable.
 */
function namedRecipe(
  id: string,
  mode: number,
): number | Failure<'not_recyclable' | 'unknown_recipe'> {
  const [recipe, ...others] = recipesNamed(id)
  if (recipe === undefined) return fail('unknown_recipe', { recipe_id: id })
  if (others.length > 0) {
    const recipes = [recipe, ...others].map((one) => recipeRow(one).id)
    const message = `Several recipes make “${id}”; name one of them: ${listed(recipes, 'or')}.`
    return fail('unknown_recipe', { recipe_id: id, recipes }, message)
  }
  const { no_recycle, package_operation, outputs } = recipeRow(recipe)
  const isFixed =
    no_recycle === true ||
    package_operation !== undefined ||
    takenBy(recipe, RECYCLE).some(({ item }) => GOODS[item].quest_item === true)
  if (mode === RECYCLE && isFixed) return fail('not_recyclable', { recipe_id: id })
  if (outputs.length === 0) return fail('unknown_recipe', { recipe_id: id })
  return recipe
}

/** Refuses a job of too many runs or units: job_limit_reached. */
function sizeRefusal(
  recipe: number,
  mode: number,
  runs: number,
): Failure<'job_limit_reached'> | undefined {
  if (runs > JOB_RUNS_MAX) {
    const message = `A job has at most ${JOB_RUNS_MAX} runs; order fewer at a time.`
    return fail('job_limit_reached', { most: JOB_RUNS_MAX, of: 'runs' }, message)
  }
  const units = Math.max(
    countUnits(givenBy(recipe, mode, 0, runs)),
    countUnits(takenBy(recipe, mode)) * (mode === RECYCLE ? runs : 0),
  )
  if (units <= JOB_UNITS_MAX) return undefined
  const message = `A job moves at most ${JOB_UNITS_MAX} units in and out; order fewer at a time.`
  return fail('job_limit_reached', { most: JOB_UNITS_MAX, of: 'units' }, message)
}

interface Price {
  readonly takes: readonly Held[]
  readonly credits: number
}

/** Returns the named store as both stores of a job, if it holds what the job takes. */
function payingStore(view: WorldView, place: Place, name: string, { takes, credits }: Price) {
  const store = namedStore(view, place, name, { field: 'source', use: 'pays' })
  if ('code' in store) return undefined
  const pays =
    balanceOf(view, creditsOf(view, place.player, store)) >= credits &&
    takes.every(({ item, units }) => unitsHeld(view, place, store, item) >= units)
  return pays ? { source: store, target: store } : undefined
}

/**
 * Returns the stores that an order names; if it names one, that is both. By default both are the
 * player's locker, or the faction's store if only that one holds enough and the player may pay
 * from it.
 */
function storesOf(
  view: WorldView,
  place: Place,
  { deliver_to, source }: RecipeOrder,
  price: Price,
) {
  if (deliver_to === undefined && source === undefined) {
    const stores =
      payingStore(view, place, 'storage', price) ?? payingStore(view, place, 'faction', price)
    if (stores) return stores
  }
  const from = namedStore(view, place, source ?? deliver_to ?? 'storage', {
    field: source === undefined ? 'deliver_to' : 'source',
    use: 'pays',
  })
  if ('code' in from) return from
  const to = namedStore(view, place, deliver_to ?? source ?? 'storage', {
    field: 'deliver_to',
    use: 'takes',
  })
  return 'code' in to ? to : { source: from, target: to }
}

/**
 * Plans a job of a player docked at the base, whether or not it can be paid. Refusals:
 * unknown_recipe, not_recyclable, job_limit_reached (size), amount_too_large, those of the stores
 * and of the venue.
 */
export function planJob(view: WorldView, place: Place, mode: number, order: RecipeOrder) {
  const recipe = namedRecipe(order.recipe_id, mode)
  if (typeof recipe !== 'number') return recipe
  const quantity = order.quantity ?? 1
  const runs = runsFor(recipe, quantity)
  const tooMuch = sizeRefusal(recipe, mode, runs)
  if (tooMuch) return tooMuch
  const venue = chooseVenue(view, place, { recipe, mode, runs }, order)
  if ('code' in venue) return venue
  const credits = venue.laborEach * runs + venue.fee
  if (!Number.isSafeInteger(credits)) return fail('amount_too_large')
  const takes = takenBy(recipe, mode).map(({ item, units }) => ({ item, units: units * runs }))
  const stores = storesOf(view, place, order, { takes, credits })
  if ('code' in stores) return stores
  const noTank = makesFuel(recipe, mode) ? fuelRefusal(view, place, stores.target) : undefined
  if (noTank) return noTank
  const gives = givenBy(recipe, mode, 0, runs)
  return ok({ ...place, recipe, mode, quantity, runs, venue, ...stores, takes, gives })
}

/** Refuses a plan that cannot be ordered now. */
export const planRefusal = (view: WorldView, plan: Plan) =>
  jobRefusal(view, plan) ??
  materialsRefusal(view, plan) ??
  creditsRefusal(view, plan) ??
  backlogRefusal(view, plan)
