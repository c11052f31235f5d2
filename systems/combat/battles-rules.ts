/**
 * Battles and who stands where in them: finding, opening, joining, leaving; sides and which of
 * them are hostile. Who may attack whom is engage-model.ts, what becomes of ships is
 * outcomes-systems.ts. The list of a battle's participants is kept in ascending order of their
 * ships' numbers.
 */

import { assert } from '../../core/assert.ts'
import type { TableDef } from '../../core/columns.ts'
import { fail } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { dropAside, setAside, takeBack } from '../../core/pending.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { leaveRing } from '../arena/rules.ts'
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
import { ENGAGING, GENERAL, NEWS, type News } from './feed-state.ts'
import { freezeFit } from './fit-rules.ts'
import {
  areHostile,
  type BattleKind,
  battleIn,
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
  SIDES_WIDTH,
} from './model.ts'
import { forgetMaulings, recordDeparture, recordTurn } from './rules.ts'
import {
  BATTLE_KINDS,
  Battle,
  HeldUp,
  PARTICIPANT_KINDS,
  PARTICIPANTS_OF,
  Participant,
  PlayerCombat,
  RING_OUTER,
  ShipCombat,
} from './state.ts'

/** What joining and leaving battles writes. */
export const BATTLE_WRITES: readonly TableDef[] = [
  ...[Battle, BattleBoarding, Boarding, ShipCombat, PlayerCombat, Participant, Player],
  Survivors,
]

/** Ticks for which a battle may not attack again who escaped it. Source: combat.md section 8. */
const GRACE_TICKS = 6

/** Let go: the battle may not attack them again for a while. */
const ESCAPED: ReadonlySet<LeaveReason> = new Set([
  'fled',
  'emergency_warp',
  'emergency_cloak',
  'stalemate',
])
/** Those that the other participants are told. */
const TOLD: ReadonlySet<LeaveReason> = new Set(LEAVE_REASONS.slice(0, 5))

/** Makes two sides enemies, both ways. */
export function makeHostile(world: World, battle: Row, side: number, other: number): void {
  const { hostile, sides } = world.write(Battle)
  assert(side !== other, 'a side is its own enemy')
  assert(Math.min(side, other) >= 1 && Math.max(side, other) <= sides[battle], 'an unknown side')
  const row = battle * SIDES_WIDTH
  hostile[row + side] = (hostile[row + side] | bitOf(other)) >>> 0
  hostile[row + other] = (hostile[row + other] | bitOf(side)) >>> 0
}

/** A further side, nobody's enemy; the caller has made sure that the battle has room for it. */
export function addSide(world: World, battle: Row): number {
  const { sides } = world.write(Battle)
  assert(sides[battle] < BATTLE_SIDES_MAX, 'a battle has too many sides')
  return ++sides[battle]
}

/** Moves a participant to another side, which inherits the enemies of the one it left. */
export function changeSide(world: World, row: Row, side: number): void {
  const { battle, side: of } = world.write(Participant)
  const at = battle[row]
  const old = of[row]
  for (let other = 1; other <= world.read(Battle).sides[at]; other++) {
    if (areHostile(world, at, old, other)) makeHostile(world, at, side, other)
  }
  of[row] = side
}

/** Takes what of one kind happened since it was asked for last. */
export function takeNews<K extends keyof News>(world: World, kind: K): News[K] {
  const news = world.index(NEWS)
  const taken = news[kind]
  news[kind] = [] as never
  return taken
}

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
  world.index(NEWS).started.push(battle)
  return battle
}

/** Has a ship join a battle on a side in the next phase fight; a later wish replaces it. */
export function wishToEngage(world: World, ship: Eid, battle: Row, side: number): void {
  const fighting = world.write(ShipCombat)
  fighting.engageBattle[ship] = battle
  fighting.engageSide[ship] = side
  if (battle === 0) world.index(ENGAGING).delete(ship)
  else world.index(ENGAGING).add(ship)
}

/** True for a player's ship whose pilot is offline. */
function isUnsteered(view: WorldView, row: Row): boolean {
  const pilot = pilotOf(view, row)
  return pilot !== 0 && !isBound(view, pilot)
}

/** A flight stands still for as long as the battle lasts. Source: travel.md section 2. */
function holdFlight(world: World, ship: Eid): void {
  world.tag(Ship, ship, HeldUp)
  const owner = world.read(Ship).owner[ship]
  if (owner !== 0) setAside(world, owner)
}

function resumeFlight(world: World, ship: Eid, player: Eid): void {
  world.untag(Ship, ship, HeldUp)
  if (player !== 0) takeBack(world, player)
}

