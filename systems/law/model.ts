/** Lookups of the law: jurisdiction, crimes, debts, warrants. */
import { EMPIRES, GOODS } from '../../core/catalog/index.ts'
import type { Held } from '../../core/goods.ts'
import { BOUNTY_CREDITS_MAX } from '../../core/limits.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { reputationOf } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { Base } from '../base/state.ts'
import { Participant, ShipCombat } from '../combat/state.ts'
import { isActOfWar } from '../diplomacy/model.ts'
import { Ship } from '../ship/state.ts'
import { Lane, StarSystem } from '../travel/state.ts'
import { CriminalRecord, Offence, type VictimKind, Warrant } from './state.ts'

/* Jurisdiction */

/** Returns the index into EMPIRES of the empire with jurisdiction over a system; -1 for none. */
export function jurisdictionOf(view: WorldView, system: Eid): number {
  const { police, empire } = view.read(StarSystem)
  return police[system] > 0 ? empire[system] - 1 : -1
}

/** Returns whether a system of an empire has a lane to a system outside that empire. */
export function isBorder(view: WorldView, system: Eid): boolean {
  const { empire, firstLane, laneCount } = view.read(StarSystem)
  const { to } = view.read(Lane)
  if (jurisdictionOf(view, system) < 0) return false
  for (let lane = firstLane[system]; lane < firstLane[system] + laneCount[system]; lane++) {
    if (empire[to[lane]] !== empire[system]) return true
  }
  return false
}

/** Renders a system for notices. */
export function systemFields(view: WorldView, system: Eid) {
  const { id, name } = view.read(StarSystem)
  return { system_id: view.texts.get(id[system]), system_name: view.texts.get(name[system]) }
}

/* Victims */

/** The victim of a crime. */
export interface Victim {
  readonly kind: VictimKind
  /** Durable number of the player, ship or base. */
  readonly number: number
  /** Player who may retaliate; 0 for none. */
  readonly player: Eid
}

/** Returns a player as a victim. */
export const playerVictim = (view: WorldView, player: Eid): Victim => ({
  kind: 'player',
  number: view.read(Player).seq[player],
  player,
})

/** Returns a ship of an empire as a victim: police, customs, patrols. */
export const officialVictim = (view: WorldView, ship: Eid): Victim => ({
  kind: 'official',
  number: view.read(Ship).seq[ship],
  player: 0,
})

/** Returns a prize that flies home for its claimant as a victim. */
export const prizeVictim = (view: WorldView, ship: Eid, claimant: Eid): Victim => ({
  kind: 'prize',
  number: view.read(Ship).seq[ship],
  player: claimant,
})

/** Returns a station of an empire as a victim. */
export const stationVictim = (view: WorldView, base: Eid): Victim => ({
  kind: 'station',
  number: view.read(Base).seq[base],
  player: 0,
})

/* Crimes */

/** The battle of a player when they attack, and their side in it; battle 0 for none. */
export interface BattleSide {
  readonly battle: Row
  readonly side: number
}
/** The side of a player who is in no battle. */
export const ALONE: BattleSide = { battle: 0, side: 0 }

/** Returns the side on which a player fights in a battle; 0 if they are not in it. */
function sideIn(view: WorldView, player: Eid, battle: Row): number {
  const row = view.read(ShipCombat).participant[view.read(Player).ship[player]]
  const { battle: battles, side } = view.read(Participant)
  return row !== 0 && battles[row] === battle ? side[row] : 0
}

/**
 * Returns whether one player may lawfully attack another: the other was an aggressor against them,
 * or against their side, in an earlier tick. O(offences of the other).
 */
export function isJustified(
  view: WorldView,
  player: Eid,
  other: Eid,
  { battle, side }: BattleSide,
): boolean {
  const { player: victim, tick, until, next } = view.read(Offence)
  let row = view.read(CriminalRecord).firstOffence[other]
  for (; row !== 0; row = next[row]) {
    if (victim[row] === 0 || tick[row] >= view.tick || until[row] < view.tick) continue
    if (victim[row] === player) return true
    if (battle !== 0 && side !== 0 && sideIn(view, victim[row], battle) === side) return true
  }
  return false
}

