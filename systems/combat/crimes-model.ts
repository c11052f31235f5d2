/** Attacks and kills as the law judges them: the offender, the victim, and the side of a battle. */
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { empireOfBase } from '../base/model.ts'
import {
  ALONE,
  type BattleSide,
  type Incident,
  officialVictim,
  playerVictim,
  prizeVictim,
  stationVictim,
  type Victim,
} from '../law/model.ts'
import { isOfficial } from '../npc/model.ts'
import { claimantOf, prizeOf } from '../prize/model.ts'
import { stationOf } from '../siege/model.ts'
import { Location } from '../travel/state.ts'
import { answerableFor, isMatch, participantOf, pilotOf } from './model.ts'
import { Participant } from './state.ts'

/**
 * Returns who is the victim in law when a hull is attacked; undefined for pirates, creatures,
 * unclaimed prizes, and stations of no empire.
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

/** Returns the side a ship was on when the tick began. */
function battleSideOf(view: WorldView, ship: Eid): BattleSide {
  const row = participantOf(view, ship)
  const { battle, side, joinTick } = view.read(Participant)
  return row === 0 || joinTick[row] === view.tick ? ALONE : { battle: battle[row], side: side[row] }
}

/**
 * Describes an attack for the law; undefined without a victim. The caller does so before either
 * ship joins or changes sides.
 */
export function incidentOf(view: WorldView, ship: Eid, target: Eid): Incident | undefined {
  const victim = victimOf(view, target)
  if (!victim) return undefined
  return {
    offender: answerableFor(view, ship),
    victim,
    system: view.read(Location).system[target],
    battleSide: battleSideOf(view, ship),
  }
}

/** Describes a kill for the law; undefined in a match, and if the victim is a player's drone. */
export function destructionOf(view: WorldView, killer: Row, row: Row): Incident | undefined {
  const { ship, battle } = view.read(Participant)
  if (isMatch(view, battle[row])) return undefined
  const incident = incidentOf(view, ship[killer], ship[row])
  return incident?.victim.kind === 'player' && pilotOf(view, row) === 0 ? undefined : incident
}
