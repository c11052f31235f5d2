/**
 * Fares, times and spending of journeys, and who a passenger is: name, bio and tastes are derived
 * from the passenger's number. Source: crafting.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { clamp, divFloor, mulDivFloor } from '../../core/math.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { CLASSES, Passenger, type TravelClass } from './state.ts'

/** Fares and spending by class of travel, percent of economy class. */
const CLASS_PCT: readonly number[] = [100, 250, 600]

const FARE_BASE = 200
const FARE_PER_JUMP = 150
const TICKS_BASE = 540
const TICKS_PER_JUMP = 180
const COMFORT_MAX = 200

interface Traffic {
  readonly shipsMax: number
  readonly farePct: number
  readonly travellersPct: number
}

/** Fares and numbers of travellers by how many ships are docked at a base, percent of normal. */
const TRAFFIC: readonly Traffic[] = [
  { shipsMax: 1, farePct: 150, travellersPct: 75 },
  { shipsMax: 5, farePct: 125, travellersPct: 100 },
  { shipsMax: 15, farePct: 100, travellersPct: 125 },
]
const HEAVY_TRAFFIC = { farePct: 85, travellersPct: 150 } as const

const trafficOf = (ships: number) =>
  TRAFFIC.find(({ shipsMax }) => ships <= shipsMax) ?? HEAVY_TRAFFIC

/**
 * Returns fares as a percentage of normal, by the number of ships docked; those with berths count
 * twice.
 */
export const remoteFarePct = (ships: number): number => trafficOf(ships).farePct

/** Returns the number of travellers as a percentage of normal, by the number of ships docked. */
export const activityPct = (ships: number): number => trafficOf(ships).travellersPct

interface Journey {
  readonly jumps: number
  /** Index into CLASSES. */
  readonly classIndex: number
  /** Fares by the ships docked at the base, percent of normal: see `remoteFarePct`. */
  readonly remoteFarePct: number
  /** Fares by the market of the base, percent of normal. */
  readonly surgePct: number
}

/** Returns the credits that a journey costs. */
export function fareOf({ jumps, classIndex, remoteFarePct: remotePct, surgePct }: Journey): number {
  assert(CLASS_PCT[classIndex] !== undefined, `there is no class ${classIndex}`)
  const base = FARE_BASE + FARE_PER_JUMP * jumps
  // Divides by a hundred three times, for the percentages of class, ships docked and surge.
  return divFloor(base * CLASS_PCT[classIndex] * remotePct * surgePct, 1_000_000)
}

/**
 * Returns the ticks within which arrival is guaranteed; comfort (0 to COMFORT_MAX, percent) extends
 * them.
 */
export function guaranteedTicks(jumps: number, comfort: number): number {
  const ticks = TICKS_BASE + TICKS_PER_JUMP * jumps
  return Math.max(1, divFloor(ticks * (100 + clamp(comfort, 0, COMFORT_MAX)), 100))
}

/** Returns the largest bonus that a quick journey can earn. */
export const bonusMax = (fare: number): number => divFloor(fare, 2)

/** Returns the credits set aside for a journey: the fare and the largest bonus. */
export const escrowCredits = (fare: number): number => fare + bonusMax(fare)

/** Returns the bonus of a journey that ended with this many of its guaranteed ticks left. */
export const bonusOf = (fare: number, ticksLeft: number, guarantee: number): number =>
  mulDivFloor(fare, clamp(ticksLeft, 0, guarantee), 2 * guarantee)

/**
 * Appeal of a dining or leisure facility by class of travel and tier of facility, percent: economy
 * travellers feel out of place in a palace, first-class ones in a noodle bar. ours: the source
 * names the factor, but not its values.
 */
const TIER_FIT: readonly (readonly number[])[] = [
  [100, 100, 80, 60],
  [70, 100, 100, 90],
  [40, 70, 100, 100],
]

/** Returns the appeal of a facility of a tier to a class of travellers, percent. */
export function tierFitPct(classIndex: number, tier: number): number {
  const row = TIER_FIT[classIndex]
  return row[clamp(tier, 1, row.length) - 1]
}

/** How much a passenger likes to spend on dining and on leisure, percent: 50 to 150. */
interface Tastes {
  readonly dining: number
  readonly leisure: number
}

/** Points of a station's dining and leisure facilities, weighted by `tierFitPct`. */
export interface Attractions {
  readonly dining: number
  readonly leisure: number
}

/** Returns the credits that a visitor would spend at a station. */
export function tourismSpend(
  { dining, leisure }: Attractions,
  tastes: Tastes,
  classIndex: number,
  sharePct: number,
): number {
  const points = 10 * dining * tastes.dining + 15 * leisure * tastes.leisure
  // Divides by a hundred four times: for appeal (in the points), taste, class and share.
  return mulDivFloor(points, CLASS_PCT[classIndex] * sharePct, 100_000_000)
}