/** An attack or a kill, which may be a crime. */
export interface Incident {
  /** The player responsible: pilot of the ship or owner of the drone; 0 for the server. */
  readonly offender: Eid
  readonly victim: Victim
  readonly system: Eid
  /** Battle and side of the offender when the attacks of the tick began. */
  readonly battleSide: BattleSide
}

/**
 * Returns the index into EMPIRES of the empire that would charge this incident; -1 if it is no
 * crime: not a player's, in lawless space, against oneself, an act of war, or justified.
 */
export function crimeOf(
  view: WorldView,
  { offender, victim, system, battleSide }: Incident,
): number {
  const empire = jurisdictionOf(view, system)
  if (offender === 0 || empire < 0 || victim.player === offender) return -1
  const isLawful =
    victim.player !== 0 &&
    (isActOfWar(view, offender, victim.player) ||
      isJustified(view, offender, victim.player, battleSide))
  return isLawful ? -1 : empire
}

/* Debts, reputation and detention */

/** Returns the index of a player's entry for an empire in the columns by EMPIRES. */
export const empireIndex = (player: Eid, empire: number): number => player * EMPIRES_WIDTH + empire

/** Returns the bounty that an empire, given by its index, has on a player; credits. */
export const bountyOf = (view: WorldView, player: Eid, empire: number): number =>
  view.read(CriminalRecord).bounty[empireIndex(player, empire)]

/** Returns whether a player's reputation is above the threshold for shooting on sight. */
export const isWelcome = (view: WorldView, player: Eid, empire: number): boolean =>
  reputationOf(view, player, empire) > EMPIRES[empire].policy.shoot_on_sight_threshold

const BPS = 10_000

/**
 * Returns the fine in credits: base value times the empire's multiplier, up to the bounty limit.
 */
export function fineOf(empire: number, held: readonly Held[]): number {
  const { customs_fine_multiplier_bps } = EMPIRES[empire].policy
  const fine = held.reduce(
    (sum, { item, units }) =>
      sum + Math.min(BOUNTY_CREDITS_MAX, mulDivFloor(GOODS[item].base_value, units, 1)),
    0,
  )
  return Math.min(BOUNTY_CREDITS_MAX, mulDivFloor(fine, customs_fine_multiplier_bps, BPS))
}

/** Returns the points of reputation that paying a bounty restores. */
export function restoredReputation(view: WorldView, player: Eid, empire: number): number {
  const { bounty_rep_restoration_bps, bounty_rep_restoration_cap } = EMPIRES[empire].policy
  const lost = view.read(CriminalRecord).lost[empireIndex(player, empire)]
  return Math.min(bounty_rep_restoration_cap, divFloor(lost * bounty_rep_restoration_bps, BPS))
}

/** Returns the index into EMPIRES of the empire that detains a player; -1 for none. */
export const detainingEmpire = (view: WorldView, player: Eid): number =>
  view.read(CriminalRecord).jailEmpire[player] - 1

/* Warrants */

/** Returns the ticks until police drones arrive, by police level. Source: combat.md section 12. */
export function responseTicks(level: number): number {
  if (level >= 100) return 0
  if (level >= 80) return 1
  if (level >= 60) return 2
  if (level >= 40) return 3
  return level >= 20 ? 4 : 5
}

/** Returns the warrant on a player in a system; 0 for none. */
export function warrantOf(view: WorldView, player: Eid, system: Eid): Row {
  const { system: systems, next } = view.read(Warrant)
  let row = view.read(CriminalRecord).firstWarrant[player]
  while (row !== 0 && systems[row] !== system) row = next[row]
  return row
}

/** Returns whether a player is wanted by the police of a system. */
export function isWanted(view: WorldView, player: Eid, system: Eid): boolean {
  const row = warrantOf(view, player, system)
  return row !== 0 && view.read(Warrant).until[row] >= view.tick
}
