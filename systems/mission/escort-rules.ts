/** How escort missions progress and fail with their convoy. */
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { activeShip } from '../ship/model.ts'
import { JUMPING, Location } from '../travel/state.ts'
import { escortsOf } from './escort-model.ts'
import { slotOf, templateOf } from './model.ts'
import { failMission, markChanged } from './rules.ts'
import { ACTIVE, Mission } from './state.ts'

/** Returns whether a player is online and their ship is in a system. */
function isIn(view: WorldView, player: Eid, system: Eid): boolean {
  const ship = activeShip(view, player)
  const { system: systemOf, state } = view.read(Location)
  return isBound(view, player) && systemOf[ship] === system && state[ship] < JUMPING
}

interface Stop {
  /** Durable number of the convoy. */
  readonly convoy: number
  readonly system: Eid
  /** True at the capital: a mission cannot be completed without this last stop. */
  readonly isLast: boolean
}

/** Counts a stop of a convoy for the escort missions of players who are in its system. */
export function countConvoyStop(world: World, { convoy, system, isLast }: Stop): void {
  const { player } = world.read(Mission)
  const { progress } = world.write(Mission)
  const { moved } = world.index(ACTIVE)
  for (const mission of escortsOf(world, convoy)) {
    if (!isIn(world, player[mission], system)) continue
    const slot = slotOf(mission, 0)
    const max = requiredOf(world, mission) - (isLast ? 0 : 1)
    if (progress[slot] >= max) continue
    progress[slot]++
    moved.set(mission, 0)
    markChanged(world, player[mission])
  }
}

const requiredOf = (view: WorldView, mission: Row): number =>
  templateOf(view, mission).objectives[0].quantity

/** Fails the escort missions of a convoy that has ended, except those with enough stops counted. */
export function failEscorts(world: World, convoy: number, reason: string): void {
  const { progress } = world.read(Mission)
  const failed = escortsOf(world, convoy).filter(
    (mission) => progress[slotOf(mission, 0)] < requiredOf(world, mission),
  )
  for (const mission of failed) {
    failMission(world, mission, `"${templateOf(world, mission).title}" has failed: ${reason}.`)
  }
}
