/** What a journey costs, how long it may take, what visitors spend: figures. crafting.md 9. */
import { assert } from '../../core/assert.ts'
import { clamp, divFloor, mulDivFloor } from '../../core/math.ts'

/** Percent by class of travel. */
export const CLASS_PCT: readonly number[] = [100, 250, 600]

const FARE_BASE = 200
const FARE_PER_JUMP = 150
const TICKS_BASE = 540
const TICKS_PER_JUMP = 180
const COMFORT_MAX = 200

/** Ships at a base up to which it counts as so busy. */
const BUSY: readonly { upTo: number; remote: number; activity: number }[] = [
  { upTo: 1, remote: 150, activity: 75 },
  { upTo: 5, remote: 125, activity: 100 },
  { upTo: 15, remote: 100, activity: 125 },
  { upTo: Number.POSITIVE_INFINITY, remote: 85, activity: 150 },
]

const busy = (ships: number) => BUSY.find(({ upTo }) => ships <= upTo) ?? BUSY[BUSY.length - 1]

/** Percent that fares are of the usual where so many ships are docked. */
export const remotePct = (ships: number): number => busy(ships).remote

/** Percent of the usual travellers where so many ships are docked. */
export const activityPct = (ships: number): number => busy(ships).activity

export interface Journey {
  readonly jumps: number
  /** Index into CLASSES. */
  readonly travelClass: number
  readonly remotePct: number
  readonly surgePct: number
}

/** Credits of a journey. */
export function fareOf({ jumps, travelClass, remotePct: remote, surgePct }: Journey): number {
  assert(CLASS_PCT[travelClass] !== undefined, `there is no class ${travelClass}`)
  const usual = FARE_BASE + FARE_PER_JUMP * jumps
  return divFloor(usual * CLASS_PCT[travelClass] * remote * surgePct, 1_000_000)
}

/** Ticks in which a journey is to be over, by the comfort of the ship. */
export function guaranteeOf(jumps: number, comfort: number): number {
  const ticks = TICKS_BASE + TICKS_PER_JUMP * jumps
  return Math.max(1, divFloor(ticks * (100 + clamp(comfort, 0, COMFORT_MAX)), 100))
}

/** The most that a quick journey earns besides its fare. */
export const bonusMax = (fare: number): number => divFloor(fare, 2)

/** What is set aside for a journey: the fare and the largest bonus. */
export const escrowOf = (fare: number): number => fare + bonusMax(fare)

/** What so many ticks that are left of the guarantee earn. */
export function bonusOf(fare: number, left: number, guarantee: number): number {
  return mulDivFloor(fare, clamp(left, 0, guarantee), 2 * guarantee)
}

/**
 * Percent that a house of a tier is worth to a traveller of a class: plain people are ill at ease
 * in a palace, and grand ones at a noodle bar. ours: the sheet names the factor, not its figures.
 */
const TIER_FIT: readonly (readonly number[])[] = [
  [100, 100, 80, 60],
  [70, 100, 100, 90],
  [40, 70, 100, 100],
]

export function tierFitPct(travelClass: number, tier: number): number {
  const row = TIER_FIT[travelClass]
  return row[clamp(tier, 1, row.length) - 1]
}

export interface Tastes {
  readonly dining: number
  readonly leisure: number
}

/** Points of tables and of pastimes, each times the percent that it suits the visitor. */
export type Attractions = Tastes

/** What of a visit is spent when the journey ends here, and on the way, percent. */
export const ARRIVED_PCT = 100
export const LAYOVER_PCT = 25
/** Docks on the way at which people go ashore. */
export const STOPS_MAX = 2

/** Credits that a visitor spends at a station. */
export function tourismOf(
  { dining, leisure }: Attractions,
  tastes: Tastes,
  travelClass: number,
  sharePct: number,
): number {
  const wanted = 10 * dining * tastes.dining + 15 * leisure * tastes.leisure
  return mulDivFloor(wanted, CLASS_PCT[travelClass] * sharePct, 100_000_000)
}

/** Credits that a passenger pays for a meal, or for an evening, aboard. */
export const mealOf = (dining: number, taste: number, travelClass: number): number =>
  divFloor(2 * dining * taste * CLASS_PCT[travelClass], 10_000)
export const eveningOf = (leisure: number, taste: number, travelClass: number): number =>
  divFloor(3 * leisure * taste * CLASS_PCT[travelClass], 10_000)

/* The market */

export const SURGE = { least: 60, most: 200, step: 10 } as const
export const TRIPS = { least: 50, most: 200, step: 10 } as const
/** Waiting people, or ticks of the longest wait, from which ships are wanted. */
const WANTED_WAITING = 5
const WANTED_WAIT_TICKS = 300
/** Credits its citizens have between them below which nobody sets out. */
export const POOL_LEAST = 50_000

/** True where more ships are wanted: fares rise, and fewer set out. */
export const isWanting = (waiting: number, longestWait: number): boolean =>
  waiting >= WANTED_WAITING || longestWait >= WANTED_WAIT_TICKS

/** The next surge and wish to travel, percent. */
export function nextMarket(
  { surge, trips }: { surge: number; trips: number },
  wanting: boolean,
): { surge: number; trips: number } {
  const sign = wanting ? 1 : -1
  return {
    surge: clamp(surge + sign * SURGE.step, SURGE.least, SURGE.most),
    trips: clamp(trips - sign * TRIPS.step, TRIPS.least, TRIPS.most),
  }
}
