/**
 * Who comes to help a ship under attack: patrols and customs ships of its empire at once; of a
 * pirate's crew those for whom the threat is large enough, at once if they are at the place, and
 * otherwise once they have flown there. Source: balance.md section 8.
 */
import { PIRATES_PER_BATTLE_MAX } from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { answersCall, npcOf, pirateOf, type Threat, uncommittedPirates } from '../npc/model.ts'
import { summon } from '../npc/rules.ts'
import { Npc } from '../npc/state.ts'
import { shipClassOf } from '../ship/model.ts'
import { Location, StarSystem } from '../travel/state.ts'
import { joinBattle } from './battles-rules.ts'
import { lossesOf } from './log-model.ts'
import { areHostile, kindOf, type ParticipantKind, participantsOf } from './model.ts'
import { NOTICES } from './report-state.ts'
import { Battle, Participant } from './state.ts'

/** Kinds of participants that a crew counts as foes: ships, but not the drones they launch. */
const FOE_KINDS: ReadonlySet<ParticipantKind> = new Set(['player', 'npc', 'police', 'prize'])

/** Returns what the crew of a pirate knows of its enemies in a battle. */
export function threatTo(view: WorldView, victim: Row): Threat {
  const { battle: battleOf, side, ship } = view.read(Participant)
  const battle = battleOf[victim]
  const foes = participantsOf(view, battle).filter(
    (row) => areHostile(view, battle, side[victim], side[row]) && FOE_KINDS.has(kindOf(view, row)),
  )
  return {
    foes: foes.length,
    tierMax: foes.reduce((max, row) => Math.max(max, shipClassOf(view, ship[row]).tier), 0),
    losses: lossesOf(view, battle, side[victim], 'pirate'),
  }
}

/** Returns how many more of a participant's kind may join its battle. */
function placesFor(view: WorldView, victim: Row): number {
  const { battle } = view.read(Participant)
  const kind = kindOf(view, victim)
  const present = participantsOf(view, battle[victim]).filter((row) => kindOf(view, row) === kind)
  return Math.max(0, PIRATES_PER_BATTLE_MAX - present.length)
}

/** Has ships join a victim of their kind, as long as the battle has room for that kind. */
export function reinforce(world: World, victim: Row, ships: readonly Eid[]): void {
  const { battle, side } = world.read(Participant)
  for (const ship of ships.slice(0, placesFor(world, victim))) {
    if (isNearlyFull(world, Participant)) return
    joinBattle(world, battle[victim], ship, side[victim])
  }
}

/**
 * Returns the free pirates who come against a threat: those at the victim's place, and those who
 * are elsewhere. At a stronghold all of them come, and all count as being there.
 */
function crewOf(view: WorldView, victim: Row, threat: Threat): { here: Eid[]; away: Eid[] } {
  const { battle, ship } = view.read(Participant)
  const { poi } = view.read(Location)
  const system = view.read(Battle).system[battle[victim]]
  const all = uncommittedPirates(view, system)
  if (view.read(StarSystem).stronghold[system] === 1) return { here: all, away: [] }
  const coming = all.filter((hull) => answersCall(pirateOf(view, hull)?.rank ?? 1, threat))
  const place = poi[ship[victim]]
  const isHere = (hull: Eid): boolean => place !== 0 && poi[hull] === place
  return {
    here: coming.filter(isHere),
    away: coming.filter((hull) => !isHere(hull)),
  }
}

/**
 * Has the crew of a pirate come to its help: those at its place at once, the others by radio, which
 * the players are notified of. Outside phase engage all are called by radio.
 */
export function callCrew(world: World, victim: Row, { isEngaging }: { isEngaging: boolean }): void {
  const { battle, ship } = world.read(Participant)
  const { here, away } = crewOf(world, victim, threatTo(world, victim))
  if (isEngaging) reinforce(world, victim, here)
  const number = world.read(Battle).seq[battle[victim]]
  const { call } = world.read(Npc)
  const called = (isEngaging ? away : [...here, ...away]).filter(
    // Not those already on their way, which would start over.
    (hull) => call[npcOf(world, hull)] !== number,
  )
  const place = world.read(Location).poi[ship[victim]]
  for (const hull of called.slice(0, placesFor(world, victim))) {
    const ticks = summon(world, hull, number, place)
    world.index(NOTICES).called.push({ battle: battle[victim], ship: hull, ticks })
  }
}

/** Has a crew that lost ships in a battle call again: more of it may come now. */
export function callAfterLoss(world: World, battle: Row): void {
  const survivor = participantsOf(world, battle).find((row) => kindOf(world, row) === 'pirate')
  if (survivor !== undefined) callCrew(world, survivor, { isEngaging: false })
}
