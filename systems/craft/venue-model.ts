/**
 * Venues: the facilities and workshops that can run a recipe for a player, how quickly, for what
 * rent, and which of them a preset prefers; and their queues. Source: crafting.md sections 1, 2.
 */
import { assert } from '../../core/assert.ts'
import { runsRecipe } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { divCeil, divFloor, mulDivCeil } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseName, hasService } from '../base/model.ts'
import { areFactionsAllied } from '../diplomacy/model.ts'
import { tuned } from '../empire/balance-model.ts'
import {
  efficiencyPermille,
  facilitiesAt,
  facilityById,
  facilityId,
  facilityName,
  facilityTypeAt,
  isRunning,
  speedMilli,
} from '../facility/model.ts'
import { Facility, OF_FACTION, OF_PLAYER, OF_STATION, PUBLIC } from '../facility/state.ts'
import { factionOf } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { levelOf } from '../skill/model.ts'
import { serviceRefusal } from '../station/model.ts'
import {
  countUnits,
  givenBy,
  goodsValue,
  laborMinOf,
  needOf,
  recipeRow,
  skillOfRecipe,
  takenBy,
} from './recipe-model.ts'
import type { PRESETS } from './schemas.ts'
import {
  EXTERNAL,
  INTERNAL,
  Job,
  PACK,
  QUEUES,
  type Queue,
  RECYCLE,
  UNPACK,
  VENUES_COMPARED_MAX,
} from './state.ts'
import type { Place } from './store-model.ts'

/** More rows than there are bases, and facilities: keys stay distinct. */
const BASE_ROWS = 0x10000
const FACILITY_ROWS = 0x100000000

export const queueKey = (facility: Row, player: Eid, base: Row): number =>
  facility !== 0 ? facility : FACILITY_ROWS + player * BASE_ROWS + base

const NONE: readonly Row[] = []

/* Queues */

/** Returns the queue of a facility, or of a player's workshop; undefined while it is empty. */
export const queueOf = (
  view: WorldView,
  facility: Row,
  player: Eid,
  base: Row,
): Readonly<Queue> | undefined => view.index(QUEUES).byKey.get(queueKey(facility, player, base))

/** Returns the queue that a job is in. */
export function queueOfJob(view: WorldView, job: Row): Queue {
  const { facility, player, base } = view.read(Job)
  const queue = view.index(QUEUES).byKey.get(queueKey(facility[job], player[job], base[job]))
  assert(queue, `job ${job} is in no queue`)
  return queue
}

/** Returns the jobs of a facility, in the order of its queue. */
export const jobsAt = (view: WorldView, facility: Row): readonly Row[] =>
  view.index(QUEUES).byKey.get(facility)?.jobs ?? NONE

export const liveJobsOf = (view: WorldView, facility: Row): number => jobsAt(view, facility).length

/** Returns the jobs of a player, the oldest first. */
export const jobsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(QUEUES).byPlayer.get(player) ?? NONE

export const facilityQueues = (view: WorldView): readonly Queue[] => view.index(QUEUES).facilities
export const workshopQueues = (view: WorldView): readonly Queue[] => view.index(QUEUES).workshops

/** Returns the work of a job's remaining runs, less the progress of the current one. */
export function workLeft(view: WorldView, job: Row): number {
  const { runsTotal, runsDone, need, progress } = view.read(Job)
  return Math.max(0, need[job] * (runsTotal[job] - runsDone[job]) - progress[job])
}

/** Returns the work in a queue that comes before a new job of the lane. */
function workAhead(queue: Readonly<Queue> | undefined, lane: number): number {
  if (!queue) return 0
  return lane === EXTERNAL ? queue.work[0] + queue.work[1] : queue.work[0]
}

/** Returns the position of the last job of a lane; 0 where it is empty. */
export function lastPosition(view: WorldView, queue: Readonly<Queue> | undefined, lane: number) {
  const { lane: lanes, position } = view.read(Job)
  const last = queue?.jobs.findLast((job) => lanes[job] === lane)
  return last === undefined ? 0 : position[last]
}

/**
 * Relation of the owner of a venue to the player, best first. Source: crafting.md section 1,
 * auto-route order.
 */
const VENUE_TYPES = ['own', 'faction', 'ally', 'public', 'workshop'] as const
type VenueType = (typeof VENUE_TYPES)[number]

export type Preset = (typeof PRESETS)[number]

/**
 * Speed of a workshop without skill, and for each level of it, thousandths. ours: at 30, beginners
 * earned more than their band within a day; at 20, no more at level 8 than without skill.
 */
const WORKSHOP_SPEED = 1_000
const WORKSHOP_SPEED_PER_LEVEL = 22
/** Most ticks that an estimate of completion shows. */
const ETA_MAX = 1_000_000_000

/** What a venue needs to know of a job. */
interface Work {
  readonly recipe: number
  readonly mode: number
  readonly runs: number
}

