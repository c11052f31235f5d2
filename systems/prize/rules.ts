/**
 * How a hull becomes a prize, how its claimant is notified, and how a prize ends without a claimant
 * bringing it home: destroyed, recaptured, expired, or brought home by NPC captors. Source:
 * combat.md sections 10, 11.
 */
import { assert } from '../../core/assert.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { destroyPackages } from '../cargo/rules.ts'
import { ShipCombat } from '../combat/state.ts'
import { makeWreck } from '../salvage/make-rules.ts'
import { wreckId } from '../salvage/model.ts'
import { seesPoi } from '../sensing/model.ts'
import { shipClassOf, shipId, shipName, unloadCargo } from '../ship/model.ts'
import { recompute, releaseShip, setOwner } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { poiId, systemId } from '../travel/model.ts'
import { placeInSpace, removeFromMap } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { lastPoiOf, prizeId, prizeOf } from './model.ts'
import { prizeUpdate } from './schemas.ts'
import {
  PlayerPrizes,
  PRIZE_STATUS,
  PRIZES,
  Prize,
  type PrizeEnd,
  type PrizeStatus,
  type WaitReason,
} from './state.ts'

/** Indexes a prize by its hull. */
function indexPrize(world: World, ship: Eid, prize: Row): void {
  world.index(PRIZES).set(ship, prize)
}

/** Sets the status of a prize, and clears its reason to wait unless it is `waiting`. */
export function setStatus(world: World, prize: Row, status: PrizeStatus): void {
  const columns = world.write(Prize)
  columns.status[prize] = PRIZE_STATUS.indexOf(status)
  if (status !== 'waiting') columns.wait[prize] = 0
}

/** Schedules the next decision of a prize for the next tick, since something about it changed. */
export function wakePrize(world: World, prize: Row): void {
  world.write(Prize).nextTick[prize] = world.tick + 1
}

/** Sets the claimant of a prize that has none. */
export function setClaimant(world: World, prize: Row, player: Eid): void {
  const { claimant } = world.write(Prize)
  const { claimed } = world.write(PlayerPrizes)
  assert(claimant[prize] === 0 && player !== 0, `prize ${prize} is claimed twice`)
  claimant[prize] = player
  claimed[player]++
}

/** Removes the prize row of a hull, but not the hull. Does nothing if the hull is no prize. */
export function endPrize(world: World, ship: Eid): void {
  const prize = prizeOf(world, ship)
  if (prize === 0) return
  const player = world.read(Prize).claimant[prize]
  if (player !== 0) world.write(PlayerPrizes).claimed[player]--
  world.index(PRIZES).delete(ship)
  world.release(Prize, prize)
}

/** Rebuilds the index from the table, after a restore. */
export function rebuildPrizes(world: World): void {
  world.index(PRIZES).clear()
  const { alive, ship } = world.read(Prize)
  for (let row = 1; row <= world.highOf(Prize); row++) {
    if (alive[row] === 1) indexPrize(world, ship[row], row)
  }
}

/** Ticks for which only the captor may claim a prize. */
const EXCLUSIVE_TICKS = 360
/** Ticks after which an unclaimed prize becomes a wreck. */
const PRIZE_TICKS = 8_640
const UNCLAIMED = PRIZE_STATUS.indexOf('unclaimed')

/** A hull that was taken by boarding. */
interface Capture {
  readonly ship: Eid
  readonly poi: Eid
  /** The player who took it; 0 for an NPC, who brings it to `home`. */
  readonly captor: Eid
  /** Base of the NPC captors; 0 if a player took it. */
  readonly home: Eid
  /** The former owner. */
  readonly former: { readonly id: string; readonly name: string }
}

/** Makes a captured hull a prize; the claimant of an earlier prize of that hull loses it. */
export function openPrize(world: World, { ship, poi, captor, home, former }: Capture): Row {
  const before = prizeOf(world, ship)
  if (before !== 0) {
    notifyPrize(world, before, 'recaptured')
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
  // The skills of the former owner no longer affect its stats.
  recompute(world, ship)
  placeInSpace(world, ship, poi)
  indexPrize(world, ship, prize)
  if (home === 0) return prize
  columns.destination[prize] = home
  setStatus(world, prize, 'recovering')
  wakePrize(world, prize)
  return prize
}

/* Ends */

/** Lists the prizes that are in no battle: unclaimed ones first, then by age. */
function idlePrizes(view: WorldView): Row[] {
  const { alive, seq, ship, status } = view.read(Prize)
  const { participant } = view.read(ShipCombat)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Prize); row++) {
    if (alive[row] === 1 && participant[ship[row]] === 0) rows.push(row)
  }
  const rank = (row: Row): number => (status[row] === UNCLAIMED ? 0 : 1)
  return rows.sort((a, b) => rank(a) - rank(b) || seq[a] - seq[b])
}

/** Turns the first idle prize into a wreck to free a row for a new one. */
function makeRoom(world: World): void {
  const [oldest] = idlePrizes(world)
  if (oldest !== undefined) becomeWreck(world, oldest)
}

