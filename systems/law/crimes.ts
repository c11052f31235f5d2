/**
 * What is a crime, and what it costs: a bounty, reputation, a warrant. Each attack on a victim is
 * charged once a battle, and once more if it kills. Who attacks whom is the business of those who
 * call. Source: combat.md section 12.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { OFFENCES_PER_PLAYER_MAX } from '../../core/limits.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Base } from '../base/columns.ts'
import { Battle, Fighting, Participant } from '../combat/columns.ts'
import { isActOfWar } from '../diplomacy/rules.ts'
import { Ship } from '../ship/columns.ts'
import { CHARGED, CriminalRecord, Offence, VICTIM_KINDS, type VictimKind } from './columns.ts'
import { addBounty, loseReputation, tellNotice } from './debts.ts'
import { lawOf, placeOf, raiseWarrant } from './warrants.ts'

/** Ticks for which an attack may be paid back once its battle is over. */
const GRUDGE_TICKS = 30
/** What an attack on a station costs more, in reputation. Source: combat.md section 12. */
const STATION_FACTOR = 3

/* Victims */

/** Whom a crime is done to. */
export interface Victim {
  readonly kind: VictimKind
  /** Durable number: of the player, the ship, the base. */
  readonly number: number
  /** Who may pay it back; 0 nobody. */
  readonly player: Eid
}

export const playerVictim = (view: WorldView, player: Eid): Victim => ({
  kind: 'player',
  number: view.read(Player).seq[player],
  player,
})

/** A ship of an empire: police, customs, patrols. */
export const officialVictim = (view: WorldView, ship: Eid): Victim => ({
  kind: 'official',
  number: view.read(Ship).seq[ship],
  player: 0,
})

/** A prize that a player has claimed and that flies home for him. */
export const prizeVictim = (view: WorldView, ship: Eid, claimant: Eid): Victim => ({
  kind: 'prize',
  number: view.read(Ship).seq[ship],
  player: claimant,
})

/** A station of an empire. */
export const stationVictim = (view: WorldView, base: Eid): Victim => ({
  kind: 'station',
  number: view.read(Base).seq[base],
  player: 0,
})

/* Justification */

/** Where a player stands when he attacks; battle 0 in none. */
export interface Standing {
  readonly battle: Row
  readonly side: number
}
export const ALONE: Standing = { battle: 0, side: 0 }

/** Side on which a player fights in a battle; 0 in none. */
function sideIn(view: WorldView, player: Eid, battle: Row): number {
  const row = view.read(Fighting).participant[view.read(Player).ship[player]]
  const { battle: of, side } = view.read(Participant)
  return row !== 0 && of[row] === battle ? side[row] : 0
}

/**
 * True when one player may attack another by law: that one was an aggressor against him, or against
 * his side, in an earlier tick. O(offences of the other).
 */
export function isJustified(
  view: WorldView,
  player: Eid,
  other: Eid,
  { battle, side }: Standing,
): boolean {
  const { player: hurt, tick, until, next } = view.read(Offence)
  let row = view.read(CriminalRecord).firstOffence[other]
  for (; row !== 0; row = next[row]) {
    if (hurt[row] === 0 || tick[row] >= view.tick || until[row] < view.tick) continue
    if (hurt[row] === player) return true
    if (battle !== 0 && side !== 0 && sideIn(view, hurt[row], battle) === side) return true
  }
  return false
}

/** An attack as the law sees it. */
export interface Deed {
  /** The player to whom it is charged: who flies the ship, who owns the drone; 0 the server. */
  readonly offender: Eid
  readonly victim: Victim
  readonly system: Eid
  /** As it stood when the tick's attacks began. */
  readonly standing: Standing
}

/**
 * Index into EMPIRES of the empire that would charge this attack; -1 if it is no crime: none of a
 * player's, in lawless space, on oneself, of war, or justified.
 */
export function crimeOf(view: WorldView, { offender, victim, system, standing }: Deed): number {
  const empire = lawOf(view, system)
  if (offender === 0 || empire < 0 || victim.player === offender) return -1
  const isLawful =
    victim.player !== 0 &&
    (isActOfWar(view, offender, victim.player) ||
      isJustified(view, offender, victim.player, standing))
  return isLawful ? -1 : empire
}

/* Offences */

function isOf(view: WorldView, row: Row, victim: Victim, battle: number): boolean {
  const offence = view.read(Offence)
  return (
    offence.battle[row] === battle &&
    offence.number[row] === victim.number &&
    VICTIM_KINDS[offence.kind[row]] === victim.kind
  )
}

/** The offence against a victim in a battle by its durable number; 0 none. */
function offenceOf(view: WorldView, offender: Eid, victim: Victim, battle: number): Row {
  const { next } = view.read(Offence)
  let row = view.read(CriminalRecord).firstOffence[offender]
  while (row !== 0 && !isOf(view, row, victim, battle)) row = next[row]
  return row
}

