/**
 * Aggression: who may attack whom, and how an attack opens a battle or draws ships into one. All
 * attacks of a tick are judged by how things stood before the first of them. Source: combat.md
 * sections 1, 8.
 */
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import { interrupt, pendingOf } from '../../core/pending.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { addStat, isBound } from '../account/rules.ts'
import { areApart } from '../arena/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { isCreature } from '../creature/rules.ts'
import { isDrone, masterOf } from '../drone/hull-rules.ts'
import { areMates, isLeader } from '../fleet/rules.ts'
import { claimantOf, prizeOf } from '../prize/rules.ts'
import { setCloak, sightOf } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { Siege, StationHull } from '../siege/columns.ts'
import { hasRoomForStation, mobilize } from '../siege/rules.ts'
import { hullOf, isPirateBase, isWrecked, systemOfBase } from '../siege/station-rules.ts'
import { isHost, ownerOfBase } from '../station/access-rules.ts'
import { AT_POI, DOCKED_STATE, JUMPING, Location, StarSystem } from '../travel/columns.ts'
import { isPlaced } from '../travel/rules.ts'
import {
  addSide,
  areHostile,
  type BattleKind,
  battleIn,
  changeSide,
  engagingShips,
  joinBattle,
  kindOfShip,
  lowestHostile,
  makeHostile,
  openBattle,
  participantOf,
  wishToEngage,
} from './battles.ts'
import { BATTLE_KINDS, Battle, Fighting, Lives, PARTICIPANT_KINDS, Participant } from './columns.ts'
import { chargeDeed, chargeEngagement, deedOf, enemiesOf } from './crimes.ts'
import { AGGRESSION_TICKS } from './damage.ts'
import { alliedSide, rallyAllies, rallyMates, refusesAgainstMates } from './mates.ts'
import { rally, rallyStations } from './rallies.ts'
import { tellJoins } from './tell.ts'
import { participantsOf, pilotOf } from './views.ts'

const GENERAL_KIND = BATTLE_KINDS.indexOf('general')
/** Ticks after the last binding for which a ship in space can still be found. */
const ABSENCE_TICKS = 3

/** Ships that left a station in this tick's attacks: to the others they are docked still. */
const UNDOCKED_NOW = defineIndex('combat.undocked-now', () => new Set<Eid>())

export const noteUndocked = (world: World, ship: Eid): void => {
  world.index(UNDOCKED_NOW).add(ship)
}
export const forgetUndocked = (world: World): void => world.index(UNDOCKED_NOW).clear()

/** The player who flies a ship; 0 for those the server runs. */
const flierOf = (view: WorldView, ship: Eid): Eid => view.read(Ship).owner[ship]

/**
 * Offline for a while, and neither in a battle nor flagged when the last connection ended: out of
 * reach. Source: travel.md section 2, combat.md section 15.
 */
export function isAway(view: WorldView, ship: Eid): boolean {
  const player = flierOf(view, ship)
  if (player === 0 || isBound(view, player) || participantOf(view, ship) !== 0) return false
  const gone = view.read(Player).goneTick[player]
  const isFlagged = view.read(Fighting).aggressiveUntil[ship] > gone
  return view.tick > gone + (isFlagged ? AGGRESSION_TICKS : ABSENCE_TICKS)
}

/** In space in the system of that ship, as it was before this tick's attacks. */
function isInReach(view: WorldView, ship: Eid, target: Eid): boolean {
  const { state, system } = view.read(Location)
  if (ship === target || !isPlaced(view, target) || system[ship] !== system[target]) return false
  if (state[target] === DOCKED_STATE || state[target] >= JUMPING) return false
  return !view.index(UNDOCKED_NOW).has(target) && !isAway(view, target)
}

/** At the same place: prizes can be attacked nowhere else. Source: combat.md section 1. */
function isBeside(view: WorldView, ship: Eid, target: Eid): boolean {
  const { poi } = view.read(Location)
  return poi[ship] !== 0 && poi[ship] === poi[target]
}

/** The escape grace of a ship towards those who are, or were last, in the battle it left. */
function isProtected(view: WorldView, ship: Eid, target: Eid): boolean {
  const { graceUntil, lastBattle } = view.read(Fighting)
  if (lastBattle[target] === 0 || view.tick > graceUntil[target]) return false
  const row = participantOf(view, ship)
  const { battle } = view.read(Participant)
  const own = row === 0 ? lastBattle[ship] : view.read(Battle).seq[battle[row]]
  return own === lastBattle[target]
}

