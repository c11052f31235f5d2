/**
 * Ends of journeys: at the place where somebody wanted to be, or elsewhere. Fares, standing, and
 * what visitors spend. Source: crafting.md section 9.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { baseName, baseTreasury, empireOfBase } from '../base/model.ts'
import { changeReputation } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { activeShip } from '../ship/model.ts'
import { type Attractions, tastesOf, tourismOf } from './fare-model.ts'
import { escrowAccount, passengersOf, refund, vanish } from './list-model.ts'
import { citizensOf } from './market-rules.ts'
import { attractionsAt, isExpired, renderPassenger, speedBonus } from './model.ts'
import { ARRIVED_PCT, LAYOVER_PCT, STOPS_MAX } from './rules.ts'
import { type Arrivals, Cabin, FIRST_CLASS, Passenger, TODAY } from './state.ts'

/** Most points of standing that one call or one dock gives, and takes, with one empire. */
const PRAISE_MAX = 3
const BLAME_MAX = 5

interface Tally extends Arrivals {
  /** Credits by base whose citizens pay. */
  readonly paid: Map<Row, number>
  /** People by empire of their home. */
  readonly praise: Map<number, number>
  readonly blame: Map<number, number>
}

const openTally = (): Tally => ({
  delivered: [],
  stranded: [],
  fare: 0,
  reputation: {},
  paid: new Map(),
  praise: new Map(),
  blame: new Map(),
})

function add(counts: Map<number, number>, key: number, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n)
}

/** Somebody is where they wanted to be: fare and bonus are their carrier's. */
function deliver(world: World, player: Eid, row: Row, tally: Tally): void {
  const { home, fare, class: travelClass } = world.read(Passenger)
  const from = home[row]
  const asked = fare[row] + speedBonus(world, row)
  const mayPay = canReceive(world, walletOf(world, player), tally.fare + asked)
  const paid = mayPay ? asked : 0
  tally.delivered.push(renderPassenger(world, row))
  tally.fare += paid
  add(tally.paid, from, paid)
  if (travelClass[row] === FIRST_CLASS) add(tally.praise, empireOfBase(world, from), 1)
  refund(world, row, paid)
  vanish(world, row)
}

/** Somebody is put off elsewhere, or too late: they pay nothing and say so. */
function strand(world: World, row: Row, tally: Tally): void {
  tally.stranded.push(renderPassenger(world, row))
  add(tally.blame, empireOfBase(world, world.read(Passenger).home[row]), 1)
  refund(world, row)
  vanish(world, row)
}

/** Pays what is owed, changes standings, and writes both down. */
function settle(world: World, player: Eid, tally: Tally): Arrivals {
  const wallet = walletOf(world, player)
  for (const [home, credits] of tally.paid) {
    const said = `Fares of passengers from ${baseName(world, home)}.`
    const from = escrowAccount(world, home)
    creditMove(world, player, from, wallet, credits, 'other', 'passenger.fares', said)
  }
  for (const [empire, { id }] of EMPIRES.entries()) {
    const praise = Math.min(PRAISE_MAX, tally.praise.get(empire) ?? 0)
    const blame = Math.min(BLAME_MAX, tally.blame.get(empire) ?? 0)
    const changed = praise === blame ? 0 : changeReputation(world, player, empire, praise - blame)
    if (changed !== 0) tally.reputation[id] = changed
  }
  if (tally.stranded.length > 0) {
    const people = tally.stranded.length
    const said = `${people} ${people === 1 ? 'passenger' : 'passengers'} left without paying.`
    logAction(world, player, 'other', 'passenger.stranded', said, { passengers: people })
  }
  const { delivered, stranded, fare, reputation } = tally
  return { delivered, stranded, fare, reputation }
}

/**
 * Puts people off a ship, or out of its reach, at a base (0: in space): those who wanted to go
 * there and are in time pay, the others do not.
 */
export function endJourneys(world: World, player: Eid, rows: readonly Row[], base: Row): Arrivals {
  const tally = openTally()
  const { to } = world.read(Passenger)
  const isHere = rows.some((row) => to[row] === base)
  const attractions = isHere ? attractionsAt(world, base) : []
  for (const row of rows) {
    if (to[row] !== base || isExpired(world, row)) {
      strand(world, row, tally)
      continue
    }
    visit(world, row, base, { attractions, sharePct: ARRIVED_PCT })
    deliver(world, player, row, tally)
  }
  return settle(world, player, tally)
}

/** Those who go on stretch their legs, at the first two stops. */
function goAshore(world: World, rows: readonly Row[], base: Row): void {
  const { stops } = world.read(Passenger)
  const visitors = rows.filter((row) => stops[row] < STOPS_MAX)
  if (visitors.length === 0) return
  const attractions = attractionsAt(world, base)
  for (const row of visitors) {
    world.write(Passenger).stops[row]++
    visit(world, row, base, { attractions, sharePct: LAYOVER_PCT })
  }
}

/**
 * A pilot's ship has docked: who wanted to go there leaves and pays, who is late leaves too, the
 * others go on.
 */
export function disembark(world: World, player: Eid, base: Row): void {
  const today = world.index(TODAY)
  if (today.tick !== world.tick) {
    today.tick = world.tick
    today.of.clear()
  }
  today.of.delete(player)
  const ship = activeShip(world, player)
  if (world.read(Cabin).count[ship] === 0) return
  const { to } = world.read(Passenger)
  const rows = passengersOf(world, ship)
  const off = rows.filter((row) => to[row] === base || isExpired(world, row))
  goAshore(
    world,
    rows.filter((row) => !off.includes(row)),
    base,
  )
  if (off.length > 0) today.of.set(player, endJourneys(world, player, off, base))
}

/*
 * What visitors leave at a station: a journey's end, or a stop on the way. Source: crafting.md
 * section 9, tourism.
 */

/**
 * A visitor spends what they have a mind to, and their people at home have, on the owner of the
 * station. Returns the credits.
 */
function visit(
  world: World,
  row: Row,
  base: Row,
  { attractions, sharePct }: { attractions: readonly Attractions[]; sharePct: number },
): number {
  const { class: travelClass, home } = world.read(Passenger)
  const of = travelClass[row]
  const wanted = tourismOf(attractions[of], tastesOf(world, row), of, sharePct)
  const pool = citizensOf(world, home[row])
  const owner = baseTreasury(world, base)
  const credits = Math.min(wanted, balanceOf(world, pool))
  if (credits === 0 || !canReceive(world, owner, credits)) return 0
  post(world, pool, owner, credits)
  return credits
}
