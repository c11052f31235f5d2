/** How far a distress signal is heard: systems by jumps, and how many listen in them. */
import { DISTRESS_RADIUS } from '../../core/limits-posting.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { isBound } from '../account/rules.ts'
import { mutes } from '../settings/rules.ts'
import { lanesFrom, playersIn } from '../travel/rules.ts'

/** Systems around one, a list for each number of jumps; within a ring in the order of the lanes. */
export function ringsAround(view: WorldView, system: Eid): Eid[][] {
  const seen = new Set<Eid>([system])
  const rings: Eid[][] = [[system]]
  for (let jumps = 1; jumps <= DISTRESS_RADIUS; jumps++) {
    const ring: Eid[] = []
    for (const from of rings[jumps - 1]) {
      for (const to of lanesFrom(view, from)) {
        if (seen.has(to)) continue
        seen.add(to)
        ring.push(to)
      }
    }
    rings.push(ring)
  }
  return rings
}

/** True for a player who hears calls for help: online, and the channel is not muted. */
const hears = (view: WorldView, player: Eid): boolean =>
  isBound(view, player) && !mutes(view, player, 'chat.emergency')

/** How many pilots hear a call in these systems, but for who calls. */
export function countListeners(view: WorldView, sender: Eid, systems: readonly Eid[]): number {
  let heard = 0
  for (const system of systems) {
    for (const player of playersIn(view, system)) {
      if (player !== sender && hears(view, player)) heard++
    }
  }
  return heard
}