/** A place that can run a job, with its speed and price. */
export interface Venue {
  /** 0 for the workshop. */
  readonly facility: Row
  readonly type: VenueType
  readonly lane: number
  /** Work done in a tick, thousandths. */
  readonly gain: number
  /** Wages of a run, credits. */
  readonly laborEach: number
  /** Rent of all runs, credits. */
  readonly fee: number
  readonly etaTicks: number
}

/* Speed */

/** Returns the work of a tick at a player's workshop, thousandths, by the skill of the recipe. */
export const workshopGain = (view: WorldView, player: Eid, recipe: number): number =>
  WORKSHOP_SPEED + WORKSHOP_SPEED_PER_LEVEL * levelOf(view, player, skillOfRecipe(recipe))

/** Returns the work of a tick in a facility, thousandths: less while its base lacks power. */
export const facilityGain = (view: WorldView, facility: Row): number =>
  Math.max(
    1,
    divFloor(
      speedMilli(view, facility) * efficiencyPermille(view, view.read(Facility).base[facility]),
      1_000,
    ),
  )

/** Returns the ticks that work takes. Source: crafting.md section 3. */
export const etaOf = (work: number, gain: number): number =>
  Math.min(ETA_MAX, divCeil(Math.max(0, work), gain))

/** Returns the wire id of a venue; a workshop has none. */
export const venueId = (view: WorldView, facility: Row): string =>
  facility === 0 ? '' : facilityId(view, facility)

export const venueName = (view: WorldView, facility: Row, base: Row): string =>
  facility === 0 ? `Workshop at ${baseName(view, base)}` : facilityName(view, facility)

/** Work of unpacking without the tools for it, thousandths. Source: trade-storage.md section 5. */
const WORKSHOP_UNPACK_WORK = 40_000

/** Returns the work of a run, thousandths of a tick at speed 1. */
export const workOfRun = (
  { recipe, mode }: Pick<Work, 'recipe' | 'mode'>,
  facility: Row,
): number => (mode === UNPACK && facility === 0 ? WORKSHOP_UNPACK_WORK : needOf(recipe))

/* Access and rent */

/** Returns whether facilities of this type do the work. */
function canRun(view: WorldView, facility: Row, { recipe, mode }: Work): boolean {
  const type = facilityTypeAt(view, facility)
  if (mode === RECYCLE) return type.is_recycler === true
  if (mode === PACK || mode === UNPACK) return type.logistics === true
  return runsRecipe(type, recipeRow(recipe))
}

/** Returns how the owner of a facility relates to a player; undefined if it is closed to them. */
export function accessTo(view: WorldView, player: Eid, facility: Row): VenueType | undefined {
  const { ownerKind, player: owner, faction, access } = view.read(Facility)
  if (ownerKind[facility] === OF_PLAYER && owner[facility] === player) return 'own'
  if (ownerKind[facility] === OF_FACTION) {
    if (factionOf(view, player) === faction[facility]) return 'faction'
    if (sharesWith(view, player, faction[facility])) return 'ally'
  }
  const isOpen = ownerKind[facility] === OF_STATION || access[facility] === PUBLIC
  return isOpen ? 'public' : undefined
}

/** Returns whether a faction shares its facilities with allies, and the player's is one. */
function sharesWith(view: WorldView, player: Eid, faction: Row): boolean {
  const isOpen = view.read(Faction).allyFacilityAccess[faction] === 1
  return isOpen && areFactionsAllied(view, factionOf(view, player), faction)
}

/**
 * Returns the rent of a job, credits: by its output, rounded up once; a station takes a share of
 * the value of each run. Source: crafting.md section 2, Rental fee.
 */
function rentOf(view: WorldView, facility: Row, { recipe, mode, runs }: Work): number {
  const { ownerKind, priceMilli } = view.read(Facility)
  if (mode === PACK || mode === UNPACK) return divCeil(priceMilli[facility], 1_000)
  if (ownerKind[facility] === OF_STATION) {
    const made = mode === RECYCLE ? takenBy(recipe, mode) : givenBy(recipe, mode, 0, 1)
    return runs * mulDivCeil(goodsValue(made), tuned(view, 'workshop_fee_pct'), 100)
  }
  return mulDivCeil(countUnits(givenBy(recipe, mode, 0, runs)), priceMilli[facility], 1_000)
}

function facilityVenue(view: WorldView, facility: Row, type: VenueType, work: Work): Venue {
  const lane = type === 'own' || type === 'faction' ? INTERNAL : EXTERNAL
  const gain = facilityGain(view, facility)
  const ahead = workAhead(queueOf(view, facility, 0, 0), lane)
  return {
    facility,
    type,
    lane,
    gain,
    laborEach: Math.max(
      facilityTypeAt(view, facility).labor_cost,
      laborMinOf(work.recipe, work.mode),
    ),
    fee: type === 'public' ? rentOf(view, facility, work) : 0,
    etaTicks: etaOf(ahead + workOfRun(work, facility) * work.runs, gain),
  }
}