function offencesOf(view: WorldView, offender: Eid): number {
  const { next } = view.read(Offence)
  let count = 0
  for (let row = view.read(CriminalRecord).firstOffence[offender]; row !== 0; row = next[row])
    count++
  return count
}

/** Notes an offence; 0 where nobody can keep more of them: then it is not charged either. */
function note(world: World, offender: Eid, victim: Victim, battle: number): Row {
  const found = offenceOf(world, offender, victim, battle)
  if (found !== 0) return found
  if (world.roomIn(Offence) === 0) return 0
  if (offencesOf(world, offender) >= OFFENCES_PER_PLAYER_MAX) return 0
  const row = world.take(Offence)
  const columns = world.write(Offence)
  const { firstOffence } = world.write(CriminalRecord)
  columns.offender[row] = offender
  columns.kind[row] = VICTIM_KINDS.indexOf(victim.kind)
  columns.number[row] = victim.number
  columns.player[row] = victim.player
  columns.battle[row] = battle
  columns.tick[row] = world.tick
  columns.next[row] = firstOffence[offender]
  firstOffence[offender] = row
  return row
}

function charge(world: World, deed: Deed, battle: number, bit: number): boolean {
  const { offender, victim, system } = deed
  const empire = crimeOf(world, deed)
  if (empire < 0) return false
  const row = note(world, offender, victim, battle)
  if (row === 0) return true
  const { charged, until } = world.write(Offence)
  until[row] = world.tick + GRUDGE_TICKS
  if ((charged[row] & bit) !== 0) return true
  charged[row] |= bit
  const { policy, name } = EMPIRES[empire]
  const isKill = bit === CHARGED.kill
  const factor = victim.kind === 'station' ? STATION_FACTOR : 1
  const points = factor * (isKill ? policy.rep_penalty_kill : policy.rep_penalty_attack)
  const amount = addBounty(
    world,
    offender,
    empire,
    isKill ? policy.bounty_kill : policy.bounty_attack,
  )
  const lost = loseReputation(world, offender, empire, points)
  raiseWarrant(world, offender, system)
  const what = isKill ? 'the destruction' : 'the attack'
  const message = `${name} charges you ${counted(amount, 'credit')} for ${what} in its space.`
  const change = { amount, reputation_change: lost === 0 ? 0 : -lost }
  tellNotice(world, offender, empire, {
    kind: 'crime',
    message,
    ...change,
    ...placeOf(world, system),
  })
  return true
}

/** Durable number of a battle; 0 for none. */
const numberOf = (view: WorldView, battle: Row): number =>
  battle === 0 ? 0 : view.read(Battle).seq[battle]

/**
 * Charges an attack, the first on this victim in this battle: bounty, reputation (three times for a
 * station), a warrant. True when it is a crime: it makes the attacker an aggressor from the next
 * tick on; a justified attack does not. For phase engage; `battle` is the one it opened or joined.
 */
export function chargeAttack(world: World, deed: Deed, battle: Row): boolean {
  assert(deed.victim.number > 0, 'an attack on nobody is charged')
  return charge(world, deed, numberOf(world, battle), CHARGED.attack)
}

/**
 * Charges the destruction of a victim. Of players and prizes only to who attacked them unlawfully
 * in that battle: whoever was drawn in defends himself. Officials and stations are never destroyed
 * by law. True when it is a crime.
 */
export function chargeKill(world: World, deed: Deed, battle: Row): boolean {
  const { offender, victim } = deed
  const number = numberOf(world, battle)
  const isAlways = victim.kind === 'official' || victim.kind === 'station'
  if (offender === 0) return false
  if (!isAlways && offenceOf(world, offender, victim, number) === 0) return false
  return charge(world, deed, number, CHARGED.kill)
}

/* Lapse */

/** True while the offender fights on in the battle of the offence. */
function isFoughtOn(view: WorldView, row: Row): boolean {
  const { offender, battle } = view.read(Offence)
  const part = view.read(Fighting).participant[view.read(Player).ship[offender[row]]]
  return part !== 0 && view.read(Battle).seq[view.read(Participant).battle[part]] === battle[row]
}

function forget(world: World, row: Row): void {
  const { offender, next } = world.write(Offence)
  const { firstOffence } = world.write(CriminalRecord)
  const of = offender[row]
  if (firstOffence[of] === row) firstOffence[of] = next[row]
  else {
    let before = firstOffence[of]
    while (next[before] !== row) before = next[before]
    next[before] = next[row]
  }
  world.release(Offence, row)
}

/** Forgets what is over for so long that it may not be paid back any more. O(offences). */
export function lapseOffences(world: World): void {
  if (world.countOf(Offence) === 0) return
  const { alive, until } = world.write(Offence)
  for (let row = 1; row <= world.highOf(Offence); row++) {
    if (alive[row] === 0 || until[row] >= world.tick) continue
    if (isFoughtOn(world, row)) until[row] = world.tick + GRUDGE_TICKS
    else forget(world, row)
  }
}
