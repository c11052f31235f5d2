/** What NPCs do in a tick: strike, fight, look around. */
import { Container, Stack } from '../../core/goods.ts'
import type { SystemDef } from '../../core/system.ts'
import { BattleBoarding, Boarding } from '../boarding/columns.ts'
import { Battle, Fighting, Participant } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Location, Poi, StarSystem } from '../travel/columns.ts'
import { Npc } from './columns.ts'
import { lookAround, strike } from './patrol.ts'
import { giveOrders } from './tactics.ts'
import { closeTurns, thinkers } from './think.ts'

/** Attacks decided earlier, after those of the players. */
export const engage: SystemDef = {
  name: 'npc.engage',
  phase: 'engage',
  reads: [Location, Ship],
  writes: [Npc, Battle, Participant, Fighting],
  run(world) {
    for (const npc of thinkers(world, true)) strike(world, npc)
  },
}

/** Orders of those in a battle, found by one read an NPC; then whoever is due looks around. */
export const decide: SystemDef = {
  name: 'npc.decide',
  phase: 'decide',
  reads: [Battle, Fighting, Poi, StarSystem],
  writes: [Npc, Participant, Boarding, BattleBoarding, Ship, Location, Container, Stack],
  run(world) {
    const { alive, ship } = world.read(Npc)
    const { participant } = world.read(Fighting)
    for (let npc = 1; npc <= world.highOf(Npc); npc++) {
      if (alive[npc] === 1 && participant[ship[npc]] !== 0)
        giveOrders(world, participant[ship[npc]])
    }
    lookAround(world, thinkers(world, false))
    closeTurns(world)
  },
}
