/**
 * Venues: what at a base can run a recipe for a player, how quickly, for what rent, and which of
 * them a preset prefers. Source: crafting.md sections 1, 2.
 */
import { assert } from '../../core/assert.ts'
import { runsRecipe } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { divCeil, divFloor, mulDivCeil } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseName, hasService } from '../base/model.ts'
import { areFactionsAllied } from '../diplomacy/model.ts'
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
import {
  countUnits,
  givenBy,
  goodsValue,
  needOf,
  recipeRow,
  skillOfRecipe,
  takenBy,
} from './store-model.ts'

/** More rows than there are bases, and more than there are facilities. */
const BASE_ROWS = 0x10000
const FACILITY_ROWS = 0x100000000

export const keyOf = (facility: Row, player: Eid, base: Row): number =>
  facility !== 0 ? facility : FACILITY_ROWS + player * BASE_ROWS + base

const NONE: readonly Row[] = []

/* Looking */

/** Queue of a facility, or of a player's workshop at a base; undefined while it is empty. */
export const queueOf = (
  view: WorldView,
  facility: Row,
  player: Eid,
  base: Row,
): Readonly<Queue> | undefined => view.index(QUEUES).byKey.get(keyOf(facility, player, base))

/** The queue a live job stands in. */
export function queueOfJob(view: WorldView, job: Row): Queue {
  const { facility, player, base } = view.read(Job)
  const queue = view.index(QUEUES).byKey.get(keyOf(facility[job], player[job], base[job]))
  assert(queue, `job ${job} stands in no queue`)
  return queue
}

/** Jobs of a facility, in the order of its queue. */
export const jobsAt = (view: WorldView, facility: Row): readonly Row[] =>
  view.index(QUEUES).byKey.get(facility)?.jobs ?? NONE

/** Number of live jobs of a facility. */
export const liveJobsOf = (view: WorldView, facility: Row): number => jobsAt(view, facility).length

/** Live jobs of a player, oldest first. */
export const jobsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(QUEUES).byPlayer.get(player) ?? NONE

export const facilityQueues = (view: WorldView): readonly Queue[] => view.index(QUEUES).facilities
export const workshopQueues = (view: WorldView): readonly Queue[] => view.index(QUEUES).workshops

/** Work of a job's runs that are not completed, what is done of the one under way taken off. */
export function workLeft(view: WorldView, job: Row): number {
  const { runsTotal, runsDone, need, progress } = view.read(Job)
  return Math.max(0, need[job] * (runsTotal[job] - runsDone[job]) - progress[job])
}

/** Work in a queue that comes before a new job of the lane. */
function workAhead(queue: Readonly<Queue> | undefined, lane: number): number {
  if (!queue) return 0
  return lane === EXTERNAL ? queue.work[0] + queue.work[1] : queue.work[0]
}

/** Position behind the last job of a lane. */
export function lastPosition(view: WorldView, queue: Readonly<Queue> | undefined, lane: number) {
  const { lane: lanes, position } = view.read(Job)
  const last = queue?.jobs.findLast((job) => lanes[job] === lane)
  return last === undefined ? 0 : position[last]
}

/** Whose a venue is to who asks, best first. Source: crafting.md section 1, auto-route order. */
const VENUE_TYPES = ['own', 'faction', 'ally', 'public', 'workshop'] as const
type VenueType = (typeof VENUE_TYPES)[number]

export type Preset = (typeof PRESETS)[number]

/** Speed of a workshop without skill, and for each level of it, thousandths. */
const WORKSHOP_SPEED = 1_000
const WORKSHOP_SPEED_PER_LEVEL = 20
/** What a station takes of the value made, in percent. Source: crafting.md section 2. */
const STATION_FEE_PCT = 25
const ETA_MAX = 1_000_000_000

/** What shall be done, as venues look at it. */
interface Work {
  readonly recipe: number
  readonly mode: number
  readonly runs: number
}

