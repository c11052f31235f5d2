/**
 * How an NPC fights: whom it fires at, which ring and stance it takes. Its orders are stored as a
 * player's are, and hold from the fight of this tick on. Source: combat.md section 13.
 */
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { requestBoarding } from '../boarding/rules.ts'
import { Boarding } from '../boarding/state.ts'
import { battles, participantsOf } from '../combat/model.ts'
import {
  Battle,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  RING_OUTER,
  ShipCombat,
  STANCES,
} from '../combat/state.ts'
import { Module, Ship } from '../ship/state.ts'
import { isFreighter, isPolice, keepsHulls, npcOf } from './model.ts'
import { NPC_KINDS, Npc } from './state.ts'

/** Guns of this reach and more are artillery: it stays as far away as they carry. */
const ARTILLERY_REACH = 4
/** Rings that a brawler comes closer than its guns carry: ours, where most shots hit. */
const BRAWL_RINGS = 2
/** Hull below which a ship falls back a ring, %. */
const FALL_BACK_PCT = 40
/** Shield of a hull below which boarders get through, %. Source: combat.md section 10. */
const BOARDING_SHIELD_PCT = 25
/** Ticks under fire that it cannot return after which it flees. */
const OUTRANGED_TICKS_MAX = 5

export interface Situation {
  /** Hull left, %. */
  readonly hullPct: number
  /** Of its longest gun that has ammunition. */
  readonly reach: number
  /** Whether its guns can fire at all. */
  readonly arms: 'ready' | 'dry' | 'none'
  readonly ring: number
  readonly targetRing: number
  /** Ticks in a row in which it was hit by what it does not reach. */
  readonly outrangedTicks: number
  /** It has plundered somebody. */
  readonly hasLoot: boolean
}

interface Course {
  readonly stance: 'fire' | 'brace' | 'flee'
  /** -1 inwards, 1 outwards. */
  readonly move: -1 | 0 | 1
}

/**
 * Chooses ring and stance for the coming fight. Ships move before guns fire, so the stance is
 * chosen for the distance there will be; it braces while the target is out of reach.
 */
export function courseOf(situation: Situation): Course {
  const isDone = situation.hasLoot || situation.outrangedTicks >= OUTRANGED_TICKS_MAX
  if (isDone || situation.arms === 'none') return { stance: 'flee', move: 0 }
  if (situation.arms === 'dry')
    return { stance: 'brace', move: situation.ring < RING_OUTER ? 1 : 0 }
  const distance =
    situation.reach >= ARTILLERY_REACH
      ? situation.reach
      : Math.max(0, situation.reach - BRAWL_RINGS)
  const retreat = situation.hullPct < FALL_BACK_PCT ? 1 : 0
  const wanted = Math.min(RING_OUTER, Math.max(0, distance - situation.targetRing) + retreat)
  const move = wanted < situation.ring ? -1 : wanted > situation.ring ? 1 : 0
  const isInReach = situation.ring + move + situation.targetRing <= situation.reach
  return { stance: isInReach ? 'fire' : 'brace', move }
}

/** A laden freighter outruns nobody: it stays with those who guard it. */
const HOLDS_ON: Course = { stance: 'fire', move: 0 }

/** Returns the longest reach of a participant's guns that have ammunition; -1 when none has. */
function reachOf(view: WorldView, row: Row): number {
  const { guns, gunReach, gunMagazine, gunModule } = view.read(Participant)
  const { ammo } = view.read(Module)
  let reach = -1
  for (let gun = row * GUNS_MAX; gun < row * GUNS_MAX + guns[row]; gun++) {
    const isLoaded = gunMagazine[gun] === 0 || ammo[gunModule[gun]] > 0
    if (isLoaded) reach = Math.max(reach, gunReach[gun])
  }
  return reach
}

function isEnemy(view: WorldView, row: Row, other: Row): boolean {
  const { alive, battle, side } = view.read(Participant)
  if (alive[other] === 0 || battle[other] !== battle[row]) return false
  const hostile = view.read(Battle).hostile[battle[row] * (BATTLE_SIDES_MAX + 1) + side[row]]
  return ((hostile >>> (side[other] - 1)) & 1) === 1
}

/**
 * Chooses the enemy to fire at: those that can shoot before stations and the unarmed, then the
 * nearest, the weakest by hull, the oldest. 0 none. O(participants), when a focus is lost.
 */
export function chooseFocus(view: WorldView, row: Row): Row {
  const { next, ring, guns, kind, ship, battle } = view.read(Participant)
  const { hull, hullMax } = view.read(Ship)
  let focus = 0
  let least = Number.POSITIVE_INFINITY
  for (let other = view.read(Battle).first[battle[row]]; other !== 0; other = next[other]) {
    if (!isEnemy(view, row, other)) continue
    const isStation = PARTICIPANT_KINDS[kind[other]] === 'station'
    const harmless = isStation || guns[other] === 0 ? 1 : 0
    const hullPct = Math.trunc((100 * hull[ship[other]]) / hullMax[ship[other]])
    const rank = (harmless * (RING_OUTER + 1) + ring[other]) * 101 + hullPct
    if (rank < least) [focus, least] = [other, rank]
  }
  return focus
}