/** Ends a prize and leaves a wreck of its hull. */
function becomeWreck(world: World, prize: Row): void {
  const { ship, formerId, formerName } = world.read(Prize)
  const hull = ship[prize]
  const [victimId, victimName] = [
    world.texts.get(formerId[prize]),
    world.texts.get(formerName[prize]),
  ]
  const wreck = makeWreck(world, {
    ship: hull,
    poi: lastPoiOf(world, hull),
    victimId,
    victimName,
    killerId: '',
    killerName: '',
    isNpc: false,
  })
  losePrize(world, hull, wreck)
  removeFromMap(world, hull)
  releaseShip(world, hull)
}

/**
 * Ends the prize of a destroyed hull, if it was one; `wreck` is what remains of the hull, 0 if
 * nothing.
 */
export function losePrize(world: World, ship: Eid, wreck: Row): void {
  const prize = prizeOf(world, ship)
  if (prize === 0) return
  notifyPrize(world, prize, 'lost', wreck === 0 ? {} : { wreckId: wreckId(world, wreck) })
  endPrize(world, ship)
}

/** Turns prizes that nobody has claimed in time into wrecks. */
export function expirePrizes(world: World): void {
  if (world.countOf(Prize) === 0) return
  const { alive, expireTick, status, ship } = world.read(Prize)
  const { participant } = world.read(ShipCombat)
  for (let row = 1; row <= world.highOf(Prize); row++) {
    const isDue = alive[row] === 1 && expireTick[row] <= world.tick && status[row] === UNCLAIMED
    if (isDue && participant[ship[row]] === 0) becomeWreck(world, row)
  }
}

/** Removes a hull and its cargo once NPC captors have brought it home. */
export function removeDelivered(world: World, prize: Row): void {
  const hull = world.read(Prize).ship[prize]
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[hull])) {
    unloadCargo(world, hull, namedContainer('consumption'), item, units)
  }
  destroyPackages(world, world.read(Ship).hold[hull], 'consumption')
  endPrize(world, hull)
  removeFromMap(world, hull)
  releaseShip(world, hull)
}

/** Messages that say why a prize is waiting and what its claimant can do about it. */
const STALL_MESSAGES: Readonly<Record<WaitReason, string>> = {
  no_fuel: say`is waiting: it lacks fuel for the next leg. Refuel it with {service_prize}.`,
  hull_critical: say`is waiting: its hull is too damaged to fly. Repair it with {service_prize}.`,
  no_crew: say`is waiting: nobody aboard is fit to fly it. Send crew with {transfer_personnel}.`,
  no_route: say`is waiting: no lanes lead to its destination. Redirect it with {service_prize}.`,
  in_combat: 'is held up by a battle; it continues once the battle is over.',
  dock_refused: say`is waiting: its destination bars you. Redirect it with {service_prize}.`,
}

function messageOf(
  view: WorldView,
  prize: Row,
  status: PrizeStatus | PrizeEnd,
  wait: WaitReason | undefined,
): string {
  const { ship, destination } = view.read(Prize)
  const name = shipName(view, ship[prize])
  const base = destination[prize] === 0 ? '' : baseName(view, destination[prize])
  if (wait) return `${name} ${STALL_MESSAGES[wait]}`
  switch (status) {
    case 'held':
      return `${name} stays where it is until you resume its journey.`
    case 'delivered':
      return `${name} has arrived: it is docked at ${base} and belongs to you.`
    case 'lost':
      return `${name} was destroyed.`
    case 'recaptured':
      return `${name} was boarded and taken from you.`
    default:
      return `${name} is on its way to ${base}.`
  }
}

/** Returns where a prize is; no fields if its claimant does not know the place. */
export function knownPlaceOf(view: WorldView, prize: Row): { system_id?: string; poi_id?: string } {
  const { ship, claimant } = view.read(Prize)
  const poi = lastPoiOf(view, ship[prize])
  if (poi === 0 || !seesPoi(view, claimant[prize], poi)) return {}
  return { system_id: systemId(view, view.read(Poi).system[poi]), poi_id: poiId(view, poi) }
}

/* Notifications of claimants. Source: spec, prize_update; combat.md section 16. */

/** Notifies the claimant of a prize of its status, if there is one. */
export function notifyPrize(
  world: World,
  prize: Row,
  status: PrizeStatus | PrizeEnd,
  details: { readonly wait?: WaitReason; readonly wreckId?: string } = {},
): void {
  const { ship, claimant, destination } = world.read(Prize)
  if (claimant[prize] === 0) return
  const hull = ship[prize]
  const hasName = world.read(Ship).name[hull] !== 0
  emit(
    world,
    prizeUpdate,
    {
      prize_id: prizeId(world, prize),
      ship_id: shipId(world, hull),
      ship_class: shipClassOf(world, hull).id,
      ...(hasName ? { ship_name: shipName(world, hull) } : {}),
      status,
      ...(details.wait ? { wait_reason: details.wait } : {}),
      ...(destination[prize] === 0
        ? {}
        : { destination_base_id: baseId(world, destination[prize]) }),
      ...knownPlaceOf(world, prize),
      ...(details.wreckId ? { wreck_id: details.wreckId } : {}),
      message: messageOf(world, prize, status, details.wait),
    },
    toPlayer(claimant[prize]),
  )
}
