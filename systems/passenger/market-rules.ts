/**
 * The market of travel: who sets out from a base and where to, who gives up waiting, fares, and
 * what citizens earn. Source: crafting.md section 9; the numbers of travellers, their classes and
 * the income of citizens are ours.
 */
import { Account, balanceOf, namedAccount, post } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { citizenPool } from '../facility/model.ts'
import { openCitizenPool } from '../facility/rules.ts'
import { activityPct, isShortOfShips, nextMarket } from './fare-model.ts'
import { removePassenger, waitingAt } from './list-model.ts'
import { destinationsOf, isInhabited, shipsDocked } from './model.ts'
import { addPassenger } from './rules.ts'
import { PASSENGERS_OF_BASE_MAX, PASSENGERS_WAITING_MAX, Passenger, Terminal } from './state.ts'

const MARKET = hashText('passenger.market')

/** Credits that citizens of the server's stations have together at most, for each level. */
const WEALTH_PER_LEVEL = 100_000
/** Credits that they earn in a cycle, for each level. */
const INCOME_PER_LEVEL = 500
/** Hundredths of a traveller that set out in a cycle, for each level. */
const TRAVELLERS_PER_LEVEL = 50
/** Percent of those who wait that give up in a cycle. */
const LEAVING_PCT = 2
/** Credits of a base's citizens below which nobody sets out. */
const POOL_MIN = 50_000
/** Travellers of first class, and of business class, percent. */
const FIRST_PCT = 8
const BUSINESS_PCT = 22

/** The last kind of bases that the server makes. */
const INDEPENDENT = BASE_KINDS.indexOf('independent')

/** Draws 0 … bound-1 for a base in this tick. */
const draw = (view: WorldView, base: Row, bound: number, k: number): number =>
  drawBelow(bound, hash32(view.seed, MARKET, view.tick, base, k))

/** Pays the citizens of the server's stations, as long as they are not well off. */
function payCitizens(world: World, base: Row): void {
  const { kind, level } = world.read(Base)
  if (kind[base] > INDEPENDENT) return
  const pool = openCitizenPool(world, base)
  const missing = level[base] * WEALTH_PER_LEVEL - balanceOf(world, pool)
  const credits = Math.min(missing, level[base] * INCOME_PER_LEVEL)
  if (credits > 0) post(world, namedAccount('citizens'), pool, credits)
}

/** Removes those who have waited longest; returns how many gave up. */
function giveUp(world: World, base: Row, waiting: readonly Row[]): number {
  const leaving = divFloor(waiting.length * LEAVING_PCT + draw(world, base, 100, 0), 100)
  for (const row of waiting.slice(0, leaving)) removePassenger(world, row)
  return leaving
}

/** Travellers that a base has in this cycle. */
function travellersNow(view: WorldView, base: Row): number {
  const { waiting, abroad, trips } = view.read(Terminal)
  const { level, kind } = view.read(Base)
  const activity = activityPct(shipsDocked(view, base))
  // a station that a player founded has no level: it counts as one of level 1
  const people = TRAVELLERS_PER_LEVEL * (kind[base] > INDEPENDENT ? 1 : level[base])
  const parts = people * (100 + trips[base]) * activity
  const setOut = divFloor(parts + draw(view, base, 1_000_000, 1), 1_000_000)
  return Math.max(
    0,
    Math.min(
      setOut,
      PASSENGERS_WAITING_MAX - waiting[base],
      PASSENGERS_OF_BASE_MAX - abroad[base],
      view.roomIn(Passenger),
    ),
  )
}

function classFor(percent: number): number {
  if (percent < FIRST_PCT) return 2
  return percent < FIRST_PCT + BUSINESS_PCT ? 1 : 0
}

/** Makes the travellers of a cycle; near places draw more of them than far ones. */
function addTravellers(world: World, home: Row): void {
  const travellers = travellersNow(world, home)
  if (travellers === 0) return
  const places = destinationsOf(world, home)
  if (places.length === 0) return
  for (let i = 0; i < travellers; i++) {
    const [one, other] = [2, 3].map((k) => draw(world, home, places.length, 4 * i + k))
    const { base, jumps } = places[Math.min(one, other)]
    const classIndex = classFor(draw(world, home, 100, 4 * i + 4))
    addPassenger(world, { home, to: base, jumps, classIndex })
  }
}

/** Runs a cycle of the market of a base. */
export function updateMarket(world: World, base: Row): void {
  if (!isInhabited(world, base)) return
  // its citizens need an account, and a full table has no room for one
  if (citizenPool(world, base) === 0 && isNearlyFull(world, Account)) return
  payCitizens(world, base)
  const terminal = world.write(Terminal)
  const waiting = waitingAt(world, base)
  const gone = giveUp(world, base, waiting)
  const first = waiting[gone]
  const longest = first === undefined ? 0 : world.tick - world.read(Passenger).sinceTick[first]
  const after = nextMarket(
    { surge: 100 + terminal.surge[base], trips: 100 + terminal.trips[base] },
    isShortOfShips(waiting.length - gone, longest),
  )
  terminal.surge[base] = after.surge - 100
  terminal.trips[base] = after.trips - 100
  if (balanceOf(world, openCitizenPool(world, base)) >= POOL_MIN) addTravellers(world, base)
}

/** Updates the bases whose turn it is: each once in a cycle. */
export function updateMarkets(world: World): void {
  const first = CYCLE_TICKS - (world.tick % CYCLE_TICKS)
  for (let base = first % CYCLE_TICKS; base <= world.highOf(Base); base += CYCLE_TICKS) {
    if (base !== 0) updateMarket(world, base)
  }
}

/** Gives the citizens of a new world their wealth, and lets the first of them set out. */
export function openTerminals(world: World): void {
  const { level, kind } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (!isInhabited(world, base)) continue
    const wealth = kind[base] > INDEPENDENT ? 0 : level[base] * WEALTH_PER_LEVEL
    post(world, namedAccount('citizens'), openCitizenPool(world, base), wealth)
    updateMarket(world, base)
  }
}
