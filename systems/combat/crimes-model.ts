/**
 * What of a fight is a matter of the law: who attacked or destroyed whom, and where they stood.
 */
import { GOODS, type ItemRow, isModule, type ModuleRow } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { BATTLE_LISTED_MAX } from '../../core/limits.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { empireOfBase } from '../base/model.ts'
import { masterOf } from '../drone/model.ts'
import {
  ALONE,
  type Deed,
  officialVictim,
  playerVictim,
  prizeVictim,
  type Standing,
  stationVictim,
  type Victim,
} from '../law/model.ts'
import { isBoss, isOfficial } from '../npc/model.ts'
import { claimantOf, prizeOf } from '../prize/model.ts'
import { moduleTypeOf } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { stationOf } from '../siege/model.ts'
import { Location } from '../travel/state.ts'
import { type Capture, type EndedParticipant, ROLLS, type Roll } from './feed-state.ts'
import { combatantId, combatantName, participantOf, participantsOf, pilotOf } from './model.ts'
import { BATTLE_KINDS, Battle, PARTICIPANT_KINDS, Participant } from './state.ts'

/** The player whose ship it is, or whose drone; 0 for the server's. */
const answerableFor = (view: WorldView, ship: Eid): Eid =>
  view.read(Ship).owner[ship] || masterOf(view, ship)

/**
 * Whom an attack on a hull is done to: the player it belongs to, or an empire; nobody for pirates,
 * creatures, stations of nobody and prizes that nobody has claimed.
 */
function victimOf(view: WorldView, ship: Eid): Victim | undefined {
  const owner = answerableFor(view, ship)
  if (owner !== 0) return playerVictim(view, owner)
  if (prizeOf(view, ship) !== 0) {
    const claimant = claimantOf(view, ship)
    return claimant === 0 ? undefined : prizeVictim(view, ship, claimant)
  }
  const base = stationOf(view, ship)
  if (base !== 0) return empireOfBase(view, base) < 0 ? undefined : stationVictim(view, base)
  return isOfficial(view, ship) ? officialVictim(view, ship) : undefined
}

/** Where a ship stood when the tick began. */
function standingOf(view: WorldView, ship: Eid): Standing {
  const row = participantOf(view, ship)
  const { battle, side, joinTick } = view.read(Participant)
  return row === 0 || joinTick[row] === view.tick ? ALONE : { battle: battle[row], side: side[row] }
}

/** The attack of a ship on another, as it is to be judged; before either joins or changes sides. */
export function deedOf(view: WorldView, ship: Eid, target: Eid): Deed | undefined {
  const victim = victimOf(view, target)
  if (!victim) return undefined
  return {
    offender: answerableFor(view, ship),
    victim,
    system: view.read(Location).system[target],
    standing: standingOf(view, ship),
  }
}

/** Matches are no matter of the law. Source: combat.md section 12. */
export const isMatch = (view: WorldView, battle: Row): boolean =>
  BATTLE_KINDS[view.read(Battle).kind[battle]] === 'arena'

/** The destruction of a participant by another, as it is to be judged; of a drone none. */
export function destructionOf(view: WorldView, killer: Row, row: Row): Deed | undefined {
  const { ship, battle } = view.read(Participant)
  if (isMatch(view, battle[row])) return undefined
  const deed = deedOf(view, ship[killer], ship[row])
  return deed?.victim.kind === 'player' && pilotOf(view, row) === 0 ? undefined : deed
}

/** Participants on sides that are enemies of this one's. */
export function enemiesOf(
  view: WorldView,
  row: Row,
  isEnemy: (side: number) => boolean,
): readonly Row[] {
  const { battle, side } = view.read(Participant)
  return participantsOf(view, battle[row]).filter((other) => isEnemy(side[other]))
}

/* Magazines: which goods a weapon takes, and filling one from the hold. */

export const takesAnything = (weapon: ModuleRow): boolean => weapon.special === 'ammo_from_cargo'

/** True if the good is ammunition for the weapon; some throw whatever there is. */
export function suitsWeapon(weapon: ModuleRow, item: number): boolean {
  if (takesAnything(weapon)) return true
  const good = GOODS[item]
  if (isModule(good)) return false
  const { effect } = good as ItemRow
  return effect?.type === 'ammo' && effect.subtype === weapon.ammo_type
}

/** Bound goods are thrown by nobody. */
export const isSpare = (item: number): boolean => GOODS[item].quest_item !== true

/**
 * What to load when nothing is named: what is loaded already, else the cheapest that fits, ties by
 * id; -1 when there is none aboard. ours: a pilot who names nothing wants more of the same.
 */
export function cheapestFitting(view: WorldView, ship: Eid, module: Row): number {
  const weapon = moduleTypeOf(view, module)
  const loaded = view.read(Module).ammoType[module] - 1
  const held = contentsOf(view, view.read(Ship).hold[ship])
  const fitting = held
    .map(({ item }) => item)
    .filter((item) => isSpare(item) && suitsWeapon(weapon, item))
  if (fitting.includes(loaded)) return loaded
  fitting.sort((a, b) => GOODS[a].base_value - GOODS[b].base_value || a - b)
  return fitting[0] ?? -1
}

/*
 * The roll of a battle: those who are out of it already, and hulls taken, for the account that is
 * given when it ends. Rare and small, so records.
 */

const NONE: Roll = { departed: [], lost: [], captures: [] }

export const keyOf = (view: WorldView, battle: Row): string => String(view.read(Battle).seq[battle])

export function rollOf(view: WorldView, battle: Row): Roll {
  return view.records(ROLLS).get(keyOf(view, battle)) ?? NONE
}

export function accountOf(view: WorldView, row: Row, survived: boolean): EndedParticipant {
  const { kind, side, dealt, taken, kills, ship } = view.read(Participant)
  return {
    player_id: combatantId(view, row),
    username: combatantName(view, row),
    side_id: side[row],
    damage_dealt: dealt[row],
    damage_taken: taken[row],
    kill_count: kills[row],
    survived,
    kind: PARTICIPANT_KINDS[kind[row]],
    ...(isBoss(view, ship[row]) ? { is_boss: true } : {}),
  }
}

/** Everyone who took part, those still there first, as far as the list reaches. */
export function everyone(view: WorldView, battle: Row): EndedParticipant[] {
  const there = participantsOf(view, battle).slice(0, BATTLE_LISTED_MAX)
  const rows = there.map((row) => accountOf(view, row, true))
  return [...rows, ...rollOf(view, battle).departed].slice(0, BATTLE_LISTED_MAX)
}

/** True when somebody who fought against that side did not survive it. */
export const hasLosses = (view: WorldView, battle: Row, winner: number): boolean =>
  rollOf(view, battle).departed.some((one) => one.side_id !== winner && !one.survived)

export const capturesOf = (view: WorldView, battle: Row): readonly Capture[] =>
  rollOf(view, battle).captures

/** Players who lost their ship in the battle. */
export const lostIn = (view: WorldView, battle: Row): Eid[] =>
  rollOf(view, battle).lost.map((number) => view.rowOf(Player, number))
