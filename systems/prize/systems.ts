/** What prizes do in a tick: fly home, or become wrecks if nobody claims them. */
import { assert } from '../../core/assert.ts'
import { PRIZES_CLAIMED_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { ShipCombat } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { Faction } from '../faction/state.ts'
import { logAction } from '../log/rules.ts'
import { Note } from '../note/state.ts'
import { peopleOf, reserveRoom } from '../personnel/model.ts'
import { changePeople, changeReserve, reserveRefusal } from '../personnel/rules.ts'
import { Survivors } from '../personnel/state.ts'
import { Wreck } from '../salvage/state.ts'
import { shipName } from '../ship/model.ts'
import { recompute, SHIP_WRITES, setOwner } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import {
  distanceMilliAu,
  flightOf,
  fuelPerJump,
  fuelToTravel,
  jumpTicks,
  travelTicks,
} from '../travel/flight-model.ts'
import { routeBetween } from '../travel/model.ts'
import { burnFuel, dockingRefusal, dockShip, PLACE_WRITES, startFlight } from '../travel/rules.ts'
import { AT_POI, Course, JUMPING, Location, Poi, StarSystem } from '../travel/state.ts'
import { prizeOf, statusOf } from './model.ts'
import { endPrize, expirePrizes, notifyPrize, removeDelivered, setStatus } from './rules.ts'
import { PlayerPrizes, PRIZE_STATUS, Prize, WAIT_REASONS, type WaitReason } from './state.ts'

/* Invariants of prizes. Source: RELIABILITY 4 (I9). */

/** Asserts that a prize is consistent with its hull, place and status. */
function assertPrize(view: WorldView, row: Row): void {
  const { ship, claimant, captor, destination, wait } = view.read(Prize)
  const { owner } = view.read(Ship)
  const { state, poi } = view.read(Location)
  const hull = ship[row]
  const status = statusOf(view, row)
  assert(owner[hull] === 0, `prize ${row} has an owner`)
  assert(prizeOf(view, hull) === row, `hull ${hull} is two prizes`)
  const isAtPlace = state[hull] === AT_POI && poi[hull] !== 0
  const isFlying = status === 'recovering' && state[hull] > AT_POI && state[hull] <= JUMPING
  assert(isAtPlace || isFlying, `prize ${row} is neither at a place nor in flight`)
  assert((wait[row] !== 0) === (status === 'waiting'), `prize ${row} has a wrong wait reason`)
  assert((destination[row] === 0) === (status === 'unclaimed'), `prize ${row} has a wrong aim`)
  if (status === 'unclaimed') assert(claimant[row] === 0, `prize ${row} is claimed`)
  else assert(claimant[row] !== 0 || captor[row] === 0, `prize ${row} is nobody’s`)
}

/** Checks every prize, and the number of prizes of every player. */
export const prizesHold: CheckDef = {
  name: 'I9 prizes: a hull is one prize and nobody’s else, and lies or flies somewhere',
  run(view, full) {
    if (!full) return
    const { alive, claimant } = view.read(Prize)
    const claims = new Map<Row, number>()
    for (let row = 1; row <= view.highOf(Prize); row++) {
      if (alive[row] === 0) continue
      assertPrize(view, row)
      const player = claimant[row]
      if (player !== 0) claims.set(player, (claims.get(player) ?? 0) + 1)
    }
    const { claimed } = view.read(PlayerPrizes)
    const players = view.read(Player)
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (players.alive[player] === 0) continue
      const count = claims.get(player) ?? 0
      if (claimed[player] !== count) assert(false, `player ${player} has ${count} prizes`)
      if (count > PRIZES_CLAIMED_MAX) assert(false, `player ${player} has too many prizes`)
    }
  },
}

/*
 * The journey home of a prize: hop by hop along the lanes, with its own fuel, at the speed that its
 * crew allows. It stops at each place for a tick, where it can be attacked. Source: combat.md
 * section 11.
 */

