/**
 * Ordering a job: what it takes, where it runs, whether that can be paid. A trial run and the
 * order itself are the same code up to the first posting. Source: crafting.md sections 2, 5.
 */
import { GOODS } from '../../core/catalog/index.ts'
import { type Details, type Failure, fail, ok } from '../../core/errors.ts'
import { Container, Stack } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { FactionStore } from '../faction/state.ts'
import {
  EXTERNAL,
  JOB_RUNS_MAX,
  JOB_UNITS_MAX,
  JOBS_PER_FACILITY_MAX,
  JOBS_PER_FOREIGN_FACILITY_MAX,
  JOBS_PER_PLAYER_MAX,
  Job,
  RECYCLE,
} from './state.ts'
import {
  countUnits,
  creditsOf,
  findRecipe,
  fuelRefusal,
  givenBy,
  makesFuel,
  type Place,
  recipeRow,
  runsFor,
  type Store,
  storeMeant,
  takenBy,
  type Units,
  unitsHeld,
} from './store-model.ts'
import { chooseVenue, jobsAt, jobsOf, type Preset, type Venue } from './venue-model.ts'

/** A row of `craft` or `recycle` that makes a job by a recipe. */
interface Asked {
  readonly recipe_id: string
  readonly quantity?: number
  readonly facility_id?: string
  readonly preset?: Preset
  readonly deliver_to?: string
  readonly source?: string
}

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
  readonly takes: readonly Units[]
  readonly gives: readonly Units[]
}

export const laborOf = ({ venue, runs }: Plan): number => venue.laborEach * runs
export const creditsTotal = (plan: Plan): number => laborOf(plan) + plan.venue.fee

/** What is not there of what a plan takes. */
function missingOf(view: WorldView, plan: Plan): Details[] {
  return plan.takes.flatMap(({ item, units }) => {
    const have = unitsHeld(view, plan, plan.source, item)
    const { id, name } = GOODS[item]
    return have < units ? [{ item_id: id, item_name: name, need: units, have }] : []
  })
}

/** Refusal: missing_materials. */
export function materialsRefusal(
  view: WorldView,
  plan: Plan,
): Failure<'missing_materials'> | undefined {
  const missing = missingOf(view, plan)
  return missing.length > 0 ? fail('missing_materials', { missing }) : undefined
}

/** Refusals: no_credits, faction_no_credits. */
export function creditsRefusal(
  view: WorldView,
  plan: Plan,
): Failure<'faction_no_credits' | 'no_credits'> | undefined {
  const need = creditsTotal(plan)
  const have = balanceOf(view, creditsOf(view, plan.player, plan.source))
  if (have >= need) return undefined
  return fail(plan.source.faction === 0 ? 'no_credits' : 'faction_no_credits', { need, have })
}

/** Refusals: job_limit_reached, limit_reached. */
export function jobRefusal(
  view: WorldView,
  plan: Plan,
): Failure<'job_limit_reached' | 'limit_reached'> | undefined {
  const { player, venue } = plan
  const { facility, lane } = venue
  const own = jobsOf(view, player)
  if (own.length >= JOBS_PER_PLAYER_MAX) {
    return fail('job_limit_reached', { most: JOBS_PER_PLAYER_MAX, of: 'player' })
  }
  if (facility !== 0 && jobsAt(view, facility).length >= JOBS_PER_FACILITY_MAX) {
    return fail('job_limit_reached', { most: JOBS_PER_FACILITY_MAX, of: 'facility' })
  }
  const { facility: places } = view.read(Job)
  const here = lane === EXTERNAL ? own.filter((job) => places[job] === facility).length : 0
  if (here >= JOBS_PER_FOREIGN_FACILITY_MAX) {
    return fail('job_limit_reached', { most: JOBS_PER_FOREIGN_FACILITY_MAX, of: 'player_here' })
  }
  const isFull = [Job, Container, Stack, FactionStore].some((table) => isNearlyFull(view, table))
  return isFull ? fail('limit_reached', { full: 'jobs' }) : undefined
}

