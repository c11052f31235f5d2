/** What players see of pilots of the game. */
import type { Eid, WorldView } from '../../core/types.ts'
import { shipsAt } from '../travel/model.ts'
import { npcOf } from './model.ts'

/** Ships that NPCs of any kind steer at a place, in the order of their numbers. */
export const npcsAt = (view: WorldView, poi: Eid): Eid[] =>
  shipsAt(view, poi).filter((ship) => npcOf(view, ship) !== 0)
