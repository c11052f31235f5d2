/**
 * Figures of journeys (fares, times, spending), and who a passenger is: name, errand and tastes
 * follow from their number. Source: crafting.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { clamp, divFloor, mulDivFloor } from '../../core/math.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { CLASSES, Passenger, type TravelClass } from './state.ts'

/** Percent by class of travel. */
const CLASS_PCT: readonly number[] = [100, 250, 600]

const FARE_BASE = 200
const FARE_PER_JUMP = 150
const TICKS_BASE = 540
const TICKS_PER_JUMP = 180
const COMFORT_MAX = 200

/** How busy a base is, by the most ships docked there. */
const BUSY: readonly { upTo: number; remote: number; activity: number }[] = [
  { upTo: 1, remote: 150, activity: 75 },
  { upTo: 5, remote: 125, activity: 100 },
  { upTo: 15, remote: 100, activity: 125 },
  { upTo: Number.POSITIVE_INFINITY, remote: 85, activity: 150 },
]

const busyRow = (ships: number) => BUSY.find(({ upTo }) => ships <= upTo) ?? BUSY[BUSY.length - 1]

/** Fares in percent of the usual where so many ships are docked. */
export const remotePct = (ships: number): number => busyRow(ships).remote

/** Travellers in percent of the usual where so many ships are docked. */
export const activityPct = (ships: number): number => busyRow(ships).activity

interface Journey {
  readonly jumps: number
  /** Index into CLASSES. */
  readonly travelClass: number
  readonly remotePct: number
  readonly surgePct: number
}

/** Returns the credits that a journey costs. */
export function fareOf({ jumps, travelClass, remotePct: remote, surgePct }: Journey): number {
  assert(CLASS_PCT[travelClass] !== undefined, `there is no class ${travelClass}`)
  const usual = FARE_BASE + FARE_PER_JUMP * jumps
  return divFloor(usual * CLASS_PCT[travelClass] * remote * surgePct, 1_000_000)
}

/** Returns the ticks that a journey may take; a comfortable ship has more. */
export function guaranteeOf(jumps: number, comfort: number): number {
  const ticks = TICKS_BASE + TICKS_PER_JUMP * jumps
  return Math.max(1, divFloor(ticks * (100 + clamp(comfort, 0, COMFORT_MAX)), 100))
}

/** Largest bonus of a quick journey. */
export const bonusMax = (fare: number): number => divFloor(fare, 2)

/** Credits set aside for a journey: the fare and the largest bonus. */
export const escrowOf = (fare: number): number => fare + bonusMax(fare)

/** Returns the bonus for the ticks left of the guarantee. */
export const bonusOf = (fare: number, ticksLeft: number, guarantee: number): number =>
  mulDivFloor(fare, clamp(ticksLeft, 0, guarantee), 2 * guarantee)

/**
 * Worth of a house to a traveller, percent, by class and tier: plain people are ill at ease in a
 * palace, and grand ones at a noodle bar. ours: the sheet names the factor, not its figures.
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

/** How much somebody makes of a meal, and of an evening: 50 to 150 %. */
interface Tastes {
  readonly dining: number
  readonly leisure: number
}

/** Points of a station's tables and pastimes, weighted by `tierFitPct`. */
export interface Attractions {
  readonly dining: number
  readonly leisure: number
}

/** Credits that a visitor would spend at a station. */
export function tourismOf(
  { dining, leisure }: Attractions,
  tastes: Tastes,
  travelClass: number,
  sharePct: number,
): number {
  const points = 10 * dining * tastes.dining + 15 * leisure * tastes.leisure
  return mulDivFloor(points, CLASS_PCT[travelClass] * sharePct, 100_000_000)
}

/** Credits that a passenger pays for a meal aboard. */
export const mealOf = (dining: number, taste: number, travelClass: number): number =>
  divFloor(2 * dining * taste * CLASS_PCT[travelClass], 10_000)

/** Credits that a passenger pays for an evening aboard. */
export const eveningOf = (leisure: number, taste: number, travelClass: number): number =>
  divFloor(3 * leisure * taste * CLASS_PCT[travelClass], 10_000)

/* The market */

const SURGE = { min: 60, max: 200, step: 10 } as const
const TRIPS = { min: 50, max: 200, step: 10 } as const
/** Waiting people, or ticks of the longest wait, from which a base is short of ships. */
const SHORT_WAITING = 5
const SHORT_WAIT_TICKS = 300

