/** Rules of engage (battles) that reach other domains. */
import { type Outcome, ok } from '../../core/errors.ts'
import { PIRATES_PER_BATTLE_MAX } from '../../core/limits.ts'
import { interrupt } from '../../core/pending.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { areFactionsAllied } from '../diplomacy/model.ts'
import { factionOf } from '../faction/model.ts'
import { fleetmatesOf, isLeader } from '../fleet/model.ts'
import { uncommittedPirates, watchOf } from '../npc/model.ts'
import { callForHelp } from '../npc/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { activeShip } from '../ship/model.ts'
import { hasRoomForStation, hullOf, isWrecked, stationIn, stationOf } from '../siege/model.ts'
import { callStronghold, mobilize } from '../siege/rules.ts'
import { playersIn } from '../travel/model.ts'
import { addSide, changeSide, joinBattle, makeHostile, openBattle } from './battles-rules.ts'
import { deedOf } from './crimes-model.ts'
import { AGGRESSION_TICKS } from './damage-kernels.ts'
import {
  answering,
  attackRefusal,
  type Clash,
  type Clashing,
  canHelp,
  IN_GENERAL,
  isTorn,
  newSide,
  planClash,
} from './engage-model.ts'
import {
  type Allegiance,
  allegianceOf,
  battleId,
  battleIn,
  kindOf,
  participantOf,
  participantsOf,
  pilotOf,
} from './model.ts'
import { chargeDeed } from './rules.ts'
import { ALLIES_CALLED_MAX, BATTLE_KINDS, Battle, Participant, ShipCombat } from './state.ts'

/** Takes a ship into the battle on this side, unless it is in it already. */
function draw(world: World, battle: Row, ship: Eid, side: number): Row {
  return participantOf(world, ship) || joinBattle(world, battle, ship, side)
}

/**
 * One ship attacks another: opens the battle of the system or draws both into it, on sides that are
 * enemies now, and points the attacker's guns at the target. Whoever is drawn in drops what was
 * pending. A hunt is a battle of its own, which only attacks on those in it draw others into.
 * Returns the attacker's participant, or why not. For phase engage.
 */
export function aggress(
  world: World,
  ship: Eid,
  target: Eid,
  as: Clashing = IN_GENERAL,
): Outcome<Row, 'invalid_target' | 'limit_reached' | 'protected' | 'target_cloaked'> {
  const refused = attackRefusal(world, ship, target)
  if (refused) return refused
  const kinOf = (battle: Row, foe: number): number => newSide(world, battle, target, foe)
  const clash = planClash(world, ship, target, { ...as, kinOf })
  if ('code' in clash) return clash
  return ok(collide(world, ship, target, clash))
}

/** Puts attacker and target where the plan says; returns the attacker's participant. */
export function collide(world: World, ship: Eid, target: Eid, clash: Clash): Row {
  const deed = deedOf(world, ship, target)
  const isNew = clash.battle === 0
  const battle = isNew ? openBattle(world, target, clash.kind) : clash.battle
  const before = participantOf(world, ship)
  const own = clash.own || addSide(world, battle)
  if (before !== 0 && clash.own === 0) changeSide(world, before, own)
  const other = clash.other || addSide(world, battle)
  makeHostile(world, battle, own, other)
  const row = draw(world, battle, ship, own)
  const isDrawnIn = participantOf(world, target) === 0
  const enemy = draw(world, battle, target, other)
  point(world, row, enemy)
  const attacker = answering(world, ship)
  if (attacker !== 0) rally(world, enemy, attacker)
  const pilot = pilotOf(world, enemy)
  if (pilot !== 0 && isDrawnIn) {
    interrupt(world, pilot)
    rallyMates(world, enemy)
    rallyAllies(world, enemy)
  }
  // whoever leads has their fleet fight; others fight alone
  if (before === 0 && isLeader(world, pilotOf(world, row))) rallyMates(world, row)
  flag(world, row, isNew)
  chargeDeed(world, deed, battle)
  return row
}

/** Fires at the enemy from now on, whatever was ordered before. */
function point(world: World, row: Row, enemy: Row): void {
  const part = world.write(Participant)
  part.target[row] = enemy
  part.orderTarget[row] = 0
}