function workshopVenue(view: WorldView, player: Eid, base: Row, work: Work): Venue {
  const gain = workshopGain(view, player, work.recipe)
  const ahead = workAhead(queueOf(view, 0, player, base), INTERNAL)
  const etaTicks = etaOf(ahead + workOfRun(work, 0) * work.runs, gain)
  return {
    facility: 0,
    type: 'workshop',
    lane: INTERNAL,
    gain,
    laborEach: 0,
    fee: 0,
    etaTicks,
  }
}

/* Choosing */

/**
 * Returns the venue of a facility at the base. Refusals: facility_not_found, facility_private,
 * facility_offline, those of `noVenueRefusal`.
 */
function namedVenue(view: WorldView, player: Eid, base: Row, id: string, work: Work) {
  const facility = facilityById(view, id)
  if (facility === 0 || view.read(Facility).base[facility] !== base) {
    return fail('facility_not_found', { facility_id: id })
  }
  const type = accessTo(view, player, facility)
  if (type === undefined) return fail('facility_private', { facility_id: id })
  if (!canRun(view, facility, work)) return noVenueRefusal(view, base, work)
  if (!isRunning(view, facility)) return fail('facility_offline', { facility_id: id })
  return facilityVenue(view, facility, type, work)
}

/** Refuses work that no venue at a base can do. */
function noVenueRefusal(
  view: WorldView,
  base: Row,
  { recipe, mode }: Work,
): Failure<'no_crafting_service' | 'no_logistics' | 'no_recycler' | 'no_venue'> {
  if (mode === RECYCLE) return fail('no_recycler')
  if (mode === PACK || mode === UNPACK) return fail('no_logistics')
  const { id, facility_only } = recipeRow(recipe)
  const lacksWorkshop = facility_only !== true && !hasService(view, base, 'crafting')
  return fail(lacksWorkshop ? 'no_crafting_service' : 'no_venue', { recipe_id: id })
}

const rankOf = (venue: Venue): number => VENUE_TYPES.indexOf(venue.type)

/**
 * Returns a value below 0 if `a` is the better of two venues. Without a preset, as for `fast`,
 * ownership only breaks ties. Source: newer.md section 7.
 */
function compare(preset: Preset | undefined, a: Venue, b: Venue): number {
  const byTime = a.etaTicks - b.etaTicks
  const byFee = a.fee - b.fee
  const byOwner = rankOf(a) - rankOf(b)
  if (preset === 'cheap') return byFee || byTime
  if (preset === 'prefer_own') return byOwner || byTime || byFee
  return byTime || byOwner || byFee
}

/** Returns whether a base has logistics that a player may use. */
export const hasLogistics = (view: WorldView, player: Eid, base: Row): boolean =>
  facilitiesAt(view, base).some(
    (row) =>
      facilityTypeAt(view, row).logistics === true &&
      isRunning(view, row) &&
      accessTo(view, player, row) !== undefined,
  )

interface VenueChoice {
  readonly facility_id?: string
  readonly preset?: Preset
}

/**
 * Chooses the venue for a job. Refusals: facility_not_found, facility_private, facility_offline,
 * recipe_facility_only, no_crafting_service, service_restricted, no_venue, no_recycler,
 * no_logistics.
 */
export function chooseVenue(
  view: WorldView,
  { player, base }: Place,
  work: Work,
  { facility_id: id, preset }: VenueChoice,
) {
  if (id !== undefined) return namedVenue(view, player, base, id, work)
  const isWorkshopWork =
    work.mode !== RECYCLE && work.mode !== PACK && recipeRow(work.recipe).facility_only !== true
  const barred = isWorkshopWork ? serviceRefusal(view, player, base, 'crafting') : undefined
  const hasWorkshop = isWorkshopWork && hasService(view, base, 'crafting') && !barred
  if (preset === 'workshop') {
    if (!isWorkshopWork)
      return fail('recipe_facility_only', { recipe_id: recipeRow(work.recipe).id })
    if (barred) return barred
    if (!hasWorkshop) return fail('no_crafting_service')
    return workshopVenue(view, player, base, work)
  }
  const venues: Venue[] = []
  for (const facility of facilitiesAt(view, base)) {
    if (venues.length >= VENUES_COMPARED_MAX) break
    if (!canRun(view, facility, work) || !isRunning(view, facility)) continue
    const type = accessTo(view, player, facility)
    if (type !== undefined) venues.push(facilityVenue(view, facility, type, work))
  }
  if (hasWorkshop) venues.push(workshopVenue(view, player, base, work))
  const [first] = venues.sort((a, b) => compare(preset, a, b))
  return first ?? barred ?? noVenueRefusal(view, base, work)
}