/** Returns the credits that a passenger pays for a meal aboard. */
export const mealPrice = (dining: number, taste: number, classIndex: number): number =>
  divFloor(2 * dining * taste * CLASS_PCT[classIndex], 10_000)

/** Returns the credits that a passenger pays for an evening in the saloon aboard. */
export const eveningPrice = (leisure: number, taste: number, classIndex: number): number =>
  divFloor(3 * leisure * taste * CLASS_PCT[classIndex], 10_000)

/* The travel market */

const SURGE = { min: 60, max: 200, step: 10 } as const
const TRIPS = { min: 50, max: 200, step: 10 } as const
/** A base is short of ships once this many people wait there. */
const SHORT_WAITING = 5
/** A base is short of ships once somebody has waited there for this many ticks. */
const SHORT_WAIT_TICKS = 300

/** Returns whether a base is short of ships: fares then rise and fewer people travel. */
export const isShortOfShips = (waiting: number, longestWait: number): boolean =>
  waiting >= SHORT_WAITING || longestWait >= SHORT_WAIT_TICKS

interface TravelMarket {
  /** Fares, percent of normal. */
  readonly surge: number
  /** Number of people who travel, percent of normal. */
  readonly trips: number
}

/** Credits that the citizens of a base must have together for anybody to set out. */
export const POOL_MIN = 50_000

/** Returns the highest fares that citizens pay, percent of normal, by the credits they have. */
export function surgeMax(pool: number, wealth: number): number {
  assert(wealth > POOL_MIN, 'citizens can never afford to travel')
  const range = SURGE.max - SURGE.min
  const share = divFloor(range * (pool - POOL_MIN), wealth - POOL_MIN)
  return clamp(SURGE.min + share, SURGE.min, SURGE.max)
}

/** Returns the market of a base in its next cycle; fares rise to `ceiling` at most. */
export function nextMarket(
  { surge, trips }: TravelMarket,
  isShort: boolean,
  ceiling: number = SURGE.max,
): TravelMarket {
  const sign = isShort ? 1 : -1
  return {
    surge: clamp(surge + sign * SURGE.step, SURGE.min, ceiling),
    trips: clamp(trips - sign * TRIPS.step, TRIPS.min, TRIPS.max),
  }
}

/** Returns the fares after this many more passengers have boarded, percent of normal. */
export const surgeAfter = (surge: number, boarded: number): number =>
  Math.max(Math.min(surge, SURGE.min), surge - SURGE.step * boarded)

/* Who a passenger is */

const GIVEN_NAMES = (
  'Abiola Anneke Asta Bao Belisar Calla Cosmin Daria Dov Ebba Eluned Enzo Farrah Fintan Goran ' +
  'Gwenda Hale Ilse Imre Ines Jory Kaveh Kirsi Lazar Linnea Lucan Maarit Mateus Mirela Nadim ' +
  'Nerys Odalys Olek Orsolya Pascoe Perpetua Quillon Rafi Renske Rhodri Sabela Seung Sorcha ' +
  'Taavi Tamsin Thabo Ulrike Umut Vashti Viggo Wanjiru Wilhelmina Xiadani Yaron Yevgenia Zofia'
).split(' ')

const FAMILY_NAMES = (
  'Abernathy Achterberg Adeyinka Ambrus Arkwright Baptiste Beausoleil Birdwhistle Brandvold ' +
  'Calloway Castellan Chandrasekhar Cobbold Dagenhart Delacroix Drummond Eastwater Engelbrecht ' +
  'Farthing Fennimore Ferreira Galbraith Gripenberg Halloran Hawksmoor Hollis Ibanez Ingersoll ' +
  'Jankowiak Kettleworth Kobayashi Lamprecht Lindqvist Lockhart Maddox Marchetti Mbeki Merriweather ' +
  'Nightingale Oduya Okonjo Ostrander Papadakis Penhaligon Quartermaine Ravensworth Rosenthal ' +
  'Saltmarsh Sandoval Silverthorne Sokolova Starling Tanaka Thackeray Underhill Vandermeer ' +
  'Vasquez Wainwright Whitlock Yardley Zeller'
).split(' ')

