/** Who travels: names and errands, put together from a passenger's number. */
import { hash32, hashText } from '../../core/rng.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { CLASSES, Passenger, type TravelClass } from './columns.ts'

const GIVEN = (
  'Abiola Anneke Asta Bao Belisar Calla Cosmin Daria Dov Ebba Eluned Enzo Farrah Fintan Goran ' +
  'Gwenda Hale Ilse Imre Ines Jory Kaveh Kirsi Lazar Linnea Lucan Maarit Mateus Mirela Nadim ' +
  'Nerys Odalys Olek Orsolya Pascoe Perpetua Quillon Rafi Renske Rhodri Sabela Seung Sorcha ' +
  'Taavi Tamsin Thabo Ulrike Umut Vashti Viggo Wanjiru Wilhelmina Xiadani Yaron Yevgenia Zofia'
).split(' ')

const FAMILY = (
  'Abernathy Achterberg Adeyinka Ambrus Arkwright Baptiste Beausoleil Birdwhistle Brandvold ' +
  'Calloway Castellan Chandrasekhar Cobbold Dagenhart Delacroix Drummond Eastwater Engelbrecht ' +
  'Farthing Fennimore Ferreira Galbraith Gripenberg Halloran Hawksmoor Hollis Ibanez Ingersoll ' +
  'Jankowiak Kettleworth Kobayashi Lamprecht Lindqvist Lockhart Maddox Marchetti Mbeki Merriweather ' +
  'Nightingale Oduya Okonjo Ostrander Papadakis Penhaligon Quartermaine Ravensworth Rosenthal ' +
  'Saltmarsh Sandoval Silverthorne Sokolova Starling Tanaka Thackeray Underhill Vandermeer ' +
  'Vasquez Wainwright Whitlock Yardley Zeller'
).split(' ')

/** Why somebody of each class is on the way. */
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

/** Given name and family name; two people may share both. */
export const nameOf = (view: WorldView, row: Row): string =>
  `${pick(GIVEN, draw(view, row, 1))} ${pick(FAMILY, draw(view, row, 2))}`

/** A sentence about the one who travels. */
export const bioOf = (view: WorldView, row: Row): string =>
  pick(ERRANDS[classOf(view, row)], draw(view, row, 3))

const TASTE_LEAST = 50
const TASTE_STEPS = 101

/** How much somebody makes of a table, and of an evening: 50 to 150 %. */
export const tastesOf = (view: WorldView, row: Row): { dining: number; leisure: number } => ({
  dining: TASTE_LEAST + (draw(view, row, 4) % TASTE_STEPS),
  leisure: TASTE_LEAST + (draw(view, row, 5) % TASTE_STEPS),
})