/**
 * Takes a ship into a battle of its system, in the outermost ring, firing, with no target. A flight
 * it is on stands still meanwhile. The caller has made sure of room in the table.
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
  // ours: a station is near everything. Source: combat.md section 4
  part.ring[row] = stationOf(world, ship) === 0 ? RING_OUTER : 0
  part.joinTick[row] = world.tick
  part.pilotless[row] = isUnsteered(world, row) ? 1 : 0
  freezeFit(world, row)
  freezeBoarding(world, row)
  world.write(Battle).count[battle]++
  const fighting = world.write(ShipCombat)
  fighting.participant[ship] = row
  const pilot = pilotOf(world, row)
  // ours: guns fire by themselves, and a battle lists everyone in it
  if (pilot !== 0) setCloak(world, pilot, false)
  markMoved(world, ship)
  trackShield(world, ship)
  trackCrew(world, ship)
  if (isCreature(world, ship)) rouse(world, ship)
  wishToEngage(world, ship, 0, 0)
  if (state[ship] === TRAVELLING) holdFlight(world, ship)
  world.index(NEWS).joined.push(row)
  return row
}

/**
 * Takes a participant out of its battle, which goes on. Whoever escaped may not be attacked by its
 * members for a while. Tells nothing yet.
 */
export function leaveBattle(world: World, row: Row, reason: LeaveReason): void {
  const battle = world.read(Participant).battle[row]
  release(world, row, reason)
  forgetGone(world, battle)
}

/** As `leaveBattle` for several of one battle; `forgetGone` is the caller's to call after. */
export function release(world: World, row: Row, reason: LeaveReason): void {
  const { alive, battle, ship } = world.read(Participant)
  assert(alive[row] === 1, `participant ${row} leaves twice`)
  const left = ship[row]
  leaveBoarding(world, row)
  const player = pilotOf(world, row)
  if (TOLD.has(reason) && player !== 0) {
    const payload = {
      player_id: combatantId(world, row),
      username: combatantName(world, row),
      reason,
    }
    world.index(NEWS).left.push({ battle: battle[row], player, payload })
  }
  const fighting = world.write(ShipCombat)
  fighting.participant[ship[row]] = 0
  if (reason !== 'destroyed') {
    trackShield(world, ship[row])
    trackCrew(world, ship[row])
  }
  markMoved(world, ship[row])
  if (world.has(Ship, ship[row], HeldUp)) resumeFlight(world, ship[row], player)
  fighting.lastBattle[ship[row]] = world.read(Battle).seq[battle[row]]
  if (ESCAPED.has(reason)) fighting.graceUntil[ship[row]] = world.tick + GRACE_TICKS
  forgetMaulings(world, row)
  world.write(Battle).count[battle[row]]--
  PARTICIPANTS_OF.remove(world, row)
  leaveRing(world, left, reason)
}

/** Nobody in the battle means those who left it any more. */
export function forgetGone(world: World, battle: Row): void {
  const part = world.write(Participant)
  const gone = (row: Row): boolean => row !== 0 && part.alive[row] === 0
  for (let row = world.read(Battle).first[battle]; row !== 0; row = part.next[row]) {
    if (gone(part.target[row])) part.target[row] = 0
    if (gone(part.orderTarget[row])) part.orderTarget[row] = 0
    if (gone(part.killer[row])) part.killer[row] = 0
    if (gone(part.burnBy[row])) part.burnBy[row] = 0
  }
}

/** Ends a battle that nobody is in any more. */
export function closeBattle(world: World, battle: Row): void {
  const { count, system } = world.read(Battle)
  assert(count[battle] === 0, 'a battle is closed with participants in it')
  const general = world.index(GENERAL)
  if (general.get(system[battle]) === battle) general.delete(system[battle])
  const { engageBattle } = world.read(ShipCombat)
  for (const ship of engagingShips(world)) {
    if (engageBattle[ship] === battle) wishToEngage(world, ship, 0, 0)
  }
  world.release(Battle, battle)
}

/** Fills indexes and tags from the tables, after a restore. */
export function rebuildBattles(world: World): void {
  const general = world.index(GENERAL)
  general.clear()
  const { kind, system } = world.read(Battle)
  const { ship } = world.read(Participant)
  const { state } = world.read(Location)
  for (const battle of battles(world)) {
    if (BATTLE_KINDS[kind[battle]] === 'general') general.set(system[battle], battle)
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

/* Leaving */

/** What of a fight is counted for a pilot's life; when the fight is over for them. */
export function countDamage(world: World, row: Row): void {
  const player = pilotOf(world, row)
  const { dealt, taken } = world.read(Participant)
  if (player === 0) return
  addStat(world, player, 'damage_dealt', dealt[row])
  addStat(world, player, 'damage_taken', taken[row])
}

/** A pilot's own way out of a battle, in phase act: a flight it held up is off. */
export function escapeBattle(world: World, row: Row, reason: LeaveReason): void {
  const { battle } = world.read(Participant)
  const at = battle[row]
  dropAside(world, pilotOf(world, row), fail('combat_interrupt'))
  countDamage(world, row)
  recordDeparture(world, row, true)
  release(world, row, reason)
  forgetGone(world, at)
  recordTurn(world, at)
}

/** A hull that was taken is out of its battle; where it goes is boarding's business. */
export function handOver(world: World, row: Row): void {
  const battle = world.read(Participant).battle[row]
  countDamage(world, row)
  recordDeparture(world, row, false)
  release(world, row, 'captured')
  forgetGone(world, battle)
  recordTurn(world, battle)
}

/** Takes what the server flies out of a battle that goes on: it is called back. */
export function withdraw(world: World, row: Row): void {
  recordDeparture(world, row, true)
  leaveBattle(world, row, 'battle_ended')
}
