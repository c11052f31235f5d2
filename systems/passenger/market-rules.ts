/**
 * The market of travel: who sets out from a base and where to, who gives up waiting, what is
 * asked, and what citizens earn. Source: crafting.md section 9; the numbers of travellers, their
 * classes and the income of citizens are ours.
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
import { activityPct, isWanting, nextMarket } from './fare-model.ts'
import { vanish, waitingAt } from './list-model.ts'
import { destinationsOf, isOnTheMap, shipsDocked } from './model.ts'
import { appear, POOL_MIN } from './rules.ts'
import { PASSENGERS_OF_BASE_MAX, PASSENGERS_WAITING_MAX, Passenger, Terminal } from './state.ts'

const MARKET = hashText('passenger.market')

/** Credits that the citizens of a station of the server have between them at most, a level. */
const WEALTH_A_LEVEL = 100_000
/** And earn in a cycle. */
const INCOME_A_LEVEL = 500
/** Hundredths of a traveller that set out in a cycle, a level. */
const TRAVELLERS_A_LEVEL = 50
/** Percent of those who wait that give up in a cycle. */
const LEAVING_PCT = 2
/** Of a hundred travellers so many go first class, and business. */
const FIRST_PCT = 8
const BUSINESS_PCT = 22

/** The last kind that the server has made. */
const INDEPENDENT = BASE_KINDS.indexOf('independent')

/** Ledger account of a base's citizens, opened where it has none. */
export const citizensOf = (world: World, base: Row): Row => openCitizenPool(world, base)

/** A draw of the update of a base: 0 … bound-1. */
const draw = (view: WorldView, base: Row, bound: number, k: number): number =>
  drawBelow(bound, hash32(view.seed, MARKET, view.tick, base, k))

/** Citizens of the server's own stations earn something as long as they are not well off. */
function earn(world: World, base: Row): void {
  const { kind, level } = world.read(Base)
  if (kind[base] > INDEPENDENT) return
  const pool = citizensOf(world, base)
  const missing = level[base] * WEALTH_A_LEVEL - balanceOf(world, pool)
  const credits = Math.min(missing, level[base] * INCOME_A_LEVEL)
  if (credits > 0) post(world, namedAccount('citizens'), pool, credits)
}

/** Who has waited longest gives up. */
function giveUp(world: World, base: Row, waiting: readonly Row[]): number {
  const leaving = divFloor(waiting.length * LEAVING_PCT + draw(world, base, 100, 0), 100)
  for (const row of waiting.slice(0, leaving)) vanish(world, row)
  return leaving
}

/** Travellers that a base has in this cycle. */
function travellersNow(view: WorldView, base: Row): number {
  const { waiting, abroad, trips } = view.read(Terminal)
  const { level, kind } = view.read(Base)
  const activity = activityPct(shipsDocked(view, base))
  // a station somebody founded has no level: it counts as the least
  const people = TRAVELLERS_A_LEVEL * (kind[base] > INDEPENDENT ? 1 : level[base])
  const parts = people * (100 + trips[base]) * activity
  const wanted = divFloor(parts + draw(view, base, 1_000_000, 1), 1_000_000)
  return Math.max(
    0,
    Math.min(
      wanted,
      PASSENGERS_WAITING_MAX - waiting[base],
      PASSENGERS_OF_BASE_MAX - abroad[base],
      view.roomIn(Passenger),
    ),
  )
}

function classDrawn(percent: number): number {
  if (percent < FIRST_PCT) return 2
  return percent < FIRST_PCT + BUSINESS_PCT ? 1 : 0
}

/** People set out; near places draw more of them than far ones. */
function setOut(world: World, home: Row): void {
  const travellers = travellersNow(world, home)
  if (travellers === 0) return
  const places = destinationsOf(world, home)
  if (places.length === 0) return
  for (let i = 0; i < travellers; i++) {
    const [one, other] = [2, 3].map((k) => draw(world, home, places.length, 4 * i + k))
    const { base, jumps } = places[Math.min(one, other)]
    const travelClass = classDrawn(draw(world, home, 100, 4 * i + 4))
    appear(world, { home, to: base, jumps, travelClass })
  }
}

/** A cycle of the market of a base. */
export function updateMarket(world: World, base: Row): void {
  if (!isOnTheMap(world, base)) return
  // Its citizens need an account, which a full table has none for.
  if (citizenPool(world, base) === 0 && isNearlyFull(world, Account)) return
  earn(world, base)
  const terminal = world.write(Terminal)
  const waiting = waitingAt(world, base)
  const gone = giveUp(world, base, waiting)
  const first = waiting[gone]
  const longest = first === undefined ? 0 : world.tick - world.read(Passenger).sinceTick[first]
  const after = nextMarket(
    { surge: 100 + terminal.surge[base], trips: 100 + terminal.trips[base] },
    isWanting(waiting.length - gone, longest),
  )
  terminal.surge[base] = after.surge - 100
  terminal.trips[base] = after.trips - 100
  if (balanceOf(world, citizensOf(world, base)) >= POOL_MIN) setOut(world, base)
}

/** The bases whose turn it is: each once in a cycle. */
export function updateMarkets(world: World): void {
  const first = CYCLE_TICKS - (world.tick % CYCLE_TICKS)
  for (let base = first % CYCLE_TICKS; base <= world.highOf(Base); base += CYCLE_TICKS) {
    if (base !== 0) updateMarket(world, base)
  }
}

/** The bases of a new world: their citizens have something, and the first of them wait. */
export function openTerminals(world: World): void {
  const { level, kind } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (!isOnTheMap(world, base)) continue
    const wealth = kind[base] > INDEPENDENT ? 0 : level[base] * WEALTH_A_LEVEL
    post(world, namedAccount('citizens'), citizensOf(world, base), wealth)
    updateMarket(world, base)
  }
}