/** Why a ship may not attack another now; nothing where it may. What it costs is the law's. */
export function refusesAttack(view: WorldView, ship: Eid, target: Eid): Failure | undefined {
  if (target === 0 || !isInReach(view, ship, target)) return fail('invalid_target')
  if (areApart(view, ship, target)) return fail('invalid_target')
  const isNearOnly = prizeOf(view, target) !== 0 || isDrone(view, target)
  if (isNearOnly && !isBeside(view, ship, target)) return fail('invalid_target')
  const [attacker, pilot] = [answering(view, ship), flierOf(view, target)]
  if (attacker !== 0 && attacker === masterOf(view, target)) return fail('invalid_target')
  if (attacker !== 0 && attacker === pilot) return fail('invalid_target')
  if (areMates(view, attacker, pilot)) return fail('invalid_target')
  if (attacker !== 0 && claimantOf(view, target) === attacker) return fail('invalid_target')
  if (pilot !== 0 && view.read(Player).ship[pilot] !== target) return fail('invalid_target')
  const row = participantOf(view, target)
  if (pilot !== 0 && row === 0 && sightOf(view, attacker, pilot) === 'nothing') {
    return fail('target_cloaked')
  }
  if (isProtected(view, ship, target)) return fail('protected')
  return undefined
}

/** Who answers for what a ship does: its pilot, or whose drone it is; 0 for the server's. */
const answering = (view: WorldView, ship: Eid): Eid => flierOf(view, ship) || masterOf(view, ship)

/**
 * Side of a drone's owner in a battle, or of another of his drones; and that of his drones for the
 * owner. 0 none, and where that side is the other's.
 */
function masterSide(view: WorldView, battle: Row, ship: Eid, other: number): number {
  const master = answering(view, ship)
  if (master === 0) return 0
  const { next, side, ship: of } = view.read(Participant)
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (side[row] !== other && answering(view, of[row]) === master) return side[row]
  }
  return 0
}

/** Sides that an attack puts the two on: 0 for one still to be made. */
interface Clash {
  readonly kind: BattleKind
  /** 0: still to be opened. */
  readonly battle: Row
  readonly own: number
  readonly other: number
}

/** Side of the pirates in a battle, or of the police: each stand together. 0 none. */
function kindredSide(view: WorldView, battle: Row, ship: Eid): number {
  if (answering(view, ship) !== 0 || prizeOf(view, ship) !== 0) return 0
  const wanted = PARTICIPANT_KINDS.indexOf(kindOfShip(view, ship))
  const { next, kind, side } = view.read(Participant)
  for (let row = view.read(Battle).first[battle]; row !== 0; row = next[row]) {
    if (kind[row] === wanted) return side[row]
  }
  return 0
}

/** Side that a ship not in the battle yet takes there; 0: one of its own. */
const newSide = (view: WorldView, battle: Row, ship: Eid, other: number): number =>
  masterSide(view, battle, ship, other) ||
  kindredSide(view, battle, ship) ||
  alliedSide(view, battle, answering(view, ship), other)

/** How an attacker goes about it. */
interface Clashing {
  /** Of the battle that is opened where there is none to join. */
  readonly kind: BattleKind
  /** A side of the battle that the attacker takes if he is on none; 0: whichever fits. */
  readonly side: number
}
const IN_GENERAL: Clashing = { kind: 'general', side: 0 }

/** What an attack asks for beyond whom it is on. */
interface Wish extends Clashing {
  /** The side of a battle that a target takes which is in none yet, against `foe`; 0 a new one. */
  kinOf(battle: Row, foe: number): number
}

/** Where an attack puts attacker and target. Refusals: invalid_target, limit_reached. */
function planClash(view: WorldView, ship: Eid, target: Eid, wish: Wish): Clash | Failure {
  const { battle: of, side } = view.read(Participant)
  const [a, b] = [participantOf(view, ship), participantOf(view, target)]
  const { kind } = wish
  const general = kind === 'general' ? battleIn(view, view.read(Location).system[ship]) : 0
  const battle = of[a || b] || general
  if (isNearlyFull(view, Battle) || isNearlyFull(view, Participant)) return fail('limit_reached')
  if (battle === 0) return { kind, battle, own: 0, other: 0 }
  if (a !== 0 && b !== 0 && of[a] !== of[b]) return fail('invalid_target')
  const isHunt = BATTLE_KINDS[view.read(Battle).kind[battle]] === 'hunt'
  if (b === 0 && (isHunt || kind === 'hunt')) return fail('invalid_target')
  const other = b === 0 ? wish.kinOf(battle, side[a]) : side[b]
  const isHunter = isHunt && a === 0 && isCreature(view, target)
  const joined = isHunter ? lowestHostile(view, battle, other) : newSide(view, battle, ship, other)
  const own = a === 0 ? wish.side || joined : side[a]
  const isSplit = own !== 0 && own === other
  const wanted = isSplit ? 1 : Number(own === 0) + Number(other === 0)
  if (wanted <= BATTLE_SIDES_MAX - view.read(Battle).sides[battle]) {
    return { kind, battle, own: isSplit ? 0 : own, other }
  }
  const lowest = own === 0 ? lowestHostile(view, battle, other) : lowestHostile(view, battle, own)
  if (isSplit || wanted === 2 || lowest === 0) return fail('limit_reached')
  const sides = own === 0 ? { own: lowest, other } : { own, other: lowest }
  return { kind, battle, ...sides }
}

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
): Outcome<Row> {
  const refused = refusesAttack(world, ship, target)
  if (refused) return refused
  const kinOf = (battle: Row, foe: number): number => newSide(world, battle, target, foe)
  const clash = planClash(world, ship, target, { ...as, kinOf })
  if ('code' in clash) return clash
  return ok(collide(world, ship, target, clash))
}