/** Returns the enemy it fires at already, else a new one. */
function focusOf(view: WorldView, row: Row, choose: (row: Row) => Row): Row {
  const target = view.read(Participant).target[row]
  return isEnemy(view, row, target) ? target : choose(row)
}

/** Returns the one participant that police fire at; 0 while they are not in the battle. */
function quarryOf(view: WorldView, row: Row): Row {
  const ship = view.read(Participant).ship[row]
  const prey = view.rowOf(Ship, view.read(Npc).prey[npcOf(view, ship)])
  const target = prey === 0 ? 0 : view.read(ShipCombat).participant[prey]
  return isEnemy(view, row, target) ? target : 0
}

/**
 * Returns whether a crew with marines would board its focus: a hull whose shield no longer keeps
 * them off and that carries something, while they carry nothing; those who keep hulls board
 * whatever is flown. ours: the sheet says what their boarders do, not when they come.
 */
function wantsToBoard(view: WorldView, row: Row, focus: Row, hullPct: number): boolean {
  const { capable, link } = view.read(Boarding)
  if (capable[row] === 0 || link[row] !== 0 || hullPct < FALL_BACK_PCT) return false
  const { marinesFit, shield, shieldMax, cargoUsed, cargoCap } = view.read(Ship)
  const { ship } = view.read(Participant)
  const [own, other] = [ship[row], ship[focus]]
  const isOpen = shield[other] * 100 <= shieldMax[other] * BOARDING_SHIELD_PCT
  const isLaden = cargoUsed[other] > 0 && cargoUsed[own] === 0 && cargoCap[own] > 0
  const isWorthIt = isLaden || keepsHulls(view, own)
  return marinesFit[own] > 0 && isOpen && isWorthIt
}

/** Counts the ticks in which it was hit by an enemy it does not reach. */
function countOutranged(world: World, row: Row, distance: number, reach: number): number {
  const { holdTicks, hullHit, shieldHit } = world.write(Participant)
  const isOutranged = hullHit[row] + shieldHit[row] > 0 && distance > reach
  holdTicks[row] = isOutranged ? Math.min(OUTRANGED_TICKS_MAX, holdTicks[row] + 1) : 0
  return holdTicks[row]
}

/** Creatures get their orders from their own domain. */
const CREATURE = NPC_KINDS.indexOf('creature')

/** Returns the NPCs in battles, but creatures, in the order of their rows. */
function fightingNpcs(view: WorldView): Row[] {
  if (view.countOf(Battle) === 0) return []
  const { ship } = view.read(Participant)
  const { kind } = view.read(Npc)
  return battles(view)
    .flatMap((battle) => participantsOf(view, battle).map((row) => npcOf(view, ship[row])))
    .filter((npc) => npc !== 0 && kind[npc] !== CREATURE)
    .sort((a, b) => a - b)
}

/**
 * Gives orders to all NPCs in battles: O(participants). The best target of one is that of its whole
 * side, so it is looked for once a side.
 */
export function commandNpcs(world: World): void {
  const { ship } = world.read(Npc)
  const { participant } = world.read(ShipCombat)
  const { battle, side } = world.read(Participant)
  const found = new Map<number, Row>()
  const choose = (row: Row): Row => {
    const key = battle[row] * (BATTLE_SIDES_MAX + 1) + side[row]
    const focus = found.get(key) ?? chooseFocus(world, row)
    found.set(key, focus)
    return focus
  }
  for (const npc of fightingNpcs(world)) giveOrders(world, participant[ship[npc]], choose)
}

/** Writes the orders of an NPC in a battle; one that boards sees it through. */
export function giveOrders(
  world: World,
  row: Row,
  choose: (row: Row) => Row = (own) => chooseFocus(world, own),
): void {
  const part = world.write(Participant)
  const { hull, hullMax, cargoUsed, marinesFit } = world.read(Ship)
  const ship = part.ship[row]
  part.orderTick[row] = world.tick
  if (STANCES[part.stance[row]] === 'board') return
  const isHunter = isPolice(world, ship)
  const focus = isHunter ? quarryOf(world, row) : focusOf(world, row, choose)
  if (focus === 0) return
  if (focus !== part.target[row]) part.orderTarget[row] = focus
  const hullPct = Math.trunc((100 * hull[ship]) / hullMax[ship])
  const isBoarding =
    wantsToBoard(world, row, focus, hullPct) &&
    requestBoarding(world, row, focus, marinesFit[ship]) === undefined
  if (isBoarding) return
  const reach = reachOf(world, row)
  const course = isFreighter(world, ship)
    ? HOLDS_ON
    : courseOf({
        hullPct,
        reach,
        arms: reach >= 0 ? 'ready' : part.guns[row] > 0 ? 'dry' : 'none',
        ring: part.ring[row],
        targetRing: part.ring[focus],
        outrangedTicks: isHunter
          ? 0
          : countOutranged(world, row, part.ring[row] + part.ring[focus], reach),
        hasLoot: cargoUsed[ship] > 0,
      })
  part.orderMove[row] = course.move
  part.orderStance[row] = STANCES.indexOf(course.stance) + 1
}