/** Ticks at a place between two hops, in which others see the prize and may attack it. */
const REST_TICKS = 1
/**
 * Ticks between two attempts to go on. ours: the sheet names the reasons to wait, but no interval.
 */
const RETRY_TICKS = 6
/** Hull below which a prize does not depart, %. */
const HULL_CRITICAL_PCT = 10

const RECOVERING = PRIZE_STATUS.indexOf('recovering')
const WAITING = PRIZE_STATUS.indexOf('waiting')

interface Hop {
  readonly toPoi: Eid
  readonly ticks: number
  readonly fuel: number
}

/** The next step of a prize; a reason to wait when there is none. */
type Step = Hop | 'arrived' | WaitReason

function nextStep(view: WorldView, prize: Row): Step {
  const { ship, destination } = view.read(Prize)
  const hull = ship[prize]
  const base = destination[prize]
  if (view.read(Base).alive[base] === 0) return 'no_route'
  const { poi, system } = view.read(Location)
  const goal = view.read(Base).poi[base]
  if (poi[hull] === goal) return 'arrived'
  const { x, y, system: systemAt } = view.read(Poi)
  const flight = flightOf(view, hull)
  if (system[hull] === systemAt[goal]) {
    const from = poi[hull]
    const distance = distanceMilliAu(x[from], y[from], x[goal], y[goal])
    return {
      toPoi: goal,
      ticks: travelTicks(flight, distance),
      fuel: fuelToTravel(flight, distance),
    }
  }
  // Routes are cached by where they start, so search from the base: there are few of those.
  const route = routeBetween(view, systemAt[goal], system[hull])
  if (!route) return 'no_route'
  return {
    toPoi: view.read(StarSystem).entryPoi[route[route.length - 2]],
    ticks: jumpTicks(flight),
    fuel: fuelPerJump(flight),
  }
}

/**
 * Returns why a prize cannot go on, whatever its next hop is. ours: NPC captors need neither crew
 * nor an intact hull nor fuel.
 */
function stallReason(view: WorldView, prize: Row): WaitReason | undefined {
  const { ship, claimant } = view.read(Prize)
  const { crewFit, hull, hullMax } = view.read(Ship)
  const own = ship[prize]
  if (view.read(ShipCombat).participant[own] !== 0) return 'in_combat'
  if (claimant[prize] === 0) return undefined
  if (crewFit[own] === 0) return 'no_crew'
  return hull[own] * 100 < hullMax[own] * HULL_CRITICAL_PCT ? 'hull_critical' : undefined
}

/** Makes a prize wait, and notifies its claimant of each reason and place only once. */
function stall(world: World, prize: Row, wait: WaitReason): void {
  const columns = world.write(Prize)
  const place = world.read(Location).poi[columns.ship[prize]]
  const reason = WAIT_REASONS.indexOf(wait)
  columns.status[prize] = WAITING
  columns.wait[prize] = reason
  columns.nextTick[prize] = world.tick + (wait === 'in_combat' ? 1 : RETRY_TICKS)
  if (columns.toldWait[prize] === reason && columns.toldPoi[prize] === place) return
  columns.toldWait[prize] = reason
  columns.toldPoi[prize] = place
  notifyPrize(world, prize, 'waiting', { wait })
}

function depart(world: World, prize: Row, { toPoi, ticks, fuel }: Hop): void {
  const { ship, claimant } = world.read(Prize)
  const wasWaiting = world.read(Prize).status[prize] === WAITING
  setStatus(world, prize, 'recovering')
  if (wasWaiting) notifyPrize(world, prize, 'recovering')
  if (claimant[prize] !== 0) burnFuel(world, ship[prize], fuel)
  startFlight(world, ship[prize], toPoi, ticks)
  world.write(Prize).nextTick[prize] = world.tick + ticks + REST_TICKS
}