/** Side of those who fight for the crew, the empire or the faction of a station; 0 none. */
function sideOfStation(view: WorldView, battle: Row, base: Eid): number {
  if (ownerOfBase(view, base) !== 0) {
    const host = participantsOf(view, battle).find((row) => {
      const pilot = pilotOf(view, row)
      return pilot !== 0 && isHost(view, pilot, base)
    })
    return host === undefined ? 0 : view.read(Participant).side[host]
  }
  const wanted = PARTICIPANT_KINDS.indexOf(isPirateBase(view, base) ? 'pirate' : 'npc')
  const found = participantsOf(view, battle).find(
    (row) => view.read(Participant).kind[row] === wanted,
  )
  return found === undefined ? 0 : view.read(Participant).side[found]
}

/** Why a ship may not attack a station that is in no battle; nothing where it may. */
function refusesSiege(view: WorldView, ship: Eid, base: Eid): Failure | undefined {
  const isHere = systemOfBase(view, base) === view.read(Location).system[ship]
  if (!isHere || !isPlaced(view, ship)) return fail('invalid_target')
  if (isWrecked(view, base)) return fail('target_wrecked')
  const row = participantOf(view, ship)
  const { kind } = view.read(Battle)
  // ours: a station has no part in hunts and matches
  const isElsewhere = row !== 0 && kind[view.read(Participant).battle[row]] !== GENERAL_KIND
  if (isElsewhere) return fail('invalid_target')
  return hasRoomForStation(view) ? undefined : fail('limit_reached')
}

/**
 * As `aggress`, on a station: it takes arms with the attack. Refusals: invalid_target,
 * target_wrecked, limit_reached. Source: combat.md section 13.
 */
export function aggressStation(world: World, ship: Eid, base: Eid): Outcome<Row> {
  const hull = hullOf(world, base)
  if (hull !== 0) return aggress(world, ship, hull)
  const refused = refusesSiege(world, ship, base)
  if (refused) return refused
  const kinOf = (battle: Row): number => sideOfStation(world, battle, base)
  const clash = planClash(world, ship, 0, { ...IN_GENERAL, kinOf })
  if ('code' in clash) return clash
  return ok(collide(world, ship, mobilize(world, base), clash))
}

/** Puts attacker and target where the plan says; returns the attacker's participant. */
function collide(world: World, ship: Eid, target: Eid, clash: Clash): Row {
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
  // whoever leads has his fleet fight; others fight alone
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
function flag(world: World, row: Row, isNew: boolean): void {
  const ship = world.read(Participant).ship[row]
  const fighting = world.write(Fighting)
  fighting.aggressiveUntil[ship] = world.tick + AGGRESSION_TICKS
  fighting.graceUntil[ship] = Math.min(fighting.graceUntil[ship], world.tick)
  const player = pilotOf(world, row)
  if (player === 0) return
  setCloak(world, player, false)
  if (isNew) addStat(world, player, 'battles_started', 1)
}

/** Why a ship may not join a battle on a side; nothing where it may. */
export function refusesEngage(
  view: WorldView,
  battle: Row,
  player: Eid,
  side: number,
): Failure | undefined {
  const { side: sideOf } = view.read(Participant)
  const rows = participantsOf(view, battle)
  if (!rows.some((row) => sideOf[row] === side)) return fail('invalid_side')
  if (isNearlyFull(view, Participant)) return fail('limit_reached')
  return refusesAgainstMates(view, battle, player, side)
}

/**
 * Takes those into battles who wished to engage, if nothing has come in between. Whoever awaits the
 * outcome of an action of this tick joins in the next: it may need the ship.
 */
export const join: SystemDef = {
  name: 'combat.join',
  phase: 'fight',
  reads: [Player, StarSystem],
  writes: [Battle, Participant, Fighting, Lives, Ship, Location, Siege, StationHull],
  run(world) {
    forgetUndocked(world)
    for (const ship of engagingShips(world)) engage(world, ship)
    rallyStations(world)
    tellJoins(world)
  },
}

function engage(world: World, ship: Eid): void {
  const { engageBattle, engageSide } = world.read(Fighting)
  const [battle, side] = [engageBattle[ship], engageSide[ship]]
  const { state, system } = world.read(Location)
  if (state[ship] === AT_POI && pendingOf(world, flierOf(world, ship))) return
  wishToEngage(world, ship, 0, 0)
  const isThere = state[ship] === AT_POI && system[ship] === world.read(Battle).system[battle]
  if (!isThere || refusesEngage(world, battle, flierOf(world, ship), side)) return
  const row = joinBattle(world, battle, ship, side)
  flag(world, row, false)
  const isEnemy = (other: number): boolean => areHostile(world, battle, side, other)
  chargeEngagement(world, row, enemiesOf(world, row, isEnemy))
}
