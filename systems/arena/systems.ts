/** What the arena does in a tick: challenges lapse, waves come, the house gives its orders. */
import type { SystemDef } from '../../core/system.ts'
import { Battle, Participant } from '../combat/columns.ts'
import { participantsOf } from '../combat/views.ts'
import { Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { Contest } from './columns.ts'
import { lapse } from './duels.ts'
import { matchesOf, sendWaves } from './matches.ts'
import { giveHouseOrders } from './tactics.ts'

export const lapsing: SystemDef = {
  name: 'arena.lapse',
  phase: 'arrive',
  reads: [],
  writes: [],
  run: lapse,
}

/** Before the fight, so that who has just come is seen before it fires. */
export const waves: SystemDef = {
  name: 'arena.waves',
  phase: 'engage',
  reads: [Battle],
  writes: [Contest, Ship, Location, Participant],
  run(world) {
    for (const { battle, match } of matchesOf(world)) sendWaves(world, battle, match)
  },
}

export const houseOrders: SystemDef = {
  name: 'arena.orders',
  phase: 'decide',
  reads: [Battle, Contest],
  writes: [Participant],
  run(world) {
    const { fighter } = world.read(Contest)
    const { ship } = world.read(Participant)
    for (const { battle, match } of matchesOf(world)) {
      if (match.challenge === '') continue
      for (const row of participantsOf(world, battle)) {
        if (fighter[ship[row]] !== 0) giveHouseOrders(world, battle, row)
      }
    }
  },
}