/** Tells whether a base is short of ships: then fares rise, and fewer set out. */
export const isShortOfShips = (waiting: number, longestWait: number): boolean =>
  waiting >= SHORT_WAITING || longestWait >= SHORT_WAIT_TICKS

interface TravelMarket {
  /** Fares in percent of the usual. */
  readonly surge: number
  /** Wish to travel in percent of the usual. */
  readonly trips: number
}

/** Returns the market of the next cycle. */
export function nextMarket({ surge, trips }: TravelMarket, isShort: boolean): TravelMarket {
  const sign = isShort ? 1 : -1
  return {
    surge: clamp(surge + sign * SURGE.step, SURGE.min, SURGE.max),
    trips: clamp(trips - sign * TRIPS.step, TRIPS.min, TRIPS.max),
  }
}

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

/** Why people travel, by class. */
const ERRANDS: Readonly<Record<TravelClass, readonly string[]>> = {
  economy: [
    'Going home with a coat for a sister who has grown out of it by now.',
    'Has a job waiting in a foundry, and a letter that says so, and reads it often.',
    'Carries a tomato plant on the lap and a permit for it in every pocket.',
    'Won the ticket in a raffle and has not decided whether to be pleased.',
    'Was promised a window. Was promised one last time, too.',
    'Off to bury an uncle whom nobody liked, and to see who comes.',
    'Plays the concertina, but has been asked not to.',
    'Left on the early shift, told nobody, feels lighter by the hour.',
    'Wants to see a sky once, a real one, with weather in it.',
    'Moves in with a friend known from nine years of letters.',
    'Deckhand between ships, sleeping for both of them.',
    'Has been carrying the same parcel for three stations and will not say whose.',
    'Student of dead languages; learned one of them from the vending machines.',
    'Follows the harvest from hydroponics to hydroponics.',
    'Missed the last four departures, each for a good reason.',
    'Takes the cat. The cat takes the seat.',
    'Hopes that the debt will not travel as fast.',
    'Was told that there is work out there; was told so here as well.',
    'Goes to a wedding as the second choice of witness.',
    'Counts the rivets, aloud, for the child of somebody else.',
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
    'Was sent to close an office in which an old friend works.',
    'Tunes reactors by ear and is never wrong, and never thanked.',
    'Carries samples of carpet in eleven shades of grey.',
    'Insures cargo that nobody should insure, and sleeps well.',
    'On the way to a hearing, as a witness, as far as is known.',
    'Recruits pilots. Has been watching yours.',
    'Brings a court a box that has not been opened for forty years.',
    'Prices weather for planets that have some.',
    'Lost the luggage two stations ago and negotiates by mail for it.',
    'Inspects galleys. The cook has been told.',
    'Speaks for a guild that has not yet been founded.',
    'Has nine minutes for everybody and two for you.',
  ],
  first: [
    'Owns a moon, and finds it small.',
    'Retired admiral; rearranges the salt cellars into a line of battle.',
    'A tenor who saves the voice, and has lunch in writing.',
    'Travels under a false name that everybody aboard has been told.',
    'Collects clocks that run backwards. Is punctual regardless.',
    'Widowed three times by accidents, always insured, always abroad.',
    'Buys a painting at every port and a wall at every second one.',
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

const WHO = hashText('passenger.who')

const draw = (view: WorldView, row: Row, purpose: number): number =>
  hash32(view.seed, WHO, view.read(Passenger).seq[row], purpose)

const pick = <T>(list: readonly T[], random: number): T => list[random % list.length]

export const classOf = (view: WorldView, row: Row): TravelClass =>
  CLASSES[view.read(Passenger).class[row]]

/** Returns a given and a family name; two people may share both. */
export const nameOf = (view: WorldView, row: Row): string =>
  `${pick(GIVEN_NAMES, draw(view, row, 1))} ${pick(FAMILY_NAMES, draw(view, row, 2))}`

/** Returns a sentence about a passenger. */
export const bioOf = (view: WorldView, row: Row): string =>
  pick(ERRANDS[classOf(view, row)], draw(view, row, 3))

const TASTE_MIN = 50
const TASTE_STEPS = 101

export const tastesOf = (view: WorldView, row: Row): Tastes => ({
  dining: TASTE_MIN + (draw(view, row, 4) % TASTE_STEPS),
  leisure: TASTE_MIN + (draw(view, row, 5) % TASTE_STEPS),
})