export interface Venue {
  /** 0 for the workshop. */
  readonly facility: Row
  readonly type: VenueType
  readonly lane: number
  /** Work done in a tick, thousandths. */
  readonly gain: number
  /** Credits a run, for those who work there. */
  readonly laborEach: number
  /** Credits of all runs, for who owns it. */
  readonly fee: number
  readonly etaTicks: number
}

/* Speed */

/** Work of a tick at a player's workshop, thousandths: the skill is that of the recipe. */
export const workshopGain = (view: WorldView, player: Eid, recipe: number): number =>
  WORKSHOP_SPEED + WORKSHOP_SPEED_PER_LEVEL * levelOf(view, player, skillOfRecipe(recipe))

/** Work of a tick in a facility, thousandths: less while its base is short of power. */
export const facilityGain = (view: WorldView, facility: Row): number =>
  Math.max(
    1,
    divFloor(
      speedMilli(view, facility) * efficiencyPermille(view, view.read(Facility).base[facility]),
      1_000,
    ),
  )

/** Ticks until so much work is done. Source: crafting.md section 3. */
export const etaOf = (work: number, gain: number): number =>
  Math.min(ETA_MAX, divCeil(Math.max(0, work), gain))

/** Wire id of a venue: a workshop has none. */
export const venueId = (view: WorldView, facility: Row): string =>
  facility === 0 ? '' : facilityId(view, facility)

export const venueName = (view: WorldView, facility: Row, base: Row): string =>
  facility === 0 ? `Workshop at ${baseName(view, base)}` : facilityName(view, facility)

/** Work of unpacking without the tools for it, thousandths. Source: trade-storage.md section 5. */
const UNPACK_AT_BENCH = 40_000

/** Work of a run, thousandths of a tick at speed 1. */
export const workOfRun = (
  { recipe, mode }: Pick<Work, 'recipe' | 'mode'>,
  facility: Row,
): number => (mode === UNPACK && facility === 0 ? UNPACK_AT_BENCH : needOf(recipe))

/* What runs what */

/** True if a facility of this kind does such work. */
function canRun(view: WorldView, facility: Row, { recipe, mode }: Work): boolean {
  const type = facilityTypeAt(view, facility)
  if (mode === RECYCLE) return type.is_recycler === true
  if (mode === PACK || mode === UNPACK) return type.logistics === true
  return runsRecipe(type, recipeRow(recipe))
}

/** Whose a facility is to a player; undefined if it is closed to them. */
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

/** True if a faction lets its allies use its facilities, and that of the player is one. */
function sharesWith(view: WorldView, player: Eid, faction: Row): boolean {
  const isOpen = view.read(Faction).allyFacilityAccess[faction] === 1
  return isOpen && areFactionsAllied(view, factionOf(view, player), faction)
}

/**
 * Rent of a job, credits: by what it produces, rounded up once; a station takes its share of the
 * value a run. Source: crafting.md section 2, Rental fee.
 */
function rentOf(view: WorldView, facility: Row, { recipe, mode, runs }: Work): number {
  const { ownerKind, priceMilli } = view.read(Facility)
  if (mode === PACK || mode === UNPACK) return divCeil(priceMilli[facility], 1_000)
  if (ownerKind[facility] === OF_STATION) {
    const made = mode === RECYCLE ? takenBy(recipe, mode) : givenBy(recipe, mode, 0, 1)
    return runs * mulDivCeil(goodsValue(made), STATION_FEE_PCT, 100)
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
    laborEach: facilityTypeAt(view, facility).labor_cost,
    fee: type === 'public' ? rentOf(view, facility, work) : 0,
    etaTicks: etaOf(ahead + workOfRun(work, facility) * work.runs, gain),
  }
}

function workshopVenue(view: WorldView, player: Eid, base: Row, work: Work): Venue {
  const gain = workshopGain(view, player, work.recipe)
  const ahead = workAhead(queueOf(view, 0, player, base), INTERNAL)
  const etaTicks = etaOf(ahead + workOfRun(work, 0) * work.runs, gain)
  const free = { laborEach: 0, fee: 0 }
  return { facility: 0, type: 'workshop', lane: INTERNAL, gain, ...free, etaTicks }
}

