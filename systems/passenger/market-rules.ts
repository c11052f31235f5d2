/**
 * The market of travel: how many people set out from a base and to where, who gives up waiting,
 * fares, and the income of citizens. Source: crafting.md section 9; ours: the numbers of
 * travellers, their classes and the income of citizens.
 */
import { Account, balanceOf, namedAccount, post } from '../../core/ledger.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { governed } from '../account/governor-model.ts'
import { demandPerMille } from '../account/population-model.ts'
import { forBasesDue, regionOf } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { citizenPool } from '../facility/model.ts'
import { openCitizenPool } from '../facility/rules.ts'
import { travellersPct } from '../season/model.ts'
import { activityPct, isShortOfShips, nextMarket, POOL_MIN, surgeMax } from './fare-model.ts'
import { removePassenger, waitingAt } from './list-model.ts'
import {
  citizenWealth,
  destinationsOf,
  INDEPENDENT,
  isInhabited,
  shipsDocked,
  stationLevel,
} from './model.ts'
import { addPassenger } from './rules.ts'
import { PASSENGERS_OF_BASE_MAX, PASSENGERS_WAITING_MAX, Passenger, Terminal } from './state.ts'

const MARKET = hashText('passenger.market')

/** Demand of a hundred active players, which the following numbers are for. */
const DEMAND_USUAL = 1_000
/** Credits that citizens earn in a cycle, for each level, at the usual demand. */
const INCOME_PER_LEVEL = 120
/** Parties that set out in a cycle for each level, at the usual demand, in hundredths. */
const PARTIES_PER_LEVEL = 8
/** Limit of people who wait at a base: a fixed number, and more for each level. */
const WAITING_BASE = 2
const WAITING_PER_LEVEL = 2
/** Percent of waiting people who give up in a cycle. */
const LEAVING_PCT = 8
/** Share of parties that travel in first and in business class, percent. */
const FIRST_PCT = 12
const BUSINESS_PCT = 14
/** People in a party, by CLASSES: a first-class traveller brings a household. */
const PARTY: readonly number[] = [1, 1, 8]

/** Draws 0 … bound-1 for a base in this tick; each draw of a tick needs its own `index`. */
const draw = (view: WorldView, base: Row, bound: number, index: number): number =>
  drawBelow(bound, hash32(view.seed, MARKET, view.tick, base, index))

/** Returns the credits that are created for the citizens of a base in a cycle. */
const incomeOf = (view: WorldView, base: Row): number =>
  mulDivFloor(INCOME_PER_LEVEL * stationLevel(view, base), demandPerMille(view), DEMAND_USUAL)

/** Pays citizens their income, up to their maximum wealth; bases that players founded get none. */
function payCitizens(world: World, base: Row): void {
  if (world.read(Base).kind[base] > INDEPENDENT) return
  const pool = openCitizenPool(world, base)
  const missing = citizenWealth(world, base) - balanceOf(world, pool)
  const credits = Math.min(missing, governed(world, incomeOf(world, base)))
  if (credits > 0) post(world, namedAccount('citizens'), pool, credits)
}

/** Returns how many people may wait at a base. */
function waitingMax(view: WorldView, base: Row): number {
  const demand = Math.max(DEMAND_USUAL, demandPerMille(view))
  const people = mulDivFloor(WAITING_PER_LEVEL * stationLevel(view, base), demand, DEMAND_USUAL)
  return Math.min(PASSENGERS_WAITING_MAX, WAITING_BASE + people)
}

/** Removes a share of the people, those who have waited longest; returns how many gave up. */
function giveUp(world: World, base: Row, waiting: readonly Row[]): number {
  const leaving = divFloor(waiting.length * LEAVING_PCT + draw(world, base, 100, 0), 100)
  for (const row of waiting.slice(0, leaving)) removePassenger(world, row)
  return leaving
}

