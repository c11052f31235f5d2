/**
 * How attacks open battles or draw ships into them, who is called to help, with which crimes
 * attackers are charged, and who may join a side. Which attacks are possible is in engage-model.ts.
 */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { interrupt } from '../../core/pending.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { areFactionsAllied } from '../diplomacy/model.ts'
import { factionOf } from '../faction/model.ts'
import { areFleetmates, fleetmatesOf, isLeader } from '../fleet/model.ts'
import { chargeAttack } from '../law/crimes-rules.ts'
import { playerVictim } from '../law/model.ts'
import { empireDefenders } from '../npc/empire-model.ts'
import { isDuel } from '../npc/model.ts'
import { callForHelp } from '../npc/radio-rules.ts'
import { ATTACK_STANDING, lowerStanding } from '../npc/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { activeShip } from '../ship/model.ts'
import {
  hasRoomForStation,
  isPirateBase,
  isWrecked,
  stationIn,
  stationOf,
  stationShipOf,
  systemOfBase,
} from '../siege/model.ts'
import { callStronghold, mobilize } from '../siege/rules.ts'
import { isHost, ownerOfBase } from '../station/model.ts'
import { isOnMap, playersIn } from '../travel/model.ts'
import { Location } from '../travel/state.ts'
import { addSide, changeSide, joinBattle, makeHostile, openBattle } from './battles-rules.ts'
import { incidentOf } from './crimes-model.ts'
import { AGGRESSION_TICKS } from './damage-kernels.ts'
import {
  type AttackOptions,
  type AttackPlan,
  attackRefusal,
  canHelp,
  GENERAL_ATTACK,
  hasAlliesAgainst,
  planAttack,
  sideOfFirst,
  sideToJoin,
} from './engage-model.ts'
import {
  type Allegiance,
  allegianceOf,
  answerableFor,
  areHostile,
  battleId,
  battleIn,
  battleKindOf,
  isMatch,
  kindOf,
  participantOf,
  participantsOf,
  pilotOf,
} from './model.ts'
import { callCrew, reinforce, threatTo } from './reinforcement-rules.ts'
import { ALLIES_CALLED_MAX, Battle, Participant, ShipCombat } from './state.ts'

type AttackRefusal = 'invalid_target' | 'limit_reached' | 'protected' | 'target_cloaked'

/** Takes a ship into a battle on a side, unless it is in it already. */
const ensureJoined = (world: World, battle: Row, ship: Eid, side: number): Row =>
  participantOf(world, ship) || joinBattle(world, battle, ship, side)

/**
 * Has one ship attack another: opens the battle of the system or draws both into it, on sides that
 * become enemies, and aims the attacker's guns at the target. A ship drawn in drops what was
 * pending. A hunt is a battle of its own, which one enters only by attacking one of its members.
 * Returns the attacker's participant. For phase engage.
 */
export function aggress(
  world: World,
  ship: Eid,
  target: Eid,
  options: AttackOptions = GENERAL_ATTACK,
): Outcome<Row, AttackRefusal> {
  const refused = attackRefusal(world, ship, target)
  if (refused) return refused
  const targetSide = (battle: Row, attackerSide: number): number =>
    sideToJoin(world, battle, target, attackerSide)
  const plan = planAttack(world, ship, target, { ...options, targetSide })
  return 'code' in plan ? plan : ok(startAttack(world, ship, target, plan))
}

/** Puts attacker and target where the plan says; returns the attacker's participant. */
function startAttack(world: World, ship: Eid, target: Eid, plan: AttackPlan): Row {
  const incident = incidentOf(world, ship, target)
  const isNew = plan.battle === 0
  const battle = isNew ? openBattle(world, target, plan.kind) : plan.battle
  const before = participantOf(world, ship)
  const own = plan.attackerSide || addSide(world, battle)
  if (before !== 0 && plan.attackerSide === 0) changeSide(world, before, own)
  const other = plan.targetSide || addSide(world, battle)
  makeHostile(world, battle, own, other)
  const row = ensureJoined(world, battle, ship, own)
  const isDrawnIn = participantOf(world, target) === 0
  const enemy = ensureJoined(world, battle, target, other)
  const part = world.write(Participant)
  part.target[row] = enemy
  part.orderTarget[row] = 0
  const pilot = pilotOf(world, enemy)
  if (pilot !== 0 && isDrawnIn) {
    interrupt(world, pilot)
    callFleet(world, enemy)
    callAllies(world, enemy)
  }
  // Only the leader of a fleet brings it along.
  if (before === 0 && isLeader(world, pilotOf(world, row))) callFleet(world, row)
  // After the fleet, because whether pirates call for help depends on all the enemies they face.
  const attacker = answerableFor(world, ship)
  if (attacker !== 0) callDefenders(world, enemy, attacker)
  flagAttacker(world, row, isNew)
  if (incident && !isMatch(world, battle)) chargeAttack(world, incident, battle)
  return row
}

