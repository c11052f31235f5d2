/**
 * The life of a battle: opening, sides, joining, leaving, stalemate, closing. Who may attack whom
 * is in engage-model.ts, what happens to ships in outcomes-systems.ts.
 */
import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import { fail } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { answerSuspended, resumePending, suspendPending } from '../../core/pending.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { leaveRing } from '../arena/rules.ts'
import { isBoardingProgressing } from '../boarding/model.ts'
import { freezeBoarding, leaveBoarding } from '../boarding/rules.ts'
import { BattleBoarding, Boarding } from '../boarding/state.ts'
import { isCreature } from '../creature/model.ts'
import { rouse } from '../creature/rules.ts'
import { trackCrew } from '../personnel/rules.ts'
import { Survivors } from '../personnel/state.ts'
import { markMoved } from '../sensing/model.ts'
import { setCloak } from '../sensing/rules.ts'
import { trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { stationOf } from '../siege/model.ts'
import { AT_POI, Location, TRAVELLING } from '../travel/state.ts'
import { claimsOn } from './destruction-model.ts'
import { freezeFit } from './fit-rules.ts'
import { recordDeparture } from './log-model.ts'
import {
  areHostile,
  type BattleKind,
  battleIn,
  battleKindOf,
  battles,
  bitOf,
  combatantId,
  combatantName,
  engagingShips,
  kindOfShip,
  LEAVE_REASONS,
  type LeaveReason,
  participantOf,
  participantsOf,
  pilotOf,
} from './model.ts'
import { NOTICES } from './report-state.ts'
import {
  BATTLE_KINDS,
  Battle,
  DamageClaim,
  ENGAGING,
  GENERAL,
  HeldUp,
  PARTICIPANT_KINDS,
  PARTICIPANTS_OF,
  Participant,
  PlayerCombat,
  RING_OUTER,
  ShipCombat,
  SIDES_WIDTH,
} from './state.ts'

/** Tables that joining and leaving battles writes. */
export const BATTLE_WRITES: readonly TableDef[] = [
  Battle,
  BattleBoarding,
  Boarding,
  ShipCombat,
  PlayerCombat,
  Participant,
  Player,
  Survivors,
]

/** Ticks for which a ship that escaped is safe from its battle. Source: combat.md section 8. */
const GRACE_TICKS = 6

/** Reasons for leaving after which a ship has that grace. */
const ESCAPED: ReadonlySet<LeaveReason> = new Set([
  'fled',
  'emergency_warp',
  'emergency_cloak',
  'stalemate',
])
/** Reasons for leaving that are sent to the other participants. */
const ANNOUNCED: ReadonlySet<LeaveReason> = new Set(LEAVE_REASONS.slice(0, 5))

/* Sides */

/** Makes two sides enemies of each other. */
export function makeHostile(world: World, battle: Row, side: number, other: number): void {
  const { hostile, sides } = world.write(Battle)
  assert(side !== other, 'a side is its own enemy')
  assert(Math.min(side, other) >= 1 && Math.max(side, other) <= sides[battle], 'an unknown side')
  const row = battle * SIDES_WIDTH
  hostile[row + side] = (hostile[row + side] | bitOf(other)) >>> 0
  hostile[row + other] = (hostile[row + other] | bitOf(side)) >>> 0
}

/** Adds a side without enemies; the caller has checked that the battle has room for it. */
export function addSide(world: World, battle: Row): number {
  const { sides } = world.write(Battle)
  assert(sides[battle] < BATTLE_SIDES_MAX, 'a battle has too many sides')
  return ++sides[battle]
}

/** Moves a participant to another side, which inherits the enemies of the one it left. */
export function changeSide(world: World, row: Row, side: number): void {
  const part = world.write(Participant)
  const battle = part.battle[row]
  for (let other = 1; other <= world.read(Battle).sides[battle]; other++) {
    if (areHostile(world, battle, part.side[row], other)) makeHostile(world, battle, side, other)
  }
  part.side[row] = side
}

/* Opening and joining */

/** Opens a battle around the ship that is attacked, without sides. Source: combat.md section 1. */
export function openBattle(world: World, target: Eid, kind: BattleKind = 'general'): Row {
  const { system, poi } = world.read(Location)
  assert(system[target] !== 0, 'a battle is fought nowhere')
  const battle = world.take(Battle)
  const columns = world.write(Battle)
  columns.system[battle] = system[target]
  columns.origin[battle] = poi[target]
  columns.kind[battle] = BATTLE_KINDS.indexOf(kind)
  columns.startTick[battle] = world.tick
  columns.eventTick[battle] = world.tick
  if (kind === 'general') {
    assert(battleIn(world, system[target]) === 0, 'a system has two general battles')
    world.index(GENERAL).set(system[target], battle)
  }
  world.index(NOTICES).started.push(battle)
  return battle
}

/** Schedules a ship to join a battle in the next phase fight, in place of any other; 0: none. */
export function scheduleEngagement(world: World, ship: Eid, battle: Row, side: number): void {
  const shipCombat = world.write(ShipCombat)
  shipCombat.engageBattle[ship] = battle
  shipCombat.engageSide[ship] = side
  if (battle === 0) world.index(ENGAGING).delete(ship)
  else world.index(ENGAGING).add(ship)
}

/** Delays a flight for as long as the battle lasts. Source: travel.md section 2. */
function holdFlight(world: World, ship: Eid): void {
  world.tag(Ship, ship, HeldUp)
  const owner = world.read(Ship).owner[ship]
  if (owner !== 0) suspendPending(world, owner)
}

/**
 * Takes a ship into a battle of its system: in the outermost ring, firing, without a target, its
 * flight held up. The caller has checked that the table has room.
 */
export function joinBattle(world: World, battle: Row, ship: Eid, side: number): Row {
  const { state, system } = world.read(Location)
  assert(participantOf(world, ship) === 0, `ship ${ship} is in two battles`)
  assert(state[ship] === AT_POI || state[ship] === TRAVELLING, `ship ${ship} is out of reach`)
  assert(system[ship] === world.read(Battle).system[battle], `ship ${ship} is in another system`)
  assert(side >= 1 && side <= world.read(Battle).sides[battle], `there is no side ${side}`)
  const row = world.take(Participant)
  const part = world.write(Participant)
  part.ship[row] = ship
  part.seq[row] = world.read(Ship).seq[ship]
  PARTICIPANTS_OF.link(world, row, battle)
  part.kind[row] = PARTICIPANT_KINDS.indexOf(kindOfShip(world, ship))
  part.side[row] = side
  // ours: a station is close to everything. Source: combat.md section 4
  part.ring[row] = stationOf(world, ship) === 0 ? RING_OUTER : 0
  part.joinTick[row] = world.tick
  const pilot = pilotOf(world, row)
  part.pilotless[row] = pilot !== 0 && !isBound(world, pilot) ? 1 : 0
  freezeFit(world, row)
  freezeBoarding(world, row)
  world.write(Battle).count[battle]++
  world.write(ShipCombat).participant[ship] = row
  // ours: weapons fire without an order, and a battle lists everyone in it
  if (pilot !== 0) setCloak(world, pilot, false)
  markMoved(world, ship)
  trackShield(world, ship)
  trackCrew(world, ship)
  if (isCreature(world, ship)) rouse(world, ship)
  scheduleEngagement(world, ship, 0, 0)
  if (state[ship] === TRAVELLING) holdFlight(world, ship)
  world.index(NOTICES).joined.push(row)
  return row
}

/* Leaving */

/** Releases the damage claims on a participant. */
function releaseClaims(world: World, row: Row): void {
  for (const claim of claimsOn(world, row)) world.release(DamageClaim, claim)
  world.write(Participant).mauled[row] = 0
}

/** Takes a participant out of its battle, which goes on. Sends nothing yet. */
export function leaveBattle(world: World, row: Row, reason: LeaveReason): void {
  const battle = world.read(Participant).battle[row]
  release(world, row, reason)
  forgetDeparted(world, battle)
}

/**
 * Takes one of several participants out of a battle as `leaveBattle` does; after the last one the
 * caller calls `forgetDeparted`.
 */
export function release(world: World, row: Row, reason: LeaveReason): void {
  const part = world.read(Participant)
  assert(part.alive[row] === 1, `participant ${row} leaves twice`)
  const battle = part.battle[row]
  const ship = part.ship[row]
  leaveBoarding(world, row)
  const player = pilotOf(world, row)
  if (ANNOUNCED.has(reason) && player !== 0) {
    const payload = {
      player_id: combatantId(world, row),
      username: combatantName(world, row),
      reason,
    }
    world.index(NOTICES).left.push({ battle, player, payload })
  }
  const shipCombat = world.write(ShipCombat)
  shipCombat.participant[ship] = 0
  if (reason !== 'destroyed') {
    trackShield(world, ship)
    trackCrew(world, ship)
  }
  markMoved(world, ship)
  if (world.has(Ship, ship, HeldUp)) {
    world.untag(Ship, ship, HeldUp)
    if (player !== 0) resumePending(world, player)
  }
  shipCombat.lastBattle[ship] = world.read(Battle).seq[battle]
  if (ESCAPED.has(reason)) shipCombat.graceUntil[ship] = world.tick + GRACE_TICKS
  releaseClaims(world, row)
  world.write(Battle).count[battle]--
  PARTICIPANTS_OF.remove(world, row)
  leaveRing(world, ship, reason)
}

/** Clears references to participants that have left the battle. */
export function forgetDeparted(world: World, battle: Row): void {
  const part = world.write(Participant)
  const isGone = (row: Row): boolean => row !== 0 && part.alive[row] === 0
  for (let row = world.read(Battle).first[battle]; row !== 0; row = part.next[row]) {
    if (isGone(part.target[row])) part.target[row] = 0
    if (isGone(part.orderTarget[row])) part.orderTarget[row] = 0
    if (isGone(part.killer[row])) part.killer[row] = 0
    if (isGone(part.burnBy[row])) part.burnBy[row] = 0
  }
}

/** Adds the damage that a pilot dealt and took in a fight to their statistics, at its end. */
export function countDamage(world: World, row: Row): void {
  const player = pilotOf(world, row)
  const { dealt, taken } = world.read(Participant)
  if (player === 0) return
  addStat(world, player, 'damage_dealt', dealt[row])
  addStat(world, player, 'damage_taken', taken[row])
}

/** Takes a participant out of a battle, and counts that as an event against a stalemate. */
function leaveWithRecord(world: World, row: Row, survived: boolean, reason: LeaveReason): void {
  const battle = world.read(Participant).battle[row]
  countDamage(world, row)
  recordDeparture(world, row, survived)
  leaveBattle(world, row, reason)
  resetStalemate(world, battle)
}

/** Takes out a pilot who escapes by a device, in phase act; cancels their delayed flight. */
export function escapeBattle(world: World, row: Row, reason: LeaveReason): void {
  answerSuspended(world, pilotOf(world, row), fail('combat_interrupt'))
  leaveWithRecord(world, row, true, reason)
}

/** Takes out a hull that was captured; boarding decides what happens to it. */
export function leaveCaptured(world: World, row: Row): void {
  leaveWithRecord(world, row, false, 'captured')
}

/** Takes out a ship of the server that is called back. */
export function recallFromBattle(world: World, row: Row): void {
  recordDeparture(world, row, true)
  leaveBattle(world, row, 'battle_ended')
}

/*
 * Stalemate: a battle without results is given up. Source: combat.md section 15. ours: ticks in
 * which a boarding progresses or hulls are damaged do not count; otherwise a siege, a pursuit or a
 * fight aboard would be cut short.
 */

/** Ticks without kill, capture or escape after which a battle is given up. */
const STALEMATE_TICKS = 30
/** Ticks after damage to a hull that do not count. */
const HULL_TICKS = 10
/** Ticks that may go uncounted between two events. */
const HELD_TICKS_MAX = 120

/** Restarts the count: there was a kill, a capture or an escape. */
export function resetStalemate(world: World, battle: Row): void {
  const { eventTick, heldTicks } = world.write(Battle)
  eventTick[battle] = world.tick
  heldTicks[battle] = 0
}

/** Counts a tick that was fought, or holds the stalemate timer for a tick that does not count. */
export function countTick(world: World, battle: Row, isHullHit: boolean): void {
  const { eventTick, hullTick, heldTicks } = world.write(Battle)
  if (isHullHit) hullTick[battle] = world.tick
  if (eventTick[battle] === world.tick || heldTicks[battle] >= HELD_TICKS_MAX) return
  const wasHullHit = hullTick[battle] !== 0 && world.tick - hullTick[battle] < HULL_TICKS
  if (wasHullHit || isBoardingProgressing(world, battle)) heldTicks[battle]++
}

/** Returns whether a battle has been without results for too long. */
export function isStale(view: WorldView, battle: Row): boolean {
  const { eventTick, heldTicks } = view.read(Battle)
  return view.tick - eventTick[battle] - heldTicks[battle] >= STALEMATE_TICKS
}

/* Closing */

/** Releases a battle that has no participants any more. */
export function closeBattle(world: World, battle: Row): void {
  const { count, system } = world.read(Battle)
  assert(count[battle] === 0, 'a battle is closed with participants in it')
  const general = world.index(GENERAL)
  if (general.get(system[battle]) === battle) general.delete(system[battle])
  const { engageBattle } = world.read(ShipCombat)
  for (const ship of engagingShips(world)) {
    if (engageBattle[ship] === battle) scheduleEngagement(world, ship, 0, 0)
  }
  world.release(Battle, battle)
}

/** Fills indexes and tags from the tables, after a restore. */
export function rebuildBattles(world: World): void {
  const general = world.index(GENERAL)
  general.clear()
  const { system } = world.read(Battle)
  const { ship } = world.read(Participant)
  const { state } = world.read(Location)
  for (const battle of battles(world)) {
    if (battleKindOf(world, battle) === 'general') general.set(system[battle], battle)
    for (const row of participantsOf(world, battle)) {
      if (state[ship[row]] === TRAVELLING) world.tag(Ship, ship[row], HeldUp)
    }
  }
  const engaging = world.index(ENGAGING)
  engaging.clear()
  const { alive, engageBattle } = world.read(ShipCombat)
  for (let row = 1; row <= world.highOf(Ship); row++) {
    if (alive[row] === 1 && engageBattle[row] !== 0) engaging.add(row)
  }
}
