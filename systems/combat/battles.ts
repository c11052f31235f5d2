/**
 * Battles and who stands where in them: finding, opening, joining, leaving; sides and which of them
 * are hostile. Who may attack whom is engage.ts, what becomes of ships is fates.ts. The list of a
 * battle's participants is kept in ascending order of their ships' numbers.
 */
import { assert } from '../../core/assert.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { setAside, takeBack } from '../../core/pending.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { isBound } from '../account/rules.ts'
import { leaveRing } from '../arena/rules.ts'
import { freezeBoarding, leaveBoarding } from '../boarding/rules.ts'
import { isCreature, rouse } from '../creature/rules.ts'
import { isDrone } from '../drone/hull-rules.ts'
import { npcKindOf } from '../npc/rules.ts'
import { trackCrew } from '../personnel/rules.ts'
import { prizeOf } from '../prize/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { noteChange } from '../sensing/watch-rules.ts'
import { Ship } from '../ship/columns.ts'
import { trackShield } from '../ship/rules.ts'
import { stationOf } from '../siege/station-rules.ts'
import { AT_POI, Location, TRAVELLING } from '../travel/columns.ts'
import {
  BATTLE_KINDS,
  Battle,
  Fighting,
  HeldUp,
  PARTICIPANT_KINDS,
  Participant,
  RING_OUTER,
} from './columns.ts'
import { freezeFit } from './fit.ts'
import { forgetMaulings } from './maulings.ts'
import { combatantId, combatantName, participantsOf, pilotOf } from './views.ts'

export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number]
export type BattleKind = (typeof BATTLE_KINDS)[number]

/** Values a row of `hostile` has: sides count from 1. */
const SIDES_WIDTH = BATTLE_SIDES_MAX + 1
/** Ticks for which a battle may not attack again who escaped it. Source: combat.md section 8. */
const GRACE_TICKS = 6

/** Why a ship is in a battle no more. The first five are the wire's. Source: spec, battle_left. */
export const LEAVE_REASONS = [
  'fled',
  'destroyed',
  'knocked_out',
  'emergency_warp',
  'emergency_cloak',
  'captured',
  'stalemate',
  'battle_ended',
] as const
export type LeaveReason = (typeof LEAVE_REASONS)[number]
/** Let go: the battle may not attack them again for a while. */
const ESCAPED: ReadonlySet<LeaveReason> = new Set([
  'fled',
  'emergency_warp',
  'emergency_cloak',
  'stalemate',
])
/** Those that the other participants are told. */
const TOLD: ReadonlySet<LeaveReason> = new Set(LEAVE_REASONS.slice(0, 5))

/* Finding */

/** The general battle of a system, by system. */
const GENERAL = defineIndex('combat.general', () => new Map<Eid, Row>())

/** The general battle of a system; 0 none. */
export const battleIn = (view: WorldView, system: Eid): Row => view.index(GENERAL).get(system) ?? 0

/** What a ship is in its battle; 0 if it is in none. */
export const participantOf = (view: WorldView, ship: Eid): Row =>
  ship === 0 ? 0 : view.read(Fighting).participant[ship]

/** What the ship a player flies is in its battle; 0 if it is in none. */
export const combatantOf = (view: WorldView, player: Eid): Row =>
  participantOf(view, view.read(Player).ship[player])

export const inBattle = (view: WorldView, player: Eid): boolean => combatantOf(view, player) !== 0

/** Battles in the order of their numbers. */
export function battles(view: WorldView): Row[] {
  const { alive, seq } = view.read(Battle)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Battle); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[a] - seq[b])
}

export const kindOf = (view: WorldView, participant: Row): ParticipantKind =>
  PARTICIPANT_KINDS[view.read(Participant).kind[participant]]

/** Pilots of participants, in their order. */
export const pilotsOf = (view: WorldView, participants: readonly Row[]): Eid[] =>
  participants.map((row) => pilotOf(view, row)).filter((player) => player !== 0)

/* Sides */

const bitOf = (side: number): number => 1 << (side - 1)

export function areHostile(view: WorldView, battle: Row, side: number, other: number): boolean {
  return (view.read(Battle).hostile[battle * SIDES_WIDTH + side] & bitOf(other)) !== 0
}

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