/** Returns how many more people both the base and the table have room for. */
function roomForTravellers(view: WorldView, base: Row): number {
  const { waiting, abroad } = view.read(Terminal)
  return Math.max(
    0,
    Math.min(
      waitingMax(view, base) - waiting[base],
      PASSENGERS_OF_BASE_MAX - abroad[base],
      view.roomIn(Passenger),
    ),
  )
}

/** Returns how many parties set out from a base in this cycle. */
function partiesNow(view: WorldView, base: Row): number {
  const { trips } = view.read(Terminal)
  const activity = activityPct(shipsDocked(view, base))
  const pct = travellersPct(view, regionOf(view, base))
  const usual = divFloor(PARTIES_PER_LEVEL * stationLevel(view, base) * pct, 100)
  const parties = mulDivFloor(usual, demandPerMille(view), DEMAND_USUAL)
  // In millionths of a party: hundredths times two percentages. A random addend rounds fairly.
  const millionths = parties * (100 + trips[base]) * activity
  return divFloor(millionths + draw(view, base, 1_000_000, 1), 1_000_000)
}

function classFor(percent: number): number {
  if (percent < FIRST_PCT) return 2
  return percent < FIRST_PCT + BUSINESS_PCT ? 1 : 0
}

/** Adds parties as long as there is room; near destinations are more likely than far ones. */
function addParties(world: World, home: Row, parties: number, roomMax: number): void {
  let room = Math.min(roomMax, roomForTravellers(world, home))
  if (room === 0 || parties === 0) return
  const destinations = destinationsOf(world, home)
  if (destinations.length === 0) return
  for (let i = 0; i < parties && room > 0; i++) {
    const [first, second] = [2, 3].map((offset) =>
      draw(world, home, destinations.length, 4 * i + offset),
    )
    const { base, jumps } = destinations[Math.min(first, second)]
    const classIndex = classFor(draw(world, home, 100, 4 * i + 4))
    const people = Math.min(PARTY[classIndex], room)
    for (let person = 0; person < people; person++)
      addPassenger(world, { home, to: base, jumps, classIndex })
    room -= people
  }
}

/** Runs a cycle of the travel market at a base. */
export function updateMarket(world: World, base: Row): void {
  if (!isInhabited(world, base)) return
  // Without an account for its citizens, and without room to open one, there is no market.
  if (citizenPool(world, base) === 0 && isNearlyFull(world, Account)) return
  payCitizens(world, base)
  const terminal = world.write(Terminal)
  const waiting = waitingAt(world, base)
  const gone = giveUp(world, base, waiting)
  const first = waiting[gone]
  const waitTicks = first === undefined ? 0 : world.tick - world.read(Passenger).sinceTick[first]
  const pool = balanceOf(world, openCitizenPool(world, base))
  const after = nextMarket(
    { surge: 100 + terminal.surge[base], trips: 100 + terminal.trips[base] },
    isShortOfShips(waiting.length - gone, waitTicks),
    surgeMax(pool, citizenWealth(world, base)),
  )
  terminal.surge[base] = after.surge - 100
  terminal.trips[base] = after.trips - 100
  if (pool >= POOL_MIN) addParties(world, base, partiesNow(world, base), PASSENGERS_WAITING_MAX)
}

/** Updates the bases that are due in this tick; each is due once in a cycle. */
export function updateMarkets(world: World): void {
  forBasesDue(world, CYCLE_TICKS, (base) => updateMarket(world, base))
}

/**
 * Gives the citizens of a new world what their account must hold before they travel, and fills
 * terminals to a sixth of their limit. ours: balance.md section 6 says their maximum wealth and
 * half of the limit, but then small hulls earned twice as much in the first hours as later in the
 * day.
 */
export function openTerminals(world: World): void {
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (!isInhabited(world, base)) continue
    post(world, namedAccount('citizens'), openCitizenPool(world, base), POOL_MIN)
    const people = divFloor(waitingMax(world, base), 6)
    addParties(world, base, people, people)
  }
}