/* Choosing */

/** The venue at the base that the id names. Refusals: facility_not_found and its kin. */
function pinned(view: WorldView, player: Eid, base: Row, id: string, work: Work) {
  const facility = facilityById(view, id)
  if (facility === 0 || view.read(Facility).base[facility] !== base) {
    return fail('facility_not_found', { facility_id: id })
  }
  const type = accessTo(view, player, facility)
  if (type === undefined) return fail('facility_private', { facility_id: id })
  if (!canRun(view, facility, work)) return noneFor(view, base, work)
  if (!isRunning(view, facility)) return fail('facility_offline', { facility_id: id })
  return facilityVenue(view, facility, type, work)
}

/** Why nothing at a base does the work. */
function noneFor(
  view: WorldView,
  base: Row,
  { recipe, mode }: Work,
): Failure<'no_crafting_service' | 'no_logistics' | 'no_recycler' | 'no_venue'> {
  if (mode === RECYCLE) return fail('no_recycler')
  if (mode === PACK || mode === UNPACK) return fail('no_logistics')
  const { id, facility_only } = recipeRow(recipe)
  const isBench = facility_only !== true && !hasService(view, base, 'crafting')
  return fail(isBench ? 'no_crafting_service' : 'no_venue', { recipe_id: id })
}

const rankOf = (venue: Venue): number => VENUE_TYPES.indexOf(venue.type)

/**
 * Below 0 if `a` is the better of two venues; facility ids decide what else is equal. Without a
 * preset as `fast`: whose it is breaks ties alone. Source: newer.md section 7.
 */
function compare(preset: Preset | undefined, a: Venue, b: Venue): number {
  const [sooner, cheaper, nearer] = [a.etaTicks - b.etaTicks, a.fee - b.fee, rankOf(a) - rankOf(b)]
  if (preset === 'cheap') return cheaper || sooner
  if (preset === 'prefer_own') return nearer || sooner || cheaper
  return sooner || nearer || cheaper
}

/** True if there is logistics at a base that a player may use. */
export const hasLogistics = (view: WorldView, player: Eid, base: Row): boolean =>
  facilitiesAt(view, base).some(
    (row) =>
      facilityTypeAt(view, row).logistics === true &&
      isRunning(view, row) &&
      accessTo(view, player, row) !== undefined,
  )

interface Wanted {
  readonly facilityId?: string
  readonly preset?: Preset
}

/**
 * The venue for a job. Refusals: facility_not_found, facility_private, facility_offline,
 * recipe_facility_only, no_crafting_service, service_restricted, no_venue, no_recycler,
 * no_logistics.
 */
export function chooseVenue(
  view: WorldView,
  { player, base }: { readonly player: Eid; readonly base: Row },
  work: Work,
  { facilityId: id, preset }: Wanted,
) {
  if (id !== undefined) return pinned(view, player, base, id, work)
  const mayBench = work.mode !== RECYCLE && work.mode !== PACK
  const atBench = mayBench && recipeRow(work.recipe).facility_only !== true
  const barred = atBench ? serviceRefusal(view, player, base, 'crafting') : undefined
  const hasBench = atBench && hasService(view, base, 'crafting') && !barred
  if (preset === 'workshop') {
    if (!atBench) return fail('recipe_facility_only', { recipe_id: recipeRow(work.recipe).id })
    if (barred) return barred
    if (!hasBench) return fail('no_crafting_service')
    return workshopVenue(view, player, base, work)
  }
  const venues: Venue[] = []
  for (const facility of facilitiesAt(view, base)) {
    if (venues.length >= VENUES_COMPARED_MAX) break
    if (!canRun(view, facility, work) || !isRunning(view, facility)) continue
    const type = accessTo(view, player, facility)
    if (type !== undefined) venues.push(facilityVenue(view, facility, type, work))
  }
  if (hasBench) venues.push(workshopVenue(view, player, base, work))
  const [first] = venues.sort((a, b) => compare(preset, a, b))
  return first ?? barred ?? noneFor(view, base, work)
}
