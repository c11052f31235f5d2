/** What of a fight is a matter of the law: who attacked or destroyed whom, and where they stood. */
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { empireOfBase } from '../base/rules.ts'
import { masterOf } from '../drone/hull-rules.ts'
import {
  ALONE,
  chargeAttack,
  collectBounty,
  type Deed,
  lawOf,
  officialVictim,
  playerVictim,
  prizeVictim,
  type Standing,
  stationVictim,
  type Victim,
} from '../law/rules.ts'
import { isOfficial } from '../npc/rules.ts'
import { claimantOf, prizeOf } from '../prize/rules.ts'
import { Ship } from '../ship/columns.ts'
import { stationOf } from '../siege/station-rules.ts'
import { Location } from '../travel/columns.ts'
import { participantOf } from './battles.ts'
import { BATTLE_KINDS, Battle, Participant } from './columns.ts'
import { participantsOf, pilotOf } from './views.ts'

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
const isMatch = (view: WorldView, battle: Row): boolean =>
  BATTLE_KINDS[view.read(Battle).kind[battle]] === 'arena'

/** Charges an attack in the battle it has opened or joined. */
export function chargeDeed(world: World, deed: Deed | undefined, battle: Row): void {
  if (deed && !isMatch(world, battle)) chargeAttack(world, deed, battle)
}

/**
 * Joining a side counts as an attack on every player of the sides hostile to it. Source: combat.md
 * section 1.
 */
export function chargeEngagement(world: World, row: Row, enemies: readonly Row[]): void {
  const { battle, side } = world.read(Participant)
  const standing = { battle: battle[row], side: side[row] }
  const offender = pilotOf(world, row)
  const system = world.read(Battle).system[battle[row]]
  for (const enemy of enemies) {
    const player = pilotOf(world, enemy)
    if (player === 0) continue
    const victim = playerVictim(world, player)
    chargeAttack(world, { offender, victim, system, standing }, battle[row])
  }
}

/** The destruction of a participant by another, as it is to be judged; of a drone none. */
export function destructionOf(view: WorldView, killer: Row, row: Row): Deed | undefined {
  const { ship, battle } = view.read(Participant)
  if (isMatch(view, battle[row])) return undefined
  const deed = deedOf(view, ship[killer], ship[row])
  return deed?.victim.kind === 'player' && pilotOf(view, row) === 0 ? undefined : deed
}

/** Who is destroyed by police is in their hands: he pays, or wakes up detained. */
export function collectByPolice(world: World, player: Eid, ship: Eid): void {
  const empire = lawOf(world, world.read(Location).system[ship])
  if (empire >= 0) collectBounty(world, player, empire)
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