/** The recipe a row means. Refusals: unknown_recipe, not_recyclable. */
function recipeMeant(
  id: string,
  mode: number,
): number | Failure<'not_recyclable' | 'unknown_recipe'> {
  const recipe = findRecipe(id)
  if (recipe < 0) return fail('unknown_recipe', { recipe_id: id })
  const { no_recycle, package_operation, outputs } = recipeRow(recipe)
  // a package or a quest item is no recipe's to take apart
  const isFixed =
    no_recycle === true ||
    package_operation !== undefined ||
    takenBy(recipe, RECYCLE).some(({ item }) => GOODS[item].quest_item === true)
  if (mode === RECYCLE && isFixed) return fail('not_recyclable', { recipe_id: id })
  if (outputs.length === 0) return fail('unknown_recipe', { recipe_id: id })
  return recipe
}

/** Refusals: job_limit_reached, amount_too_large. */
function sizeRefusal(
  recipe: number,
  mode: number,
  runs: number,
): Failure<'job_limit_reached'> | undefined {
  if (runs > JOB_RUNS_MAX) return fail('job_limit_reached', { most: JOB_RUNS_MAX, of: 'runs' })
  const units = Math.max(
    countUnits(givenBy(recipe, mode, 0, runs)),
    countUnits(takenBy(recipe, mode)) * (mode === RECYCLE ? runs : 0),
  )
  if (units <= JOB_UNITS_MAX) return undefined
  return fail('job_limit_reached', { most: JOB_UNITS_MAX, of: 'units' })
}

interface Price {
  readonly takes: readonly Units[]
  readonly credits: number
}

/** The store that a word means, if it holds what a job takes. */
function payingStore(view: WorldView, place: Place, word: string, { takes, credits }: Price) {
  const store = storeMeant(view, place, word, 'pays')
  if ('code' in store) return undefined
  const pays =
    balanceOf(view, creditsOf(view, place.player, store)) >= credits &&
    takes.every(({ item, units }) => unitsHeld(view, place, store, item) >= units)
  return pays ? { source: store, target: store } : undefined
}

/**
 * The stores a row names: one named stands for both. None stands for the own locker; where that is
 * short, for the faction's store, if it is not and the player looks after it.
 */
function storesOf(
  view: WorldView,
  place: Place,
  { deliver_to, source }: Pick<Asked, 'deliver_to' | 'source'>,
  price: Price,
) {
  if (deliver_to === undefined && source === undefined) {
    const found =
      payingStore(view, place, 'storage', price) ?? payingStore(view, place, 'faction', price)
    if (found) return found
  }
  const from = storeMeant(view, place, source ?? deliver_to ?? 'storage', 'pays')
  if ('code' in from) return from
  const to = storeMeant(view, place, deliver_to ?? source ?? 'storage', 'takes')
  return 'code' in to ? to : { source: from, target: to }
}

/**
 * A job as it would be ordered by a player docked at the base, whether or not it can be paid.
 * Refusals: unknown_recipe, not_recyclable, job_limit_reached (size), amount_too_large, those of
 * the stores and of the venue.
 */
export function planJob(
  view: WorldView,
  place: { readonly player: Eid; readonly base: Row },
  mode: number,
  asked: Asked,
) {
  const recipe = recipeMeant(asked.recipe_id, mode)
  if (typeof recipe !== 'number') return recipe
  const quantity = asked.quantity ?? 1
  const runs = runsFor(recipe, quantity)
  const tooMuch = sizeRefusal(recipe, mode, runs)
  if (tooMuch) return tooMuch
  const wanted = { facilityId: asked.facility_id, preset: asked.preset }
  const venue = chooseVenue(view, place, { recipe, mode, runs }, wanted)
  if ('code' in venue) return venue
  const credits = venue.laborEach * runs + venue.fee
  if (!Number.isSafeInteger(credits)) return fail('amount_too_large')
  const takes = takenBy(recipe, mode).map(({ item, units }) => ({ item, units: units * runs }))
  const stores = storesOf(view, place, asked, { takes, credits })
  if ('code' in stores) return stores
  const noTank = makesFuel(recipe, mode) ? fuelRefusal(view, place, stores.target) : undefined
  if (noTank) return noTank
  const gives = givenBy(recipe, mode, 0, runs)
  return ok({ ...place, recipe, mode, quantity, runs, venue, ...stores, takes, gives })
}

/** Everything that stands in the way of a plan. */
export const planRefusal = (view: WorldView, plan: Plan) =>
  jobRefusal(view, plan) ?? materialsRefusal(view, plan) ?? creditsRefusal(view, plan)
