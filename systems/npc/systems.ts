/** What NPCs do in a tick: strike, fight, look around. */
import { Container, Stack } from '../../core/goods.ts'
import type { SystemDef } from '../../core/system.ts'
import { BattleBoarding, Boarding } from '../boarding/columns.ts'
import { Battle, Fighting, Participant } from '../combat/columns.ts'
import { Module, Ship } from '../ship/columns.ts'
import { Location, Poi, StarSystem } from '../travel/columns.ts'
import { Haunt, Npc } from './columns.ts'
import { lookAround, strike } from './patrol.ts'
import { EMPIRE_SHIP, PIRATE } from './rules.ts'
import { commandNpcs } from './tactics.ts'
import { closeTurns, thinkers } from './think.ts'
import { keepWatch } from './watch.ts'

/** Attacks decided earlier, after those of the players. */
export const engage: SystemDef = {
  name: 'npc.engage',
  phase: 'engage',
  reads: [Location, Ship],
  writes: [Npc, Battle, Participant, Fighting],
  run(world) {
    const { kind } = world.read(Npc)
    for (const npc of thinkers(world, true)) if (kind[npc] === PIRATE) strike(world, npc)
  },
}

/** Orders of those in a battle, found by one read an NPC; then whoever is due looks around. */
export const decide: SystemDef = {
  name: 'npc.decide',
  phase: 'decide',
  reads: [Battle, Poi, StarSystem, Module],
  writes: [
    ...[Npc, Haunt, Participant, Fighting, Boarding, BattleBoarding],
    ...[Ship, Location, Container, Stack],
  ],
  run(world) {
    commandNpcs(world)
    const { kind } = world.read(Npc)
    const due = thinkers(world, false)
    lookAround(
      world,
      due.filter((npc) => kind[npc] === PIRATE),
    )
    keepWatch(
      world,
      due.filter((npc) => kind[npc] === EMPIRE_SHIP),
    )
    closeTurns(world)
  },
}