/** What an attack does to the attacker: no cloak, no grace after this tick, the flag. */
export function flag(world: World, row: Row, isNew: boolean): void {
  const ship = world.read(Participant).ship[row]
  const fighting = world.write(ShipCombat)
  fighting.aggressiveUntil[ship] = world.tick + AGGRESSION_TICKS
  fighting.graceUntil[ship] = Math.min(fighting.graceUntil[ship], world.tick)
  const player = pilotOf(world, row)
  if (player === 0) return
  setCloak(world, player, false)
  if (isNew) addStat(world, player, 'battles_started', 1)
}

/** Has the fleet mates of a pilot join at their side; what they had pending is dropped. */
function rallyMates(world: World, row: Row): void {
  const pilot = pilotOf(world, row)
  if (pilot === 0) return
  const { battle, side } = world.read(Participant)
  for (const mate of fleetmatesOf(world, pilot)) {
    const ship = activeShip(world, mate)
    if (!canHelp(world, battle[row], ship)) continue
    if (isNearlyFull(world, Participant)) return
    joinBattle(world, battle[row], ship, side[row])
    interrupt(world, mate)
  }
}

/**
 * Has those in the system join at the side of a pilot under attack whose factions stand by theirs:
 * its members and its allies, but nobody who stands by the other side too. ours: who attacks calls
 * nobody but their fleet, and so many answer at most. O(players in the system).
 */
function rallyAllies(world: World, row: Row): void {
  const pilot = pilotOf(world, row)
  const faction = pilot === 0 ? 0 : factionOf(world, pilot)
  const { battle, side } = world.read(Participant)
  const kind = BATTLE_KINDS[world.read(Battle).kind[battle[row]]]
  if (faction === 0 || kind !== 'general') return
  let called = 0
  for (const ally of playersIn(world, world.read(Battle).system[battle[row]])) {
    const other = factionOf(world, ally)
    const isOurs = other === faction || areFactionsAllied(world, other, faction)
    if (ally === pilot || !isOurs) continue
    const ship = activeShip(world, ally)
    if (!canHelp(world, battle[row], ship) || isTorn(world, row, ally)) continue
    if (++called > ALLIES_CALLED_MAX || isNearlyFull(world, Participant)) return
    joinBattle(world, battle[row], ship, side[row])
    interrupt(world, ally)
  }
}

/** Takes free ships of the same flag into the battle, as many as may stand together. */
function joinAll(world: World, victim: Row, ships: readonly Eid[]): void {
  const { battle, side } = world.read(Participant)
  const members = participantsOf(world, battle[victim])
  const kind = kindOf(world, victim)
  const kin = members.filter((row) => kindOf(world, row) === kind).length
  for (const ship of ships.slice(0, Math.max(0, PIRATES_PER_BATTLE_MAX - kin))) {
    if (isNearlyFull(world, Participant)) return
    joinBattle(world, battle[victim], ship, side[victim])
  }
}

/**
 * The station of the system joins a fight of its own crews, never a hunt. ours: that of their own
 * crew or empire, wherever in the system they fight; its guns reach as far as an attack does.
 */
function callStation(world: World, victim: Row, allegiance: Allegiance): void {
  const { battle, side } = world.read(Participant)
  const system = world.read(Battle).system[battle[victim]]
  if (battleIn(world, system) !== battle[victim] || !hasRoomForStation(world)) return
  const base = stationIn(world, system, allegiance === 'crew')
  if (base === 0 || hullOf(world, base) !== 0 || isWrecked(world, base)) return
  joinBattle(world, battle[victim], mobilize(world, base), side[victim])
}

/**
 * Has those join who stand by what a player has attacked; they say so on the radio. Each attack on
 * a pirate costs standing, and calls again. For phase engage, when both are in the battle.
 */
function rally(world: World, victim: Row, attacker: Eid): void {
  const { battle, ship } = world.read(Participant)
  const hull = ship[victim]
  const allegiance = allegianceOf(world, hull)
  if (allegiance === 'nobody') return
  const system = world.read(Battle).system[battle[victim]]
  const isCrew = allegiance === 'crew'
  joinAll(world, victim, isCrew ? uncommittedPirates(world, system) : watchOf(world, system))
  callStation(world, victim, allegiance)
  const base = stationOf(world, hull)
  if (base !== 0) callStronghold(world, base, attacker)
  else callForHelp(world, hull, attacker, battleId(world, battle[victim]))
}