/**
 * Moves the crew of a prize that has arrived into the faction reserve chosen for it, as far as
 * there is room; the others stay aboard. Source: combat.md section 11.
 */
function disembark(world: World, prize: Row, base: Eid): void {
  const { ship, reserve } = world.read(Prize)
  const faction = reserve[prize] === 0 ? 0 : world.rowOf(Faction, reserve[prize])
  if (faction === 0 || reserveRefusal(world, faction, base)) return
  const { fitCrew, injuredCrew } = peopleOf(world, ship[prize])
  const { crew } = reserveRoom(world, faction, base)
  const fit = Math.min(fitCrew, crew)
  const injured = Math.min(injuredCrew, crew - fit)
  changePeople(world, ship[prize], { fitCrew: -fit, injuredCrew: -injured })
  changeReserve(world, faction, base, { fitCrew: fit, injuredCrew: injured })
}

function deliver(world: World, prize: Row): void {
  const { ship, claimant, destination } = world.read(Prize)
  const [hull, player, base] = [ship[prize], claimant[prize], destination[prize]]
  if (player === 0) {
    removeDelivered(world, prize)
    return
  }
  if (dockingRefusal(world, player, base)) {
    stall(world, prize, 'dock_refused')
    return
  }
  setOwner(world, hull, player)
  recompute(world, hull)
  dockShip(world, hull, base)
  disembark(world, prize, base)
  notifyPrize(world, prize, 'delivered')
  logAction(world, player, 'salvage', 'prize_delivered', `${shipName(world, hull)} has arrived.`)
  endPrize(world, hull)
}

function advance(world: World, prize: Row): void {
  const stalled = stallReason(world, prize)
  if (stalled) {
    stall(world, prize, stalled)
    return
  }
  const step = nextStep(world, prize)
  if (step === 'arrived') deliver(world, prize)
  else if (typeof step === 'string') stall(world, prize, step)
  else if (world.read(Prize).claimant[prize] !== 0 && lacksFuel(world, prize, step)) {
    stall(world, prize, 'no_fuel')
  } else depart(world, prize, step)
}

const lacksFuel = (view: WorldView, prize: Row, { fuel }: Hop): boolean =>
  view.read(Ship).fuel[view.read(Prize).ship[prize]] < fuel

/** Advances the recovering and waiting prizes that are due, in the order of capture. O(prizes). */
function travelHome(world: World): void {
  if (world.countOf(Prize) === 0) return
  const { alive, seq, status, nextTick, ship } = world.read(Prize)
  const { state } = world.read(Location)
  const due: Row[] = []
  for (let prize = 1; prize <= world.highOf(Prize); prize++) {
    if (alive[prize] === 0 || nextTick[prize] > world.tick) continue
    if (status[prize] !== RECOVERING && status[prize] !== WAITING) continue
    if (state[ship[prize]] === AT_POI) due.push(prize)
  }
  due.sort((a, b) => seq[a] - seq[b])
  for (const prize of due) {
    assert(alive[prize] === 1, `prize ${prize} is gone`)
    advance(world, prize)
  }
}

/** Turns prizes that nobody claimed in time into wrecks. Source: combat.md section 11. */
export const expire: SystemDef = {
  name: 'prize.expire',
  phase: 'arrive',
  writes: [
    ...SHIP_WRITES,
    ...PACKAGE_WRITES,
    ...BUFF_WRITES,
    Course,
    PlayerPrizes,
    Location,
    Note,
    Poi,
    Prize,
    StarSystem,
    Wreck,
  ],
  run: expirePrizes,
}

/** Starts the next hop of prizes that are at a place. Source: travel.md section 0, phase G. */
export const journey: SystemDef = {
  name: 'prize.journey',
  phase: 'decide',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...PACKAGE_WRITES,
    ...BUFF_WRITES,
    PlayerPrizes,
    Note,
    Prize,
    Survivors,
  ],
  run: travelHome,
}