/** Sentences about passengers and why they travel, by class. */
const BIOS: Readonly<Record<TravelClass, readonly string[]>> = {
  economy: [
    'Going home with a coat for a sister who has grown out of it by now.',
    'Has a job waiting in a foundry, and a letter that says so, and reads it often.',
    'Carries a tomato plant on their lap and a permit for it in every pocket.',
    'Won the ticket in a raffle and has not decided whether to be pleased.',
    'Was promised a window. Was promised one last time, too.',
    'Off to bury an uncle whom nobody liked, and to see who comes.',
    'Plays the concertina, but has been asked not to.',
    'Left on the early shift, told nobody, feels lighter by the hour.',
    'Wants to see a sky once, a real one, with weather in it.',
    'Is moving in with a friend of nine years, known only from letters.',
    'Deckhand between ships, sleeping for both of them.',
    'Has been carrying the same parcel for three stations and will not say whose.',
    'Student of dead languages; learned one of them from the vending machines.',
    'Follows the harvest from hydroponics to hydroponics.',
    'Missed the last four departures, each for a good reason.',
    'Takes the cat. The cat takes the seat.',
    'Hopes that the debt will not travel as fast.',
    'Was told there is work out there. Was told the same about here.',
    'Off to a wedding, as the second choice of witness.',
    "Counts the rivets, aloud, for somebody else's child.",
  ],
  business: [
    'Sells gaskets; will tell you about gaskets.',
    'Auditor. Smiles at every lock that is not quite shut.',
    'Has signed something and would like to be far away when it is read.',
    'Travels to settle a strike, with two speeches, one of them honest.',
    'Surveyor with a crate of instruments that must stay upright.',
    'Means to buy a mine from a man who means to sell a hole.',
    'Teaches managers to breathe. Charges by the breath.',
    'Rewrites the same contract at every jump.',
    'Was sent to close an office where an old friend works.',
    'Tunes reactors by ear and is never wrong, and never thanked.',
    'Carries samples of carpet in eleven shades of grey.',
    'Insures cargo that nobody should insure, and sleeps well.',
    'On the way to a hearing; as a witness, as far as anyone knows.',
    'Recruits pilots. Has been watching yours.',
    'Is taking a court a box that has not been opened in forty years.',
    'Prices weather for planets that have some.',
    'Lost their luggage two stations ago and is negotiating for it by mail.',
    'Inspects galleys. The cook has been told.',
    'Speaks for a guild that has not yet been founded.',
    'Has nine minutes for everybody and two for you.',
  ],
  first: [
    'Owns a moon, and finds it small.',
    'Retired admiral; rearranges the salt cellars into a line of battle.',
    'A tenor saving their voice; orders lunch in writing.',
    'Travels under a false name that everybody aboard has been told.',
    'Collects clocks that run backwards. Is punctual regardless.',
    'Widowed three times by accidents, always insured, always abroad.',
    'Buys a painting at every port and a wall at every other one.',
    'Has not opened a door by hand since the accession.',
    'Judge of a court with no cells, no clerks and a very good cellar.',
    'Brings a physician, a cook and an opinion.',
    'Will inherit everything at the next station but one.',
    'Wrote the book on manners and eats with it open.',
    'Came into a fortune in ice and now drinks everything warm.',
    'Is being fetched by a family that has agreed on nothing else.',
    'Breeds orchids for vacuum; some have come close.',
    'Ambassador to a place that has asked for another one.',
    'Takes the long way round because the short one has an ex-husband on it.',
    'Believes the stars are arranged badly and is making notes.',
    'Plays cards for planets. Holds two at the moment.',
    'Once tipped a captain a ship.',
  ],
}

/** Keys for what is drawn from a passenger's number. Changing one changes all passengers. */
const DRAW = { givenName: 1, familyName: 2, bio: 3, dining: 4, leisure: 5 } as const

const IDENTITY = hashText('passenger.who')

const draw = (view: WorldView, row: Row, purpose: keyof typeof DRAW): number =>
  hash32(view.seed, IDENTITY, view.read(Passenger).seq[row], DRAW[purpose])

const pick = <T>(list: readonly T[], random: number): T => list[random % list.length]

/** Returns the class in which a passenger travels. */
export const classOf = (view: WorldView, row: Row): TravelClass =>
  CLASSES[view.read(Passenger).class[row]]

/** Returns a passenger's given and family name; they need not be unique. */
export const nameOf = (view: WorldView, row: Row): string =>
  `${pick(GIVEN_NAMES, draw(view, row, 'givenName'))} ${pick(FAMILY_NAMES, draw(view, row, 'familyName'))}`

/** Returns a passenger's bio: one sentence. */
export const bioOf = (view: WorldView, row: Row): string =>
  pick(BIOS[classOf(view, row)], draw(view, row, 'bio'))

const TASTE_MIN = 50
const TASTE_STEPS = 101

/** Returns the tastes of a passenger. */
export const tastesOf = (view: WorldView, row: Row): Tastes => ({
  dining: TASTE_MIN + (draw(view, row, 'dining') % TASTE_STEPS),
  leisure: TASTE_MIN + (draw(view, row, 'leisure') % TASTE_STEPS),
})