/** Lowest side hostile to this one; 0 none. */
export function lowestHostile(view: WorldView, battle: Row, side: number): number {
  const { sides } = view.read(Battle)
  for (let other = 1; other <= sides[battle]; other++) {
    if (areHostile(view, battle, side, other)) return other
  }
  return 0
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

/* Opening, joining, leaving */

/** What the tick has to tell of battles, until phase fight tells it. Empty between ticks. */
interface News {
  started: Row[]
  joined: Row[]
  left: Left[]
}
/** Who left, as the others knew him. */
export interface Left {
  readonly battle: Row
  readonly player: Eid
  readonly payload: { player_id: string; username: string; reason: string }
}
const NEWS = defineIndex<News>('combat.news', () => ({ started: [], joined: [], left: [] }))

/** Who joined a battle since that was told last, those that began among them. */
export const joinedNow = (view: WorldView): readonly Row[] => view.index(NEWS).joined

/** Takes what of one kind happened since it was asked for last. */
export function takeNews<K extends keyof News>(world: World, kind: K): News[K] {
  const news = world.index(NEWS)
  const taken = news[kind]
  news[kind] = [] as never
  return taken
}

/** True while something waits to be told. */
export function hasNews(view: WorldView): boolean {
  const { started, joined, left } = view.index(NEWS)
  return started.length + joined.length + left.length > 0
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

/** Ships that will join a battle in the next phase fight: those with `engageBattle`. */
const ENGAGING = defineIndex('combat.engaging', () => new Set<Eid>())

/** Has a ship join a battle on a side in the next phase fight; a later wish replaces it. */
export function wishToEngage(world: World, ship: Eid, battle: Row, side: number): void {
  const fighting = world.write(Fighting)
  fighting.engageBattle[ship] = battle
  fighting.engageSide[ship] = side
  if (battle === 0) world.index(ENGAGING).delete(ship)
  else world.index(ENGAGING).add(ship)
}

/** Ships that wish to join a battle, in the order of their numbers. */
export function engagingShips(view: WorldView): Eid[] {
  const { alive, seq } = view.read(Ship)
  const ships = [...view.index(ENGAGING)].filter((ship) => alive[ship] === 1)
  return ships.sort((a, b) => seq[a] - seq[b])
}

/** What a ship is in a battle: its pilot's, or one of the server's. */
export function kindOfShip(view: WorldView, ship: Eid): ParticipantKind {
  const owner = view.read(Ship).owner[ship]
  if (isCreature(view, ship)) return 'creature'
  if (prizeOf(view, ship) !== 0) return 'prize'
  if (owner !== 0 && view.read(Player).ship[owner] === ship) return 'player'
  if (stationOf(view, ship) !== 0) return 'station'
  if (isDrone(view, ship)) return 'drone'
  return npcKindOf(view, ship) ?? 'npc'
}

/** True for a player's ship whose pilot is offline. */
function isUnsteered(view: WorldView, row: Row): boolean {
  const pilot = pilotOf(view, row)
  return pilot !== 0 && !isBound(view, pilot)
}

/** Puts a participant into the list of its battle, behind the last with a lower number. */
function enlist(world: World, row: Row): void {
  const part = world.write(Participant)
  const battle = world.write(Battle)
  const at = part.battle[row]
  let before = battle.last[at]
  while (before !== 0 && part.seq[before] > part.seq[row]) before = part.previous[before]
  const after = before === 0 ? battle.first[at] : part.next[before]
  part.previous[row] = before
  part.next[row] = after
  if (before === 0) battle.first[at] = row
  else part.next[before] = row
  if (after === 0) battle.last[at] = row
  else part.previous[after] = row
  battle.count[at]++
}

function delist(world: World, row: Row): void {
  const { battle: of, next, previous } = world.write(Participant)
  const battle = world.write(Battle)
  const at = of[row]
  if (previous[row] === 0) battle.first[at] = next[row]
  else next[previous[row]] = next[row]
  if (next[row] === 0) battle.last[at] = previous[row]
  else previous[next[row]] = previous[row]
  battle.count[at]--
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
  part.battle[row] = battle
  part.ship[row] = ship
  part.seq[row] = world.read(Ship).seq[ship]
  part.kind[row] = PARTICIPANT_KINDS.indexOf(kindOfShip(world, ship))
  part.side[row] = side
  // ours: a station is near everything. Source: combat.md section 4
  part.ring[row] = stationOf(world, ship) === 0 ? RING_OUTER : 0
  part.joinTick[row] = world.tick
  part.pilotless[row] = isUnsteered(world, row) ? 1 : 0
  freezeFit(world, row)
  freezeBoarding(world, row)
  enlist(world, row)
  const fighting = world.write(Fighting)
  fighting.participant[ship] = row
  const pilot = pilotOf(world, row)
  // ours: guns fire by themselves, and a battle lists everyone in it
  if (pilot !== 0) setCloak(world, pilot, false)
  noteChange(world, ship)
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
  const fighting = world.write(Fighting)
  fighting.participant[ship[row]] = 0
  if (reason !== 'destroyed') {
    trackShield(world, ship[row])
    trackCrew(world, ship[row])
  }
  noteChange(world, ship[row])
  if (world.has(Ship, ship[row], HeldUp)) resumeFlight(world, ship[row], player)
  fighting.lastBattle[ship[row]] = world.read(Battle).seq[battle[row]]
  if (ESCAPED.has(reason)) fighting.graceUntil[ship[row]] = world.tick + GRACE_TICKS
  delist(world, row)
  forgetMaulings(world, row)
  world.release(Participant, row)
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
  const { engageBattle } = world.read(Fighting)
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
  const { alive, engageBattle } = world.read(Fighting)
  for (let row = 1; row <= world.highOf(Ship); row++) {
    if (alive[row] === 1 && engageBattle[row] !== 0) engaging.add(row)
  }
}
