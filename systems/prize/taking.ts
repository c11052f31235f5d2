/**
 * How a hull becomes a prize, and how prizes end that nobody brings home: destroyed, taken again,
 * given up, or handed over to the pirates who took them. Source: combat.md sections 10, 11.
 */
import { contentsOf, namedContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { BASE_KINDS, Base } from '../base/columns.ts'
import { isNearlyFull, unloadCargo } from '../cargo/rules.ts'
import { Fighting } from '../combat/columns.ts'
import { destroyPackages } from '../package/rules.ts'
import { makeWreck, wreckId } from '../salvage/rules.ts'
import { Ship } from '../ship/columns.ts'
import { recompute, releaseShip, setOwner } from '../ship/rules.ts'
import { Poi } from '../travel/columns.ts'
import { place, routeBetween, unplace } from '../travel/rules.ts'
import { PRIZE_STATUS, Prize } from './columns.ts'
import { endPrize, hurryPrize, notePrize, prizeOf, setStatus, whereOf } from './holdings.ts'
import { tellPrize } from './tell.ts'

/** Ticks for which only the captor may claim. */
const EXCLUSIVE_TICKS = 360
/** Ticks after which an unclaimed prize is a wreck. */
const PRIZE_TICKS = 8_640
const UNCLAIMED = PRIZE_STATUS.indexOf('unclaimed')

export interface Taken {
  readonly ship: Eid
  readonly poi: Eid
  /** The player who took it; 0 a ship of the server, which brings it to `home`. */
  readonly captor: Eid
  /** Base of the captors; 0 where a player claims it. */
  readonly home: Eid
  readonly former: { readonly id: string; readonly name: string }
}

/** Makes a prize of a hull that was taken, also of one that is a prize: from its claimant. */
export function openPrize(world: World, { ship, poi, captor, home, former }: Taken): Row {
  const before = prizeOf(world, ship)
  if (before !== 0) {
    tellPrize(world, before, 'recaptured')
    endPrize(world, ship)
  }
  if (isNearlyFull(world, Prize)) makeRoom(world)
  const prize = world.take(Prize)
  const columns = world.write(Prize)
  columns.ship[prize] = ship
  columns.captor[prize] = captor
  columns.claimUntil[prize] = captor === 0 ? 0 : world.tick + EXCLUSIVE_TICKS
  columns.expireTick[prize] = world.tick + PRIZE_TICKS
  world.setText(Prize, 'formerId', prize, former.id)
  world.setText(Prize, 'formerName', prize, former.name)
  setOwner(world, ship, 0)
  // no longer what the skills of its owner made of it
  recompute(world, ship)
  place(world, ship, poi)
  notePrize(world, ship, prize)
  if (home === 0) return prize
  columns.destination[prize] = home
  setStatus(world, prize, 'recovering')
  hurryPrize(world, prize)
  return prize
}

/**
 * The base that captors of the server bring a prize to: the nearest of pirates by lanes, or the
 * nearest capital; the older of equals. 0 where none can be reached.
 */
export function homeOfCaptors(view: WorldView, arePirates: boolean, poi: Eid): Eid {
  const { alive, kind, capital, poi: at } = view.read(Base)
  const { system } = view.read(Poi)
  const isHome = (base: Eid): boolean =>
    arePirates ? BASE_KINDS[kind[base]] === 'pirate' : capital[base] === 1
  let found = 0
  let least = Number.POSITIVE_INFINITY
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (alive[base] === 0 || !isHome(base)) continue
    const route = routeBetween(view, system[at[base]], system[poi])
    if (route && route.length < least) [found, least] = [base, route.length]
  }
  return found
}

/* Ends */

/** Prizes that may end now, none that is fought over: unclaimed ones first, then by age. */
function idlePrizes(view: WorldView): Row[] {
  const { alive, seq, ship, status } = view.read(Prize)
  const { participant } = view.read(Fighting)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Prize); row++) {
    if (alive[row] === 1 && participant[ship[row]] === 0) rows.push(row)
  }
  const rank = (row: Row): number => (status[row] === UNCLAIMED ? 0 : 1)
  return rows.sort((a, b) => rank(a) - rank(b) || seq[a] - seq[b])
}

/** The oldest prize gives way to a new one. */
function makeRoom(world: World): void {
  const [oldest] = idlePrizes(world)
  if (oldest !== undefined) becomeWreck(world, oldest)
}

function becomeWreck(world: World, prize: Row): void {
  const { ship, formerId, formerName } = world.read(Prize)
  const hull = ship[prize]
  const [victimId, victimName] = [
    world.texts.get(formerId[prize]),
    world.texts.get(formerName[prize]),
  ]
  const wreck = makeWreck(world, {
    ...{ ship: hull, poi: whereOf(world, hull), victimId, victimName },
    ...{ killerId: '', killerName: '', isNpc: false },
  })
  losePrize(world, hull, wreck)
  unplace(world, hull)
  releaseShip(world, hull)
}

/** A hull is lost, with the wreck it leaves (0 none). Nothing if it was no prize. */
export function losePrize(world: World, ship: Eid, wreck: Row): void {
  const prize = prizeOf(world, ship)
  if (prize === 0) return
  tellPrize(world, prize, 'lost', wreck === 0 ? {} : { wreckId: wreckId(world, wreck) })
  endPrize(world, ship)
}

/** Turns prizes that nobody has claimed in time into wrecks. */
export function expirePrizes(world: World): void {
  if (world.countOf(Prize) === 0) return
  const { alive, expireTick, status, ship } = world.read(Prize)
  const { participant } = world.read(Fighting)
  for (let row = 1; row <= world.highOf(Prize); row++) {
    const isDue = alive[row] === 1 && expireTick[row] <= world.tick && status[row] === UNCLAIMED
    if (isDue && participant[ship[row]] === 0) becomeWreck(world, row)
  }
}

/** Captors of the server have brought a hull home: nobody ever sees it again. */
export function surrender(world: World, prize: Row): void {
  const hull = world.read(Prize).ship[prize]
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[hull])) {
    unloadCargo(world, hull, namedContainer('consumption'), item, units)
  }
  destroyPackages(world, world.read(Ship).hold[hull], 'consumption')
  endPrize(world, hull)
  unplace(world, hull)
  releaseShip(world, hull)
}