/**
 * Takes cloak and grace from an attacker, sets the flag of aggression, and counts the battle for
 * the attacker if they started it (`isNew`).
 */
export function flagAttacker(world: World, row: Row, isNew: boolean): void {
  const ship = world.read(Participant).ship[row]
  const shipCombat = world.write(ShipCombat)
  shipCombat.aggressiveUntil[ship] = world.tick + AGGRESSION_TICKS
  shipCombat.graceUntil[ship] = Math.min(shipCombat.graceUntil[ship], world.tick)
  const player = pilotOf(world, row)
  if (player === 0) return
  setCloak(world, player, false)
  if (isNew) addStat(world, player, 'battles_started', 1)
}

/** Charges a player who has joined a side with attacking each enemy player. Source: combat.md 1. */
export function chargeEngagement(world: World, row: Row): void {
  const { battle: battleOf, side } = world.read(Participant)
  const battle = battleOf[row]
  const battleSide = { battle, side: side[row] }
  const offender = pilotOf(world, row)
  const system = world.read(Battle).system[battle]
  const enemies = participantsOf(world, battle).filter((other) =>
    areHostile(world, battle, side[row], side[other]),
  )
  for (const enemy of enemies) {
    const player = pilotOf(world, enemy)
    if (player === 0) continue
    const victim = playerVictim(world, player)
    chargeAttack(world, { offender, victim, system, battleSide }, battle)
  }
}

/* Calls for help */

/** Adds the fleetmates of a pilot at their side; what they had pending is dropped. */
function callFleet(world: World, row: Row): void {
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
 * Has members and allies of the faction of a pilot under attack join at their side, except for
 * those who have allies on the other side too. ours: an attacker calls only their fleet, and at
 * most ALLIES_CALLED_MAX answer. O(players in the system).
 */
function callAllies(world: World, row: Row): void {
  const pilot = pilotOf(world, row)
  const faction = pilot === 0 ? 0 : factionOf(world, pilot)
  const { battle: battleOf, side } = world.read(Participant)
  const battle = battleOf[row]
  if (faction === 0 || battleKindOf(world, battle) !== 'general') return
  let called = 0
  for (const ally of playersIn(world, world.read(Battle).system[battle])) {
    const other = factionOf(world, ally)
    const isOurs = other === faction || areFactionsAllied(world, other, faction)
    if (ally === pilot || !isOurs) continue
    const ship = activeShip(world, ally)
    if (!canHelp(world, battle, ship) || hasAlliesAgainst(world, row, ally)) continue
    if (++called > ALLIES_CALLED_MAX || isNearlyFull(world, Participant)) return
    joinBattle(world, battle, ship, side[row])
    interrupt(world, ally)
  }
}

/**
 * Has the station of the system join a fight of its crew or empire, unless it is a hunt. ours: it
 * joins wherever in the system they fight, because its guns reach as far as any attack.
 */
function callStation(world: World, victim: Row, allegiance: Allegiance): void {
  const { battle, side } = world.read(Participant)
  const system = world.read(Battle).system[battle[victim]]
  if (battleIn(world, system) !== battle[victim] || !hasRoomForStation(world)) return
  const base = stationIn(world, system, allegiance === 'crew')
  if (base === 0 || stationShipOf(world, base) !== 0 || isWrecked(world, base)) return
  joinBattle(world, battle[victim], mobilize(world, base), side[victim])
}

/**
 * Has the defenders of what a player has attacked join, and calls for help on the radio. A scout
 * that treats the attack as a duel calls neither its crew nor for help, but its station joins. Each
 * attack on a pirate lowers standing and calls again. For phase engage, when both are in battle.
 */
function callDefenders(world: World, victim: Row, attacker: Eid): void {
  const { battle, ship } = world.read(Participant)
  const victimShip = ship[victim]
  const allegiance = allegianceOf(world, victimShip)
  if (allegiance === 'nobody') return
  const system = world.read(Battle).system[battle[victim]]
  const isCrew = allegiance === 'crew'
  const isAlone = isCrew && isDuel(world, victimShip, threatTo(world, victim))
  if (isCrew && !isAlone) callCrew(world, victim, { isEngaging: true })
  if (!isCrew) reinforce(world, victim, empireDefenders(world, system))
  callStation(world, victim, allegiance)
  const base = stationOf(world, victimShip)
  if (base !== 0) callStronghold(world, base, attacker)
  else if (isAlone) lowerStanding(world, attacker, victimShip, ATTACK_STANDING)
  else callForHelp(world, victimShip, attacker, battleId(world, battle[victim]))
}

/* Attacks on stations */

/** Returns the side that fights for a station's crew, empire or faction; 0 if there is none. */
function sideOfStation(view: WorldView, battle: Row, base: Eid): number {
  if (ownerOfBase(view, base) !== 0) {
    return sideOfFirst(view, battle, (row) => {
      const pilot = pilotOf(view, row)
      return pilot !== 0 && isHost(view, pilot, base)
    })
  }
  const kind = isPirateBase(view, base) ? 'pirate' : 'npc'
  return sideOfFirst(view, battle, (row) => kindOf(view, row) === kind)
}

/** Refuses an impossible attack on a station that has not joined a battle yet. */
function siegeRefusal(
  view: WorldView,
  ship: Eid,
  base: Eid,
): Failure<'invalid_target' | 'limit_reached' | 'target_wrecked'> | undefined {
  const isHere = systemOfBase(view, base) === view.read(Location).system[ship]
  if (!isHere || !isOnMap(view, ship)) return fail('invalid_target')
  if (isWrecked(view, base)) return fail('target_wrecked')
  const row = participantOf(view, ship)
  // ours: a station has no part in hunts and matches
  const isInHuntOrMatch =
    row !== 0 && battleKindOf(view, view.read(Participant).battle[row]) !== 'general'
  if (isInHuntOrMatch) return fail('invalid_target')
  return hasRoomForStation(view) ? undefined : fail('limit_reached')
}

/**
 * Attacks a station as `aggress` does a ship; the attack calls it to arms. Source: combat.md 13.
 */
export function attackStation(
  world: World,
  ship: Eid,
  base: Eid,
): Outcome<Row, AttackRefusal | 'target_wrecked'> {
  const fighter = stationShipOf(world, base)
  if (fighter !== 0) return aggress(world, ship, fighter)
  const refused = siegeRefusal(world, ship, base)
  if (refused) return refused
  const targetSide = (battle: Row): number => sideOfStation(world, battle, base)
  const plan = planAttack(world, ship, 0, { ...GENERAL_ATTACK, targetSide })
  return 'code' in plan ? plan : ok(startAttack(world, ship, mobilize(world, base), plan))
}

/* Joining a side */

/** Refuses a side that is hostile to the player's own fleet. Source: combat.md section 17. */
function fleetRefusal(
  view: WorldView,
  battle: Row,
  player: Eid,
  side: number,
): Failure<'invalid_side'> | undefined {
  const { side: sideOf } = view.read(Participant)
  const isAgainst = participantsOf(view, battle).some((row) => {
    const pilot = pilotOf(view, row)
    if (pilot === 0 || !areFleetmates(view, player, pilot)) return false
    return areHostile(view, battle, sideOf[row], side)
  })
  return isAgainst ? fail('invalid_side') : undefined
}

/** Refuses a side that a player's ship may not join. */
export function engageRefusal(
  view: WorldView,
  battle: Row,
  player: Eid,
  side: number,
): Failure<'invalid_side' | 'limit_reached'> | undefined {
  const { side: sideOf } = view.read(Participant)
  const isManned = participantsOf(view, battle).some((row) => sideOf[row] === side)
  if (!isManned) return fail('invalid_side')
  if (isNearlyFull(view, Participant)) return fail('limit_reached')
  return fleetRefusal(view, battle, player, side)
}
